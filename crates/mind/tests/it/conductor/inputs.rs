//! The inputs of the two calls, as they go over the wire.

use std::sync::Arc;

use mind::Timestamp;
use mind::conductor::agent::Richness;
use mind::conductor::execution::RunStatus;
use mind::conductor::input::{CallInput, EvaluateProgressInput, SelectAgentInput, input, moments};
use mind::conductor::{ConductorFact, DecisionPoint, limits};
use mind::play::conducted::{Conducted, OPENED_AT};
use serde_json::{Value, json};

use super::stage::{self, Example, examples};

fn wire(mission: &Conducted, call: DecisionPoint) -> Value {
    serde_json::to_value(input(&mission.state, call, mission.now)).expect("an input is JSON")
}

fn select(mission: &Conducted) -> SelectAgentInput {
    match input(&mission.state, DecisionPoint::Select, mission.now) {
        CallInput::Select(input) => input,
        CallInput::Evaluate(_) => panic!("a selection"),
    }
}

fn evaluate(mission: &Conducted) -> EvaluateProgressInput {
    match input(&mission.state, DecisionPoint::Evaluate, mission.now) {
        CallInput::Evaluate(input) => input,
        CallInput::Select(_) => panic!("an evaluation"),
    }
}

fn conducting(mission: &mut Conducted, change: impl FnOnce(&mut mind::conductor::Limits)) {
    let mut charter = mission.state.charter.as_deref().expect("a charter").clone();
    change(&mut charter.conducting.as_mut().expect("conducted").limits);
    *mission = Conducted::with(charter);
}

#[test]
fn the_worked_examples_are_golden() {
    let golden = [
        include_str!("first-iteration.golden.json"),
        include_str!("after-a-failure.golden.json"),
        include_str!("after-a-success.golden.json"),
    ];
    for (Example { name, mission, call }, golden) in examples().into_iter().zip(golden) {
        let wire = serde_json::to_string_pretty(&wire(&mission, call)).expect("JSON");
        assert_eq!(wire, golden.trim_end(), "{name}");
    }
}

#[test]
fn what_goes_over_the_wire_comes_back_as_it_was() {
    for Example { name, mission, call } in examples() {
        let built = input(&mission.state, call, mission.now);
        let text = serde_json::to_string(&built).expect("JSON");
        match built {
            CallInput::Select(built) => {
                assert_eq!(
                    serde_json::from_str::<SelectAgentInput>(&text).expect("an input"),
                    built,
                    "{name}"
                );
            }
            CallInput::Evaluate(built) => {
                let read = serde_json::from_str::<EvaluateProgressInput>(&text).expect("an input");
                assert_eq!(read, built, "{name}");
            }
        }
    }
}

#[test]
fn either_input_is_known_by_what_it_holds() {
    for Example { mission, call, .. } in examples() {
        let read: CallInput = serde_json::from_value(wire(&mission, call)).expect("an input");
        assert_eq!(read.call(), call);
        assert_eq!(read, input(&mission.state, call, mission.now));
    }
}

#[test]
fn a_selection_counts_the_iteration_about_to_run_and_an_evaluation_the_one_just_run() {
    let mission = stage::after_a_success();
    let (next, last) = (select(&mission).constraints, evaluate(&mission).constraints);
    assert_eq!((next.current_iteration, next.iterations_remaining), (5, 45));
    assert_eq!((last.current_iteration, last.iterations_remaining), (4, 46));
}

#[test]
fn more_iterations_than_allowed_leave_none() {
    let mut mission = stage::first();
    conducting(&mut mission, |limits| limits.max_iterations = 1);
    for _ in 0..3 {
        mission.run("developer", RunStatus::Success, 10, "Done.", |_, _| {});
    }
    assert_eq!(select(&mission).constraints.iterations_remaining, 0);
}

#[test]
fn the_time_that_remains_is_known_by_the_deadline_or_by_the_mean() {
    let mut mission = stage::first();
    assert_eq!(select(&mission).constraints.estimated_time_remaining, None);
    mission.run("developer", RunStatus::Success, 10_000, "Done.", |_, _| {});
    mission.run("developer", RunStatus::Success, 30_000, "Done.", |_, _| {});
    assert_eq!(select(&mission).constraints.estimated_time_remaining, Some(20_000 * 47));
    assert_eq!(select(&mission).constraints.time_elapsed_ms, 40_000);
    conducting(&mut mission, |limits| limits.deadline_ms = Some(100_000));
    mission.run("developer", RunStatus::Success, 30_000, "Done.", |_, _| {});
    assert_eq!(select(&mission).constraints.estimated_time_remaining, Some(70_000));
    assert_eq!(
        wire(&mission, DecisionPoint::Select)["constraints"]["deadline"],
        json!("2026-01-30T09:01:40Z")
    );
    mission.run("developer", RunStatus::Success, 90_000, "Done.", |_, _| {});
    assert_eq!(select(&mission).constraints.estimated_time_remaining, Some(0));
}

#[test]
fn budgets_stand_in_the_input_only_if_there_are_any() {
    let mut mission = stage::first();
    let constraints = &wire(&mission, DecisionPoint::Select)["constraints"];
    for absent in ["deadline", "budgetTokens", "budgetMicrousd", "spentMicrousd"] {
        assert_eq!(constraints.get(absent), None, "{absent}");
    }
    assert_eq!(constraints["estimatedTokensUsed"], Value::Null);
    conducting(&mut mission, |limits| {
        limits.budget_microusd = Some(20_000_000);
        limits.budget_tokens = Some(1_000_000);
    });
    mission.told(ConductorFact::Spent { tokens: 1_500, cost_microusd: 250_000 });
    let constraints = &wire(&mission, DecisionPoint::Select)["constraints"];
    assert_eq!(constraints["estimatedTokensUsed"], json!(1_500));
    assert_eq!(constraints["budgetTokens"], json!(1_000_000));
    assert_eq!(constraints["budgetMicrousd"], json!(20_000_000));
    assert_eq!(constraints["spentMicrousd"], json!(250_000));
}

#[test]
fn texts_are_cut_to_what_each_may_have_and_only_then_say_so() {
    let mut mission = stage::first();
    let long = "ä".repeat(10_000);
    mission.run("developer", RunStatus::Success, 10, &long, |run, _| {
        run.output.full = Some(Arc::from(long.as_str()))
    });
    let input = evaluate(&mission);
    let last = input.last_execution.expect("a run");
    assert_eq!(*input.history[0].output.summary, *format!("{}...", "ä".repeat(limits::HISTORY_CHARS_MAX)));
    assert_eq!(input.history[0].output.full, None);
    assert_eq!(*last.output.summary, *format!("{}...", "ä".repeat(limits::SUMMARY_CHARS_MAX)));
    let half = "ä".repeat(limits::FULL_CHARS_MAX / 2);
    assert_eq!(last.output.full.as_deref(), Some(format!("{half}\n...\n{half}").as_str()));

    let exact = "ä".repeat(limits::HISTORY_CHARS_MAX);
    mission.run("developer", RunStatus::Success, 10, &exact, |_, _| {});
    assert_eq!(*evaluate(&mission).history[1].output.summary, *exact);
}

#[test]
fn an_agent_that_is_told_of_leanly_has_no_full_output() {
    let mut agents = stage::agents();
    agents[1].input = Richness::Lean;
    let mut mission = Conducted::open(stage::TASK, agents);
    for (who, full) in [("planner", true), ("developer", false)] {
        mission.run(who, RunStatus::Success, 10, "Done.", |run, _| {
            run.output.full = Some(Arc::from("All of it."))
        });
        let last = evaluate(&mission).last_execution.expect("a run");
        assert_eq!(last.output.full.is_some(), full, "{who}");
    }
}

#[test]
fn only_agents_that_may_run_are_offered() {
    let mut agents = stage::agents();
    agents[0].limits.max_iterations = Some(1);
    agents.push(mind::play::conducted::agent("keeper", "Keeper"));
    agents[2].internal = true;
    let mut mission = Conducted::open(stage::TASK, agents);
    let offered = |mission: &Conducted| {
        let names = select(mission).available_agents.into_iter().map(|agent| agent.name.to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(offered(&mission), "planner developer");
    mission.run("planner", RunStatus::Failure, 10, "No.", |_, _| {});
    assert_eq!(offered(&mission), "developer");
}

#[test]
fn an_agents_form_is_told_once_it_has_one() {
    let mut agents = stage::agents();
    agents[1].when_to_use = None;
    let mut mission = Conducted::open(stage::TASK, agents);
    mission.run("developer", RunStatus::Cancelled, 1_000, "Stopped.", |_, _| {});
    for status in [RunStatus::Failure, RunStatus::Timeout, RunStatus::Success, RunStatus::Success] {
        mission.run("developer", status, 1_000, "Done, or not.", |_, _| {});
    }
    let agents = &wire(&mission, DecisionPoint::Select)["availableAgents"];
    assert_eq!(agents[0].get("recentPerformance"), None);
    assert_eq!(
        agents[1],
        json!({
            "name": "developer", "displayName": "Development Agent", "whenToUse": "No description",
            "tools": {"allowed": ["*"], "blocked": []},
            "recentPerformance": {
                "lastSuccess": "2026-01-30T09:00:05Z", "lastFailure": "2026-01-30T09:00:03Z",
                "successRate": 50.0, "iterationAverage": 2.0,
            },
        })
    );
}

#[test]
fn the_last_error_is_gone_after_the_next_success() {
    assert!(select(&stage::after_a_failure()).last_error.is_some());
    assert_eq!(select(&stage::after_a_success()).last_error, None);
    assert_eq!(wire(&stage::after_a_success(), DecisionPoint::Select)["lastError"], Value::Null);
}

#[test]
fn guidance_stands_in_both_inputs_while_nobody_has_begun() {
    let mut mission = stage::after_a_failure();
    assert_eq!(wire(&mission, DecisionPoint::Select).get("guidance"), None);
    mission.told(ConductorFact::Guided(Arc::from("Install it first.")));
    for call in [DecisionPoint::Select, DecisionPoint::Evaluate] {
        assert_eq!(wire(&mission, call)["guidance"], json!(["Install it first."]));
    }
    mission.run("developer", RunStatus::Success, 10, "Done.", |_, _| {});
    assert_eq!(wire(&mission, DecisionPoint::Select).get("guidance"), None);
}

#[test]
fn an_over_long_task_is_cut_visibly_and_a_plan_keeps_no_second_copy() {
    let task = format!("First words. {} Last words.", "x".repeat(50_000));
    let mut mission = Conducted::open(&task, stage::agents());
    let plan = mind::play::conducted::plan(&task, &["One"], OPENED_AT);
    mission.told(ConductorFact::Planned(Box::new(plan)));
    let input = select(&mission);
    assert!(input.task.starts_with("First words.") && input.task.ends_with("Last words."));
    assert!(input.task.contains("characters of the task are left out here"), "{}", input.task.len());
    assert!(input.plan.expect("a plan").task.len() < 400);
}

#[test]
fn a_moment_reads_as_it_was_written() {
    for ms in
        [0, 1, 951_782_399_999, 951_782_400_000, 1_769_763_600_123, 4_107_542_400_000, 253_402_300_800_000]
    {
        assert_eq!(moments::read(&Timestamp(ms).utc()), Some(Timestamp(ms)), "{}", Timestamp(ms).utc());
    }
    for wrong in [
        "",
        "2026-01-30",
        "2026-01-30T09:00:00",
        "2026-13-30T09:00:00Z",
        "1969-12-31T23:59:59Z",
        "0-1-1T0:0:0Z",
    ] {
        assert_eq!(moments::read(wrong), None, "{wrong}");
    }
}

#[test]
fn a_council_has_an_empty_input_and_no_panic() {
    let state = mind::State::default();
    for call in [DecisionPoint::Select, DecisionPoint::Evaluate] {
        let value = serde_json::to_value(input(&state, call, Timestamp(5))).expect("JSON");
        assert_eq!(value["history"], json!([]));
    }
}

#[test]
fn a_long_history_is_told_by_its_end() {
    let input = select(&Conducted::long(2_000));
    let numbers: Vec<u32> = input.history.iter().map(|run| run.seq).collect();
    assert_eq!(numbers, [1_984, 1_988, 1_991, 1_992, 1_993, 1_994, 1_995, 1_996, 1_997, 1_998, 1_999, 2_000]);
    assert_eq!(input.constraints.time_elapsed_ms, 2_000_000);
}
