//! Envelopes: the queued messages of a session become one prompt. Forwarded text is never prefixed with a speaker's
//! name inside a section, because models imitate it.

use std::sync::Arc;

use crate::id::{MessageId, roman};
use crate::limits;
use crate::session::{QueuedMessage, Role, Section, Session};
use crate::state::State;

/// A prompt in the making.
pub struct Composed {
    pub text: Arc<str>,
    /// How many letters of the mail it holds, counted from the front; the rest waits for another turn.
    pub mail: u32,
    /// The human's words in it.
    pub words: Arc<[MessageId]>,
}

/// Composes the next prompt of `session` from its mail. For the Arbiter, the workers' logs come first.
pub fn compose(state: &State, session: &Session) -> Composed {
    let mail = fitting(state, session);
    let mut sections = Vec::new();
    let mut worker = None;
    // Text without a heading must not follow a section: it would be read as part of it.
    let mut alone = mail.iter().all(|mail| matches!(mail, QueuedMessage::Words(_)));
    if session.profile.role == Role::Arbiter {
        sections.extend(state.logs().map(work_log));
        worker = state.worker();
        alone &= sections.is_empty();
    }
    let (plain, headed): (Vec<&QueuedMessage>, Vec<&QueuedMessage>) =
        mail.iter().partition(|mail| matches!(mail, QueuedMessage::Address(_)));
    for mail in plain.into_iter().chain(headed) {
        sections.push(match mail {
            QueuedMessage::Notice(text) | QueuedMessage::Aside(text) | QueuedMessage::Again { text, .. } => {
                text.to_string()
            }
            QueuedMessage::Address(text) => forwarded(text),
            QueuedMessage::Report { section, number, text } => {
                let is_active = worker.is_some_and(|worker| worker.profile.number == *number);
                let mark = if is_active { "" } else { released(*section) };
                format!("«Orchestrator {} - {}{mark}»\n{}", roman(*number), title(*section), forwarded(text))
            }
            QueuedMessage::Words(id) => {
                let text = forwarded(state.message(*id).map_or("", |message| &message.text));
                match worker {
                    Some(worker) => {
                        let section = title(Section::HumanInterjection);
                        format!("«Orchestrator {} - {section}»\n{text}", roman(worker.profile.number))
                    }
                    None if session.profile.role != Role::Arbiter || !alone => {
                        format!("«Human Interjection»\n{text}")
                    }
                    None => text,
                }
            }
        });
    }
    Composed {
        text: Arc::from(sections.join("\n\n")),
        mail: mail.len() as u32,
        words: mail.iter().flat_map(QueuedMessage::words).copied().collect(),
    }
}

/// As much of the mail, from the front, as one prompt may hold; at least one letter.
fn fitting(state: &State, session: &Session) -> Vec<QueuedMessage> {
    let mut bytes = 0;
    let mut taken = Vec::new();
    for mail in &session.turns.mail {
        bytes += match mail {
            QueuedMessage::Notice(text) | QueuedMessage::Aside(text) | QueuedMessage::Address(text) => {
                text.len()
            }
            QueuedMessage::Again { text, .. } | QueuedMessage::Report { text, .. } => text.len(),
            QueuedMessage::Words(id) => state.message(*id).map_or(0, |message| message.text.len()),
        };
        if bytes > limits::PROMPT_BYTES_MAX && !taken.is_empty() {
            break;
        }
        taken.push(mail.clone());
    }
    taken
}

/// Somebody's text, unable to pass for a heading of ours.
fn forwarded(text: &str) -> String {
    if !text.contains('«') {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| match line.trim_start().strip_prefix('«') {
        Some(rest) => format!("<<{rest}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<String>>().join("\n")
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

/// How the word of a worker is marked that was released before the Arbiter could hear it. The other sections tell what
/// became of it themselves.
fn released(section: Section) -> &'static str {
    match section {
        Section::AwaitingInput | Section::Handoff => " (released since; no response needed)",
        Section::HumanInterjection | Section::Silence => "",
    }
}

fn work_log(worker: &Session) -> String {
    let left_out = worker.work.log.len().saturating_sub(limits::LOG_LINES_MAX);
    let mut text = format!("«Orchestrator {} - Work Log (no response needed)»", roman(worker.profile.number));
    if left_out > 0 {
        text.push_str(&format!("\n({left_out} earlier lines are left out)"));
    }
    for line in worker.work.log.iter().skip(left_out) {
        text.push_str("\n• ");
        text.push_str(&forwarded(&limits::cut(line, limits::LOG_LINE_CHARS_MAX)));
    }
    text
}
