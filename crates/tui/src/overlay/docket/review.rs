//! All decisions of a petition at a glance: what was answered, what was left to the asker, what is open.

use std::ops::Range;

use mind::petition::{Choice, Decision, Petition};
use ratatui::text::{Line, Span};
use view::clean::clean;

use super::asked::standing;
use crate::overlay::panel::brief;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};

/// How much of an answer is shown where all of them are.
const ANSWER_COLUMNS_MAX: usize = 300;

/// Lines, and which of them belong to which thing that can be chosen.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// All lines.
    pub(super) lines: Vec<Line<'static>>,
    /// Those of each thing that can be chosen.
    pub(super) places: Vec<Range<usize>>,
}

impl Rows {
    /// Adds something that can be chosen.
    pub(super) fn put(&mut self, lines: Vec<Line<'static>>) {
        let from = self.lines.len();
        self.lines.extend(lines);
        self.places.push(from..self.lines.len());
    }
}

/// The decisions, with their answers. Those of which `waiting` says so are on their way.
pub(super) fn rows(
    petition: &Petition,
    waiting: Option<&dyn Fn(&Decision) -> bool>,
    columns: u16,
    theme: &Theme,
) -> Rows {
    let mut rows = Rows::default();
    for (at, decision) in petition.decisions.iter().enumerate() {
        let waits = waiting.is_some_and(|waits| waits(decision));
        let (mark, tint, said) = match standing(decision) {
            _ if waits => (theme.sign("…", "~"), Tint::Dim, Some("on its way".to_owned())),
            None => (theme.sign("·", "."), Tint::Wanted, None),
            Some(Choice::Skipped) => (theme.sign("–", "-"), Tint::Dim, Some("left to the asker".to_owned())),
            Some(Choice::Answer(text)) => (theme.sign("✓", "*"), Tint::Good, Some(answer(decision, text))),
        };
        let title = clean(&decision.title).replace('\n', " ");
        let mut spans = vec![
            Span::styled(format!("  {mark} "), theme.style(tint)),
            Span::styled(format!("{}. {title}", at + 1), theme.style(Tint::Words)),
        ];
        if let Some(said) = said {
            spans.push(Span::styled(format!(" {} ", theme.sign("→", "->")), theme.style(Tint::Dim)));
            spans.push(Span::styled(said, theme.style(tint)));
        }
        rows.put(wrap(spans, columns, 7));
    }
    rows
}

/// An option by its key, a text of one's own in quotes: nobody's text passes for an option.
fn answer(decision: &Decision, text: &str) -> String {
    let said = brief(text, ANSWER_COLUMNS_MAX);
    let is_key = |text: &str| decision.options.iter().any(|option| option.key == text);
    let keys = is_key(text) || decision.multi && text.split(',').all(|key| is_key(key.trim()));
    if keys { said } else { format!("\"{said}\"") }
}

/// How many are answered, left to the asker, open.
pub(super) fn counts(petition: &Petition) -> String {
    let of = |wanted: fn(Option<&Choice>) -> bool| {
        petition.decisions.iter().filter(|decision| wanted(standing(decision))).count()
    };
    let answered = of(|choice| matches!(choice, Some(Choice::Answer(_))));
    let skipped = of(|choice| matches!(choice, Some(Choice::Skipped)));
    let open = of(|choice| choice.is_none());
    let parts = [(answered, "answered"), (skipped, "left"), (open, "open")];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}
