//! Reads a JSON object of a reply as a move, or names everything that is wrong with it.

use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::ReplyTerms;
use crate::conductor::next_move::{MoveKind, NextMove};
use crate::conductor::{choice, limits};

/// A JSON object in which no key stands twice: which of the two is meant would be unknown.
pub struct Object(pub Map<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        deserializer.deserialize_map(Keys)
    }
}

struct Keys;

impl<'de> Visitor<'de> for Keys {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Object, A::Error> {
        let mut fields = Map::new();
        while let Some((key, value)) = access.next_entry::<String, Value>()? {
            if fields.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {} stands twice", quote(&key))));
            }
            fields.insert(key, value);
        }
        Ok(Object(fields))
    }
}

/// The decision that an object says.
pub fn decision(fields: &Map<String, Value>, terms: &ReplyTerms<'_>) -> Result<NextMove, Vec<String>> {
    let kind = kind(fields, terms).map_err(|fault| vec![fault])?;
    let mut reader = Reader { kind, fields, faults: Vec::new() };
    let decision = match kind {
        MoveKind::SelectMode => {
            let mode = reader.mode(terms);
            let reason = reader.required("reason");
            NextMove::SelectMode { mode, reason, guidance: reader.optional("guidance") }
        }
        MoveKind::Continue => NextMove::Continue { reason: reader.required("reason") },
        MoveKind::Retry => NextMove::Retry { reason: reader.required("reason") },
        MoveKind::Complete => NextMove::Complete { summary: reader.required("summary") },
        MoveKind::SkipStep => NextMove::SkipStep { reason: reader.required("reason") },
        MoveKind::Replan => NextMove::Replan { reason: reader.required("reason") },
        MoveKind::AskHuman => {
            NextMove::AskHuman { question: reader.required("question"), options: reader.options() }
        }
        MoveKind::Fail => NextMove::Fail { reason: reader.required("reason") },
    };
    if reader.faults.is_empty() { Ok(decision) } else { Err(reader.faults) }
}

/// What an object decides, if that can be decided now.
fn kind(fields: &Map<String, Value>, terms: &ReplyTerms<'_>) -> Result<MoveKind, String> {
    let legal = words_of(terms.legal);
    let given = |key| fields.get(key).filter(|value| !value.is_null());
    let read = |key: &str, value: &Value| match value.as_str() {
        Some(word) => kind_of(word)
            .ok_or_else(|| format!("{} is no decision; `{key}` must be one of: {legal}", quote(word))),
        None => Err(format!("`{key}` must be one of these words: {legal}")),
    };
    let kind = match (given("type"), given("decision")) {
        (Some(word), None) => read("type", word)?,
        (None, Some(word)) => read("decision", word)?,
        (Some(word), Some(other)) => {
            let kind = read("type", word)?;
            if read("decision", other)? != kind {
                return Err("`type` and `decision` say different things; answer with `type` alone".to_owned());
            }
            kind
        }
        (None, None) => return Err(format!("`type` is missing; it must be one of: {legal}")),
    };
    if terms.legal.contains(&kind) {
        return Ok(kind);
    }
    Err(format!("{kind} cannot be decided now; `type` must be one of: {legal}"))
}

/// The kind that a word means: as it is written, else whatever its case and whatever joins its parts.
fn kind_of(word: &str) -> Option<MoveKind> {
    let exact = MoveKind::ALL.into_iter().find(|kind| kind.word() == word);
    exact.or_else(|| {
        let word = word.trim().to_ascii_uppercase().replace(['-', ' '], "_");
        MoveKind::ALL.into_iter().find(|kind| kind.word() == word)
    })
}

/// Kinds as one reads them in a sentence.
pub fn words_of(kinds: &[MoveKind]) -> String {
    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    words.join(", ")
}

/// A piece of a reply, short enough to be repeated.
fn quote(text: &str) -> String {
    format!("{:?}", choice::cut(text, limits::QUOTED_CHARS_MAX))
}

/// The fields of one object. What is missing is noted, and reading goes on: all faults are told at once.
struct Reader<'a> {
    kind: MoveKind,
    fields: &'a Map<String, Value>,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn mode(&mut self, terms: &ReplyTerms<'_>) -> Arc<str> {
        let no_agent = || Arc::from("");
        let names: Vec<&str> = terms.agents.iter().map(|agent| agent.name.as_ref()).collect();
        let names = names.join(", ");
        let Some(name) = self.fields.get("mode").filter(|value| !value.is_null()) else {
            self.faults.push(format!("{} needs `mode`: one of the agents {names}", self.kind));
            return no_agent();
        };
        let Some(name) = name.as_str() else {
            self.faults.push(format!("`mode` must be the name of one agent: {names}"));
            return no_agent();
        };
        match choice::named(name, terms.agents) {
            Some(agent) => agent.name.clone(),
            None => {
                self.faults.push(format!(
                    "no agent {} can be chosen now; `mode` must be one of: {names}",
                    quote(name)
                ));
                no_agent()
            }
        }
    }

    fn optional(&mut self, key: &str) -> Option<Arc<str>> {
        match self.fields.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(choice::words(text)).filter(|text| !text.trim().is_empty()),
            Some(_) => {
                self.faults.push(format!("`{key}` must be a text"));
                None
            }
        }
    }

    fn required(&mut self, key: &str) -> Arc<str> {
        let faults = self.faults.len();
        let text = self.optional(key);
        if text.is_none() && self.faults.len() == faults {
            self.faults.push(format!("{} needs `{key}`: a text that is not empty", self.kind));
        }
        text.unwrap_or_default()
    }

    fn options(&mut self) -> Vec<Arc<str>> {
        let list = match self.fields.get("options") {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(list)) if list.len() <= limits::OPTIONS_MAX => list,
            Some(Value::Array(list)) => {
                let (count, most) = (list.len(), limits::OPTIONS_MAX);
                self.faults.push(format!("`options` has {count} entries; at most {most} can be shown"));
                return Vec::new();
            }
            Some(_) => {
                self.faults.push("`options` must be a list of texts".to_owned());
                return Vec::new();
            }
        };
        let mut options: Vec<Arc<str>> = Vec::new();
        for option in list {
            let label = option.as_str().or_else(|| option.get("label").and_then(Value::as_str));
            let Some(label) = label.filter(|label| !label.trim().is_empty()) else {
                self.faults.push("each of `options` must be a text, or an object with a `label`".to_owned());
                return Vec::new();
            };
            let label = choice::cut(label, limits::OPTION_CHARS_MAX);
            if !options.contains(&label) {
                options.push(label);
            }
        }
        options
    }
}
