//! What is told, as lines of plain text: the signs before remarks, indents, empty lines. The plain output and the screen's
//! remarks look alike.

use mind::{Entry, State};
use view::remark::{Remark, RemarkDetail, RemarkKind};
use view::told::{self, FactView, MessageView, PermissionView};

/// How a line is meant; the console gives it a colour, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineInk {
    /// A speaker's name.
    Name,
    /// What is said.
    Words,
    /// Thought aloud, or not yet true.
    Dim,
    /// A session or a check is at work.
    Work,
    /// Something to know.
    House,
    /// Something good happened.
    Good,
    /// Something needs attention.
    Bad,
}

/// A line of text and how it is meant.
pub type Line = (LineInk, String);

/// The lines of one entry, between the state `before` it and the `state` that holds it.
pub fn of_entry(entry: &Entry, before: &State, state: &State) -> Vec<Line> {
    told::tell(entry, before, state).iter().flat_map(of).collect()
}

/// How a mission ended, if it did.
pub fn of_ending(state: &State) -> Vec<Line> {
    told::ending(state).iter().flat_map(of).collect()
}

/// The lines of what is told.
pub fn of(told: &FactView) -> Vec<Line> {
    match told {
        FactView::Message(message) => of_message(message),
        FactView::Permission(permission) => of_permission(permission),
        FactView::Remark(remark) => of_remark(remark),
    }
}

fn of_message(message: &MessageView) -> Vec<Line> {
    let mut name = message.from.clone();
    if let Some(to) = &message.to {
        name.push_str(&format!(" -> {to}"));
    }
    if let Some(note) = message.note {
        name.push_str(&format!(" ({note})"));
    }
    let ink = if message.musing { LineInk::Dim } else { LineInk::Words };
    let mut lines = vec![(LineInk::Words, String::new()), (LineInk::Name, name)];
    lines.extend(message.text.trim_end().lines().map(|line| (ink, format!("  {line}"))));
    for decision in &message.decisions {
        lines.push((LineInk::Words, format!("  [{}] {}", decision.id, decision.title)));
        for option in &decision.options {
            lines.push((LineInk::Words, format!("    - {}: {}", option.key, option.label)));
        }
    }
    lines
}

/// Exactly what would run, where, why, and how to answer.
fn of_permission(asked: &PermissionView) -> Vec<Line> {
    let PermissionView { id, by, risk, .. } = asked;
    let mut lines = vec![
        (LineInk::Words, String::new()),
        (LineInk::Name, format!("? {id}  {by} asks: may this run? ({risk} risk)")),
    ];
    lines.extend(asked.what.split('\n').map(|line| (LineInk::Words, format!("      {line}"))));
    lines.push((LineInk::Dim, format!("    in {}", asked.folder)));
    lines.push((LineInk::Dim, format!("    because {}", asked.why)));
    if !asked.answerable {
        return lines;
    }
    lines.push((LineInk::House, format!("    /yes {id}   once      /no {id} WHY")));
    if !asked.grant_patterns.is_empty() {
        let patterns = asked.grant_patterns.join(", ");
        let text = format!("    /yes {id} mission   or   /yes {id} hour   everything like: {patterns}");
        lines.push((LineInk::House, text));
    }
    lines
}

/// The lines of one remark.
pub fn of_remark(remark: &Remark) -> Vec<Line> {
    let text = &remark.text;
    let mut lines = match remark.kind {
        RemarkKind::Work => vec![(LineInk::Work, format!("  · {text}"))],
        RemarkKind::Notice => vec![(LineInk::House, format!("  = {text}"))],
        RemarkKind::Good => vec![(LineInk::Good, format!("  = {text}"))],
        RemarkKind::Setback => vec![(LineInk::Bad, format!("  = {text}"))],
        RemarkKind::Trouble => vec![(LineInk::Bad, format!("  ! {text}"))],
        RemarkKind::Done => vec![(LineInk::Words, String::new()), (LineInk::Good, text.clone())],
    };
    lines.extend(remark.details.iter().map(|detail| match detail {
        RemarkDetail::Item(text) => (LineInk::Words, format!("    - {text}")),
        RemarkDetail::Numbered(number, text) => (LineInk::Words, format!("    {number}. {text}")),
        RemarkDetail::Aside(text) => (LineInk::Dim, format!("    {text}")),
    }));
    lines
}
