//! One decision on the screen: the view's question and options, each a row that can be chosen.

use mind::petition::{Decision, Petition};
use ratatui::text::{Line, Span};
use view::decision::{DecisionStanding, DecisionView, OptionView, SEVERAL};
use view::letters::option_of;

use super::review::Rows;
use crate::overlay::panel::brief;
use crate::overlay::rows::broken;
use crate::text::markdown::markdown;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::view_model::ViewModel;

/// How much of a text of one's own is shown again.
const OWN_COLUMNS_MAX: usize = 2000;
/// How much is shown of who answered.
const SOURCE_COLUMNS_MAX: usize = 100;

/// A way to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DecisionRow {
    /// The option of this place.
    Option(usize),
    /// A text of one's own.
    Own,
    /// The asker shall decide.
    Skip,
}

/// The ways to answer, in the order in which they stand.
pub(super) fn ways(decision: &Decision) -> Vec<DecisionRow> {
    let own = decision.takes_custom().then_some(DecisionRow::Own);
    let options = (0..decision.options.len()).map(DecisionRow::Option);
    options.chain(own).chain([DecisionRow::Skip]).collect()
}

/// The way of a letter, a number or a key of one sign.
pub(super) fn way_of(sign: char, decision: &Decision) -> Option<DecisionRow> {
    match sign {
        's' => Some(DecisionRow::Skip),
        'i' => decision.takes_custom().then_some(DecisionRow::Own),
        sign => option_of(sign.encode_utf8(&mut [0; 4]), decision).map(DecisionRow::Option),
    }
}

/// The question, then a row for each way to answer it.
pub(super) fn rows(
    petition: &Petition,
    decision: &Decision,
    look: &Look<'_>,
    model: &ViewModel<'_>,
    columns: u16,
    theme: &Theme,
) -> Rows {
    let view = view::decision::decision(petition, decision, model.now);
    let mut rows = Rows { lines: about(&view, columns, theme), places: Vec::new() };
    rows.lines.push(Line::default());
    let own = view.answer.as_ref().filter(|answer| !answer.late && answer.own_words.is_some());
    for way in ways(decision) {
        let (letter, chosen, words) = match way {
            DecisionRow::Option(at) => {
                let OptionView { letter, key, label, .. } = &view.options[at];
                let words = label.as_ref().map_or_else(|| key.clone(), |label| format!("{key}: {label}"));
                (letter.unwrap_or(' '), look.marks.contains(&at), words)
            }
            DecisionRow::Own => {
                let said = own.map(|answer| format!(": {}", brief(&answer.said, OWN_COLUMNS_MAX)));
                ('i', own.is_some(), format!("in your own words{}", said.unwrap_or_default()))
            }
            DecisionRow::Skip => {
                let skipped = view.standing == DecisionStanding::Skipped;
                ('s', skipped, format!("skip: leave it to {}", look.asker))
            }
        };
        let mark = match (way, chosen) {
            (DecisionRow::Option(_), true) if decision.multi => "[x]",
            (DecisionRow::Option(_), false) if decision.multi => "[ ]",
            (_, true) => theme.sign(" ✓ ", " * "),
            (_, false) => "   ",
        };
        let tint = if chosen { Tint::Good } else { Tint::Words };
        let dot = if letter == ' ' { ' ' } else { '.' };
        let spans = vec![
            Span::styled(format!("{mark} "), theme.style(Tint::Good)),
            Span::styled(format!("{letter}{dot} "), theme.style(Tint::Key)),
            Span::styled(words, theme.style(tint)),
        ];
        rows.put(wrap(spans, columns, 7));
    }
    rows.lines.extend(source(&view, look, theme));
    rows
}

/// How a decision is looked at.
pub(super) struct Look<'a> {
    pub(super) marks: &'a [usize],
    pub(super) asker: &'a str,
    /// An answer is on its way.
    pub(super) waits: bool,
}

/// The question and its context.
fn about(view: &DecisionView, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut line = |text: &str, tint: Tint| {
        let span = Span::styled(format!(" {text}"), theme.style(tint));
        lines.extend(wrap(vec![span], columns, 1));
    };
    line(&view.title, Tint::Heading);
    view.terms.iter().for_each(|term| line(&term.text, term.tone.into()));
    if view.multi {
        line(&format!("{SEVERAL}: mark them, then Enter"), Tint::Dim);
    }
    if view.exact {
        // An approval is given to exactly this: nothing is made pretty.
        let pieces = broken(&view.context, usize::from(columns.saturating_sub(2)));
        lines.extend(
            pieces.into_iter().map(|piece| Line::styled(format!(" {piece}"), theme.style(Tint::Code))),
        );
    } else if !view.context.is_empty() {
        let mut context = markdown(&view.context, columns.saturating_sub(2), theme);
        context.iter_mut().for_each(|line| line.spans.insert(0, Span::raw(" ")));
        lines.extend(context);
    }
    lines
}

/// Who answered, if it was not on this page.
fn source(view: &DecisionView, look: &Look<'_>, theme: &Theme) -> Option<Line<'static>> {
    if look.waits {
        return Some(Line::styled(" your answer is on its way", theme.style(Tint::Dim)));
    }
    let answer = view.answer.as_ref().filter(|answer| !answer.source.is_empty())?;
    let text = format!(" {} {}", view.standing.word(), brief(&answer.source, SOURCE_COLUMNS_MAX));
    Some(Line::styled(text, theme.style(Tint::Dim)))
}
