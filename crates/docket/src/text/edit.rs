//! Edits of a petition file in place. An answer changes the lines of its decision and the counters, a new assignee one
//! line; an end changes the frontmatter. A missing field is added only where the file would be wrong without it: the fields of an answer, the
//! status, when and why the petition ended; and the time of the change, if the file has the time of its making.
//! Everything else stays byte for byte.

use std::collections::BTreeMap;

use mind::Timestamp;
use mind::petition::{
    AnswerChoice, ClosedPetition, Decision, GivenAnswer, Petition, PetitionEnd, PetitionStatus,
};

use super::body::Section;
use super::front::Front;
use super::lines::{self, Edits};
use super::list::Item;
use super::read::{Place, Reading};
use super::{decision, scalar};

/// Fields in the order in which they are added; none stands for a line that goes.
type Fields = Vec<(&'static str, Option<String>)>;

/// What is changed of a decision.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) answer: bool,
    pub(super) assignee: bool,
}

/// The text with these parts of decisions, the frontmatter and, if `assignee`, who is asked for all of it as `after` has
/// them.
pub(super) fn edit(
    text: &str,
    reading: &Reading,
    places: &BTreeMap<usize, Parts>,
    assignee: bool,
    after: &Petition,
) -> Option<String> {
    let mut edits = Edits::default();
    for (at, parts) in places {
        let (place, decision) = (*reading.places.get(*at)?, after.decisions.get(*at)?);
        edit_decision(text, reading, place, *parts, decision, &mut edits);
    }
    edit_front(text, &reading.front, reading, assignee, after, &mut edits);
    edits.apply(text)
}

fn edit_decision(
    text: &str,
    reading: &Reading,
    place: Place,
    parts: Parts,
    decision: &Decision,
    edits: &mut Edits,
) {
    let Place { section, item } = place;
    let section = section.and_then(|at| reading.sections.get(at));
    let assignee = decision.assignee.as_ref().map(|assignee| scalar::word(assignee));
    let assignee = parts.assignee.then_some(("assignee", assignee));
    if let Some(section) = section {
        let mut fields = match parts.answer {
            true => fields(decision, |choice| decision::write_choice(choice, &decision.options)),
            false => Vec::new(),
        };
        fields.extend(assignee.clone());
        edit_section(text, reading, section, &fields, edits);
    }
    if let Some(item) = item.and_then(|at| reading.items.get(at))
        && section.is_none()
    {
        // The body is read first: where there is one, it says who is asked.
        edit_item(text, item, &Vec::from_iter(assignee), edits);
    }
    if !parts.answer {
        return;
    }
    // A late answer decides nothing: a program that reads the list alone would not know that.
    let is_late = decision.answer.as_ref().is_some_and(|given| given.late);
    if let Some(item) = item.and_then(|at| reading.items.get(at))
        && !(is_late && section.is_some())
    {
        let mut fields = fields(decision, |choice| match choice {
            AnswerChoice::Answer(text) => scalar::word(text),
            AnswerChoice::Skipped => choice.text().to_owned(),
        });
        if section.is_some() {
            // The body says already who answered and how.
            fields.iter_mut().skip(3).for_each(|(_, value)| *value = None);
        }
        edit_item(text, item, &fields, edits);
    }
}

/// An answer as fields.
pub(super) fn fields(decision: &Decision, choice: impl Fn(&AnswerChoice) -> String) -> Fields {
    let null = || Some("null".to_owned());
    let Some(GivenAnswer { choice: chosen, at, by, via, instead_of, late }) = &decision.answer else {
        let pending = Some("pending".to_owned());
        return vec![
            ("status", pending),
            ("answer", null()),
            ("answered_at", null()),
            ("answered_by", None),
            ("via", None),
            ("instead_of", None),
            ("skipped", None),
            ("late", None),
        ];
    };
    let is_skip = *chosen == AnswerChoice::Skipped;
    vec![
        ("status", Some(if *late { "pending" } else { "answered" }.to_owned())),
        ("answer", Some(choice(chosen))),
        ("answered_at", at.map(Timestamp::utc).or_else(null)),
        ("answered_by", by.as_ref().map(|by| scalar::word(by))),
        ("via", via.map(|door| door.word().to_owned())),
        ("instead_of", instead_of.as_ref().map(|name| scalar::word(name))),
        ("skipped", is_skip.then(|| "true".to_owned())),
        ("late", late.then(|| "true".to_owned())),
    ]
}

fn edit_section(
    text: &str,
    reading: &Reading,
    section: &Section,
    fields: &[(&'static str, Option<String>)],
    edits: &mut Edits,
) {
    let line_end = lines::line_end(text);
    // New lines stand behind the one before them in our order, else behind the last.
    let last = section.fields.last().map(|field| field.line);
    let is_answer = fields.iter().any(|(name, _)| *name == "answer");
    let of_answer = section.field("answer").or(section.field("status")).filter(|_| is_answer);
    let mut anchor = of_answer.map(|field| field.line).or(last);
    let mut added = String::new();
    for (name, value) in fields {
        match (section.field(name), value) {
            (Some(field), Some(value)) => {
                if let Some(line) = anchor.filter(|_| !added.is_empty()) {
                    let end = reading.lines[line].end;
                    edits.replace(end..end, std::mem::take(&mut added));
                }
                anchor = Some(field.line);
                set(text, field.value.clone(), value, edits);
            }
            (Some(field), None) => remove(field.line, reading, edits),
            // An empty value need not be added.
            (None, Some(value)) if value != "null" && !(*name == "status" && value == "pending") => {
                added.push_str(&format!("{line_end}{name}: {value}"));
            }
            (None, Some(_) | None) => {}
        }
    }
    if added.is_empty() {
        return;
    }
    let at = anchor.unwrap_or(section.heading);
    if anchor.is_none() {
        // There is no block of fields: it stands between blank lines.
        added.insert_str(0, line_end);
        let next = reading.lines.get(at + 1).map_or("", |line| line.of(text));
        if !next.trim().is_empty() {
            added.push_str(line_end);
        }
    }
    let end = reading.lines[at].end;
    edits.replace(end..end, added);
}

/// Puts a value in the place of another, or behind the colon if there was none.
fn set(text: &str, place: std::ops::Range<usize>, value: &str, edits: &mut Edits) {
    if &text[place.clone()] == value {
        return;
    }
    let blank = if place.is_empty() { " " } else { "" };
    edits.replace(place, format!("{blank}{value}"));
}

/// Takes a line away with the line end before it.
fn remove(line: usize, reading: &Reading, edits: &mut Edits) {
    let (Some(before), Some(line)) =
        (line.checked_sub(1).map(|at| reading.lines[at]), reading.lines.get(line))
    else {
        return;
    };
    edits.replace(before.end..line.end, "");
}

fn edit_item(text: &str, item: &Item, fields: &[(&'static str, Option<String>)], edits: &mut Edits) {
    let line_end = lines::line_end(text);
    let is_json = item.fields.first().is_some_and(|field| text[field.key.clone()].starts_with('"'));
    let mut added = Vec::new();
    for (name, value) in fields {
        match (item.field(name), value) {
            (Some(field), Some(value)) => {
                let is_quoted = text[field.value.clone()].starts_with('"');
                let plain = is_json || is_quoted;
                let value = if plain { json(value) } else { value.clone() };
                let place =
                    if field.value.is_empty() { colon(text, field.key.end) } else { field.value.clone() };
                set(text, place, &value, edits);
            }
            // A field that was set and is empty now.
            (Some(field), None) if !field.value.is_empty() => {
                let value = if matches!(*name, "skipped" | "late") { "false" } else { "null" };
                set(text, field.value.clone(), value, edits);
            }
            (None, Some(value)) if value != "null" && !(*name == "status" && value == "pending") => {
                let (name, value) = if is_json {
                    (scalar::quote(name), json(value))
                } else {
                    ((*name).to_owned(), value.clone())
                };
                added.push(format!("{name}: {value}"));
            }
            (Some(_) | None, Some(_) | None) => {}
        }
    }
    let Some(first) = item.fields.first().filter(|_| !added.is_empty()) else { return };
    if item.flow {
        let at = first.key.start;
        edits.replace(at..at, format!("{}, ", added.join(", ")));
        return;
    }
    // In a block the new lines stand behind a line of the item that holds a whole field, as deep as it is.
    let is_whole = |field: &&super::list::Place| {
        !field.value.is_empty() && !text[field.key.start..field.value.end].contains('\n')
    };
    let anchors = ["answered_at", "answer", "status", "title", "id"];
    let anchor = anchors.iter().filter_map(|name| item.field(name)).find(is_whole);
    let Some(anchor) = anchor.or_else(|| item.fields.iter().find(is_whole)) else { return };
    let line = text[..first.key.start].rfind('\n').map_or(0, |at| at + 1);
    let indent = " ".repeat(text[line..first.key.start].chars().count());
    let end = text[anchor.value.end..].find('\n').map_or(text.len(), |at| anchor.value.end + at);
    let end = if text[..end].ends_with('\r') { end - 1 } else { end };
    let lines: String = added.iter().map(|field| format!("{line_end}{indent}{field}")).collect();
    edits.replace(end..end, lines);
}

/// A value for a place where everything is JSON.
fn json(value: &str) -> String {
    let is_json = value.starts_with('"') || matches!(value, "null" | "true" | "false");
    if is_json { value.to_owned() } else { scalar::quote(value) }
}

/// The place right behind the colon that follows a key.
fn colon(text: &str, key_end: usize) -> std::ops::Range<usize> {
    let at = text[key_end..].find(':').map_or(key_end, |at| key_end + at + 1);
    at..at
}

fn edit_front(
    text: &str,
    front: &Front,
    reading: &Reading,
    assignee: bool,
    after: &Petition,
    edits: &mut Edits,
) {
    let mut added: Vec<(&str, String)> = Vec::new();
    let (total, decided) = (after.decisions.len(), after.decided());
    let status = match after.status() {
        // Other programs do not know that all is decided and nothing submitted.
        PetitionStatus::Ready => PetitionStatus::InProgress.word(),
        status @ (PetitionStatus::Pending
        | PetitionStatus::InProgress
        | PetitionStatus::Completed
        | PetitionStatus::Withdrawn
        | PetitionStatus::Expired) => status.word(),
    };
    let mut put = |name: &'static str, value: String, add: bool| {
        let entries = front.entries(name);
        for entry in entries {
            let value = match entry.quote {
                Some(quote) if !value.starts_with('"') && value != "null" => format!("{quote}{value}{quote}"),
                Some(_) | None => value.clone(),
            };
            set(text, entry.value.clone(), &value, edits);
        }
        if entries.is_empty() && add {
            added.push((name, value));
        }
    };
    put("status", status.to_owned(), true);
    let has_times = !front.entries("created_at").is_empty();
    put("updated_at", after.updated_at.utc(), has_times);
    put("total", total.to_string(), false);
    put("answered", decided.to_string(), false);
    put("remaining", (total - decided).to_string(), false);
    if let Some(assignee) = after.assignee.as_ref().filter(|_| assignee) {
        put("assignee", scalar::word(assignee), true);
    }
    match &after.closed {
        Some(ClosedPetition { end, at, why }) => {
            put("completed_at", at.utc(), true);
            if let Some(why) = why.as_ref().filter(|_| *end != PetitionEnd::Completed) {
                put("reason", scalar::quote(why), true);
            }
        }
        None if front.hint(text, "completed_at").is_some() => put("completed_at", "null".to_owned(), false),
        None => {}
    }
    if added.is_empty() {
        return;
    }
    let line_end = lines::line_end(text);
    let at = reading.lines[front.close].start;
    let lines: String = added.iter().map(|(name, value)| format!("{name}: {value}{line_end}")).collect();
    edits.replace(at..at, lines);
}
