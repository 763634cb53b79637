//! Only a human can decide: the question lies in the docket, and the answer reaches whoever decides and works next.

use serde_json::json;

use super::{
    CONFIG, DECIDER, agent, begin, brief, build, decider, decides, done, is_proven, judges, plans, selects,
};
use sim::real_stage::RealStage;

/// Answers the only petition of the mission.
pub fn answer(stage: &RealStage, choice: &str) {
    let raised = || {
        let lines = stage.lines();
        let raised = lines.iter().find_map(|line| line.strip_prefix("DocketAsked ").map(str::to_owned));
        raised.and_then(|rest| rest.split(' ').next().map(str::to_owned))
    };
    let is_asked = |id: &str| stage.command(&["status", id]).output().is_ok_and(|ran| ran.status.success());
    stage.wait_until("the petition", || raised().is_some_and(|id| is_asked(&id)));
    let id = raised().expect("it was raised");
    stage.tell(&["answer", &id, "answer", choice, "--submit"]);
}

#[test]
fn the_question_of_a_decision_lies_in_the_docket_and_its_answer_is_heard() {
    let voices = [
        agent("planner", [plans(&[("Build the bridge", "developer"), ("Review it", "reviewer")])]),
        agent("developer", [build(), done("It is built.")]),
        agent("reviewer", [judges("approved", &[])]),
        decider([
            decides("ASK_HUMAN", json!({"question": "Granite or slate?", "options": ["Granite", "Slate"]})),
            selects("reviewer").when("Slate"),
        ]),
    ];
    let config = format!("docket: {{ headless: petition }}\n{CONFIG}");
    let Some(stage) = RealStage::set(crate::BINARY, &config, voices) else { return };
    let running = begin(&stage);
    answer(&stage, "b");
    running.completes();
    is_proven(&stage);
    assert_eq!(stage.count("DocketAsked "), 1, "{}", stage.story());
    assert_eq!(stage.requests_of(DECIDER).len(), 2, "{}", stage.story());
    let told = brief(&stage, "reviewer", 1);
    assert!(told.contains("Granite or slate?") && told.contains("Slate"), "{told}");
}
