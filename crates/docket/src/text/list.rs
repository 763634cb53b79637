//! The list of decisions in the frontmatter, which one other program writes and reads its answers from. Every field
//! knows its place.

use std::ops::Range;
use std::sync::Arc;

use mind::petition::{AnswerChoice, Decision, SKIPPED};
use mind::talk::DecisionOption;

use super::front::Front;
use super::tree::{self, Node, Value};
use super::{MalformedPetition, decision, names, option};
use crate::limits;

/// One decision of the list.
#[derive(Debug)]
pub(super) struct Item {
    /// In the order of the file.
    pub(super) fields: Vec<Place>,
    /// Whether the item stands between braces.
    pub(super) flow: bool,
    pub(super) decision: Decision,
}

/// Where a field stands in the text.
#[derive(Debug)]
pub(super) struct Place {
    /// In our spelling.
    pub(super) name: String,
    pub(super) key: Range<usize>,
    /// A range of the text; empty if there is no value.
    pub(super) value: Range<usize>,
    /// What the value says, if it is one text.
    text: Option<String>,
}

impl Item {
    /// Where the field of this name stands.
    pub(super) fn field(&self, name: &str) -> Option<&Place> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Reads the list; nothing if there is none.
pub(super) fn read(text: &str, front: &Front) -> Result<Vec<Item>, MalformedPetition> {
    let Some(entry) = front.entry(text, "decisions") else { return Ok(Vec::new()) };
    let whole = entry.whole.clone();
    let node = tree::entry(&text[whole.clone()]).map_err(|why| {
        MalformedPetition(format!("the list `decisions` in the frontmatter cannot be understood: {why}"))
    })?;
    let Some(Node { value: Value::List(nodes), .. }) = node else { return Ok(Vec::new()) };
    // A list of something else, such as the names of the decisions.
    if !nodes.iter().all(|node| matches!(node.value, Value::Map(_))) {
        return Ok(Vec::new());
    }
    if nodes.len() > mind::limits::PETITION_DECISIONS_MAX {
        let max = mind::limits::PETITION_DECISIONS_MAX;
        return Err(MalformedPetition(format!("there are more than {max} decisions")));
    }
    nodes.iter().map(|node| item(text, whole.start, node)).collect()
}

fn item(text: &str, offset: usize, node: &Node) -> Result<Item, MalformedPetition> {
    let entries: &[(Node, Node)] = if let Value::Map(entries) = &node.value { entries } else { &[] };
    let moved = |range: &Range<usize>| range.start + offset..range.end + offset;
    let fields: Vec<Place> = entries
        .iter()
        .filter_map(|(key, value)| {
            let name = names::canonical(&key.words()?).to_owned();
            Some(Place { name, key: moved(&key.range), value: moved(&value.range), text: value.words() })
        })
        .collect();
    let said =
        |name: &str| fields.iter().find(|field| field.name == name).and_then(|field| field.text.clone());
    let is_bare = |name: &str| {
        fields.iter().any(|field| field.name == name && text[field.value.clone()].trim() == SKIPPED)
    };
    let choice = match said("answer") {
        Some(_) if is_bare("answer") => Some(AnswerChoice::Skipped),
        Some(answer) => Some(AnswerChoice::Answer(Arc::from(answer))),
        None => None,
    };
    let mut decision = decision::of_fields(&said, choice);
    decision.title = Arc::from(said("title").unwrap_or_default().trim());
    let context = said("context").filter(|context| context.trim() != "undefined").unwrap_or_default();
    let lines: Vec<&str> = context.lines().map(str::trim_end).collect();
    decision.context = Arc::from(lines.join("\n").trim_matches('\n'));
    let listed = entries.iter().find(|(key, _)| key.words().as_deref() == Some("options"));
    if let Some((_, Node { value: Value::List(nodes), .. })) = listed {
        if nodes.len() > limits::OPTIONS_READ_MAX {
            let max = limits::OPTIONS_READ_MAX;
            return Err(MalformedPetition(format!("decision {:?} has more than {max} options", decision.id)));
        }
        decision.options = nodes.iter().filter_map(choice_of).collect();
    }
    let flow = text[offset + node.range.start..].starts_with('{');
    Ok(Item { fields, flow, decision })
}

/// An option: a map with a key, or a text such as the body's lists have.
fn choice_of(node: &Node) -> Option<DecisionOption> {
    let entries = match &node.value {
        Value::Nothing | Value::List(_) => return None,
        Value::Text(text) => return option::of(text),
        Value::Map(entries) => entries,
    };
    let said = |name: &str| {
        let entry = entries.iter().find(|(key, _)| key.words().as_deref() == Some(name));
        entry.and_then(|(_, value)| value.words()).map(|text| text.trim().to_owned())
    };
    let key = said("key").or_else(|| said("id")).filter(|key| !key.is_empty())?;
    let label = said("label").filter(|label| !label.is_empty()).unwrap_or_else(|| key.clone());
    let label = match said("note").filter(|note| !note.is_empty()) {
        Some(note) => format!("{label} ({note})"),
        None => label,
    };
    Some(DecisionOption { key, label })
}
