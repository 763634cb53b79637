//! The house dies between a turn's report of usage and the turn's rest. Resumed, it is told both again, and has booked what
//! the turn took and what it cost once, in both ways of working. What a failed turn cost is booked too.

use std::fs;
use std::path::Path;

use mind::fact::{SessionFact, WorkFact};
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

/// Tokens read, tokens written, and millionths of a dollar.
type Amounts = (u64, u64, u64);

/// What a mission's journal books: each report of usage, with its session.
fn books(theatre: &Theatre, mission: &Path) -> Vec<(SessionId, Amounts)> {
    let booked = theatre.entries(mission).into_iter().filter_map(|entry| {
        let Fact::Session(session, SessionFact::Work(spent)) = entry.fact else { return None };
        let WorkFact::Spent { input, output, cost_microusd, .. } = spent else { return None };
        Some((session, (input, output, cost_microusd)))
    });
    booked.collect()
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
        let [(session, (1200, 90, 4500))] = before[..] else {
            panic!("the report is a fact, with its cost, {moment}: {before:?}")
        };

        let ran = theatre.run(&["resume", "--headless"]);
        assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
        assert_eq!(books(&theatre, &mission), [(session, (1200, 90, 4500))], "{moment}");
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

#[test]
fn what_a_failed_turn_cost_is_booked_although_its_process_dies() {
    let mishaps = "does: [{ fail: transient, why: overloaded, cost_microusd: 700 }, { die: 1 }, { write";
    let script = CONDUCTED.replace("does: [{ write", mishaps);
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "text\n")])
        .with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
    let file = theatre.path().join("script.yaml");
    fs::write(&file, script).expect("a script");
    let file = file.display().to_string();
    let words = ["run", "--way", "conductor", "--headless", "--yes", "--pace", "fast", "--rehearsal", &file];
    let ran = theatre.run(&words);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let booked = books(&theatre, &theatre.mission());
    let amounts: Vec<Amounts> = booked.iter().map(|(_, amounts)| *amounts).collect();
    assert_eq!(amounts, [(0, 0, 700), (1200, 90, 4500)], "{booked:?}");
    assert_eq!(shown(&theatre), (5200, Some(1290)));
}
