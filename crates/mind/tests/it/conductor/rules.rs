//! What needs no model, rule by rule, and which of them comes first.

use std::sync::Arc;

use mind::conductor::agent::TransitionTarget;
use mind::conductor::plan::StepStatus;
use mind::conductor::rules::{limit, rules};
use mind::conductor::{ConductorFact, DecisionPoint, NextMove, RunStatus};
use serde_json::json;

use super::hall::Hall;

/// What the rules say, in short; a dash if they say nothing.
fn ruled(hall: &Hall, call: DecisionPoint) -> String {
    let Some(ruled) = rules(&hall.state, call, hall.now()) else { return "-".to_owned() };
    let agent = if let NextMove::SelectMode { mode, .. } = &ruled.decision {
        format!(" {mode}")
    } else {
        String::new()
    };
    let end = if ruled.exhausted.is_some() { " exhausted" } else { "" };
    format!("{}{agent}{end} ({})", ruled.decision.kind(), ruled.cause)
}

#[test]
fn the_default_agent_is_the_first_pick_and_only_the_first() {
    let mut hall = Hall::plain();
    assert_eq!(ruled(&hall, DecisionPoint::Select), "SELECT_MODE planner (first pick)");
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Select), "-");
}

#[test]
fn a_first_pick_that_cannot_run_is_left_to_others() {
    let hall = Hall::opened(json!({"defaultAgent": "keeper"}), |_| {});
    assert_eq!(ruled(&hall, DecisionPoint::Select), "-", "internal");
    let hall = Hall::opened(json!({}), |agents| {
        agents[0].limits.max_iterations = Some(0);
        agents[0].transitions.on_max_iterations = TransitionTarget::Agent(Arc::from("tester"));
    });
    assert_eq!(ruled(&hall, DecisionPoint::Select), "SELECT_MODE tester (first pick)");
}

#[test]
fn transitions_count_at_evaluation() {
    let mut hall = Hall::plain();
    hall.ran("planner", RunStatus::Success, None).planned(&["tester", ""]);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE tester (the plan names it)");
    hall.planned(&["plumber", ""]);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE developer (onSuccess of planner)");
    assert_eq!(ruled(&hall, DecisionPoint::Select), "-");
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "to the arbiter");
    hall.ran("planner", RunStatus::Failure, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "a failure is no success");
    hall.ran("planner", RunStatus::Cancelled, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "a human ended it");
}

#[test]
fn a_failure_has_its_own_transition() {
    let mut hall = Hall::opened(json!({}), |agents| {
        agents[1].transitions.on_failure = TransitionTarget::Agent(Arc::from("planner"));
        agents[1].transitions.on_success = TransitionTarget::Complete;
    });
    hall.ran("developer", RunStatus::Timeout, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE planner (onFailure of developer)");
    let Some(NextMove::SelectMode { guidance, .. }) =
        rules(&hall.state, DecisionPoint::Evaluate, hall.now()).map(|ruled| ruled.decision)
    else {
        panic!("somebody is chosen");
    };
    assert_eq!(guidance.as_deref(), Some("developer did not finish:\n| no such module"));
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "COMPLETE (onSuccess of developer)");
    hall.planned(&["developer"]);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "not while a step is open");
}

#[test]
fn a_verdict_leads_where_its_table_says() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "developer"]).ran("reviewer", RunStatus::Success, Some("needsChanges"));
    assert_eq!(
        ruled(&hall, DecisionPoint::Evaluate),
        "SELECT_MODE developer (verdict needsChanges of reviewer)"
    );
    let Some(NextMove::SelectMode { guidance, reason, .. }) =
        rules(&hall.state, DecisionPoint::Evaluate, hall.now()).map(|ruled| ruled.decision)
    else {
        panic!("somebody is chosen");
    };
    assert_eq!(reason.as_ref(), "changes are needed");
    assert_eq!(guidance.as_deref(), Some("reviewer found this wrong:\n| - the door is open"));
    hall.ran("reviewer", RunStatus::Success, Some("blocked"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "to the arbiter");
    hall.ran("reviewer", RunStatus::Success, Some("approved"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "steps are open");
    hall.ran("tester", RunStatus::Success, Some("allPassed"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE reviewer (verdict allPassed of tester)");
}

#[test]
fn an_objection_without_a_transition_is_not_taken_for_a_success() {
    let mut hall = Hall::opened(json!({}), |agents| {
        agents[3].transitions.custom.clear();
        agents[3].transitions.on_success = TransitionTarget::Complete;
    });
    hall.ran("reviewer", RunStatus::Success, Some("needsChanges"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-");
    hall.ran("reviewer", RunStatus::Success, Some("approved"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "COMPLETE (onSuccess of reviewer)");
    hall.ran("reviewer", RunStatus::Failure, Some("approved"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "a good word of a run that failed");
}

#[test]
fn a_finished_plan_is_claimed_with_its_steps() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "developer"]).did("developer");
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-");
    hall.step(1, StepStatus::Skipped);
    assert_eq!(ruled(&hall, DecisionPoint::Select), "COMPLETE (the plan is done)");
    let decision = rules(&hall.state, DecisionPoint::Evaluate, hall.now()).expect("ruled").decision;
    assert_eq!(decision.words().as_ref(), "Every step is done:\n1. do part 0\n2. do part 1 (skipped)");
}

#[test]
fn an_objection_is_never_overtaken_by_a_finished_plan() {
    let mut hall = Hall::plain();
    hall.planned(&["developer"]).did("developer").ran("reviewer", RunStatus::Success, Some("needsChanges"));
    assert_eq!(
        ruled(&hall, DecisionPoint::Evaluate),
        "SELECT_MODE developer (verdict needsChanges of reviewer)"
    );
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "it stands until the reviewer takes it back");
    hall.ran("tester", RunStatus::Success, Some("allPassed"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE reviewer (verdict allPassed of tester)");
    hall.ran("reviewer", RunStatus::Success, Some("approved"));
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "COMPLETE (the plan is done)");
}

#[test]
fn a_claim_that_was_turned_back_is_not_repeated() {
    let mut hall = Hall::plain();
    hall.planned(&["developer"]).did("developer").turned_back();
    assert_eq!(ruled(&hall, DecisionPoint::Select), "-");
    hall.ran("developer", RunStatus::Failure, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-", "what was to be mended is not");
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "COMPLETE (the plan is done)");
}

#[test]
fn a_plan_without_steps_is_not_done() {
    let mut hall = Hall::plain();
    hall.planned(&[]).ran("developer", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-");
}

#[test]
fn the_third_failure_in_a_row_is_a_limit() {
    let mut hall = Hall::plain();
    hall.ran("developer", RunStatus::Failure, None).ran("developer", RunStatus::Timeout, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "-");
    hall.ran("developer", RunStatus::Failure, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "FAIL exhausted (failures in a row)");
    assert_eq!(limit(&hall.state, hall.now()), None, "that is no limit of what may be spent");
}

#[test]
fn iterations_run_out_but_what_the_last_one_finished_is_claimed() {
    let two = json!({"limits": {"maxIterations": 2, "maxFailures": 9}});
    let mut hall = Hall::opened(two, |_| {});
    hall.planned(&["developer", "developer"]).did("developer");
    assert_eq!(limit(&hall.state, hall.now()), None);
    let mut done = Hall { state: hall.state.clone(), entries: Vec::new(), at: hall.at };
    hall.ran("developer", RunStatus::Failure, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "FAIL exhausted (limit)");
    assert!(limit(&hall.state, hall.now()).expect("a limit").why.contains("2 of 2"));
    done.did("developer");
    assert_eq!(ruled(&done, DecisionPoint::Evaluate), "COMPLETE (the plan is done)");
    done.turned_back();
    assert_eq!(ruled(&done, DecisionPoint::Select), "FAIL exhausted (limit)");
}

#[test]
fn time_money_and_tokens_are_limits_before_everything_else() {
    let given = |limits: &str| {
        let mut all = json!({"maxIterations": 9, "maxFailures": 1});
        let more: serde_json::Value = serde_json::from_str(limits).expect("limits");
        all.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let mut hall = Hall::opened(json!({"limits": all}), |_| {});
        hall.planned(&["developer"]).did("developer").ran("developer", RunStatus::Failure, None);
        hall.tell(ConductorFact::Spent { tokens: 100, cost_microusd: 2_000_000 });
        hall
    };
    for (limits, words) in [
        (r#"{"deadlineMs": 3000}"#, "deadline has passed"),
        (r#"{"budgetMicrousd": 2000000}"#, "$2.00 of $2.00"),
        (r#"{"budgetTokens": 100}"#, "100 of 100"),
        // A tenth is kept for the handoff.
        (r#"{"budgetTokens": 110}"#, "100 of 110; the rest is kept"),
        (r#"{"budgetMicrousd": 2200000}"#, "$2.00 of $2.20; the rest is kept"),
    ] {
        let hall = given(limits);
        assert_eq!(ruled(&hall, DecisionPoint::Select), "FAIL exhausted (limit)", "{limits}");
        assert!(limit(&hall.state, hall.now()).expect("a limit").why.contains(words), "{limits}");
    }
    let enough = given(r#"{"deadlineMs": 900000, "budgetMicrousd": 2300000, "budgetTokens": 120}"#);
    assert_eq!(ruled(&enough, DecisionPoint::Select), "FAIL exhausted (failures in a row)");
}

#[test]
fn whoever_is_used_up_passes_it_on_and_a_circle_ends() {
    let mut hall = Hall::opened(json!({}), |agents| {
        agents[1].limits.max_iterations = Some(0);
        agents[1].transitions.on_max_iterations = TransitionTarget::Agent(Arc::from("tester"));
    });
    hall.ran("planner", RunStatus::Success, None);
    assert_eq!(ruled(&hall, DecisionPoint::Evaluate), "SELECT_MODE tester (onSuccess of planner)");
    let mut circle = Hall::opened(json!({}), |agents| {
        for (one, other) in [(1, "tester"), (2, "developer")] {
            agents[one].limits.max_iterations = Some(0);
            agents[one].transitions.on_max_iterations = TransitionTarget::Agent(Arc::from(other));
        }
    });
    circle.ran("planner", RunStatus::Success, None);
    assert_eq!(ruled(&circle, DecisionPoint::Evaluate), "-");
}
