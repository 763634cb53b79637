//! Envelopes: how what waits for a session becomes one prompt. Forwarded text is never prefixed with a speaker's
//! name inside a section, because models imitate it.

use std::sync::Arc;

use crate::id::roman;
use crate::limits;
use crate::session::{Mail, Role, Section, Session};
use crate::state::State;

/// Composes the next prompt of `session` from its mail. For the Arbiter, the workers' logs come first.
pub fn compose(state: &State, session: &Session) -> Arc<str> {
    let mut sections = Vec::new();
    let mut worker = None;
    // Text without a heading must not follow a section: it would be read as part of it.
    let mut alone = session.mail.iter().all(|mail| matches!(mail, Mail::Words(_)));
    if session.profile.role == Role::Arbiter {
        sections.extend(state.logs().map(work_log));
        worker = state.worker();
        alone &= sections.is_empty();
    }
    let (plain, headed): (Vec<&Mail>, Vec<&Mail>) =
        session.mail.iter().partition(|mail| matches!(mail, Mail::Address(_)));
    for mail in plain.into_iter().chain(headed) {
        sections.push(match mail {
            Mail::Notice(text) | Mail::Address(text) => text.to_string(),
            Mail::Report { section, number, text } => {
                format!("«Orchestrator {} - {}»\n{text}", roman(*number), title(*section))
            }
            Mail::Words(id) => {
                let text = state.message(*id).map_or("", |message| &message.text);
                match worker {
                    Some(worker) => {
                        let section = title(Section::HumanInterjection);
                        format!("«Orchestrator {} - {section}»\n{text}", roman(worker.profile.number))
                    }
                    None if session.is_worker() || !alone => format!("«Human Interjection»\n{text}"),
                    None => text.to_owned(),
                }
            }
        });
    }
    Arc::from(sections.join("\n\n"))
}

/// What stands in the heading of a section.
pub(crate) fn title(section: Section) -> &'static str {
    match section {
        Section::AwaitingInput => "Awaiting Input",
        Section::Handoff => "Handoff",
        Section::HumanInterjection => "Human Interjection",
        Section::Silence => "Silence",
    }
}

fn work_log(worker: &Session) -> String {
    let left_out = worker.log.len().saturating_sub(limits::LOG_LINES_MAX);
    let mut text = format!("«Orchestrator {} - Work Log (no response needed)»", roman(worker.profile.number));
    if left_out > 0 {
        text.push_str(&format!("\n({left_out} earlier lines are left out)"));
    }
    for line in worker.log.iter().skip(left_out) {
        text.push_str("\n• ");
        text.push_str(&limits::cut(line, limits::LOG_LINE_CHARS_MAX));
    }
    text
}
