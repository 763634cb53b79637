//! The docket from the command line, with the real binary: what people and agents type, and what they are told.

mod answering;
mod asking;
mod bad;
mod books;
pub(crate) mod faulty;
mod fields;
mod inbox;
mod repeated;
mod waiting;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;
use sim::{Ran, Theatre};

/// A world whose terminals have all signs, wherever the tests run.
fn theatre() -> Theatre {
    crate::theatre().with_env("LC_ALL", "C.UTF-8")
}

/// Runs the binary with this on its stdin.
fn fed(theatre: &Theatre, arguments: &[&str], input: &str) -> Ran {
    let mut command = theatre.command(arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the binary starts");
    // Whoever refuses at once reads nothing.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Ran::from(child.wait_with_output().expect("it ends"))
}

/// Runs it to a good end, and gives back what it printed.
fn done(theatre: &Theatre, arguments: &[&str]) -> String {
    let ran = theatre.run(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}\n{}{}", ran.out, ran.err);
    ran.out
}

/// The same as JSON.
fn told(theatre: &Theatre, arguments: &[&str]) -> Value {
    json(&done(theatre, arguments))
}

fn json(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// The docket's folder.
fn queue(theatre: &Theatre) -> PathBuf {
    theatre.path().join("home/.arbiter/queue")
}

/// The names of the petitions' files in a folder of the docket.
fn names(theatre: &Theatre, folder: &str) -> Vec<String> {
    let Ok(found) = fs::read_dir(queue(theatre).join(folder)) else { return Vec::new() };
    let names = found.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Nothing was written: no petition and no line of the ledger.
fn assert_untouched(theatre: &Theatre) {
    assert_eq!(names(theatre, "pending"), Vec::<String>::new());
    let ledger = fs::read_to_string(theatre.path().join("home/.arbiter/ledger.jsonl")).unwrap_or_default();
    assert_eq!(ledger, "");
}

/// Three decisions of one agent, with a session to notify.
const BATCH: &str = r#"{
  "title": "API Design Decisions", "tag": "nft-marketplace", "agent": "ceo", "session": "agent:ceo:main",
  "context": "Context for the human reviewer.", "priority": "high", "notify": "agent:swe2:main",
  "decisions": [
    {"id": "auth-strategy", "title": "Auth Strategy", "context": "How should we authenticate admin panel users?",
     "options": [{"key": "jwt", "label": "JWT tokens (stateless, scalable)"},
                 {"key": "session", "label": "Server sessions (more control)"},
                 {"key": "oauth", "label": "External OAuth provider"}]},
    {"id": "db", "title": "Database", "options": [{"key": "pg", "label": "Postgres"}, {"key": "node:22"}],
     "allow_custom": false},
    {"id": "name", "title": "The name", "options": [], "allow_custom": true}
  ]}"#;

/// A theatre in which the batch was asked, and its id.
fn asked() -> (Theatre, String) {
    let theatre = theatre();
    let ran = fed(&theatre, &["ask", "--json"], BATCH);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = json(&ran.out)["planId"].as_str().expect("an id").to_owned();
    (theatre, id)
}

/// A theatre with one small question, and its id.
fn small() -> (Theatre, String) {
    let theatre = theatre();
    let id = done(&theatre, &["ask", "Deploy now?", "--id", "deploy", "-o", "yes=Yes, now", "-o", "no"]);
    (theatre, id.trim().to_owned())
}

/// What was printed, with everything that differs from run to run replaced.
fn steady(theatre: &Theatre, id: &str, text: &str) -> String {
    let text = text.replace(&theatre.path().display().to_string(), "WORLD").replace(id, "ID");
    let mut steady = String::new();
    for line in text.lines() {
        let mut words = Vec::new();
        for word in line.split(' ') {
            let bare = word.trim_end_matches([',', ')']);
            let is_age = bare
                .strip_suffix('s')
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|d| d.is_ascii_digit()));
            words.push(if is_age { word.replace(bare, "NOW") } else { word.to_owned() });
        }
        steady.push_str(words.join(" ").trim_end());
        steady.push('\n');
    }
    steady
}
