//! The typed answer that ends an agent's run: its schema (the agent's own fields and the common ones) and its reader, which
//! names every fault and guesses nothing from prose.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::agent::{Agent, AgentDuty};
use super::limits;
use super::memory::{Importance, Note};
use super::plan::sketch::{self, PlanSketch};
use super::reading::scan::scan;
use crate::limits::cut;

/// What an agent answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentAnswer {
    /// It did what it was asked.
    pub success: bool,
    pub summary: Arc<str>,
    /// What stood in the way.
    pub failure: Option<Arc<str>>,
    pub verdict: Option<Arc<str>>,
    pub issues: Vec<Arc<str>>,
    /// What later missions should know.
    pub notes: Vec<Note>,
    /// The plan that it made.
    pub plan: Option<PlanSketch>,
}

/// What an agent's turn must end in: our fields, and those of its own response.
pub fn schema(agent: &Agent) -> Value {
    let mut properties = Map::new();
    let mut required = vec![json!("outcome"), json!("summary")];
    let text = |words: &str| json!({"type": "string", "description": words});
    properties.insert(
        "outcome".to_owned(),
        json!({"type": "string", "enum": ["success", "failure"], "description": "Whether you did what you were asked."}),
    );
    properties.insert("summary".to_owned(), text("What you did and found, in a few sentences."));
    properties.insert("failure".to_owned(), text("With outcome failure: what stood in the way."));
    properties.insert("notes".to_owned(), notes_schema());
    let issues = json!({
        "type": "array", "items": {"type": "string"},
        "description": "What is wrong, one each, with file and line where there is one."
    });
    match agent.part {
        Some(AgentDuty::Planner) => {
            properties.insert("plan".to_owned(), sketch::schema());
        }
        Some(AgentDuty::Keeper) => required.push(json!("notes")),
        Some(AgentDuty::Verifier) => {
            let verdict =
                json!({"type": "string", "enum": ["pass", "fail"], "description": "Your judgement."});
            properties.insert("verdict".to_owned(), verdict);
            properties.insert("issues".to_owned(), issues.clone());
            required.push(json!("verdict"));
        }
        None => {}
    }
    if let Some(Value::Object(own)) = agent.response.as_deref() {
        if let Some(Value::Object(more)) = own.get("properties") {
            properties.extend(more.iter().map(|(name, schema)| (name.clone(), schema.clone())));
        }
        if let Some(Value::Array(more)) = own.get("required") {
            let new = more.iter().filter(|name| !required.contains(name)).cloned().collect::<Vec<Value>>();
            required.extend(new);
        }
        if agent.bears_verdicts() {
            properties.entry("issues").or_insert(issues);
            if !required.contains(&json!("verdict")) {
                required.push(json!("verdict"));
            }
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

fn notes_schema() -> Value {
    json!({
        "type": "array",
        "description": "What a later mission in this project must know; leave it out if there is nothing.",
        "items": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "whenToUse": {"type": "string", "description": "When it is worth reading."},
                "tags": {"type": "array", "items": {"type": "string"}},
                "importance": {"type": "string", "enum": ["low", "medium", "high"]},
                "text": {"type": "string"}
            },
            "required": ["title", "text"]
        }
    })
}

/// Reads an agent's answer: the typed output, or the object that stands in its text. Prose alone is no answer:
/// whether something was done is never guessed from words.
pub fn read(agent: &Agent, output: Option<&Value>, text: &str) -> Result<AgentAnswer, Vec<String>> {
    match output {
        Some(Value::Object(map)) => read_map(agent, map),
        Some(_) | None => {
            let found = scan(text);
            let objects =
                found.spans.iter().filter_map(|span| serde_json::from_str::<Map<String, Value>>(span).ok());
            let mut answers = objects.map(|map| read_map(agent, &map));
            let last = answers.by_ref().last();
            last.unwrap_or_else(|| Err(vec!["there was no typed answer".to_owned()]))
        }
    }
}

fn read_map(agent: &Agent, map: &Map<String, Value>) -> Result<AgentAnswer, Vec<String>> {
    let mut faults = Vec::new();
    let words = |name: &str| map.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let success = match words("outcome") {
        Some("success") => true,
        Some("failure") => false,
        Some(_) | None => {
            faults.push("`outcome` must be success or failure".to_owned());
            false
        }
    };
    let summary = words("summary");
    if summary.is_none() {
        faults.push("`summary` is missing or empty".to_owned());
    }
    let verdict = words("verdict");
    let known = agent.verdicts();
    match verdict {
        Some(word) if !known.is_empty() && !known.contains(&word) => {
            faults.push(format!("`verdict` is {word:?}, but must be one of {}", known.join(", ")));
        }
        None if success && !known.is_empty() => {
            faults.push(format!("`verdict` is missing: one of {}", known.join(", ")));
        }
        Some(_) | None => {}
    }
    let plan = match (agent.part, map.get("plan")) {
        (Some(AgentDuty::Planner), Some(plan)) => sketch::read(plan, &mut faults),
        (Some(AgentDuty::Planner), None) if success => {
            faults.push("`plan` is missing".to_owned());
            None
        }
        (Some(AgentDuty::Planner | AgentDuty::Keeper | AgentDuty::Verifier) | None, _) => None,
    };
    let answer = AgentAnswer {
        success,
        summary: Arc::from(cut(summary.unwrap_or_default(), limits::KEPT_CHARS_MAX)),
        failure: words("failure").map(|text| Arc::from(cut(text, limits::WORDS_CHARS_MAX))),
        verdict: verdict.map(Arc::from),
        issues: texts(map.get("issues")),
        notes: notes(map.get("notes"), &agent.name),
        plan,
    };
    if faults.is_empty() { Ok(answer) } else { Err(faults) }
}

/// A list of texts; a single text is a list of one. Objects with a description are taken by it.
fn texts(list: Option<&Value>) -> Vec<Arc<str>> {
    let one = |value: &Value| -> Option<Arc<str>> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Object(_) => value.to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
        };
        (!text.trim().is_empty()).then(|| Arc::from(cut(&text, limits::WORDS_CHARS_MAX)))
    };
    match list {
        Some(Value::Array(items)) => items.iter().filter_map(one).take(limits::ISSUES_MAX).collect(),
        Some(value) => one(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// Notes are a gift: what is wrong with one is no reason to ask again.
pub(crate) fn notes(list: Option<&Value>, by: &Arc<str>) -> Vec<Note> {
    let Some(Value::Array(items)) = list else { return Vec::new() };
    let note = |value: &Value| -> Option<Note> {
        let words = |name: &str| {
            let text = value.get(name).and_then(Value::as_str).map(str::trim)?;
            (!text.is_empty()).then(|| Arc::from(cut(text, limits::NOTE_CHARS_MAX)))
        };
        Some(Note {
            title: words("title")?,
            when_to_use: words("whenToUse"),
            tags: texts(value.get("tags")),
            importance: match value.get("importance").and_then(Value::as_str) {
                Some("low") => Importance::Low,
                Some("high") => Importance::High,
                Some(_) | None => Importance::Medium,
            },
            discovered_at: None,
            discovered_by: Some(by.clone()),
            text: words("text")?,
        })
    };
    items.iter().filter_map(note).take(limits::NOTES_AT_ONCE_MAX).collect()
}
