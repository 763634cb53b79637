//! Questions that the real program asks: it waits for the answer, gets exactly what was allowed, and a yes outlives a fall
//! of the house without ever holding twice.

use std::fs;

use serde_json::json;
use sim::Seat;
use sim::api::{Step, Voice};

use sim::real_stage::{RealStage, act, bash, mission_that_begins, reports, subagents};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
const MAY_HAVE_RUN: &str = "May have run, wholly, in part or not at all";
/// Nobody knows this command, so it asks; it leaves a mark each time it runs.
const ASKS: &str = r#"awk 'BEGIN { print "ran" >> "ran.log" }'"#;

/// A mission that asks for a word first, so that somebody sits there; then Orchestrator I does this and its work.
fn attended(mut work: Vec<Step>) -> Vec<Voice> {
    work.push(bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge"));
    work.push(reports("handoff", "It is built."));
    mission_that_begins(vec![act("address_human", "Shall it begin?").when("Study it")], work)
}

fn begin(stage: &RealStage) -> Seat {
    let mut seat = Seat::take(stage.command(&["run", "--yes", "scroll.md"]));
    seat.sees("Shall it begin?");
    seat.types("yes");
    seat
}

fn runs(stage: &RealStage) -> usize {
    fs::read_to_string(stage.clone_folder().join("ran.log")).unwrap_or_default().lines().count()
}

#[test]
fn the_program_waits_for_the_answer_and_a_changed_command_asks_anew() {
    let changed = ASKS.replace("ran.log", "other.log");
    let Some(stage) =
        RealStage::set(crate::BINARY, CHECK, attended(vec![bash(ASKS), bash(&changed), bash(ASKS)]))
    else {
        return;
    };
    let mut seat = begin(&stage);
    seat.sees("? q1");
    assert!(seat.shown().contains(ASKS), "exactly what will run: {}", seat.shown());
    assert_eq!(runs(&stage), 0, "it waits");
    seat.types("/yes q1");
    seat.sees("? q2");
    assert_eq!(runs(&stage), 1);
    seat.types("/no q2 one file is enough");
    // The same as the first: the yes held once.
    seat.sees("? q3");
    seat.types("/no q3");
    seat.completes();
    stage.theatre.assert_nobody_left();
    assert_eq!((runs(&stage), stage.clone_folder().join("other.log").exists()), (1, false));
    assert_eq!(stage.heard_by("orchestrator I", "one file is enough"), 1, "{}", stage.story());
    assert!(stage.count("Answered s2 q1 yes by human:terminal:tester") == 1, "{}", stage.story());
}

#[test]
fn a_subagent_is_asked_for_too_and_a_yes_for_the_mission_covers_the_next() {
    let errand = Step::tool(
        "Task",
        json!({"description": "an errand", "prompt": "Run it.", "subagent_type": "general-purpose"}),
    );
    // It need not be there; what matters is that it would reach out.
    let reaches = "pip install --no-index nothing; echo ran >> ran.log";
    let mut voices = attended(vec![errand, bash(reaches)]);
    voices.push(subagents([bash(reaches), Step::say("It ran.")]));
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, voices) else { return };
    let mut seat = begin(&stage);
    seat.sees("? q1");
    seat.types("/yes q1 mission");
    let shown = seat.completes();
    assert!(!shown.contains("? q2") && shown.contains("covered by your yes to q1"), "{shown}");
    assert_eq!(runs(&stage), 2);
}

#[test]
fn a_yes_outlives_a_fall_of_the_house_and_holds_once() {
    let again = bash(ASKS).when(MAY_HAVE_RUN);
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, attended(vec![bash(ASKS), again, bash(ASKS)]))
    else {
        return;
    };
    let seat = begin(&stage);
    seat.sees("? q1");
    seat.dies();
    stage.theatre.assert_nobody_left();
    // It is answered while nobody runs.
    stage.tell(&["mission", "allow", &stage.id(), "q1"]);
    let mut seat = Seat::take(stage.command(&["resume"]));
    seat.sees("? q2");
    assert_eq!(runs(&stage), 1, "{}", stage.story());
    seat.types("/no q2");
    seat.completes();
    assert_eq!(runs(&stage), 1, "{}", stage.story());
    assert_eq!(stage.count("Answered s2 q1 yes by human:cli:tester"), 1, "{}", stage.story());
}
