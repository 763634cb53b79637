//! A session of the real program puts a question to the docket by its tools, rests, and is told the answer.

use serde_json::{Value, json};
use sim::api::Step;

use crate::stage::{Stage, bash, mission, reports, says};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";

fn call(name: &str, input: Value) -> Step {
    Step::tool(format!("mcp__arbiter__arbiter_{name}"), input)
}

fn which_stone() -> Value {
    let options = json!([{"key": "granite", "label": "Granite"}, {"key": "slate", "label": "Slate"}]);
    json!({"title": "Which stone?", "decisions": [{"id": "stone", "title": "Granite or slate?", "options": options}]})
}

fn rests() -> Step {
    says(json!({"kind": "progress", "expects_response": false, "message": "I asked, and rest."}))
}

/// The petition's name, as the mission knows it.
fn petition(stage: &Stage) -> String {
    stage.wait_for("Raised ");
    let lines = stage.lines();
    let raised = lines.iter().find_map(|line| line.strip_prefix("Raised "));
    raised.and_then(|rest| rest.split(' ').next()).expect("a petition was raised").to_owned()
}

#[test]
fn an_orchestrator_asks_in_the_docket_rests_and_goes_on_with_the_answer() {
    let work = vec![
        // A bad one is refused on the spot, and reaches nobody.
        call("push", json!({"title": "", "decisions": []})),
        call("push", which_stone()).when("cannot be asked"),
        call("await", json!({"id": "{heard:id}"})),
        rests().when("\"parked\":true"),
        bash("printf 'stone: granite\\n' > bridge.txt && git add -A && git commit -qm Bridge")
            .when("granite"),
        reports("handoff", "It is built."),
    ];
    let Some(stage) = Stage::set(CHECK, mission(work)) else { return };
    let running = stage.begin();
    let id = petition(&stage);
    stage.wait_for("Parked s2");
    stage.wait_for("I asked, and rest.");
    assert_eq!(stage.count("Raised "), 1, "{}", stage.story());
    stage.tell(&["answer", &id, "stone", "granite", "--submit"]);
    running.completes();
    assert_eq!(stage.count(&format!("Decided {id}")), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "granite"), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "`title` is missing or empty"), 1, "{}", stage.story());
}

#[test]
fn an_answer_that_comes_while_nobody_runs_waits_for_the_mission() {
    let work = vec![
        call("push", which_stone()),
        call("await", json!({"id": "{heard:id}"})),
        rests().when("\"parked\":true"),
        bash("printf 'stone: slate\\n' > bridge.txt && git add -A && git commit -qm Bridge").when("slate"),
        reports("handoff", "It is built."),
    ];
    let Some(stage) = Stage::set(CHECK, mission(work)) else { return };
    let running = stage.begin();
    let id = petition(&stage);
    stage.wait_for("I asked, and rest.");
    running.dies();
    stage.theatre.assert_nobody_left();
    stage.tell(&["answer", &id, "stone", "slate", "--submit"]);
    stage.resume().completes();
    assert_eq!(stage.count(&format!("Decided {id}")), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "slate"), 1, "{}", stage.story());
}
