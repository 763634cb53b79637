//! A conducted mission that runs is steered from another process; a dry run ends with its plan, and a limit is no success.

use mind::Fact;
use mind::conductor::ConductorFact;
use sim::{GreetingScript, Theatre};

use crate::{BINARY, wait_until};

/// Three steps; the developer's first three runs never end by themselves.
fn steered() -> GreetingScript {
    let never = r#"does: [{run: [sh, -c, "until [ -e never ]; do sleep 0.05; done"]}]
says: {outcome: success, summary: Never.}"#;
    let done = "says: {outcome: success, summary: It floats.}";
    GreetingScript::new()
        .plans(&["Dig", "Fill", "Float"])
        .checks(r#"["true"]"#)
        .runs("developer", &[never, never, never, done, done])
        .runs("tester", &["says: {outcome: success, summary: It holds., verdict: allPassed}"])
        .remembers("")
        .decides("{type: SELECT_MODE, mode: developer, reason: go on}")
}

const FLAGS: [&str; 3] = ["--way", "conductor", "--headless"];

fn theatre(script: GreetingScript) -> Theatre {
    Theatre::rehearsing(BINARY, script).with_idle_agent()
}

#[test]
fn a_running_mission_is_retried_skipped_and_forced_from_another_process() {
    let theatre = theatre(steered());
    let house = theatre.start_rehearsal(&FLAGS);
    let begun = |count: usize| {
        wait_until("a run begins", || {
            let began = |fact: &&Fact| matches!(fact, Fact::Conductor(ConductorFact::RunBegan { .. }));
            theatre.facts().iter().filter(began).count() == count
        });
    };
    begun(2);
    let id = theatre.mission_id();
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
    for told in ["step 1 is skipped", "tester runs next", "tester: all passed", "proven by receipts"] {
        assert!(out.contains(told), "{told:?} is missing in\n{out}");
    }
    theatre.assert_nobody_left();
}

#[test]
fn a_dry_run_ends_with_its_plan_and_says_how_sure_it_is() {
    for (confidence, code, told) in [(90, 0, "confidence 90%; nothing was done"), (30, 1, "confidence 30%")] {
        let theatre = theatre(steered().confidence(confidence));
        let ran = theatre.rehearse(&[&FLAGS[..], &["--dry-run"]].concat());
        assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("3. Float") && ran.out.contains(told), "{}", ran.out);
        assert!(!ran.out.contains("developer begins"), "nobody else works: {}", ran.out);
        theatre.assert_nobody_left();
    }
}

#[test]
fn a_limit_that_is_reached_is_no_success_and_keeps_the_work() {
    let theatre = theatre(steered()).with_config("limits: { maxIterations: 1 }\n");
    let ran = theatre.rehearse(&FLAGS);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("a limit was reached") && ran.err.contains("arbiter merge"), "{}", ran.err);
    assert!(theatre.run(&["missions"]).out.contains("ended at a limit"));
    theatre.assert_nobody_left();
}
