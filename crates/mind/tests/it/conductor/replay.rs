//! Decisions made again.

use std::sync::Arc;

use mind::conductor::move_record::{MoveRecord, RawReply};
use mind::conductor::replay::{Difference, ReplayPolicy, outcome_of, redecide};
use mind::conductor::{ConductorFact, DecisionPoint, MoveSource, NextMove, RunStatus, legal};
use serde_json::json;

use super::hall::Hall;

/// A record of this decision, as the mission stands.
pub fn record(hall: &Hall, call: DecisionPoint, decision: NextMove) -> MoveRecord {
    let conductor = hall.conductor();
    let iteration = conductor.iterations + u32::from(call == DecisionPoint::Select);
    MoveRecord {
        number: conductor.decisions.len() as u32 + 1,
        call,
        iteration,
        input: Arc::new(json!({"constraints": {"currentIteration": iteration}})),
        legal: legal::legal(&hall.state, call),
        prompt: None,
        replies: Vec::new(),
        decision,
        source: MoveSource::Model,
        cause: None,
    }
}

/// The same, as a model said it.
fn said(hall: &Hall, call: DecisionPoint, raw: &str) -> MoveRecord {
    let decision = NextMove::Continue { reason: "on".into() };
    let reply = RawReply { raw: raw.into(), faults: Vec::new(), latency_ms: 5, tokens: None };
    MoveRecord { replies: vec![reply], ..record(hall, call, decision) }
}

fn policy(value: serde_json::Value) -> ReplayPolicy {
    serde_json::from_value(value).expect("a policy")
}

#[test]
fn a_models_words_are_read_anew() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "developer"]).did("developer");
    let record = said(&hall, DecisionPoint::Evaluate, r#"{"type":"CONTINUE","reason":"well"}"#);
    let again = redecide(&hall.state, &record, None, hall.now());
    assert_eq!(again.source, MoveSource::Model);
    assert_eq!(Difference::between(&record, again), None, "words alone are no difference");
}

#[test]
fn words_that_cannot_be_used_any_more_fall_back_and_say_why() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "tester"]).did("developer");
    let record = said(&hall, DecisionPoint::Evaluate, "CONTINUE, I would say");
    let again = redecide(&hall.state, &record, None, hall.now());
    let difference = Difference::between(&record, again).expect("another decision");
    assert!(
        matches!(&difference.after.decision, NextMove::SelectMode { mode, .. } if mode.as_ref() == "tester")
    );
    assert_eq!(difference.after.source, MoveSource::Fallback);
    assert!(difference.after.cause.expect("a cause").contains("no JSON object"));
}

#[test]
fn another_policy_decides_otherwise() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "developer"]).did("developer");
    let record = said(&hall, DecisionPoint::Evaluate, r#"{"type":"CONTINUE","reason":"well"}"#);
    let after = |value| redecide(&hall.state, &record, Some(&policy(value)), hall.now());
    let reviewed = after(json!({"transitions": {"developer": {"onSuccess": "reviewer"}}}));
    assert_eq!(reviewed.cause.as_deref(), Some("onSuccess of developer"));
    let ended = after(json!({"limits": {"maxIterations": 1}}));
    assert!(matches!(ended.decision, NextMove::Fail { .. }));
    assert_eq!(after(json!({"limits": {"maxIterations": 9}})).source, MoveSource::Model);
    let first = record_of_first();
    let other = redecide(
        &first.0.state,
        &first.1,
        Some(&policy(json!({"agents": {"default": "tester"}}))),
        hall.now(),
    );
    assert!(matches!(other.decision, NextMove::SelectMode { mode, .. } if mode.as_ref() == "tester"));
}

fn record_of_first() -> (Hall, MoveRecord) {
    let hall = Hall::plain();
    let pick = NextMove::SelectMode { mode: "planner".into(), reason: "first".into(), guidance: None };
    let record = MoveRecord { source: MoveSource::Rules, ..record(&hall, DecisionPoint::Select, pick) };
    (hall, record)
}

#[test]
fn a_verdict_of_a_policy_replaces_the_agents_own() {
    let mut hall = Hall::plain();
    hall.ran("reviewer", RunStatus::Success, Some("needsChanges"));
    let record = said(&hall, DecisionPoint::Evaluate, r#"{"type":"FAIL","reason":"no"}"#);
    let given = policy(json!({"transitions": {"reviewer": {"custom": {"needsChanges": "planner"}}}}));
    let again = redecide(&hall.state, &record, Some(&given), hall.now());
    assert!(matches!(again.decision, NextMove::SelectMode { mode, .. } if mode.as_ref() == "planner"));
}

#[test]
fn what_a_human_forced_stays() {
    let (hall, record) = record_of_first();
    let record = MoveRecord { source: MoveSource::Human, ..record };
    let given = policy(json!({"limits": {"maxIterations": 0}}));
    assert_eq!(Difference::between(&record, redecide(&hall.state, &record, Some(&given), hall.now())), None);
}

#[test]
fn a_policy_names_only_agents_that_there_are() {
    let given = policy(json!({"agents": {"default": "wizard"},
        "transitions": {"developer": {"onSuccess": "witch"}, "elf": {"onFailure": "complete"}}}));
    assert_eq!(given.unknown(Hall::plain().conductor()), ["elf", "witch", "wizard"]);
    assert!(serde_json::from_value::<ReplayPolicy>(json!({"limit": {}})).is_err(), "unknown keys are told");
}

#[test]
fn an_outcome_is_that_of_the_next_run() {
    let mut hall = Hall::plain();
    let pick = |name: &str| NextMove::SelectMode { mode: name.into(), reason: "r".into(), guidance: None };
    let decide = |hall: &mut Hall, call, decision| {
        let record = record(hall, call, decision);
        hall.tell(ConductorFact::Decided(Box::new(record)));
    };
    decide(&mut hall, DecisionPoint::Select, pick("planner"));
    hall.ran("planner", RunStatus::Success, None);
    decide(&mut hall, DecisionPoint::Evaluate, pick("developer"));
    decide(&mut hall, DecisionPoint::Select, pick("tester"));
    hall.ran("tester", RunStatus::Failure, None);
    decide(&mut hall, DecisionPoint::Evaluate, NextMove::Retry { reason: "r".into() });
    hall.ran("tester", RunStatus::Cancelled, None);
    decide(&mut hall, DecisionPoint::Evaluate, NextMove::Complete { summary: "s".into() });
    decide(&mut hall, DecisionPoint::Select, pick("developer"));
    let outcomes: Vec<Option<bool>> =
        hall.conductor().decisions.iter().map(|record| outcome_of(hall.conductor(), record)).collect();
    assert_eq!(outcomes, [Some(true), None, Some(false), None, None, None]);
}
