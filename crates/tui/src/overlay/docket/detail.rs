//! One thing that waits, in full: who asks, exactly what would run, where, why, and what is at stake.

use mind::petition::{Petition, Priority};
use mind::policy::{PermissionRequest, Risk};
use mind::session::PendingPermission;
use mind::talk::{Message, Speaker};
use ratatui::text::{Line, Span};
use view::amount::counted;
use view::clean::{clean, visible};
use view::when;

use super::items::{Item, due, urgency};
use super::review;
use crate::overlay::panel::brief;
use crate::overlay::rows::broken;
use crate::sight::{Sight, Unreadable};
use crate::text::diff::diff;
use crate::text::markdown::markdown;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};

/// Tools whose question shows a change.
const EDITORS: [&str; 4] = ["Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Who asks what for, since when.
pub(super) fn head(item: &Item<'_>, sight: &Sight<'_>, theme: &Theme) -> Line<'static> {
    let petition_line = |petition: &Petition| {
        let count = u32::try_from(petition.decisions.len()).unwrap_or(u32::MAX);
        let since = when::span(sight.now.0.saturating_sub(petition.created_at.0));
        Line::from(vec![
            Span::styled(format!(" {}", brief(&petition.agent, 40)), theme.style(Tint::Orchestrator)),
            Span::styled(format!(" asks for {}", counted(count, "decision")), theme.style(Tint::Words)),
            Span::styled(format!(" ({since} ago)"), theme.style(Tint::Dim)),
        ])
    };
    let (what, from, words, at) = match item {
        Item::Petition(petition) => return petition_line(petition),
        Item::Fault(fault) => {
            let name = format!(" {}", clean(fault.name()));
            return Line::styled(name, theme.style(Tint::Bad));
        }
        Item::Ask(session, ask) => {
            let tool = visible(&ask.request.tool);
            (format!(" {} ", ask.id), session.profile.speaker(), format!(" asks: may {tool} run?"), ask.at)
        }
        Item::Alignment(message) => {
            (" ".to_owned(), message.from.clone(), " asks: shall it begin?".to_owned(), message.at)
        }
        Item::Words(message) => (" ".to_owned(), message.from.clone(), " asks".to_owned(), message.at),
    };
    let tint = if from == Speaker::Arbiter { Tint::Arbiter } else { Tint::Orchestrator };
    let since = when::span(sight.now.0.saturating_sub(at.0));
    Line::from(vec![
        Span::styled(what, theme.style(Tint::Words)),
        Span::styled(from.to_string(), theme.style(tint)),
        Span::styled(words, theme.style(Tint::Words)),
        Span::styled(format!(" ({since} ago)"), theme.style(Tint::Dim)),
    ])
}

/// The rest, line by line. What can be decided one by one is only named: a page of its own shows each decision.
pub(super) fn body(
    item: &Item<'_>,
    decisions: Option<&Petition>,
    sight: &Sight<'_>,
    columns: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = match (item, decisions) {
        (Item::Ask(_, ask), _) => asked(ask, columns, theme),
        (Item::Alignment(message) | Item::Words(message), None) => said(message, true, columns, theme),
        (Item::Alignment(message) | Item::Words(message), Some(_)) => said(message, false, columns, theme),
        (Item::Petition(petition), _) => about(petition, sight, columns, theme),
        (Item::Fault(fault), _) => malformed(fault, columns, theme),
    };
    if let Some(petition) = decisions {
        lines.push(Line::default());
        lines.extend(review::rows(petition, None, columns, theme).lines);
    }
    lines
}

/// Why a file is no petition, and what helps.
fn malformed(fault: &Unreadable, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut line = |text: String, tint: Tint| {
        let span = Span::styled(format!("  {}", clean(&text).replace('\n', " ")), theme.style(tint));
        lines.extend(wrap(vec![span], columns, 2));
    };
    line(format!("malformed: {}", fault.why), Tint::Bad);
    line(fault.file.to_string(), Tint::Words);
    line("It is read again as soon as it can be understood.".to_owned(), Tint::Dim);
    lines
}

/// What an agent says of its petition.
fn about(petition: &Petition, sight: &Sight<'_>, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut line = |text: &str, tint: Tint| {
        let span = Span::styled(format!("  {}", clean(text).replace('\n', " ")), theme.style(tint));
        lines.extend(wrap(vec![span], columns, 2));
    };
    line(&petition.title, Tint::Heading);
    match petition.priority {
        Priority::Urgent | Priority::High | Priority::Low => {
            line(petition.priority.word(), urgency(petition.priority));
        }
        Priority::Normal => {}
    }
    if !petition.tag.is_empty() {
        line(&format!("for {}", petition.tag), Tint::Dim);
    }
    if let Some(due) = due(petition.deadline, sight.now) {
        line(&due, Tint::Warn);
    }
    if let Some(blocks) = &petition.blocks {
        line(&format!("waits for it: {blocks}"), Tint::Dim);
    }
    if let Some(assignee) = &petition.assignee {
        line(&format!("asked of {assignee}"), Tint::Dim);
    }
    if !petition.context.is_empty() {
        lines.push(Line::default());
        let mut context = markdown(&clean(&petition.context), columns.saturating_sub(4), theme);
        context.iter_mut().for_each(|line| line.spans.insert(0, Span::raw("  ")));
        lines.extend(context);
    }
    lines
}

fn asked(ask: &PendingPermission, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let question = &ask.request;
    let mut lines = what(question, columns, theme);
    let (risk, stake) = match question.risk {
        Risk::Unknown => (Tint::Warn, "in the clone only"),
        Risk::Network => (Tint::Warn, "it goes out"),
        Risk::Grave => (Tint::Bad, "it destroys for good, or speaks in your name"),
    };
    let mut fact = |name: &str, tint: Tint, value: String| {
        let name = Span::styled(format!("  {name:8}"), theme.style(Tint::Dim));
        lines.extend(wrap(vec![name, Span::styled(value, theme.style(tint))], columns, 10));
    };
    fact("in", Tint::Words, visible(&question.folder));
    fact("because", Tint::Words, visible(&question.why));
    fact("risk", risk, format!("{}: {stake}", question.risk));
    if question.shapes.is_empty() {
        fact("lasting", Tint::Dim, "no lasting yes can cover it".to_owned());
    } else {
        fact("lasting", Tint::House, format!("covers {}", visible(&question.shapes.join(", "))));
    }
    if ask.call.is_none() {
        fact("note", Tint::Dim, "its process ended; your answer is kept for when it asks again".to_owned());
    }
    lines
}

/// Exactly what would run: no blank and no line is left out, and what hides is shown.
fn what(question: &PermissionRequest, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let lines: Vec<String> = question.what.split('\n').map(visible).collect();
    let text = lines.join("\n");
    if EDITORS.contains(&&*question.tool) {
        return diff(&text, columns, theme);
    }
    let pieces = broken(&text, usize::from(columns.saturating_sub(4)));
    pieces.into_iter().map(|piece| Line::styled(format!("    {piece}"), theme.style(Tint::Code))).collect()
}

fn said(message: &Message, whole: bool, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let columns = columns.saturating_sub(4);
    let mut lines = markdown(&clean(message.text.trim_end()), columns, theme);
    for decision in message.decisions.iter().filter(|_| whole) {
        let title = clean(&decision.title).into_owned();
        lines.push(Line::default());
        lines.extend(wrap(vec![Span::styled(title, theme.style(Tint::Heading))], columns, 2));
        if !decision.context.is_empty() {
            lines.extend(markdown(&clean(&decision.context), columns, theme));
        }
        for option in &decision.options {
            let key = Span::styled(format!("  - {}: ", clean(&option.key)), theme.style(Tint::Key));
            lines.extend(wrap(vec![key, Span::raw(clean(&option.label).into_owned())], columns, 4));
        }
    }
    lines.iter_mut().for_each(|line| line.spans.insert(0, Span::raw("  ")));
    lines
}
