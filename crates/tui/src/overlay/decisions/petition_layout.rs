//! How an open petition looks: one decision, or all of them before they are sent.

use mind::petition::Petition;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::answering::barred;
use super::deciding::{Opened, is_waiting};
use super::decision::{self, Look};
use super::items::{Item, Pick};
use super::layout::{Button, ESC, Layout, Words, is_readable, placed};
use super::open_petition::Sheet;
use super::review::{self, Rows};
use super::{DecisionsPage, draw_rule};
use crate::overlay::panel::{self, brief};
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

const DECISION_HINTS: &[(&str, &str)] = &[
    ("a-z", "choose"),
    ("Esc", "back"),
    ("Tab", "next"),
    ("j/k", "move"),
    ("J/K", "scroll"),
    ("q", "close"),
];
const REVIEW_HINTS: &[(&str, &str)] =
    &[("y", "send"), ("Enter", "change"), ("Esc", "back"), ("j/k", "move"), ("q", "close")];
const PETITION_REVIEW_HINTS: &[(&str, &str)] =
    &[("y", "submit"), ("Enter", "change"), ("Esc", "back"), ("j/k", "move"), ("q", "close")];
const OWN_HINTS: &[(&str, &str)] = &[("Enter", "take it"), ("Esc", "back")];

/// What keys do now.
pub(super) fn hints(sheet: &Sheet, petition: &Petition) -> &'static [(&'static str, &'static str)] {
    match (&sheet.own, sheet.decision(petition)) {
        (Some(_), _) => OWN_HINTS,
        (None, Some(_)) => DECISION_HINTS,
        (None, None) if matches!(sheet.pick, Pick::Petition(_)) => PETITION_REVIEW_HINTS,
        (None, None) => REVIEW_HINTS,
    }
}

/// The keys that can be clicked.
pub(super) fn buttons(row: Rect, sheet: &Sheet, petition: &Petition) -> Vec<Button> {
    let words: &[Words] = match (sheet.place(petition), &sheet.pick) {
        (Some(0), _) => &[&[('>', " next"), (ESC, " back")], &[('>', ""), (ESC, "")]],
        (Some(_), _) => {
            &[&[('<', " before"), ('>', " next"), (ESC, " back")], &[('<', ""), ('>', ""), (ESC, "")]]
        }
        (None, Pick::Petition(_)) => {
            &[&[('y', " submit"), ('<', " before"), (ESC, " back")], &[('y', ""), ('<', ""), (ESC, "")]]
        }
        (None, Pick::Ask(_) | Pick::Alignment(_) | Pick::Words(_) | Pick::Fault(_)) => {
            &[&[('y', " send"), ('<', " before"), (ESC, " back")], &[('y', ""), ('<', ""), (ESC, "")]]
        }
    };
    placed(row, words)
}

impl DecisionsPage {
    /// Draws an open petition; says where the cursor is, if one types in it.
    pub(super) fn draw_sheet(
        &self,
        layout: &Layout,
        buffer: &mut Buffer,
        sheet: &Sheet,
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        let (_, petition) = opened;
        let area = layout.detail;
        let head = Rect { height: area.height.min(1), ..area };
        panel::one(head, buffer, &head_line(sheet, opened, area.width, theme));
        let body = Rect { y: area.y + head.height, height: area.height.saturating_sub(1), ..area };
        let rows = self.sheet_rows(sheet, opened, model, body.width, theme);
        sheet.scroll_to_cursor(&rows, usize::from(body.height));
        panel::lines(body, buffer, &rows.lines, &sheet.scroll, theme);
        if is_readable(body) {
            sheet.seen(petition, &rows, body);
        } else {
            sheet.unseen();
        }
        self.draw_cursor(sheet, &rows, body, buffer, theme);
        draw_rule(layout.rule, buffer, self.notice, sheet.scroll.below(), theme);
        if let Some(field) = &sheet.own {
            return field.draw(layout.foot, buffer, " your words: ", theme.style(Tint::Key));
        }
        if let Some(why) = barred(model, &sheet.pick) {
            panel::one(layout.foot, buffer, &Line::styled(format!(" {why}"), theme.style(Tint::House)));
            return None;
        }
        for button in buttons(layout.foot, sheet, petition) {
            panel::one(button.area, buffer, &button.line(theme));
        }
        None
    }

    fn sheet_rows(
        &self,
        sheet: &Sheet,
        opened: &Opened<'_>,
        model: &ViewModel<'_>,
        columns: u16,
        theme: &Theme,
    ) -> Rows {
        let (item, petition) = opened;
        let waits = |decision: &mind::petition::Decision| is_waiting(&self.waiting, petition, decision);
        match sheet.decision(petition) {
            Some(decision) => {
                let (marks, asker) = (sheet.marks(decision), item.asker());
                let look = Look { marks: &marks, asker: &asker, waits: waits(decision) };
                decision::rows(petition, decision, &look, model, columns, theme)
            }
            None => review::rows(petition, Some(&waits), model, columns, theme),
        }
    }

    fn draw_cursor(&self, sheet: &Sheet, rows: &Rows, body: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(place) = rows.places.get(sheet.cursor) else { return };
        let top = sheet.scroll.above();
        for (line, row) in (top..).zip(body.rows()) {
            if place.contains(&line) {
                buffer.set_style(row.intersection(buffer.area), theme.style(Tint::Chosen));
            }
        }
    }
}

/// Where one is in it, and what it is.
fn head_line(sheet: &Sheet, opened: &Opened<'_>, columns: u16, theme: &Theme) -> Line<'static> {
    let (item, petition) = opened;
    let place = match sheet.place(petition) {
        Some(at) => format!(" {}/{} ", at + 1, petition.decisions.len()),
        None => " Review ".to_owned(),
    };
    let counts = format!("({}) ", view::review::counts(petition));
    // The mission's own question says itself who asks.
    let asker = match item {
        Item::Petition(_) => format!("{}: ", item.asker()),
        Item::Ask(..) | Item::Alignment(_) | Item::Words(_) | Item::Fault(_) => String::new(),
    };
    let room = usize::from(columns).saturating_sub(width(&place) + width(&counts) + width(&asker));
    Line::from(vec![
        Span::styled(place, theme.style(Tint::Title)),
        Span::styled(counts, theme.style(Tint::Dim)),
        Span::styled(asker, theme.style(Tint::Orchestrator)),
        Span::styled(brief(&petition.title, room), theme.style(Tint::Words)),
    ])
}
