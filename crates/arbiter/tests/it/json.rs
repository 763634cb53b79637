//! What programs read is what it was: `sim` runs the binary in each situation of the golden files beside this, and everything
//! printed there is compared. After a field was added, `cargo xtask golden` writes it into them; tidy refuses to lose one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sim::golden::GoldenRun;

use crate::BINARY;

/// The situations that each golden file has.
type Golden = BTreeMap<String, BTreeMap<String, Value>>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/json")
}

fn golden() -> Golden {
    let files = fs::read_dir(folder()).expect("golden files").map(|file| file.expect("a file").path());
    let read = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("readable");
        let situations = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name.trim_end_matches(".golden.json").to_owned(), situations)
    };
    files.map(read).collect()
}

/// Runs it, and asserts that everything it prints is golden.
fn compare(run: GoldenRun) {
    let golden = golden();
    let (printed, _) = run.with(Path::new(BINARY));
    let mut differences = Vec::new();
    for (command, situations) in &printed {
        for (situation, now) in situations {
            let known = golden.get(command).and_then(|known| known.get(situation)).unwrap_or(&Value::Null);
            differ(&format!("{command}, {situation}: "), known, now, &mut differences);
        }
    }
    let hint = "a field that was added is written by `cargo xtask golden`; none may go or change its type";
    assert!(differences.is_empty(), "{}\nhint: {hint}", differences.join("\n"));
}

/// Each place where the two differ.
fn differ(place: &str, known: &Value, now: &Value, differences: &mut Vec<String>) {
    match (known, now) {
        (Value::Object(known), Value::Object(now)) => {
            let added = now.keys().filter(|name| !known.contains_key(*name));
            differences.extend(added.map(|name| format!("{place}.{name} was added: {}", now[name])));
            for (name, known) in known {
                match now.get(name) {
                    Some(now) => differ(&format!("{place}.{name}"), known, now, differences),
                    None => differences.push(format!("{place}.{name} is gone: it was {known}")),
                }
            }
        }
        (Value::Array(known), Value::Array(now)) if known.len() == now.len() => {
            for (nth, (known, now)) in known.iter().zip(now).enumerate() {
                differ(&format!("{place}[{nth}]"), known, now, differences);
            }
        }
        (known, now) if known == now => {}
        (known, now) => differences.push(format!("{place} was {known}, and is {now}")),
    }
}

#[test]
fn the_docket_tells_programs_what_it_told() {
    compare(GoldenRun::Docket);
}

#[test]
fn a_council_tells_programs_what_it_told() {
    compare(GoldenRun::Council);
}

#[test]
fn a_conducted_mission_tells_programs_what_it_told() {
    compare(GoldenRun::Conducted);
}

#[test]
fn clients_of_the_server_are_told_what_they_were_told() {
    compare(GoldenRun::Mcp);
}

#[test]
fn a_field_that_is_gone_added_or_of_another_type_is_told() {
    let told = |known: Value, now: Value| {
        let mut differences = Vec::new();
        differ("show: ", &known, &now, &mut differences);
        differences
    };
    let known = serde_json::json!({"id": "a", "at": 1, "sessions": [{"live": true}]});
    assert_eq!(told(known.clone(), known.clone()), [""; 0]);
    let now = serde_json::json!({"id": "a", "at": "1", "sessions": [{"alive": true}]});
    assert_eq!(
        told(known, now),
        [
            "show: .at was 1, and is \"1\"",
            "show: .sessions[0].alive was added: true",
            "show: .sessions[0].live is gone: it was true",
        ]
    );
}
