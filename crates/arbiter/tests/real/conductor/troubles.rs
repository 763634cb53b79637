//! Models that are away, limits, and an agent that does not come to an end: the mission goes on.

use std::time::Duration;

use mind::conductor::next_move::MoveSource;
use sim::api::Step;

use super::{
    ALONE, CONFIG, DECIDER, agent, begin, build, claims, decided, decider, decisions, done, is_proven,
    judges, plans, selects, with_agent,
};
use sim::real_stage::{RealStage, bash};

#[test]
fn a_model_that_is_away_for_the_whole_mission_slows_it_down_and_no_more() {
    let voices = [
        agent(
            "planner",
            [plans(&[("Build the bridge", "developer"), ("Test it", "tester"), ("Review it", "reviewer")])],
        ),
        agent("developer", [build(), done("It is built.")]),
        agent("tester", [judges("allPassed", &[])]),
        agent("reviewer", [judges("approved", &[])]),
        decider([Step::status(529).times(2), Step::status(500).forever()]),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    let records = decisions(&stage);
    let fallen: Vec<_> = records.iter().filter(|record| record.source == MoveSource::Fallback).collect();
    assert_eq!(fallen.len(), 2, "{:?}", decided(&stage));
    for record in &fallen {
        let cause = record.cause.as_deref().unwrap_or_default();
        assert!(cause.contains("the model cannot be reached"), "{cause}");
    }
    assert!(!records.iter().any(|record| record.source == MoveSource::Model), "{:?}", decided(&stage));
    // Whoever was away the last time is tried once only: nobody waits long for it.
    let asked = stage.requests_of(DECIDER);
    assert_eq!(asked.len(), 4 + 1, "{}", stage.story());
    let last = asked.last().expect("it was asked").at - asked.first().expect("it was asked").at;
    assert!(last < Duration::from_secs(25), "{last:?}");
}

#[test]
fn an_agent_at_its_limit_waits_and_goes_on() {
    let limit = Step::status(429).header("retry-after", "12");
    let voices = [agent("developer", [limit, build(), done("It is built.")]), decider([claims()])];
    let Some(stage) = RealStage::set(crate::BINARY, &format!("{ALONE}{CONFIG}"), voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    assert_eq!(stage.count("Waits s1 limit"), 1, "{}", stage.story());
    let requests = stage.requests_of("developer");
    let waited = requests[1].at - requests[0].at;
    assert!(waited >= Duration::from_secs(11), "{waited:?}");
    assert_eq!(requests.len(), 3, "{}", stage.story());
    // The wait is no failure of the run.
    assert_eq!(stage.count("Ended #1 developer Success"), 1, "{}", stage.story());
}

#[test]
fn a_decision_at_the_limit_waits_and_is_the_models_still() {
    let limit = Step::status(429).header("retry-after", "2");
    let voices = [agent("developer", [build(), done("It is built.")]), decider([limit, claims()])];
    let Some(stage) = RealStage::set(crate::BINARY, &format!("{ALONE}{CONFIG}"), voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    assert_eq!(stage.count("Unavailable "), 1, "{}", stage.story());
    assert!(decided(&stage).contains(&"model: COMPLETE".to_owned()), "{:?}", decided(&stage));
    let requests = stage.requests_of(DECIDER);
    assert_eq!(requests.len(), 2, "{}", stage.story());
    let waited = requests[1].at - requests[0].at;
    assert!(waited >= Duration::from_millis(1_900), "{waited:?}");
}

#[test]
fn an_agent_that_takes_too_long_is_ended_with_all_it_started_and_the_mission_goes_on() {
    let voices = [
        agent("sleeper", [bash("echo go; sleep 577")]),
        agent("developer", [build(), done("It is built.")]),
        decider([selects("developer"), claims()]),
    ];
    let config = format!("agents: {{ default: sleeper }}\n{CONFIG}");
    let Some(stage) = RealStage::set(crate::BINARY, &config, voices) else { return };
    with_agent(&stage, "sleeper", "limits: { timeout: 6s }");
    let running = begin(&stage);
    stage.wait_until("the tool", || stage.runs("sleep 577"));
    stage.wait_for("Ended #1 sleeper Timeout");
    assert!(!stage.runs("sleep 577"), "it is gone before anybody else works");
    running.completes();
    is_proven(&stage);
    let told = decisions(&stage).into_iter().find(|record| record.source == MoveSource::Model);
    let told = told.expect("a decision of the model").input.to_string();
    assert!(told.contains("it took longer than its time limit") && told.contains("\"timeout\""), "{told}");
}
