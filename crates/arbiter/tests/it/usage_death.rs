//! The house dies between a turn's report of usage and the turn's rest. Resumed, it is told both again, and books what the
//! turn took and what it cost once, in both ways of working.

use std::fs;
use std::path::Path;

use mind::fact::{SessionFact, TurnFact, WorkFact};
use mind::{Fact, SessionId};
use sim::Theatre;

use crate::BINARY;

const MOMENTS: [&str; 3] = ["before-sync", "after-sync", "after-effects"];

const CONDUCTED: &str = r#"
rehearsal: 1
title: The greeting
scroll: A file `greeting.txt` that says hello.
checks: [["test", "-f", "greeting.txt"]]
agents:
  planner:
    - - says: { outcome: success, summary: One step., plan: { steps: [{ description: Write }], confidence: 90 } }
  developer:
    - - does: [{ write: greeting.txt, text: "hello\n" }, { commit: Greet }]
        says: { outcome: success, summary: Written. }
        spent: { input: 1200, output: 90 }
        cost_microusd: 4500
decisions:
  - { says: { type: CONTINUE, reason: go on } }
"#;

const COUNCIL: &str = r#"
rehearsal: 1
title: The greeting
scroll: A greeting that says hello.
checks: [["test", "-f", "greeting.txt"]]
arbiter:
  - says: { intent: summon_orchestrator, message: "Awaken." }
  - says: { intent: address_orchestrator, message: "Write the greeting." }
  - says: { intent: summon_orchestrator, agent: verifier, message: "Let one judge." }
  - says: { intent: address_orchestrator, message: "Judge it." }
  - says: { intent: release_orchestrators, claim: complete, message: "It is done." }
orchestrators:
  - - says: { kind: introduction, expects_response: true, message: "I am Orchestrator I." }
    - does: [{ write: greeting.txt, text: "hello\n" }, { commit: Greet }]
      says: { kind: handoff, expects_response: true, message: "It is built." }
      spent: { input: 1200, output: 90 }
      cost_microusd: 4500
  - - says: { kind: introduction, expects_response: true, message: "I am the audit." }
    - says: { kind: handoff, expects_response: true, verdict: pass, message: Sound. }
"#;

/// What a mission's journal books: reports of usage, and what rests cost, each with its session.
#[derive(Debug, Default, PartialEq)]
struct Books {
    spent: Vec<(SessionId, u64, u64)>,
    costs: Vec<(SessionId, u64)>,
}

fn books(theatre: &Theatre, mission: &Path) -> Books {
    let mut books = Books::default();
    for entry in theatre.entries(mission) {
        let Fact::Session(session, fact) = entry.fact else { continue };
        if let SessionFact::Work(WorkFact::Spent { input, output, .. }) = &fact {
            books.spent.push((session, *input, *output));
        }
        if let SessionFact::Turn(TurnFact::Rested { cost_microusd, .. }) = &fact
            && *cost_microusd > 0
        {
            books.costs.push((session, *cost_microusd));
        }
    }
    books
}

/// What `arbiter show --json` says that all of it cost, and a conducted mission took.
fn shown(theatre: &Theatre) -> (u64, Option<u64>) {
    let ran = theatre.run(&["show", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let sessions = shown["sessions"].as_array().expect("sessions");
    let cost = sessions.iter().filter_map(|session| session["cost_microusd"].as_u64()).sum();
    (cost, shown["conductor"]["tokens"].as_u64())
}

fn dies_between_usage_and_rest(script: &str, way: &str, tokens: Option<u64>) {
    for moment in MOMENTS {
        let theatre = Theatre::with_repository(BINARY, &[("README.md", "text\n")])
            .with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
        let file = theatre.path().join("script.yaml");
        fs::write(&file, script).expect("a script");
        let file = file.display().to_string();
        let words = ["run", "--way", way, "--headless", "--yes", "--pace", "fast", "--rehearsal", &file];
        let ran = theatre.run_with(&words, &[("ARBITER_DIE_AT", &format!("spent:{moment}"))]);
        assert_eq!(ran.code, None, "it dies at {moment}: {}\n{}", ran.out, ran.err);
        let mission = theatre.mission();
        let before = books(&theatre, &mission);
        assert_eq!(before.spent.len(), 1, "the report is a fact, {moment}: {before:?}");
        assert_eq!(before.costs, [], "its turn has not rested, {moment}");

        let ran = theatre.run(&["resume", "--headless"]);
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        let after = books(&theatre, &mission);
        let session = before.spent[0].0;
        assert_eq!(
            after,
            Books { spent: vec![(session, 1200, 90)], costs: vec![(session, 4500)] },
            "{moment}"
        );
        let notes = fs::read_to_string(mission.join("notes.log")).unwrap_or_default();
        assert!(notes.contains("tells its usage"), "the report was told twice, {moment}: {notes}");
        assert_eq!(shown(&theatre), (4500, tokens), "{moment}");
        theatre.assert_nobody_left();
    }
}

#[test]
fn an_agents_usage_and_cost_are_booked_once() {
    dies_between_usage_and_rest(CONDUCTED, "conductor", Some(1290));
}

#[test]
fn an_orchestrators_usage_and_cost_are_booked_once() {
    dies_between_usage_and_rest(COUNCIL, "council", None);
}
