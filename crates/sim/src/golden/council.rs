//! A council's mission without a person at the terminal: its yes and a permission are given in the docket. It is looked at
//! while it waits for each, and at its end.

use std::fs::{self, File};
use std::path::Path;
use std::process::Child;

use serde_json::{Value, json};

use super::{GoldenWorld, read, text};
use crate::{BridgeScript, wait_until};

/// What Orchestrator I does before it builds: it reports its context and its tasks, asks the human, and needs a permission.
const STEPS: &str = "{gauge: 4000}, {tasks: [{title: Find a stone, status: done}, {title: Choose a bank, status: done}]}, \
                     {push: {title: The rail, decisions: [{id: rail, title: Which rail?, options: [wood, iron]}]}}, \
                     {ask: [touch, asked]}";

pub fn run(world: &mut GoldenWorld) {
    world.lines("missions", "none", &["missions", "--json"]);
    let printed = world.theatre.path().join("printed.jsonl");
    let mut mission = begin(world, &printed);
    let yes = waits(world, "asks for your yes", "YES");
    let id = world.theatre.mission_id();
    world.steady.call(&id, "MISSION");
    world.one("show", "a council that waits for a yes", &["show", "--json"]);
    world.lines("missions", "one runs", &["missions", "--json"]);
    world.one("inbox", "a mission waits", &["inbox", "--json"]);
    world.one("status", "a mission waits", &["status", &yes, "--json"]);
    world.run(&["answer", &yes, "align", "yes"], "");
    world.one("answer", "submitted with it", &["answer", &yes, "stone", "slate", "--submit", "--json"]);
    let rail = waits(world, "The rail", "RAIL");
    let tool = waits(world, "May Orchestrator I run", "TOOL");
    world.one("show", "a council that waits for a permission", &["show", &id, "--json"]);
    world.run(&["answer", &rail, "rail", "iron", "--submit"], "");
    world.run(&["answer", &tool, "allow", "yes", "--submit"], "");
    let code = mission.wait().expect("it ends").code();
    world.one("show", "a council that is complete", &["show", "--json"]);
    world.lines("missions", "one is complete", &["missions", "--json"]);
    world.lines("missions", "of all projects", &["missions", "--all", "--json"]);
    entries(world, "run", code, &fs::read_to_string(printed).expect("it printed"));
    let again = world.run(&["replay", &id, "--json"], "");
    entries(world, "replay", again.code, &again.out);
    let kept = fs::read_to_string(world.theatre.project().join(".arbiter/last-session.json")).expect("kept");
    world.note("last-session", "the file", None, read(&kept, &[]));
    world.lines("audit", "of a mission", &["audit", "--json"]);
    world.keep_ledger();
    fs::remove_dir_all(world.theatre.mission()).expect("removed");
    world.lines("missions", "one is gone", &["missions", "--all", "--json"]);
    world.theatre.assert_nobody_left();
}

/// The bridge: a decision beside the yes, and an Orchestrator that asks twice.
fn begin(world: &GoldenWorld, printed: &Path) -> Child {
    let yes = r#"says: {intent: address_human, asks: alignment, message: "Shall it begin?", decisions: [
  {id: stone, title: "Which stone?", options: [{key: granite, label: Hard}, {key: slate, label: Flat}]}]}"#;
    world.theatre.write_script(BridgeScript::new().opens_with(&[yes]).does(STEPS));
    let out = File::create(printed).expect("a file");
    world.theatre.rehearsal(&["--headless", "--json"]).stdout(out).spawn().expect("the binary starts")
}

/// The petition whose title has these words, once it waits in the docket. It is called `name` from now on.
fn waits(world: &mut GoldenWorld, words: &str, name: &str) -> String {
    let mut id = None;
    wait_until(words, || {
        let told = read(&world.run(&["inbox", "--json"], "").out, &["inbox"]);
        let petitions = told["petitions"].as_array().cloned().unwrap_or_default();
        let found = petitions.iter().find(|petition| text(petition, "title").contains(words));
        id = found.map(|petition| text(petition, "id").to_owned());
        id.is_some()
    });
    let id = id.expect("it was found");
    world.steady.call(&id, name);
    id
}

/// The kinds of lines that were printed, each once. The facts in them have a golden file of their own: here each is read.
fn entries(world: &mut GoldenWorld, command: &str, code: Option<i32>, out: &str) {
    let mut kinds: Vec<Value> = Vec::new();
    for (number, line) in out.lines().enumerate() {
        let mut value = read(line, &[command]);
        if value.get("fact").is_some() {
            serde_json::from_str::<mind::Entry>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(value["seq"], json!(number + 1), "{line}");
            (value["fact"], value["seq"]) = (json!("a fact"), json!(1));
        }
        let value = world.steady.value(value);
        if !kinds.contains(&value) {
            kinds.push(value);
        }
    }
    world.note(command, "the kinds of lines", code, Value::Array(kinds));
}
