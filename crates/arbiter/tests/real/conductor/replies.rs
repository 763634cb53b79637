//! Replies of a deciding model that break the schema: each is one request, its fault is recorded and told, and after three
//! of them the fixed order chooses.

use mind::conductor::next_move::MoveSource;
use serde_json::json;
use sim::api::Step;

use super::{
    ALONE, CONFIG, DECIDER, agent, begin, build, claims, decided, decider, decides, decisions, done,
    is_proven, judges, plans,
};
use sim::real_stage::{RealStage, says};

#[test]
fn a_decision_costs_three_requests_at_most_and_the_fault_of_each_is_told() {
    let wrong = decides("SELECT_MODE", json!({"mode": "tester", "reason": 7}));
    let steps = [("Build the bridge", "developer"), ("Test it", "tester"), ("Review it", "reviewer")];
    let voices = [
        agent("planner", [plans(&steps)]),
        agent("developer", [build(), done("It is built.")]),
        agent("tester", [judges("allPassed", &[])]),
        agent("reviewer", [judges("approved", &[])]),
        decider([wrong.forever()]),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, voices) else { return };
    let told = begin(&stage).ends(0);
    is_proven(&stage);
    let records = decisions(&stage);
    let asked: Vec<_> = records.iter().filter(|record| !record.replies.is_empty()).collect();
    assert!(!asked.is_empty(), "{:?}", decided(&stage));
    for record in &asked {
        assert_eq!((record.source, record.replies.len()), (MoveSource::Fallback, 3), "{record:?}");
        for reply in &record.replies {
            assert!(reply.raw.contains("\"reason\":7"), "{}", reply.raw);
            assert!(reply.faults.iter().any(|fault| fault.contains("`reason`")), "{:?}", reply.faults);
            assert!(reply.tokens.is_some_and(|tokens| tokens.total > 0), "{reply:?}");
        }
        let cause = record.cause.as_deref().unwrap_or_default();
        assert!(cause.contains("`reason`") && !cause.contains("empty"), "{cause}");
    }
    assert_eq!(stage.requests_of(DECIDER).len(), 3 * asked.len(), "{}", stage.story());
    assert!(told.contains("`reason`") && told.contains("the fixed order chooses"), "{told}");
}

#[test]
fn a_reply_that_breaks_the_schema_costs_one_request_in_the_newest_version() {
    let wrong = decides("SELECT_MODE", json!({"mode": "tester", "reason": 7}));
    let voices = [agent("developer", [build(), done("It is built.")]), decider([wrong.times(2), claims()])];
    let (newest, config) = (sim::claude::newest(), format!("{ALONE}{CONFIG}"));
    let Some(stage) = RealStage::set_in_version(newest, crate::BINARY, "claude-opus-4-8", &config, voices)
    else {
        return;
    };
    begin(&stage).completes();
    is_proven(&stage);
    let records = decisions(&stage);
    let record = records.iter().find(|record| record.source == MoveSource::Model).expect("the model decided");
    assert_eq!(record.replies.len(), 3, "{record:?}");
    for reply in &record.replies[..2] {
        assert!(reply.faults.iter().any(|fault| fault.contains("`reason`")), "{:?}", reply.faults);
    }
    assert_eq!(stage.requests_of(DECIDER).len(), 3, "{}", stage.story());
}

#[test]
fn a_model_that_muses_first_is_asked_by_the_mission_and_by_no_one_else() {
    let voices = [
        agent("developer", [build(), done("It is built.")]),
        decider([Step::say("Well, it seems to stand."), claims()]),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, &format!("{ALONE}{CONFIG}"), voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    let records = decisions(&stage);
    let record = records.iter().find(|record| record.source == MoveSource::Model).expect("the model decided");
    assert_eq!(record.replies.len(), 2, "{record:?}");
    assert_eq!(&*record.replies[0].raw, "Well, it seems to stand.");
    assert_eq!(stage.requests_of(DECIDER).len(), 2, "{}", stage.story());
}

#[test]
fn null_means_none_wherever_a_move_does_not_need_a_field() {
    let decision = json!({"type": "COMPLETE", "mode": null, "reason": null, "guidance": null,
                          "summary": "The bridge stands.", "question": null, "options": null});
    // Of a move's own fields, guidance alone may be none.
    let again = json!({"type": "SELECT_MODE", "mode": "developer", "reason": "Once more.", "guidance": null,
                       "summary": null, "question": null, "options": null});
    let developer = agent("developer", [build(), done("It is built."), done("It still is.")]);
    let voices = [developer, decider([says(again), says(decision)])];
    let Some(stage) = RealStage::set(crate::BINARY, &format!("{ALONE}{CONFIG}"), voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    assert_eq!(stage.requests_of(DECIDER).len(), 2, "{}", stage.story());
    let records = decisions(&stage);
    assert!(
        records.iter().all(|record| record.replies.iter().all(|reply| reply.faults.is_empty())),
        "{records:?}"
    );
}
