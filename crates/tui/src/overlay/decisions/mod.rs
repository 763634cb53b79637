//! The docket page: what waits for the person, and the answer to it. An answer is bound to the question that was drawn; where
//! a question vanishes, nothing else slips under the cursor.

mod answering;
mod asked;
mod deciding;
mod decision;
mod detail;
mod items;
mod layout;
mod open_petition;
mod petition_layout;
mod review;

pub use asked::Begun;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};
use mind::petition::{AnswerChoice, PetitionId};
use mind::{PermissionId, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use self::answering::barred;
use self::items::{Item, Pick, items};
use self::layout::{ENTER, Layout, buttons};
use self::open_petition::Sheet;
use super::PageResponse;
use super::field::Field;
use super::list::{Motion, Scroll, letter, motion, step, wheel};
use super::panel::{self, Panel};
use crate::draw::clockwork;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

const ON_ITS_WAY: &str = "Your answer is on its way.";
const HINTS: &[(&str, &str)] = &[("j/k", "choose"), ("q", "close"), ("i", "speak"), ("J/K", "scroll")];
const REASON_HINTS: &[(&str, &str)] = &[("Enter", "send the no"), ("Esc", "back")];

/// What the person has made of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecisionsPage {
    cursor: RefCell<Cursor>,
    /// What stood on the screen when the page was last drawn.
    shown: RefCell<Option<Shown>>,
    /// What was seen to its end.
    read: RefCell<Option<Pick>>,
    /// What was answered and is no fact yet.
    sent: BTreeSet<Pick>,
    /// When the last answer was given, if nothing was chosen since.
    answered_at: Option<Timestamp>,
    /// When a press was last refused as too hasty.
    pressed_at: Option<Timestamp>,
    reason: Option<Reason>,
    /// A petition that is being decided.
    open: Option<Box<Sheet>>,
    /// What was chosen of the mission's own question.
    begun: Begun,
    /// Answers to petitions that are on their way, with what stood before.
    waiting: Waiting,
    notice: Option<&'static str>,
    list: Scroll,
    detail: Scroll,
}

/// Decisions of petitions, each with the answer that stood when another was given.
type Waiting = BTreeMap<(PetitionId, Arc<str>), Option<AnswerChoice>>;

#[derive(Debug, Clone, PartialEq, Default)]
enum Cursor {
    /// Nothing was drawn yet: the first comes.
    #[default]
    Fresh,
    /// Nothing is chosen: the person has to.
    Nothing,
    This(Pick),
}

/// A question as it stood on the screen.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    pick: Pick,
    digest: Arc<str>,
    lasting: bool,
    decisions: bool,
}

/// A no whose reason is being typed.
#[derive(Debug, Clone, PartialEq)]
struct Reason {
    ask: PermissionId,
    digest: Arc<str>,
    field: Field,
}

impl DecisionsPage {
    /// The page, with what was chosen on it before and not sent.
    pub fn begun_with(begun: Begun) -> DecisionsPage {
        DecisionsPage { begun, ..DecisionsPage::default() }
    }

    /// What was chosen and not sent.
    pub fn into_begun(self) -> Begun {
        self.begun
    }

    /// A key was pressed.
    pub fn key(&mut self, key: KeyEvent, model: &ViewModel<'_>) -> PageResponse {
        let items = self.waiting(model);
        self.notice = None;
        if self.reason.is_some() {
            return self.reason_key(&key, &items, model);
        }
        if self.open.is_some() {
            return match self.opened(&items, model) {
                Some(opened) => self.sheet_key(&key, &opened, model),
                None => self.vanished(),
            };
        }
        let letter = letter(&key);
        if key.code == KeyCode::Esc || matches!(letter, Some('q' | 'd')) {
            return PageResponse::Close;
        }
        if key.code == KeyCode::Enter {
            if key.kind == KeyEventKind::Press {
                self.open(&items, model);
            }
            return PageResponse::Stay;
        }
        if let Some(sign @ ('y' | 'h' | 'm' | 'n' | 'i')) = letter {
            // A key that is held down answers one question, not all of them.
            return if key.kind == KeyEventKind::Press {
                self.press(sign, model)
            } else {
                PageResponse::Stay
            };
        }
        match (letter, motion(&key)) {
            (Some('J'), _) => self.detail.go(Motion::Lines(1)),
            (Some('K'), _) => self.detail.go(Motion::Lines(-1)),
            (_, Some(Motion::Halves(halves))) => self.detail.go(Motion::Halves(halves)),
            (_, Some(motion)) => self.choose(&items, motion),
            (_, None) => {}
        }
        PageResponse::Stay
    }

    /// What was answered last did not reach the mission: it can be answered again.
    pub fn unsend(&mut self) {
        self.sent.clear();
        self.waiting.clear();
        self.answered_at = None;
    }

    /// What was open waits no more: nothing else slips under the next key.
    fn vanished(&mut self) -> PageResponse {
        self.shut();
        self.notice = Some(deciding::GONE);
        PageResponse::Stay
    }

    /// A text was pasted.
    pub fn paste(&mut self, text: &str) {
        if let Some(reason) = &mut self.reason {
            reason.field.put(text);
        }
        if let Some(field) = self.open.as_mut().and_then(|sheet| sheet.own.as_mut()) {
            field.put(text);
        }
    }

    /// The mouse did something; the page is drawn in `area`.
    pub fn mouse(
        &mut self,
        mouse: MouseEvent,
        area: Rect,
        model: &ViewModel<'_>,
        _theme: &Theme,
    ) -> PageResponse {
        let items = self.waiting(model);
        if let Some(motion) = wheel(&mouse) {
            self.open.as_ref().map_or(&self.detail, |sheet| &sheet.scroll).go(motion);
            return PageResponse::Stay;
        }
        let types = self.reason.is_some() || self.open.as_ref().is_some_and(|sheet| sheet.own.is_some());
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) || types {
            return PageResponse::Stay;
        }
        self.notice = None;
        let opened = self.opened(&items, model);
        let layout = Layout::new(panel::rooms(area).1, items.len(), opened.is_some());
        let at = Position::new(mouse.column, mouse.row);
        if layout.list.contains(at) {
            let place = self.list.above() + usize::from(at.y - layout.list.y);
            if let Some(item) = items.get(place) {
                self.shut();
                self.take(item.pick());
            }
            return PageResponse::Stay;
        }
        if let (Some(sheet), Some(opened)) = (&self.open, &opened) {
            let buttons = petition_layout::buttons(layout.foot, sheet, &opened.1);
            return match buttons.into_iter().find(|button| button.area.contains(at)) {
                Some(button) => self.sheet_sign(button.key, opened, model),
                None => self.sheet_click(at, opened, model),
            };
        }
        if self.open.is_some() {
            return self.vanished();
        }
        let Some(shown) = self.shown.borrow().clone() else { return PageResponse::Stay };
        let mut buttons = buttons(layout.foot, &shown.pick, shown.lasting, shown.decisions).into_iter();
        match buttons.find(|button| button.area.contains(at)) {
            Some(button) if button.key == ENTER => self.open(&items, model),
            Some(button) => return self.press(button.key, model),
            None => {}
        }
        PageResponse::Stay
    }

    /// What waits; a choice that waits no more is no choice any more.
    fn waiting<'a>(&self, model: &ViewModel<'a>) -> Vec<Item<'a>> {
        let items = items(model);
        let mut cursor = self.cursor.borrow_mut();
        let moved = match &*cursor {
            Cursor::Fresh => items.first().map_or(Cursor::Nothing, |item| Cursor::This(item.pick())),
            Cursor::This(pick) if !items.iter().any(|item| item.is(pick)) => Cursor::Nothing,
            same @ (Cursor::Nothing | Cursor::This(_)) => same.clone(),
        };
        *cursor = moved;
        items
    }

    fn is_chosen(&self, item: &Item<'_>) -> bool {
        matches!(&*self.cursor.borrow(), Cursor::This(pick) if item.is(pick))
    }

    fn choose(&mut self, items: &[Item<'_>], motion: Motion) {
        let at = items.iter().position(|item| self.is_chosen(item));
        let to = match at {
            Some(at) => step(at, items.len(), self.list.rows(), motion),
            None if motion == Motion::End => items.len().saturating_sub(1),
            None => 0,
        };
        if let Some(item) = items.get(to) {
            self.take(item.pick());
        }
    }

    fn take(&mut self, pick: Pick) {
        self.cursor.replace(Cursor::This(pick));
        self.answered_at = None;
        self.detail.reset();
    }

    /// Draws the page; says where the cursor is, if one types in it.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        let items = self.waiting(model);
        self.shown.replace(None);
        let opened = self.opened(&items, model);
        let hints = match (&self.open, &opened) {
            (Some(sheet), Some(opened)) => petition_layout::hints(sheet, &opened.1),
            (_, None) | (None, _) if self.reason.is_some() => REASON_HINTS,
            (_, None) | (None, _) => HINTS,
        };
        let note = match clockwork::waiting_here(model) {
            0 => String::new(),
            count => format!("{count} waiting"),
        };
        let inner = Panel { title: "Docket", note, hints }.draw(area, buffer, theme);
        let layout = Layout::new(inner, items.len(), opened.is_some());
        let chosen = items.iter().find(|item| self.is_chosen(item));
        if items.is_empty() {
            let words = match model.waits {
                waits if waits > 0 && model.is_past() => {
                    format!("  Nothing waited then; {waits} now: Esc, then d.")
                }
                _ => "  Nothing waits for you.".to_owned(),
            };
            panel::one(layout.detail, buffer, &Line::styled(words, theme.style(Tint::Dim)));
        }
        panel::column(layout.between, buffer, theme);
        self.draw_list(layout.list, buffer, &items, model, theme);
        if let (Some(sheet), Some(opened)) = (&self.open, &opened) {
            return self.draw_sheet(&layout, buffer, sheet, opened, model, theme);
        }
        if let Some(item) = chosen {
            let columns = layout.detail.width;
            let decisions = asked::petition(item, model.state, &self.begun);
            let head = Rect { height: layout.detail.height.min(1), ..layout.detail };
            panel::one(head, buffer, &detail::head(item, model, theme));
            let height = layout.detail.height.saturating_sub(1);
            let body = Rect { y: layout.detail.y + head.height, height, ..layout.detail };
            let lines = detail::body(item, decisions.as_deref(), model, columns, theme);
            panel::lines(body, buffer, &lines, &self.detail, theme);
            if layout::is_readable(body) {
                self.shown.replace(Some(shown(item, decisions.is_some())));
                if self.detail.below() == 0 {
                    self.read.replace(Some(item.pick()));
                }
            }
        }
        let words = match self.notice {
            // What was said of a question that is gone says nothing of the next one.
            Some(ON_ITS_WAY) | None if chosen.is_none() && !items.is_empty() => Some("Choose: j or k."),
            notice => notice,
        };
        let below = if chosen.is_some() { self.detail.below() } else { 0 };
        draw_rule(layout.rule, buffer, words, below, theme);
        self.draw_foot(layout.foot, buffer, chosen, model, theme)
    }

    fn draw_list(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        all: &[Item<'_>],
        model: &ViewModel<'_>,
        theme: &Theme,
    ) {
        let at = all.iter().position(|item| self.is_chosen(item));
        let rows = usize::from(area.height);
        let seen = match at {
            Some(at) => self.list.fit_around(at, rows, all.len()),
            None => self.list.fit(rows, all.len()),
        };
        for (place, row) in seen.zip(area.rows()) {
            let sent = self.sent.contains(&all[place].pick());
            panel::one(row, buffer, &items::row(&all[place], sent, model.now, area.width, theme));
            if Some(place) == at {
                buffer.set_style(row.intersection(buffer.area), theme.style(Tint::Chosen));
            }
        }
    }

    fn draw_foot(
        &self,
        row: Rect,
        buffer: &mut Buffer,
        chosen: Option<&Item<'_>>,
        model: &ViewModel<'_>,
        theme: &Theme,
    ) -> Option<Position> {
        if let Some(reason) = &self.reason {
            let name = format!(" no to {}, because: ", reason.ask);
            return reason.field.draw(row, buffer, &name, theme.style(Tint::Bad));
        }
        let item = chosen?;
        let pick = item.pick();
        let words = match barred(model, &pick) {
            Some(why) => why,
            None if self.sent.contains(&pick) => "sent",
            None => {
                let shown = shown(item, asked::petition(item, model.state, &self.begun).is_some());
                for button in buttons(row, &shown.pick, shown.lasting, shown.decisions) {
                    panel::one(button.area, buffer, &button.line(theme));
                }
                return None;
            }
        };
        panel::one(row, buffer, &Line::styled(format!(" {words}"), theme.style(Tint::House)));
        None
    }
}

/// The line between, which also says what a key could not do, and that there is more to read.
fn draw_rule(row: Rect, buffer: &mut Buffer, words: Option<&str>, below: usize, theme: &Theme) {
    let rule = theme.sign("─", "-").repeat(usize::from(row.width));
    panel::one(row, buffer, &Line::styled(rule, theme.style(Tint::Frame)));
    let words = match words {
        Some(words) => words.to_owned(),
        None if below > 0 => format!("{below} more lines: PgDn"),
        None => return,
    };
    panel::one(row, buffer, &Line::styled(format!(" {words} "), theme.style(Tint::Warn)));
}

fn shown(item: &Item<'_>, decisions: bool) -> Shown {
    let (digest, lasting) = match item {
        Item::Ask(_, ask) => (Arc::clone(&ask.request.digest), !ask.request.shapes.is_empty()),
        Item::Alignment(_) | Item::Words(_) | Item::Petition(_) | Item::Fault(_) => (Arc::from(""), false),
    };
    Shown { pick: item.pick(), digest, lasting, decisions }
}
