//! `arbiter config keys` and `arbiter config schema`: every key with its meaning, and a JSON schema for editors.
//! docs/configuration.md and docs/config.schema.json are made from it.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::row::{Row, TWIN, TWIN_OF, below, is_section, keys_of, section};
use super::table::rows;

/// Every key as a file could have it, one line each, with what it means and who may set it.
#[must_use]
pub fn keys() -> Vec<String> {
    let mut lines = Vec::new();
    list("", "", &rows(), &mut lines);
    lines
}

fn list(parent: &str, indent: &str, rows: &[Row], lines: &mut Vec<String>) {
    for key in keys_of(parent) {
        let name = below(parent, key);
        if is_section(&name) {
            lines.push(line(&format!("{indent}{key}:"), section(&name).map_or("", |section| section.doc)));
            list(&name, &format!("{indent}  "), rows, lines);
        }
        let Some(row) = row(&name, rows) else { continue };
        let doc = row.told(&name);
        match row.example.or(row.default.as_deref()).unwrap_or_default() {
            items if items.starts_with("- ") => {
                lines.push(line(&format!("{indent}{key}:"), &doc));
                lines.extend(items.lines().map(|item| format!("{indent}  {item}")));
            }
            value => lines.push(line(&format!("{indent}{key}: {value}"), &doc)),
        }
    }
}

fn line(written: &str, doc: &str) -> String {
    if doc.is_empty() { written.to_owned() } else { format!("{written:<29} # {doc}") }
}

/// A JSON schema of configuration files, for editors.
#[must_use]
pub fn schema() -> String {
    let mut schema = object("", &rows());
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Configuration of Arbiter");
    format!("{:#}", sorted(schema))
}

fn object(parent: &str, rows: &[Row]) -> Json {
    let property = |key: &'static str| {
        let name = below(parent, key);
        let property = match row(&name, rows) {
            Some(row) => row.property(&name),
            None => object(&name, rows),
        };
        // `sandbox: off` is short for `sandbox: { level: off }`.
        let level = row("sandbox.level", rows).filter(|_| name == "sandbox");
        match level {
            Some(level) => (key, json!({ "anyOf": [level.schema, property] })),
            None => (key, property),
        }
    };
    let properties: Json = keys_of(parent).into_iter().map(property).collect();
    let mut object = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if let Some(section) = section(parent).filter(|section| !section.doc.is_empty()) {
        object["description"] = json!(section.doc);
    }
    object
}

/// The row that a key means.
fn row<'r>(name: &str, rows: &'r [Row]) -> Option<&'r Row> {
    let meant = if name == TWIN { TWIN_OF } else { name };
    rows.iter().find(|row| row.key == meant)
}

impl Row {
    /// The meaning of the key that is written as `name`.
    fn told(&self, name: &str) -> String {
        if name == self.key {
            format!("{}{}", self.doc, self.who.note())
        } else {
            format!("the same as {}", self.key)
        }
    }

    fn property(&self, name: &str) -> Json {
        let mut property = self.schema.clone();
        property["description"] = json!(self.told(name));
        if let Some(default) = &self.default {
            // A default that is no JSON is text.
            property["default"] = serde_json::from_str(default).unwrap_or_else(|_| json!(default));
        }
        property
    }
}

/// Sorts maps by key, so that the text does not depend on the order in which they were made.
fn sorted(json: Json) -> Json {
    match json {
        Json::Object(map) => {
            let sorted: BTreeMap<String, Json> =
                map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            sorted.into_iter().collect()
        }
        Json::Array(items) => items.into_iter().map(sorted).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => json,
    }
}
