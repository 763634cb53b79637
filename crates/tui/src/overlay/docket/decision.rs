//! One decision: its question, what one needs to know for it, and the ways to answer, each with its letter.

use mind::petition::{Choice, Decision, Petition};
use ratatui::text::{Line, Span};
use view::clean::{clean, visible};

use super::asked::standing;
use super::items::due;
use super::review::Rows;
use crate::overlay::panel::brief;
use crate::overlay::rows::broken;
use crate::sight::Sight;
use crate::text::markdown::markdown;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};

/// Letters of options: those that mean something else on every page are left out, so that nobody answers by scrolling.
const LETTERS: &str = "abcdefhlmnoprtuvwxyz";

/// How much of a text of one's own is shown again.
const OWN_COLUMNS_MAX: usize = 2000;

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

/// The way of a letter or a number.
pub(super) fn way_of(sign: char, decision: &Decision) -> Option<DecisionRow> {
    let option = |at: usize| (at < decision.options.len()).then_some(DecisionRow::Option(at));
    match sign {
        's' => Some(DecisionRow::Skip),
        'i' => decision.takes_custom().then_some(DecisionRow::Own),
        // Whoever knows an option by its key means that one.
        sign => match (signs(decision).iter().position(|own| *own == Some(sign)), sign.to_digit(10)) {
            (Some(at), _) => option(at),
            (None, Some(nth @ 1..)) => option(nth as usize - 1),
            (None, Some(0) | None) => None,
        },
    }
}

/// The sign of each option: its key if that is one, else the next letter that is nobody's key.
fn signs(decision: &Decision) -> Vec<Option<char>> {
    let own = |key: &str| {
        let mut signs = key.chars();
        let sign = signs.next().filter(|sign| LETTERS.contains(*sign) || matches!(sign, '1'..='9'));
        sign.filter(|_| signs.next().is_none())
    };
    let keys: Vec<Option<char>> = decision.options.iter().map(|option| own(&option.key)).collect();
    let mut free = LETTERS.chars().filter(|letter| !keys.contains(&Some(*letter)));
    keys.iter().map(|key| key.or_else(|| free.next())).collect()
}

/// The options that an answer names.
pub(super) fn marked(decision: &Decision) -> Vec<usize> {
    let Some(Choice::Answer(text)) = standing(decision) else { return Vec::new() };
    let named = |key: &str| {
        let several = decision.multi && text.split(',').any(|part| part.trim() == key);
        **text == *key || several
    };
    let options = decision.options.iter().enumerate();
    options.filter(|(_, option)| named(&option.key)).map(|(at, _)| at).collect()
}

/// What is shown of it. `marks` are the options that are marked; `sent`: an answer is on its way.
pub(super) fn rows(
    petition: &Petition,
    decision: &Decision,
    look: &Look<'_>,
    sight: &Sight<'_>,
    columns: u16,
    theme: &Theme,
) -> Rows {
    let mut rows = Rows { lines: about(petition, decision, sight, columns, theme), places: Vec::new() };
    rows.lines.push(Line::default());
    // What is bound to exactly this hides nothing.
    let exact = decision.digest.is_some();
    let show =
        |text: &str| if exact { visible(text).replace('\n', "\\n") } else { clean(text).replace('\n', " ") };
    let (skipped, own) = match standing(decision) {
        Some(Choice::Skipped) => (true, None),
        Some(Choice::Answer(text)) if marked(decision).is_empty() => (false, Some(text)),
        Some(Choice::Answer(_)) | None => (false, None),
    };
    let signs = signs(decision);
    for way in ways(decision) {
        let (letter, chosen, words) = match way {
            DecisionRow::Option(at) => {
                let (option, letter) = (&decision.options[at], signs.get(at).copied().flatten());
                let key = show(&option.key);
                let same = option.label.is_empty() || option.label == option.key;
                let words = if same { key } else { format!("{key}: {}", show(&option.label)) };
                (letter.unwrap_or(' '), look.marks.contains(&at), words)
            }
            DecisionRow::Own => {
                let said = own.map(|text| format!(": \"{}\"", brief(text, OWN_COLUMNS_MAX)));
                ('i', own.is_some(), format!("in your own words{}", said.unwrap_or_default()))
            }
            DecisionRow::Skip => ('s', skipped, format!("leave it to {}", look.asker)),
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
    rows.lines.extend(provenance(decision, look, sight, theme));
    rows
}

/// How a decision is looked at.
pub(super) struct Look<'a> {
    /// The options that are marked.
    pub(super) marks: &'a [usize],
    /// Who asks.
    pub(super) asker: &'a str,
    /// An answer is on its way.
    pub(super) waits: bool,
}

/// The question and its context.
fn about(
    petition: &Petition,
    decision: &Decision,
    sight: &Sight<'_>,
    columns: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut line = |text: &str, tint: Tint| {
        let span = Span::styled(format!(" {}", clean(text).replace('\n', " ")), theme.style(tint));
        lines.extend(wrap(vec![span], columns, 1));
    };
    line(&decision.title, Tint::Heading);
    if let Some(due) = due(decision.deadline, sight.now) {
        line(&due, Tint::Warn);
    }
    if let (Some(default), Some(_)) = (&decision.default, decision.deadline.or(petition.deadline)) {
        line(&format!("then {default} holds"), Tint::Dim);
    }
    if let Some(assignee) = &decision.assignee {
        line(&format!("asked of {assignee}"), Tint::Dim);
    }
    let first = decision.depends_on.iter().filter_map(|id| petition.decision(id));
    for other in first.filter(|other| !other.is_decided()) {
        line(&format!("comes after: {}", other.title), Tint::Warn);
    }
    if decision.multi {
        line("several can be chosen: mark them, then Enter", Tint::Dim);
    }
    if decision.digest.is_some() {
        // An approval is given to exactly this: no sign of it is left out, and nothing is made pretty.
        for text in [&petition.context, &decision.context].into_iter().filter(|text| !text.is_empty()) {
            let shown: Vec<String> = text.split('\n').map(visible).collect();
            let pieces = broken(&shown.join("\n"), usize::from(columns.saturating_sub(2)));
            lines.extend(
                pieces.into_iter().map(|piece| Line::styled(format!(" {piece}"), theme.style(Tint::Code))),
            );
        }
    } else if !decision.context.is_empty() {
        let mut context = markdown(&clean(&decision.context), columns.saturating_sub(2), theme);
        context.iter_mut().for_each(|line| line.spans.insert(0, Span::raw(" ")));
        lines.extend(context);
    }
    lines
}

/// Who answered, if it was not on this page.
fn provenance(
    decision: &Decision,
    look: &Look<'_>,
    sight: &Sight<'_>,
    theme: &Theme,
) -> Option<Line<'static>> {
    if look.waits {
        return Some(Line::styled(" your answer is on its way", theme.style(Tint::Dim)));
    }
    let given = decision.answer.as_ref()?;
    let by = brief(given.by.as_ref()?, 60);
    let since = given.at.map(|at| view::when::span(sight.now.0.saturating_sub(at.0)));
    let since = since.map_or_else(String::new, |since| format!(", {since} ago"));
    let late = if given.late { ", too late" } else { "" };
    Some(Line::styled(format!(" answered by {by}{since}{late}"), theme.style(Tint::Dim)))
}
