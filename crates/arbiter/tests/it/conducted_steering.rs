//! A conducted mission that runs is steered from another process; a dry run ends with its plan, and a limit is no success.

use std::fs;

use mind::Fact;
use mind::conductor::ConductorFact;
use sim::Theatre;

use crate::{BINARY, wait_until};

/// The developer's first three runs never end by themselves.
const STEERED: &str = r#"
rehearsal: 1
title: The river
scroll: Three steps.
checks: [["true"]]
agents:
  planner:
    - - says:
          outcome: success
          summary: Three steps.
          plan: { steps: [{ description: Dig }, { description: Fill }, { description: Float }], confidence: 90 }
  developer:
    - - does: [{ run: ["sh", "-c", "until [ -e never ]; do sleep 0.05; done"] }]
        says: { outcome: success, summary: Never. }
    - - does: [{ run: ["sh", "-c", "until [ -e never ]; do sleep 0.05; done"] }]
        says: { outcome: success, summary: Never. }
    - - does: [{ run: ["sh", "-c", "until [ -e never ]; do sleep 0.05; done"] }]
        says: { outcome: success, summary: Never. }
    - - says: { outcome: success, summary: Filled. }
    - - says: { outcome: success, summary: It floats. }
  tester:
    - - says: { outcome: success, summary: It holds., verdict: allPassed }
  memory-keeper:
    - - says: { outcome: success, summary: Nothing., notes: [] }
decisions:
  - { says: { type: SELECT_MODE, mode: developer, reason: go on } }
"#;

const RUN: [&str; 5] = ["run", "--way", "conductor", "--headless", "--rehearsal"];

fn theatre(script: &str) -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]).with_idle_agent();
    fs::write(theatre.path().join("script.yaml"), script).expect("a file");
    theatre
}

#[test]
fn a_running_mission_is_retried_skipped_and_forced_from_another_process() {
    let theatre = theatre(STEERED);
    let house = theatre.start(&[&RUN[..], &["../script.yaml"]].concat());
    let begun = |count: usize| {
        wait_until("a run begins", || {
            let entries =
                theatre.missions().first().map(|mission| theatre.entries(mission)).unwrap_or_default();
            let began = |fact: &Fact| matches!(fact, Fact::Conductor(ConductorFact::RunBegan { .. }));
            entries.iter().filter(|entry| began(&entry.fact)).count() == count
        });
    };
    begun(2);
    let id = theatre.mission().file_name().expect("a name").to_string_lossy().into_owned();
    let steer = |words: &[&str]| {
        let ran = theatre.run(&[&["mission"], words].concat());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    };
    steer(&["retry", &id]);
    begun(3);
    steer(&["skip", &id]);
    begun(4);
    steer(&["force", &id, "tester"]);
    let output = house.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}{}", String::from_utf8_lossy(&output.stderr));
    for told in ["step 1 is skipped", "tester runs next", "tester says allPassed", "proven by receipts"] {
        assert!(out.contains(told), "{told:?} is missing in\n{out}");
    }
    theatre.assert_nobody_left();
}

#[test]
fn a_dry_run_ends_with_its_plan_and_says_how_sure_it_is() {
    for (confidence, code, told) in
        [("90", 0, "confidence 90%; nothing was done"), ("30", 1, "confidence 30%")]
    {
        let theatre = theatre(&STEERED.replace("confidence: 90", &format!("confidence: {confidence}")));
        let ran = theatre.run(&[&RUN[..], &["../script.yaml", "--dry-run"]].concat());
        assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("3. Float") && ran.out.contains(told), "{}", ran.out);
        assert!(!ran.out.contains("developer begins"), "nobody else works: {}", ran.out);
        theatre.assert_nobody_left();
    }
}

#[test]
fn a_limit_that_is_reached_is_no_success_and_keeps_the_work() {
    let theatre = theatre(STEERED).with_config("limits: { maxIterations: 1 }\n");
    let ran = theatre.run(&[&RUN[..], &["../script.yaml"]].concat());
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("a limit was reached") && ran.err.contains("arbiter merge"), "{}", ran.err);
    assert!(theatre.run(&["missions"]).out.contains("ended at a limit"));
    theatre.assert_nobody_left();
}
