//! Reads a model's reply. Control flow is never inferred from words in prose: the first object that validates counts.
//! Where a provider gave a typed output, that alone is the reply. Otherwise: the whole text, then fenced blocks, then
//! whatever stands between balanced braces; always whole objects, never one inside another.

mod fields;
pub(crate) mod scan;

use serde_json::Value;

use super::agent::Agent;
use super::limits;
use super::next_move::{MoveKind, NextMove};
use fields::{Object, decision};
use scan::ObjectScan;

/// By what a reply is judged.
#[derive(Debug, Clone, Copy)]
pub struct ReplyTerms<'a> {
    pub legal: &'a [MoveKind],
    /// Who can be named.
    pub agents: &'a [&'a Agent],
}

/// The decision in a reply, or everything that is wrong with it in words the model can act on.
pub fn read(output: Option<&Value>, text: &str, terms: &ReplyTerms<'_>) -> Result<NextMove, Vec<String>> {
    let read = match output {
        Some(Value::Object(fields)) => decision(fields, terms),
        None | Some(Value::Null) => read_text(text, terms),
        Some(other) => Err(vec![not_an_object(other)]),
    };
    read.map_err(|mut faults| {
        faults.truncate(limits::FAULTS_MAX);
        faults
    })
}

fn read_text(text: &str, terms: &ReplyTerms<'_>) -> Result<NextMove, Vec<String>> {
    if text.len() > limits::REPLY_BYTES_MAX {
        return Err(vec![format!(
            "the reply has {} bytes, and at most {} are read; answer with one JSON object alone",
            text.len(),
            limits::REPLY_BYTES_MAX
        )]);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(vec![wanted("the reply is empty", terms)]);
    }
    let mut faults = Faults::default();
    let whole = serde_json::from_str::<Object>(text);
    match whole {
        Ok(Object(fields)) => return decision(&fields, terms),
        // It is JSON and no object: nothing inside it is the decision either.
        Err(_) if !text.starts_with('{') => {
            if let Ok(other) = serde_json::from_str::<Value>(text) {
                return Err(vec![not_an_object(&other)]);
            }
        }
        Err(_) => {}
    }
    let found = scan::scan(text);
    for span in scan::fences(text, &found).into_iter().chain(found.spans) {
        match serde_json::from_str::<Object>(span) {
            Ok(Object(fields)) => match decision(&fields, terms) {
                Ok(decision) => return Ok(decision),
                Err(why) => faults.of_object(&fields, why),
            },
            Err(error) => faults.of_form(span, &error),
        }
    }
    Err(faults.told(found.cut, found.unseen, terms))
}

/// What was wrong with the objects of a reply: the one that looks most like a decision is told.
#[derive(Debug, Default)]
struct Faults {
    decision: Option<Vec<String>>,
    other: Option<Vec<String>>,
    form: Option<String>,
}

impl Faults {
    fn of_object(&mut self, fields: &serde_json::Map<String, Value>, why: Vec<String>) {
        let meant = fields.contains_key("type") || fields.contains_key("decision");
        if meant { &mut self.decision } else { &mut self.other }.get_or_insert(why);
    }

    fn of_form(&mut self, span: &str, error: &serde_json::Error) {
        // Braces in prose are no try at an object.
        if ObjectScan::is_opening(span) {
            self.form.get_or_insert_with(|| format!("the object is not valid JSON: {error}"));
        }
    }

    fn told(self, cut: bool, unseen: bool, terms: &ReplyTerms<'_>) -> Vec<String> {
        if let Some(faults) = self.decision {
            return faults;
        }
        if cut {
            return vec![
                "the JSON object is never closed: the reply was cut off, or a quote or a brace is missing; \
                 answer shorter, with one whole object"
                    .to_owned(),
            ];
        }
        if let Some(fault) = self.form {
            return vec![fault];
        }
        if let Some(faults) = self.other {
            return faults;
        }
        let why = if unseen {
            "no decision was found among the many braces of the reply"
        } else {
            "no JSON object was found in the reply"
        };
        vec![wanted(why, terms)]
    }
}

/// What a reply should have been.
fn wanted(why: &str, terms: &ReplyTerms<'_>) -> String {
    format!("{why}; answer with one JSON object whose `type` is one of: {}", fields::words_of(terms.legal))
}

fn not_an_object(value: &Value) -> String {
    let what = if value.is_array() {
        "a list"
    } else if value.is_string() {
        "a string"
    } else if value.is_number() {
        "a number"
    } else if value.is_null() {
        "null"
    } else {
        "true or false"
    };
    format!("the reply is {what}, not a JSON object")
}
