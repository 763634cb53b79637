//! A decision read from its fields, whether they stand in a section of the body or in a list in the frontmatter.

use std::sync::Arc;

use mind::actor::Door;
use mind::petition::{AnswerChoice, Decision, GivenAnswer, SKIPPED};
use mind::talk::DecisionOption;

use super::body::Section;
use super::{moment, scalar};

/// The decision of a section of the body.
pub(super) fn of_section(section: &Section) -> Decision {
    let text = |name: &str| section.text(name);
    let raw = text("answer").unwrap_or_default();
    let choice = raw_choice(&raw, &section.options);
    let mut decision = of_fields(&text, choice);
    decision.title = Arc::from(title(&section.title, &decision.id));
    decision.context = Arc::from(section.context.as_str());
    decision.options = section.options.clone();
    decision
}

/// The decision that these fields describe. Its title, context and options are not among them.
pub(super) fn of_fields(text: &dyn Fn(&str) -> Option<String>, choice: Option<AnswerChoice>) -> Decision {
    let flag = |name: &str| text(name).and_then(|said| truth(&said));
    let time = |name: &str| text(name).and_then(|said| moment(&said));
    let words = |name: &str| text(name).map(Arc::<str>::from);
    let skipped = flag("skipped") == Some(true) || text("status").as_deref() == Some("skipped");
    let choice = if skipped { Some(AnswerChoice::Skipped) } else { choice };
    let requires = text("requires").is_some_and(|word| word.trim().eq_ignore_ascii_case("human"));
    let answer = choice.map(|choice| GivenAnswer {
        choice,
        at: time("answered_at"),
        by: words("answered_by"),
        via: text("via").and_then(|word| Door::of(&word)),
        instead_of: words("instead_of"),
        late: flag("late") == Some(true),
    });
    Decision {
        id: words("id").unwrap_or_default(),
        allow_custom: flag("allow_custom"),
        multi: flag("multi").unwrap_or(false),
        deadline: time("deadline"),
        default: words("default"),
        requires_human: requires || flag("requires_human") == Some(true),
        digest: words("digest"),
        depends_on: text("depends_on").map(|said| names(&said)).unwrap_or_default(),
        assignee: words("assignee"),
        answer,
        ..Decision::default()
    }
}

/// The answer on a line, as other programs write it and as we do: a text in quotes is ours.
fn raw_choice(raw: &str, options: &[DecisionOption]) -> Option<AnswerChoice> {
    let is_key = || options.iter().any(|option| option.key == raw);
    if raw == SKIPPED {
        return Some(AnswerChoice::Skipped);
    }
    if matches!(raw, "" | "~" | "null") || (matches!(raw, "None" | "undefined") && !is_key()) {
        return None;
    }
    let quoted = raw.starts_with('"').then(|| serde_json::from_str::<String>(raw).ok()).flatten();
    Some(AnswerChoice::Answer(Arc::from(quoted.unwrap_or_else(|| raw.to_owned()))))
}

/// A choice on the line of an answer. A key that older programs would look for stays as it is; a person's words are in
/// quotes unless they are one simple word.
pub(super) fn write_choice(choice: &AnswerChoice, options: &[DecisionOption]) -> String {
    let AnswerChoice::Answer(text) = choice else { return SKIPPED.to_owned() };
    let is_key = |key: &str| options.iter().any(|option| option.key == key);
    let is_chosen = is_key(text) || text.split(", ").all(is_key);
    let one_line = text.trim() == &**text
        && !text.contains(|sign: char| sign.is_control() || "\u{2028}\u{2029}".contains(sign));
    let simple =
        text.starts_with(|sign: char| sign.is_ascii_alphanumeric()) && text.chars().all(scalar::is_word_sign);
    let raw = (is_chosen && one_line) || simple;
    let reads_back = || raw_choice(text, &[]).as_ref() == Some(choice) && !text.starts_with('"');
    if raw && reads_back() { text.to_string() } else { scalar::quote(text) }
}

/// Yes or no.
pub(super) fn truth(said: &str) -> Option<bool> {
    match said.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Names in a list on one line, with brackets around it or not.
fn names(said: &str) -> Vec<Arc<str>> {
    let inner = said.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(said);
    let names = inner.split(',').map(|name| {
        let name = name.trim();
        scalar::find(name, 0)
            .text
            .filter(|_| name.starts_with(['"', '\'']))
            .unwrap_or_else(|| name.to_owned())
    });
    names.filter(|name| !name.is_empty()).map(Arc::from).collect()
}

/// A list of names on one line.
pub(super) fn write_names(names: &[Arc<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| scalar::word(name)).collect();
    format!("[{}]", names.join(", "))
}

/// Between an id and a title in a heading.
const DASHES: [&str; 4] = [" — ", " – ", " -- ", " - "];

/// The title that a heading means: older files put the id and a dash before it.
pub(super) fn title<'a>(heading: &'a str, id: &str) -> &'a str {
    let first = DASHES.iter().filter_map(|dash| heading.find(dash).map(|at| (at, dash.len()))).min();
    match first {
        Some((at, length)) if !id.is_empty() && heading[..at].trim() == id => heading[at + length..].trim(),
        Some(_) | None => heading,
    }
}

/// A title as its heading has to say it.
pub(super) fn write_title(said: &str, id: &str) -> String {
    // The title looks as if an id stood before it.
    if title(said, id) == said { said.to_owned() } else { format!("{id} — {said}") }
}

/// An id for a decision that has none.
pub(super) fn id_of(title: &str, number: usize) -> String {
    let mut id = String::new();
    for sign in title.chars().flat_map(char::to_lowercase).take(4 * mind::limits::NAME_CHARS_MAX) {
        if sign.is_alphanumeric() {
            id.push(sign);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let id: String = id.trim_end_matches('-').chars().take(mind::limits::NAME_CHARS_MAX).collect();
    let id = id.trim_end_matches('-');
    if id.is_empty() { format!("decision-{number}") } else { id.to_owned() }
}
