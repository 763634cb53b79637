//! What can be decided when, and how a model is told so.

use mind::conductor::legal::{legal, schema};
use mind::conductor::plan::StepStatus;
use mind::conductor::{ConductorFact, DecisionPoint, MoveKind, NextMove, RunStatus, limits};
use serde_json::json;

use super::hall::Hall;
use super::replay::record;

fn words(hall: &Hall) -> String {
    let kinds = legal(&hall.state, DecisionPoint::Select);
    assert_eq!(kinds, legal(&hall.state, DecisionPoint::Evaluate), "the state alone decides");
    kinds.iter().map(|kind| kind.word()).collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_goes_on_before_anything_ran() {
    assert_eq!(words(&Hall::plain()), "SELECT_MODE COMPLETE REPLAN ASK_HUMAN FAIL");
}

#[test]
fn after_a_run_it_goes_on_or_tries_again() {
    let mut hall = Hall::plain();
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(words(&hall), "SELECT_MODE CONTINUE RETRY COMPLETE REPLAN ASK_HUMAN FAIL");
}

#[test]
fn a_step_is_left_out_only_while_one_is_open() {
    let mut hall = Hall::plain();
    hall.planned(&["developer"]);
    assert!(words(&hall).contains("SKIP_STEP"));
    hall.step(0, StepStatus::Failed);
    assert!(words(&hall).contains("SKIP_STEP"), "one that failed can be left out too");
    hall.step(0, StepStatus::Skipped);
    assert!(!words(&hall).contains("SKIP_STEP"));
}

#[test]
fn tries_again_are_counted_by_agent_and_step() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "developer"]);
    for _ in 0..limits::RETRIES_MAX {
        hall.ran("developer", RunStatus::Failure, None);
        assert!(words(&hall).contains("RETRY"));
        let again = record(&hall, DecisionPoint::Evaluate, NextMove::Retry { reason: "once more".into() });
        hall.tell(ConductorFact::Decided(Box::new(again)));
    }
    hall.ran("developer", RunStatus::Failure, None);
    assert!(!words(&hall).contains("RETRY"));
    hall.step(0, StepStatus::Skipped).ran("developer", RunStatus::Failure, None);
    assert!(words(&hall).contains("RETRY"), "another step");
}

#[test]
fn who_has_had_its_runs_neither_goes_on_nor_tries_again() {
    let mut hall = Hall::opened(json!({}), |agents| agents[1].limits.max_iterations = Some(1));
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(words(&hall), "SELECT_MODE COMPLETE REPLAN ASK_HUMAN FAIL");
    let mut alone = Hall::opened(json!({"defaultAgent": "developer"}), |agents| {
        agents.retain(|agent| agent.name.as_ref() == "developer");
        agents[0].limits.max_iterations = Some(1);
    });
    alone.ran("developer", RunStatus::Success, None);
    assert_eq!(words(&alone), "COMPLETE ASK_HUMAN FAIL");
}

#[test]
fn a_claim_that_was_turned_back_is_not_made_again_before_somebody_worked() {
    let mut hall = Hall::plain();
    hall.ran("developer", RunStatus::Success, None).turned_back();
    assert!(!words(&hall).contains("COMPLETE"));
    hall.ran("developer", RunStatus::Success, None);
    assert!(words(&hall).contains("COMPLETE"));
}

#[test]
fn another_plan_needs_a_planner() {
    let hall = Hall::opened(json!({}), |agents| agents[0].limits.max_iterations = Some(0));
    assert!(!words(&hall).contains("REPLAN"));
}

#[test]
fn the_schema_is_what_strict_modes_take() {
    let schema = schema(&[MoveKind::SelectMode, MoveKind::Fail], &["planner", "developer"]);
    assert_eq!(schema["properties"]["type"]["enum"], json!(["SELECT_MODE", "FAIL"]));
    assert_eq!(schema["properties"]["mode"]["anyOf"][0]["enum"], json!(["planner", "developer"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    let properties = schema["properties"].as_object().expect("properties");
    let mut required: Vec<&str> =
        schema["required"].as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
    required.sort_unstable();
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(required, names, "strict mode wants every property");
    assert!(properties.values().all(|property| property["description"].is_string()));
    let nobody = mind::conductor::legal::schema(&[MoveKind::Fail], &[]);
    assert_eq!(nobody["properties"]["mode"]["type"], json!("null"), "an empty enum is no schema");
}
