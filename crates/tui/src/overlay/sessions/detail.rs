//! Everything that is known of one session.

use mind::session::Session;
use ratatui::text::{Line, Span};
use view::amount::counted;
use view::clean::clean;
use view::session::{SessionView, sandbox_words};
use view::status::StatusLine;
use view::when;

use crate::overlay::panel::bar;
use crate::overlay::rows::broken;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

/// How wide the names of things are.
const NAMES_WIDTH: usize = 11;

/// The lines of a session at a width.
pub(super) fn lines(
    session: &Session,
    model: &ViewModel<'_>,
    columns: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let view = SessionView::of(session, model.state, model.now);
    let mut sheet = Sheet { lines: Vec::new(), columns: usize::from(columns), theme };
    sheet.row("who", Tint::Words, &format!("{}, {}, {}", view.who, view.role_words, view.session));
    sheet.row("state", view.doing.tone.into(), &view.doing.text);
    view.tool.iter().for_each(|tool| sheet.row("tool", Tint::Words, tool));
    view.waits_because.iter().for_each(|why| sheet.row("because", Tint::Warn, why));
    sheet.row("made of", Tint::Words, &view.made_of);
    gauge(&view, &mut sheet);
    let (turns, calls) = (counted(session.turns.completed, "turn"), counted(view.tool_calls, "tool call"));
    sheet.row("work", Tint::Words, &format!("{turns}, {calls}"));
    sheet.row("cost", Tint::Words, &view.cost);
    let active = when::span(model.now.0.saturating_sub(session.health.active_at.0));
    sheet.row("last sign", Tint::Words, &format!("{active} ago, process {}", session.incarnation));
    let StatusLine { text, tone } = sandbox_words(view.sandbox.level);
    sheet.row("sandbox", tone.into(), &text);
    sheet.row("id", Tint::Words, &view.key);
    if let Some(words) = (model.by_hand)(&session.profile) {
        sheet.row("by hand", Tint::Code, &words);
        if let Some(settled) = &model.state.clone_place {
            sheet.row("in", Tint::Code, &settled.folder);
        }
    }
    sheet.lines
}

fn gauge(view: &SessionView, sheet: &mut Sheet<'_>) {
    let Some(full) = &view.fullness else {
        return sheet.row("context", Tint::Dim, "not measured yet");
    };
    let bar = bar(full.percent, 10, sheet.theme);
    sheet.row("context", full.tone.into(), &format!("{bar} {}", full.words));
    sheet.row("tokens", Tint::Words, &format!("{} ({})", full.tokens, full.source));
    full.forecast.iter().for_each(|forecast| sheet.row("forecast", Tint::Words, forecast));
}

struct Sheet<'a> {
    lines: Vec<Line<'static>>,
    columns: usize,
    theme: &'a Theme,
}

impl Sheet<'_> {
    /// A named value; broken where it does not fit, and never cut: ids are there to be copied.
    fn row(&mut self, name: &str, tint: Tint, value: &str) {
        let room = self.columns.saturating_sub(NAMES_WIDTH + 1);
        let value = clean(value);
        for (at, piece) in broken(&value, room).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            self.lines.push(Line::from(vec![
                Span::styled(format!(" {name:NAMES_WIDTH$}"), self.theme.style(Tint::Dim)),
                Span::styled(piece, self.theme.style(tint)),
            ]));
        }
    }
}
