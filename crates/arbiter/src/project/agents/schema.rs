//! `response`: an agent's typed verdict as a JSON schema of an object, written in YAML.

use serde_json::{Map, Number, Value as Json};

use crate::project::config::node::{Node, Value};
use crate::project::config::reader::Reader;
use crate::project::config::shown;

/// Fields that the program defines itself, for every agent or for one duty.
const OURS: [&str; 5] = ["outcome", "summary", "failure", "notes", "plan"];
/// How a schema looks.
const HINT: &str = "write `type: object` and `properties: { verdict: { type: string, enum: [pass, fail] } }`";

/// Reads a schema; none if something is wrong with it.
pub(super) fn response(reader: &mut Reader<'_>, node: &Node) -> Option<Json> {
    let faults_before = reader.faults.len();
    if !matches!(node.value, Value::Map(_)) {
        reader.bad_kind("response", node, "a JSON schema", HINT);
        return None;
    }
    let json = json(reader, "response", node);
    if child(reader, node, "type").and_then(|kind| reader.word(kind)) != Some("object") {
        let place = child(reader, node, "type").unwrap_or(node);
        let problem = "the schema must be one of an object".to_owned();
        reader.bad("response.type", place, problem, Some(HINT.to_owned()));
    }
    match child(reader, node, "properties") {
        Some(properties) if matches!(properties.value, Value::Map(_)) => self::properties(reader, properties),
        Some(other) => reader.bad_kind("response.properties", other, "a map", HINT),
        None => reader.bad("response", node, "it has no properties".to_owned(), Some(HINT.to_owned())),
    }
    if let Some(required) = child(reader, node, "required") {
        self::required(reader, required, child(reader, node, "properties"));
    }
    json.filter(|_| reader.faults.len() == faults_before)
}

/// The verdicts that a schema allows.
pub(super) fn verdicts(schema: &Json) -> Option<Vec<String>> {
    let words = schema.get("properties")?.get("verdict")?.get("enum")?.as_array()?;
    Some(words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect())
}

fn properties(reader: &mut Reader<'_>, node: &Node) {
    let Value::Map(entries) = &node.value else { return };
    for (key, value) in entries {
        let name = reader.word(key).unwrap_or_default().to_owned();
        let path = format!("response.properties.{name}");
        if OURS.contains(&name.as_str()) {
            let hint = format!("every answer has its own {}: take another name", OURS.join(", "));
            reader.bad(&path, key, "this field is ours".to_owned(), Some(hint));
        } else if !matches!(value.value, Value::Map(_)) {
            reader.bad_kind(&path, value, "a schema", HINT);
        } else if name == "verdict" {
            verdict(reader, &path, value);
        } else if name == "issues" {
            issues(reader, &path, value);
        }
    }
}

fn verdict(reader: &mut Reader<'_>, path: &str, node: &Node) {
    let hint = "write `verdict: { type: string, enum: [approved, needsChanges] }`";
    if child(reader, node, "type").and_then(|kind| reader.word(kind)) != Some("string") {
        reader.bad(path, node, "a verdict is a word: `type: string`".to_owned(), Some(hint.to_owned()));
    }
    let Some(words) = child(reader, node, "enum") else {
        reader.bad(
            path,
            node,
            "the verdicts are not named: `enum` is missing".to_owned(),
            Some(hint.to_owned()),
        );
        return;
    };
    let path = format!("{path}.enum");
    let Value::List(items) = &words.value else {
        return reader.bad_kind(&path, words, "a list of words", hint);
    };
    let Some(mut names) = reader.words(&path, items, hint) else { return };
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() || names.len() < count {
        let problem = if names.is_empty() { "no verdict is named" } else { "a verdict stands here twice" };
        reader.bad(&path, words, problem.to_owned(), Some(hint.to_owned()));
    }
}

fn issues(reader: &mut Reader<'_>, path: &str, node: &Node) {
    let is = |reader: &Reader<'_>, node: &Node, kind: &str| {
        child(reader, node, "type").and_then(|node| reader.word(node)) == Some(kind)
    };
    let items = child(reader, node, "items");
    if !is(reader, node, "array") || !items.is_some_and(|items| is(reader, items, "string")) {
        let hint = "write `issues: { type: array, items: { type: string } }`, or leave it out".to_owned();
        reader.bad(path, node, "issues are a list of texts".to_owned(), Some(hint));
    }
}

fn required(reader: &mut Reader<'_>, node: &Node, properties: Option<&Node>) {
    let Value::List(items) = &node.value else {
        return reader.bad_kind(
            "response.required",
            node,
            "a list of properties",
            "write `required: [verdict]`",
        );
    };
    for (index, item) in items.iter().enumerate() {
        let name = reader.word(item).unwrap_or_default().to_owned();
        if properties.and_then(|properties| child(reader, properties, &name)).is_none() {
            let key = format!("response.required[{index}]");
            let hint = "name a property that stands under `properties`".to_owned();
            reader.bad(&key, item, format!("there is no property {}", shown(&name)), Some(hint));
        }
    }
}

/// The value of a key in a map.
fn child<'n>(reader: &Reader<'_>, node: &'n Node, name: &str) -> Option<&'n Node> {
    let Value::Map(entries) = &node.value else { return None };
    entries.iter().find(|(key, _)| reader.word(key) == Some(name)).map(|(_, value)| value)
}

/// A YAML value as JSON.
fn json(reader: &mut Reader<'_>, path: &str, node: &Node) -> Option<Json> {
    Some(match &node.value {
        Value::Null => Json::Null,
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Whole(number) => Json::Number(Number::from(*number)),
        Value::Number(number) => match Number::from_f64(*number) {
            Some(number) => Json::Number(number),
            None => {
                reader.bad(path, node, "this is no number of JSON".to_owned(), None);
                return None;
            }
        },
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => {
            let read = |(index, item)| json(reader, &format!("{path}[{index}]"), item);
            Json::Array(items.iter().enumerate().filter_map(read).collect())
        }
        Value::Map(entries) => {
            let mut map = Map::new();
            for (key, value) in entries {
                let name = reader.word(key).unwrap_or_default().to_owned();
                let below = format!("{path}.{name}");
                let value = json(reader, &below, value)?;
                if map.insert(name, value).is_some() {
                    reader.bad(
                        &below,
                        key,
                        "this stands here twice".to_owned(),
                        Some("keep one of them".to_owned()),
                    );
                }
            }
            Json::Object(map)
        }
    })
}
