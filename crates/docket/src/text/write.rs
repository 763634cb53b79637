//! The text of a new petition, as the format has it; fields of our own only where they say something.

use mind::petition::{Decision, Petition, PetitionStatus};

use super::{body, context, decision, edit, option, scalar};

/// The whole text.
pub(super) fn write(petition: &Petition) -> String {
    let mut text = front(petition);
    let heading = body::one_line(&petition.title);
    if !heading.is_empty() {
        text.push_str(&format!("\n# {heading}\n"));
    }
    if !petition.context.is_empty() {
        text.push_str(&format!("\n{}\n", context::guard(&petition.context)));
    }
    text.push_str("\n---\n");
    for (at, decision) in petition.decisions.iter().enumerate() {
        section(at + 1, decision, &mut text);
    }
    text
}

fn front(petition: &Petition) -> String {
    let mut text = String::from("---\n");
    let mut put = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
    let status = match petition.status() {
        PetitionStatus::Ready => PetitionStatus::InProgress.word(),
        status @ (PetitionStatus::Pending
        | PetitionStatus::InProgress
        | PetitionStatus::Completed
        | PetitionStatus::Withdrawn
        | PetitionStatus::Expired) => status.word(),
    };
    let (total, decided) = (petition.decisions.len(), petition.decided());
    put("id", scalar::word(&petition.id.0));
    put("version", "1".to_owned());
    put("agent", scalar::word(&petition.agent));
    put("session", scalar::word(&petition.session));
    put("tag", scalar::word(&petition.tag));
    put("title", scalar::quote(&petition.title));
    put("priority", petition.priority.word().to_owned());
    put("status", status.to_owned());
    put("created_at", petition.created_at.utc());
    put("updated_at", petition.updated_at.utc());
    put("completed_at", petition.closed.as_ref().map_or_else(|| "null".to_owned(), |closed| closed.at.utc()));
    put("total", total.to_string());
    put("answered", decided.to_string());
    put("remaining", (total - decided).to_string());
    let why = petition.closed.as_ref().and_then(|closed| closed.why.as_ref());
    let notify = petition.notify_session.as_ref().filter(|session| !session.is_empty());
    let optional = [
        ("notify_session", notify),
        ("mission", petition.mission.as_ref()),
        ("blocks", petition.blocks.as_ref()),
        ("assignee", petition.assignee.as_ref()),
        ("reason", why),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            put(name, scalar::word(value));
        }
    }
    if !petition.escalate.is_empty() {
        put("escalate", decision::write_names(&petition.escalate));
    }
    if let Some(deadline) = petition.deadline {
        put("deadline", deadline.utc());
    }
    text.push_str("---\n");
    text
}

fn section(number: usize, decision: &Decision, text: &mut String) {
    let title = decision::write_title(&body::one_line(&decision.title), &decision.id);
    text.push_str(format!("\n## Decision {number}: {title}").trim_end());
    text.push_str("\n\n");
    let mut put = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
    put("id", scalar::word(&decision.id));
    for (name, value) in edit::fields(decision, |choice| decision::write_choice(choice, &decision.options)) {
        if let Some(value) = value {
            put(name, value);
        }
    }
    if let Some(allowed) = decision.allow_custom {
        put("allow_custom", allowed.to_string());
    }
    if decision.multi {
        put("multi", "true".to_owned());
    }
    if let Some(deadline) = decision.deadline {
        put("deadline", deadline.utc());
    }
    if let Some(default) = &decision.default {
        put("default", scalar::word(default));
    }
    if decision.requires_human {
        put("requires", "human".to_owned());
    }
    if let Some(digest) = &decision.digest {
        put("digest", scalar::word(digest));
    }
    if !decision.depends_on.is_empty() {
        put("depends_on", decision::write_names(&decision.depends_on));
    }
    if let Some(assignee) = &decision.assignee {
        put("assignee", scalar::word(assignee));
    }
    if !decision.context.is_empty() {
        // Blanks at the beginning would be lost behind the mark.
        let apart = decision.context.starts_with(char::is_whitespace);
        let context = context::guard(&decision.context);
        text.push_str(if apart { "\n**Context:**\n\n" } else { "\n**Context:** " });
        text.push_str(&context);
        text.push('\n');
    }
    if !decision.options.is_empty() {
        text.push_str("\n**Options:**\n");
        for option in &decision.options {
            text.push_str(&option::write(option));
            text.push('\n');
        }
    }
    text.push_str("\n---\n");
}
