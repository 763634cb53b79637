//! Writes the golden files of what programs read, from runs of the real binary. `cargo xtask golden` calls it with the binary
//! and the repository.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;
use sim::golden::{GoldenRun, PrintedValues};

fn main() -> io::Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [binary, repository] = &arguments[..] else {
        eprintln!("error: which binary, and which repository?\nhint: run `cargo xtask golden`");
        std::process::exit(2);
    };
    let (binary, repository) = (std::path::absolute(binary)?, Path::new(repository));
    let (mut values, mut ledger) = (PrintedValues::new(), String::new());
    for run in GoldenRun::ALL {
        let (printed, lines) = run.with(&binary);
        for (command, situations) in printed {
            values.entry(command).or_default().extend(situations);
        }
        ledger.push_str(&lines);
    }
    let folder = repository.join("crates/arbiter/tests/it/json");
    // What no run prints any more goes: tidy tells which forms went with it.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for (command, situations) in values {
        let text = serde_json::to_string_pretty(&situations)? + "\n";
        fs::write(folder.join(format!("{command}.golden.json")), text)?;
    }
    add_forms(&repository.join("crates/docket/tests/it/ledger.golden.jsonl"), &ledger)
}

/// Adds the lines whose form the file does not have yet. What it has stays as it is: a ledger is never written anew.
fn add_forms(file: &Path, lines: &str) -> io::Result<()> {
    let mut text = fs::read_to_string(file).unwrap_or_default();
    let mut known: BTreeSet<String> = text.lines().map(form).collect();
    for line in lines.lines() {
        if known.insert(form(line)) {
            text.push_str(line);
            text.push('\n');
        }
    }
    fs::write(file, text)
}

/// What was done, by whom and through which door, and which fields say so.
fn form(line: &str) -> String {
    let value: Value = serde_json::from_str(line).expect("a line of the ledger is JSON");
    let fields: Vec<&String> = value.as_object().into_iter().flat_map(|fields| fields.keys()).collect();
    let by = value["by"].as_str().unwrap_or_default();
    let choice: Vec<&String> =
        value["choice"].as_object().into_iter().flat_map(|choice| choice.keys()).collect();
    let kind = by.split(':').next().unwrap_or_default();
    format!("{} {} {kind} {choice:?} {} {fields:?}", value["did"], value["door"], value["back"].is_null())
}
