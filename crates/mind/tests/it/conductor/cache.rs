//! Equal inputs are decided once.

use std::sync::Arc;

use mind::conductor::move_record::{MoveAttempt, MoveRecord};
use mind::conductor::{ConductorFact, DecisionPoint, MoveSource, NextMove, RunStatus, cache, limits};
use serde_json::{Value, json};

use super::hall::Hall;
use super::replay::record;

fn hall(cache: bool) -> Hall {
    let decider = json!({"provider": "api", "model": "m", "maxTokens": 9, "cache": cache});
    Hall::opened(json!({"decider": decider}), |agents| agents[2].limits.max_iterations = Some(1))
}

fn input(elapsed: u64, failures: u32) -> Value {
    json!({"constraints": {"currentIteration": 1, "timeElapsedMs": elapsed, "consecutiveFailures": failures},
           "history": [{"seq": 1, "startedAt": elapsed}]})
}

fn picks(name: &str) -> NextMove {
    NextMove::SelectMode { mode: name.into(), reason: "r".into(), guidance: None }
}

fn decided(hall: &mut Hall, decision: NextMove, source: MoveSource) {
    let record =
        MoveRecord { input: Arc::new(input(5, 0)), source, ..record(hall, DecisionPoint::Select, decision) };
    hall.tell(ConductorFact::Decided(Box::new(record)));
}

fn found(hall: &Hall, input: Value) -> Option<NextMove> {
    let legal = mind::conductor::legal::legal(&hall.state, DecisionPoint::Select);
    let (input, prompt) = (Arc::new(input), Arc::from(""));
    let asking = MoveAttempt {
        number: 9,
        call: DecisionPoint::Select,
        attempt: 1,
        input,
        legal,
        prompt,
        shorter: false,
    };
    cache::find(&hall.state, &asking)
}

#[test]
fn a_later_moment_is_the_same_question_and_another_count_is_not() {
    let mut hall = hall(true);
    decided(&mut hall, picks("developer"), MoveSource::Model);
    assert_eq!(found(&hall, input(77, 0)), Some(picks("developer")));
    assert_eq!(found(&hall, input(77, 1)), None);
}

#[test]
fn nothing_is_remembered_unless_it_is_wanted() {
    let mut hall = hall(false);
    decided(&mut hall, picks("developer"), MoveSource::Model);
    assert_eq!(found(&hall, input(5, 0)), None);
}

#[test]
fn only_what_a_model_said_is_used_again() {
    let mut hall = hall(true);
    for source in [MoveSource::Fallback, MoveSource::Rules, MoveSource::Human] {
        decided(&mut hall, picks("developer"), source);
    }
    assert_eq!(found(&hall, input(5, 0)), None);
    decided(&mut hall, picks("planner"), MoveSource::Cache);
    assert_eq!(found(&hall, input(5, 0)), Some(picks("planner")));
}

#[test]
fn another_set_of_decisions_is_another_question() {
    let mut hall = hall(true);
    decided(&mut hall, picks("developer"), MoveSource::Model);
    hall.ran("planner", RunStatus::Success, None);
    assert_eq!(found(&hall, input(5, 0)), None);
}

#[test]
fn whoever_has_had_its_runs_is_not_chosen_from_memory() {
    let mut hall = hall(true);
    hall.ran("developer", RunStatus::Success, None);
    decided(&mut hall, picks("tester"), MoveSource::Model);
    assert!(found(&hall, input(5, 0)).is_some());
    hall.ran("tester", RunStatus::Success, Some("allPassed")).ran("developer", RunStatus::Success, None);
    assert_eq!(found(&hall, input(5, 0)), None);
}

#[test]
fn memory_is_bounded() {
    let mut hall = hall(true);
    decided(&mut hall, picks("developer"), MoveSource::Model);
    for _ in 0..limits::CACHE_MAX {
        decided(&mut hall, picks("developer"), MoveSource::Rules);
    }
    assert_eq!(found(&hall, input(5, 0)), None);
}

#[test]
fn a_key_tells_every_part_apart_and_no_order_of_keys() {
    let hall = hall(true);
    let charter = hall.state.charter.as_deref().expect("a charter");
    let key = |model: &str, call, input: &str| {
        let input = serde_json::from_str(input).expect("JSON");
        cache::key(charter, model, call, &[], &input)
    };
    let one = key("m", DecisionPoint::Select, r#"{"a":[1,"1"],"b":null}"#);
    assert_eq!(one, key("m", DecisionPoint::Select, r#"{"b":null,"a":[1,"1"],"timestamp":4}"#));
    for other in [
        key("n", DecisionPoint::Select, r#"{"a":[1,"1"],"b":null}"#),
        key("m", DecisionPoint::Evaluate, r#"{"a":[1,"1"],"b":null}"#),
        key("m", DecisionPoint::Select, r#"{"a":["1",1],"b":null}"#),
        key("m", DecisionPoint::Select, r#"{"a":[1,"1"],"b":[]}"#),
        key("m", DecisionPoint::Select, r#"{"a":[1],"b":null}"#),
    ] {
        assert_ne!(one, other);
    }
}
