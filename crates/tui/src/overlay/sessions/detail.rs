//! Everything that is known of one session.

use mind::session::{Role, Session};
use ratatui::text::{Line, Span};
use view::amount::{counted, tokens};
use view::clean::clean;
use view::when;

use super::{doing, dollars, made_of};
use crate::draw::gauges::fullness;
use crate::overlay::panel::bar;
use crate::overlay::rows::broken;
use crate::sight::Sight;
use crate::theme::{Theme, Tint};

/// How wide the names of things are.
const NAMES_WIDTH: usize = 11;

/// The lines of a session at a width.
pub(super) fn lines(session: &Session, sight: &Sight<'_>, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let profile = &session.profile;
    let role = match profile.role {
        Role::Arbiter => "the manager",
        Role::Orchestrator => "a worker",
        Role::Verifier => "a verifier",
        Role::Agent => "an agent",
    };
    let (tint, words) = doing(session, sight.now);
    let mut sheet = Sheet { lines: Vec::new(), columns: usize::from(columns), theme };
    sheet.row("who", Tint::Words, &format!("{}, {role}, {}", profile.speaker(), profile.session));
    sheet.row("state", tint, &words);
    if let Some(tool) = session.tool_use.running.last() {
        sheet.row("tool", Tint::Words, &format!("{} {}", tool.name, tool.detail));
    }
    if let Some(wait) = &session.health.wait {
        sheet.row("because", Tint::Warn, &wait.why);
    }
    sheet.row("made of", Tint::Words, &made_of(session));
    gauge(session, sight, &mut sheet);
    let (turns, calls) =
        (counted(session.turns.completed, "turn"), counted(session.tool_use.calls, "tool call"));
    sheet.row("work", Tint::Words, &format!("{turns}, {calls}"));
    sheet.row("cost", Tint::Words, &dollars(session.usage.cost_microusd));
    let active = when::span(sight.now.0.saturating_sub(session.health.active_at.0));
    sheet.row("last sign", Tint::Words, &format!("{active} ago, life {}", session.incarnation));
    let (tint, level) = match session.sandbox {
        Some(mind::lay::Level::Off) => (Tint::Bad, "off".to_owned()),
        Some(level) => (Tint::Words, level.to_string()),
        None => (Tint::Dim, "not known yet".to_owned()),
    };
    sheet.row("sandbox", tint, &level);
    sheet.row("id", Tint::Words, &profile.key);
    if let Some(words) = (sight.by_hand)(profile) {
        sheet.row("by hand", Tint::Code, &words);
        if let Some(settled) = &sight.state.settled {
            sheet.row("in", Tint::Code, &settled.folder);
        }
    }
    sheet.lines
}

fn gauge(session: &Session, sight: &Sight<'_>, sheet: &mut Sheet<'_>) {
    let Some(gauge) = &session.context.gauge else {
        return sheet.row("context", Tint::Dim, "not measured yet");
    };
    let percent = gauge.percent();
    let bar = bar(percent, 10, sheet.theme);
    sheet.row("context", fullness(percent, sight.state), &format!("{bar} {percent}%"));
    let source = &gauge.source;
    sheet.row(
        "tokens",
        Tint::Words,
        &format!("{} of {} ({source})", tokens(gauge.used), tokens(gauge.window)),
    );
    if let (Some(burn), Some(left)) = (session.context.burn, session.forecast()) {
        let turns = if left == 1 { "turn" } else { "turns" };
        sheet.row("forecast", Tint::Words, &format!("{} a turn: {left} more {turns}", tokens(burn)));
    }
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
