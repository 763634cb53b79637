//! The docket from the command line: every command with `--json`, in the situations that print different fields.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::{GoldenWorld, text};
use crate::wait_until;

/// Three decisions with every field that can be asked.
const WHOLE: &str = r#"{
  "title": "The bridge", "tag": "bridge", "agent": "ceo", "session": "agent:ceo:main", "context": "Look at the map.",
  "priority": "high", "notify": "agent:swe:main", "blocks": "the build", "assignee": "tester", "key": "bridge-1",
  "deadline": "2099-01-30T01:30:00Z",
  "decisions": [
    {"id": "bank", "title": "Which bank?", "context": "The left is shorter.", "requires": "human",
     "options": [{"key": "left", "label": "The left bank"}, {"key": "right", "label": "The right bank"}]},
    {"id": "stone", "title": "Which stones?", "multi": true, "allow_custom": false, "depends_on": ["bank"],
     "deadline": "2098-01-30T01:30:00Z", "default": "slate",
     "options": [{"key": "granite", "label": "Hard"}, {"key": "slate", "label": "Flat"}]},
    {"id": "name", "title": "Its name", "options": [], "allow_custom": true}
  ]}"#;
/// One decision, and nothing that may be left out.
const PLAIN: &str = r#"{"title": "Deploy", "decisions": [
  {"id": "deploy", "title": "Deploy now?", "options": ["yes", "no"]}]}"#;
/// An agent's, to be taken back by it.
const OWN: &str = r#"{"title": "Own", "agent": "ceo", "decisions": [
  {"id": "own", "title": "Wait?", "options": ["yes", "no"]}]}"#;
/// It is handed over.
const HANDED: &str = r#"{"title": "Handed", "agent": "ceo", "escalate": ["telegram", "ada"], "decisions": [
  {"id": "way", "title": "Which way?", "options": ["left", "right"]},
  {"id": "then", "title": "And then?", "options": ["a", "b"]}]}"#;
/// A policy answers it at its deadline.
const DEFAULT: &str = r#"{"title": "Default", "agent": "ceo", "deadline": "1s", "decisions": [
  {"id": "colour", "title": "Which colour?", "options": ["red", "blue"], "default": "red"}]}"#;
/// It expires without an answer.
const HASTY: &str = r#"{"title": "Hasty", "agent": "ceo", "deadline": "1s", "decisions": [
  {"id": "hurry", "title": "Hurry?", "options": ["yes", "no"]}]}"#;
/// A petition that another program put into the folder.
const FOREIGN: &str = "\
---
id: m0ther
agent: other
session: agent:other:main
title: \"Of another program\"
status: pending
---

# Of another program

---

## Decision 1: Which way?

id: way
status: pending
answer: null
answered_at: null

**Options:**
- `left` — Left
- `right` — Right

---
";

pub fn run(world: &mut GoldenWorld) {
    world.one("inbox", "nothing was asked", &["inbox", "--json"]);
    world.one("stats", "nothing was asked", &["stats", "--json"]);
    world.one("audit-verify", "nothing was asked", &["audit", "verify", "--json"]);
    let whole = ask(world, "every field", "WHOLE", WHOLE);
    world.fed("ask", "the same again", &["ask", "--json"], WHOLE);
    let plain = ask(world, "only what is needed", "PLAIN", PLAIN);
    world.fed("ask", "no decision", &["ask", "--json"], r#"{"title": "Nothing"}"#);
    world.one("ask", "no question", &["ask", "--json"]);
    open(world, &whole);
    answered(world, &whole);
    withdrawn(world, &plain);
    handed_over(world);
    by_hand(world);
    expired(world);
    world.one("inbox", "a part is answered, a file is broken", &["inbox", "--list", "--json"]);
    submitted(world, &whole);
    refused(world, &whole);
    waited(world);
    world.lines("audit", "of one petition", &["audit", "--petition", &whole, "--json"]);
    world.keep_ledger();
    damaged(world);
}

/// Asks, and gives the petition's id, which is called `name` from now on.
fn ask(world: &mut GoldenWorld, situation: &str, name: &str, petition: &str) -> String {
    let ran = world.run(&["ask", "--json"], petition);
    let told: Value = super::read(&ran.out, &["ask"]);
    let id = text(&told, "id").to_owned();
    world.steady.call(&id, name);
    world.note("ask", situation, ran.code, told);
    id
}

fn open(world: &mut GoldenWorld, id: &str) {
    world.one("status", "open", &["status", id, "--json"]);
    world.one("status", "by its tag", &["status", "--tag", "bridge", "--json"]);
    world.one("get", "open", &["get", id, "--json"]);
    world.one("get", "open, what there is", &["get", id, "--partial", "--json"]);
    world.one("await", "no answer in time", &["await", id, "--timeout", "0", "--json"]);
    world.one("inbox", "all open", &["inbox", "--json"]);
}

fn answered(world: &mut GoldenWorld, id: &str) {
    world.one("answer", "another has to be decided first", &["answer", id, "stone", "slate", "--json"]);
    world.one("answer", "an option", &["answer", id, "bank", "left", "--json"]);
    world.one("answer", "answered already", &["answer", id, "bank", "right", "--json"]);
    world.one("answer", "changed", &["answer", id, "bank", "right", "--change", "--json"]);
    world.one("answer", "several options", &["answer", id, "stone", "granite", "slate", "--json"]);
    world.one("answer", "no such option", &["answer", id, "stone", "chalk", "--json"]);
    world.one("answer", "no such decision", &["answer", id, "water", "deep", "--json"]);
    world.one("get", "a part is answered", &["get", id, "--partial", "--json"]);
}

fn withdrawn(world: &mut GoldenWorld, id: &str) {
    let own = ask(world, "by an agent that takes it back", "OWN", OWN);
    world.theatre.run_with(&["withdraw", &own], &[("ARBITER_AGENT", "ceo")]);
    world.one("withdraw", "open", &["withdraw", id, "--why", "not today", "--json"]);
    world.one("withdraw", "withdrawn already", &["withdraw", id, "--json"]);
    world.one("answer", "late", &["answer", id, "deploy", "yes", "--json"]);
    world.one("get", "withdrawn, with a late answer", &["get", id, "--json"]);
    world.one("await", "withdrawn, with a late answer", &["await", id, "--json"]);
    world.one("status", "withdrawn", &["status", id, "--json"]);
}

/// One that goes from one person to another; somebody answers in their place.
fn handed_over(world: &mut GoldenWorld) {
    let id = &ask(world, "for somebody", "HANDED", HANDED);
    world.one("assign", "all of it", &["assign", id, "sam", "--json"]);
    world.one("assign", "one decision", &["assign", id, "way", "kim", "--json"]);
    world.one("assign", "to the same person", &["assign", id, "way", "kim", "--json"]);
    world.one("assign", "no name", &["assign", id, "", "--json"]);
    world.one("assign", "no such decision", &["assign", id, "water", "kim", "--json"]);
    world.one(
        "answer",
        "not the one who is asked",
        &["answer", id, "way", "left", "--instead-of", "sam", "--json"],
    );
    world.one(
        "answer",
        "instead of another",
        &["answer", id, "way", "left", "--instead-of", "kim", "--json"],
    );
    let right = &["answer", id, "way", "right", "--change", "--instead-of", "kim", "--json"];
    world.one("answer", "instead of another, changed", right);
    world.one("skip", "instead of another", &["skip", id, "then", "--instead-of", "sam", "--json"]);
    world.one("submit", "handed over", &["submit", id, "--json"]);
    world.one("assign", "submitted", &["assign", id, "ada", "--json"]);
    world.one("get", "answered instead of another", &["get", id, "--json"]);
}

/// Another program's petition, answered with an editor, and a file that cannot be understood.
fn by_hand(world: &mut GoldenWorld) {
    let pending = pending(world);
    let file = pending.join("other-m0ther.md");
    fs::write(&file, FOREIGN).expect("written");
    world.one("status", "of another program", &["status", "m0ther", "--json"]);
    let known = fs::read_to_string(&file).expect("readable");
    fs::write(&file, known.replacen("answer: null", "answer: left", 1)).expect("written");
    let told = super::read(&world.run(&["status", "m0ther", "--json"], "").out, &["status"]);
    // The owner of the file is who answered.
    world.steady.call(text(&told["decisions"]["way"], "by"), "human:file:OWNER");
    world.one("status", "answered with an editor", &["status", "m0ther", "--json"]);
    fs::write(pending.join("broken.md"), "---\nid: br0ken\n").expect("written");
}

fn expired(world: &mut GoldenWorld) {
    let default = ask(world, "a deadline with a default", "DEFAULT", DEFAULT);
    let hasty = ask(world, "a deadline", "HASTY", HASTY);
    wait_until("the deadline passed", || {
        std::thread::sleep(Duration::from_millis(50));
        world.run(&["status", &hasty, "--json"], "").out.contains("\"expired\"")
    });
    world.one("await", "a policy answered", &["await", &default, "--json"]);
    world.one("await", "expired", &["await", &hasty, "--json"]);
    world.one("get", "expired", &["get", &hasty, "--json"]);
    world.one("status", "expired", &["status", &hasty, "--json"]);
}

fn submitted(world: &mut GoldenWorld, id: &str) {
    world.one("submit", "a decision is open", &["submit", id, "--json"]);
    world.one("skip", "open", &["skip", id, "name", "--json"]);
    world.fed(
        "answer",
        "own words, changed",
        &["answer", id, "name", "--custom", "-", "--change", "--json"],
        "Arch",
    );
    world.one("skip", "changed", &["skip", id, "name", "--change", "--json"]);
    world.one("submit", "all is decided", &["submit", id, "--json"]);
    world.one("get", "submitted", &["get", id, "--json"]);
    world.one("await", "submitted", &["await", id, "--json"]);
    world.one("status", "submitted", &["status", id, "--json"]);
}

fn refused(world: &mut GoldenWorld, id: &str) {
    world.one("submit", "submitted already", &["submit", id, "--json"]);
    world.one("status", "no such petition", &["status", "nowhere", "--json"]);
    world.one("get", "no such petition", &["get", "nowhere", "--json"]);
    world.one("await", "no such petition", &["await", "nowhere", "--json"]);
    world.one("audit-verify", "a file is broken", &["audit", "verify", "--json"]);
    fs::remove_file(pending(world).join("broken.md")).expect("removed");
    world.one("audit-verify", "clean", &["audit", "verify", "--json"]);
    world.one("audit-mend", "clean", &["audit", "mend", "--yes", "--json"]);
}

/// What waited how long, in an order that the machine's pace does not change.
fn waited(world: &mut GoldenWorld) {
    let ran = world.run(&["stats", "--json"], "");
    let mut told = super::read(&ran.out, &["stats"]);
    if let Some(longest) = told["longest"].as_array_mut() {
        longest.sort_by_key(|petition| text(petition, "title").to_owned());
    }
    world.note("stats", "all ways to end", ran.code, told);
}

fn damaged(world: &mut GoldenWorld) {
    let ledger = world.theatre.home().join("ledger.jsonl");
    let lines = fs::read_to_string(&ledger).expect("readable");
    fs::write(&ledger, lines.replacen("\"ceo\"", "\"cfo\"", 1)).expect("written");
    world.one("audit-verify", "damaged", &["audit", "verify", "--json"]);
    world.one("audit-mend", "damaged, without a yes", &["audit", "mend", "--json"]);
    world.one("audit-mend", "damaged", &["audit", "mend", "--yes", "--json"]);
}

fn pending(world: &GoldenWorld) -> PathBuf {
    world.theatre.home().join("queue/pending")
}
