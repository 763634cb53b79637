//! One thing that waits, in full: who asks, exactly what would run, where, why, and what is at stake.

use mind::petition::Petition;
use mind::policy::{PermissionRequest, Risk};
use mind::session::PendingPermission;
use mind::talk::{Message, Speaker};
use ratatui::text::{Line, Span};
use view::clean::{clean, visible};
use view::when;

use super::items::Item;
use super::review;
use crate::overlay::panel::brief;
use crate::overlay::rows::broken;
use crate::text::diff::diff;
use crate::text::markdown::markdown;
use crate::text::wrap::wrap;
use crate::theme::{Theme, Tint};
use crate::view_model::{Unreadable, ViewModel};

/// Tools whose question shows a change.
const EDITORS: [&str; 4] = ["Edit", "MultiEdit", "Write", "NotebookEdit"];

/// Who asks what for, since when.
pub(super) fn head(item: &Item<'_>, model: &ViewModel<'_>, theme: &Theme) -> Line<'static> {
    let petition_line = |petition: &Petition| {
        let view = view::petition::petition(petition, model.zone, model.now);
        Line::from(vec![
            Span::styled(format!(" {}", brief(&view.asker, 40)), theme.style(Tint::Orchestrator)),
            Span::styled(format!(" {}", view.asks), theme.style(Tint::Words)),
            Span::styled(format!(" ({})", view.since), theme.style(Tint::Dim)),
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
    let since = when::span(model.now.0.saturating_sub(at.0));
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
    model: &ViewModel<'_>,
    columns: u16,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let mut lines = match (item, decisions) {
        (Item::Ask(_, ask), _) => asked(ask, columns, theme),
        (Item::Alignment(message) | Item::Words(message), None) => said(message, true, columns, theme),
        (Item::Alignment(message) | Item::Words(message), Some(_)) => said(message, false, columns, theme),
        (Item::Petition(petition), _) => about(petition, model, columns, theme),
        (Item::Fault(fault), _) => malformed(fault, columns, theme),
    };
    if let Some(petition) = decisions {
        lines.push(Line::default());
        lines.extend(review::rows(petition, None, model, columns, theme).lines);
    }
    lines
}

/// Why a file is no petition, and what helps.
fn malformed(fault: &Unreadable, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let view = view::queue::unreadable(&fault.file, &fault.why);
    let lines = [
        (format!("malformed: {}", view.why), Tint::Bad),
        (view.file, Tint::Words),
        ("Mend the file: it is read again as soon as it can be understood.".to_owned(), Tint::Dim),
    ];
    lines.into_iter().flat_map(|(text, tint)| indented(&text, tint, columns, theme)).collect()
}

/// What an agent says of its petition.
fn about(petition: &Petition, model: &ViewModel<'_>, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    let view = view::petition::petition(petition, model.zone, model.now);
    let mut lines = indented(&view.title, Tint::Heading, columns, theme);
    for term in &view.terms {
        lines.extend(indented(&term.text, term.tone.into(), columns, theme));
    }
    if !view.context.is_empty() {
        lines.push(Line::default());
        let mut context = markdown(&view.context, columns.saturating_sub(4), theme);
        context.iter_mut().for_each(|line| line.spans.insert(0, Span::raw("  ")));
        lines.extend(context);
    }
    lines
}

fn indented(text: &str, tint: Tint, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
    wrap(vec![Span::styled(format!("  {text}"), theme.style(tint))], columns, 2)
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
