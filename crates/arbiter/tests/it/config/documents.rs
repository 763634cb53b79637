//! What is said of the keys elsewhere is what the table says: the document, and the schema for editors. `cargo xtask keys`
//! writes both.

use std::collections::BTreeSet;

use arbiter::project::config::{keys, schema};
use serde_json::{Value as Json, json};

use super::Desk;

const DOCUMENT: &str = include_str!("../../../../../docs/configuration.md");
const SCHEMA: &str = include_str!("../../../../../docs/config.schema.json");
const RENEW: &str = "`cargo xtask keys` writes it anew; read the difference";

fn sample() -> String {
    keys().join("\n") + "\n"
}

fn assert_same(kept: &str, printed: &str, file: &str) {
    let mut pairs = kept.lines().zip(printed.lines());
    let first = pairs.find(|(kept, printed)| kept != printed);
    assert!(kept == printed, "{file} is not what is printed, first in {first:?}; {RENEW}");
}

#[test]
fn the_document_has_every_key() {
    let (_, rest) = DOCUMENT.split_once("<!-- begin: keys -->\n```yaml\n").expect("a beginning");
    let (written, _) = rest.split_once("```\n<!-- end: keys -->\n").expect("an end");
    assert_same(written, &sample(), "docs/configuration.md");
}

#[test]
fn the_schema_for_editors_is_kept() {
    assert_same(SCHEMA, &(schema() + "\n"), "docs/config.schema.json");
}

/// The keys whose line says so.
fn noted(note: &str) -> BTreeSet<String> {
    let (mut section, mut inner) = (String::new(), String::new());
    let mut found = BTreeSet::new();
    for line in keys() {
        let (written, doc) = line.split_once(" # ").unwrap_or((&line, ""));
        let Some((key, _)) = written.split_once(':').filter(|(key, _)| !key.contains('-')) else { continue };
        let name = key.trim();
        match key.len() - name.len() {
            0 => section = key.to_owned(),
            // A map in a section: its keys are told by its name.
            2 => inner = format!("{section}.{name}"),
            _ => {}
        }
        if doc.contains(note) {
            found.insert(if key == name { name.to_owned() } else { inner.clone() });
        }
    }
    found
}

#[test]
fn the_document_says_whose_file_counts() {
    let rows = || DOCUMENT.lines().filter(|line| line.starts_with("| `"));
    let words =
        |row: &str| -> BTreeSet<String> { row.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let never = rows().find(|row| row.ends_with("| never: an error |")).expect("a row");
    let own: BTreeSet<String> = words(never).iter().map(|word| word.replace(": off", "")).collect();
    assert_eq!(own, noted("nly in your own file"));
    let trusted: Vec<&str> = rows().filter(|row| row.contains("| only after `arbiter trust`")).collect();
    let is_told = |key: &str| {
        let section = key.split('.').next().unwrap_or_default();
        let is_meant = |word: &str| {
            let is_of_api = section == "arbiter" && word == "arbiter.provider: api";
            word.starts_with(key) || word == section || is_of_api
        };
        trusted.iter().any(|row| words(row).iter().any(|word| is_meant(word)))
    };
    let by_trust = noted("A project's only by trust");
    assert!(by_trust.contains("policy.mode") && by_trust.contains("limits.deadline"), "{by_trust:?}");
    let untold: Vec<&String> = by_trust.iter().filter(|key| !is_told(key)).collect();
    assert!(untold.is_empty(), "docs/configuration.md, whose file counts: no row tells of {untold:?}");
}

#[test]
fn the_document_is_a_configuration_that_counts() {
    let desk = Desk::new().user(sample());
    assert!(desk.load().is_ok(), "{}", desk.told());
    let defaults = desk.told().lines().filter(|line| line.ends_with("(default)")).count();
    assert_eq!(defaults, 0, "every key is in it: {}", desk.told());
}

/// What of `value` the schema refuses, as far as its shape goes.
fn refused(schema: &Json, value: &Json, at: &str, faults: &mut Vec<String>) {
    if let Some(either) = schema["anyOf"].as_array() {
        let fits = |schema: &Json| {
            let mut faults = Vec::new();
            refused(schema, value, at, &mut faults);
            faults.is_empty()
        };
        if !either.iter().any(fits) {
            faults.push(format!("{at}: none fits"));
        }
        return;
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        faults.push(format!("{at}: not of the words"));
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_u64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let is_kind = |wanted: &Json| wanted == kind || (wanted == "number" && kind == "integer");
    let wanted = &schema["type"];
    let fits = wanted.as_array().map_or_else(|| is_kind(wanted), |kinds| kinds.iter().any(is_kind));
    if !wanted.is_null() && !fits {
        faults.push(format!("{at}: {kind} is not {}", schema["type"]));
    }
    if let Some(number) = value.as_f64() {
        let is_low = schema["minimum"].as_f64().is_some_and(|least| number < least)
            || schema["exclusiveMinimum"].as_f64().is_some_and(|least| number <= least);
        if is_low || schema["maximum"].as_f64().is_some_and(|most| number > most) {
            faults.push(format!("{at}: out of bounds"));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        refused(&schema["items"], item, &format!("{at}[{index}]"), faults);
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(key) {
            Some(schema) => refused(schema, value, &format!("{at}.{key}"), faults),
            None => faults.push(format!("{at}.{key}: unknown")),
        }
    }
}

#[test]
fn every_section_has_an_example() {
    let schema: Json = serde_json::from_str(&schema()).expect("JSON");
    let properties = schema["properties"].as_object().expect("keys");
    let is_section = |(_, value): &(&String, &Json)| value["type"] == "object" || value["anyOf"].is_array();
    let sections: Vec<&String> = properties.iter().filter(is_section).map(|(key, _)| key).collect();
    assert!(sections.len() > 9, "{sections:?}");
    for section in sections {
        let told = Desk::new().user(format!("{section}: []\n")).told();
        assert!(told.contains(&format!("hint: write `{section}: {{ ")), "{told}");
    }
}

fn refusals(value: &Json) -> Vec<String> {
    let schema: Json = serde_json::from_str(&schema()).expect("JSON");
    let mut faults = Vec::new();
    refused(&schema, value, "", &mut faults);
    faults
}

#[test]
fn the_document_conforms_to_the_schema() {
    let options = serde_saphyr::options! { strict_booleans: true };
    let value: Json = serde_saphyr::from_str_with_options(&sample(), options).expect("YAML");
    assert!(value["limits"]["maxIterations"].is_u64() && value["sound"].is_string(), "{value}");
    assert_eq!(refusals(&value), [""; 0]);
    assert_eq!(refusals(&json!({ "sandbox": "off", "silence": "5m" })), [""; 0]);
}

#[test]
fn the_schema_refuses_what_the_program_refuses() {
    let wrong = json!({
        "chekcs": [],
        "checks": ["make"],
        "sandbox": "maybe",
        "warnings": { "first": 100 },
        "limits": { "maxIterations": 0, "budgetUsd": 0, "deadline": 8 },
        "policy": { "mode": "opne", "alow": [] },
        "arbiter": { "cache": "yes", "temperature": 3 },
    });
    let mut told = refusals(&wrong);
    told.sort();
    assert_eq!(
        told,
        [
            ".arbiter.cache: string is not \"boolean\"",
            ".arbiter.temperature: out of bounds",
            ".checks[0]: string is not \"array\"",
            ".chekcs: unknown",
            ".limits.budgetUsd: out of bounds",
            ".limits.deadline: integer is not \"string\"",
            ".limits.maxIterations: out of bounds",
            ".policy.alow: unknown",
            ".policy.mode: not of the words",
            ".sandbox: none fits",
            ".warnings.first: out of bounds",
        ]
    );
}
