//! All decisions of a petition on the screen, a row each that can be chosen.

use std::ops::Range;

use mind::petition::{Decision, Petition};
use ratatui::text::{Line, Span};
use view::decision::DecisionStanding;

use crate::overlay::panel::brief;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

/// How much of an answer is shown where all of them are.
const ANSWER_COLUMNS_MAX: usize = 300;

/// Lines, and which of them belong to which thing that can be chosen.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
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
    model: &ViewModel<'_>,
    columns: u16,
    theme: &Theme,
) -> Rows {
    let mut rows = Rows::default();
    let review = view::review::review(petition, model.now);
    for (row, decision) in review.rows.iter().zip(&petition.decisions) {
        let said = row.answer.as_ref().map(|answer| brief(&answer.said, ANSWER_COLUMNS_MAX));
        let (mark, tint, said) = match row.standing {
            _ if waiting.is_some_and(|waits| waits(decision)) => {
                (theme.sign("…", "~"), Tint::Dim, Some("on its way".to_owned()))
            }
            DecisionStanding::Open => (theme.sign("·", "."), Tint::Wanted, None),
            DecisionStanding::Late => {
                (theme.sign("·", "."), Tint::Wanted, said.map(|said| format!("late: {said}")))
            }
            DecisionStanding::Skipped => (theme.sign("–", "-"), Tint::Dim, said),
            DecisionStanding::Answered => (theme.sign("✓", "*"), Tint::Good, said),
        };
        let mut spans = vec![
            Span::styled(format!("  {mark} "), theme.style(tint)),
            Span::styled(format!("{}. {}", row.number, row.title), theme.style(Tint::Words)),
        ];
        if let Some(said) = said {
            spans.push(Span::styled(format!(" {} ", theme.sign("→", "->")), theme.style(Tint::Dim)));
            spans.push(Span::styled(said, theme.style(tint)));
        }
        rows.put(wrap(spans, columns, 7));
    }
    rows
}
