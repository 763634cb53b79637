//! The fixed order, and its laws: whatever it says is legal, and a mission without any model comes to an end.

use std::sync::Arc;

use mind::conductor::agent::TransitionTarget;
use mind::conductor::fallback::fallback;
use mind::conductor::plan::StepStatus;
use mind::conductor::{
    ConductorFact, DecisionPoint, MoveKind, MoveSource, NextMove, RunStatus, legal, rules,
};
use proptest::prelude::*;
use serde_json::json;

use super::hall::Hall;
use super::replay::record;

/// What the fixed order says, in short.
fn fallen(hall: &Hall) -> String {
    let says = |call| fallback(&hall.state, call, hall.now());
    let ruled = says(DecisionPoint::Evaluate);
    assert_eq!(ruled, says(DecisionPoint::Select), "both calls have one order");
    let agent = if let NextMove::SelectMode { mode, .. } = &ruled.decision {
        format!(" {mode}")
    } else {
        String::new()
    };
    let end = if ruled.exhausted.is_some() { " exhausted" } else { "" };
    format!("{}{agent}{end} ({})", ruled.decision.kind(), ruled.cause)
}

fn retried(hall: &mut Hall) {
    let again = record(hall, DecisionPoint::Evaluate, NextMove::Retry { reason: "once more".into() });
    hall.tell(ConductorFact::Decided(Box::new(again)));
}

#[test]
fn without_a_plan_the_planner_works_and_then_the_default() {
    let mut hall = Hall::opened(json!({"defaultAgent": "developer"}), |_| {});
    assert_eq!(fallen(&hall), "SELECT_MODE planner (no plan)");
    hall.ran("planner", RunStatus::Success, None);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (no plan)", "it made none: it is not asked again");
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(fallen(&hall), "COMPLETE (the last run succeeded, and there is no plan)");
}

#[test]
fn a_default_that_plans_is_not_asked_to_work() {
    let mut hall = Hall::plain();
    hall.ran("planner", RunStatus::Success, None);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (no plan)");
}

#[test]
fn a_failure_is_tried_again_then_left_to_others_then_it_ends() {
    let nine = json!({"limits": {"maxIterations": 50, "maxFailures": 9}});
    let mut hall = Hall::opened(nine.clone(), |_| {});
    hall.planned(&["developer"]);
    for _ in 0..2 {
        hall.ran("developer", RunStatus::Failure, None);
        assert_eq!(fallen(&hall), "RETRY (the last run failed)");
        retried(&mut hall);
    }
    hall.ran("developer", RunStatus::Failure, None);
    assert_eq!(fallen(&hall), "SELECT_MODE planner (tries are used up)", "the default is another");
    let mut alone = Hall::opened(nine, |agents| agents.retain(|agent| agent.name.as_ref() == "developer"));
    alone.ran("developer", RunStatus::Failure, None);
    retried(&mut alone);
    retried(&mut alone);
    assert_eq!(fallen(&alone), "FAIL (nobody else can try)");
}

#[test]
fn a_failure_goes_where_its_agent_says_once_tries_are_used_up() {
    let mut hall = Hall::opened(json!({}), |agents| {
        agents[1].transitions.on_failure = TransitionTarget::Agent(Arc::from("tester"));
    });
    hall.ran("developer", RunStatus::Failure, None);
    assert_eq!(fallen(&hall), "RETRY (the last run failed)");
    retried(&mut hall);
    retried(&mut hall);
    assert_eq!(fallen(&hall), "SELECT_MODE tester (tries are used up)");
}

#[test]
fn a_step_goes_to_whom_it_suggests_else_the_same_agent_goes_on() {
    let mut hall = Hall::plain();
    hall.ran("planner", RunStatus::Success, None).planned(&["Development Agent", "", "tester", "nobody"]);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (the step suggests it)");
    hall.did("developer");
    assert_eq!(fallen(&hall), "CONTINUE (a step is open)");
    hall.did("developer");
    assert_eq!(fallen(&hall), "SELECT_MODE tester (the step suggests it)");
    hall.ran("tester", RunStatus::Success, Some("noTests")).step(2, StepStatus::Complete);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (a step is open)", "a judge does not go on with work");
}

#[test]
fn a_planner_does_not_go_on_with_the_work() {
    let mut hall = Hall::plain();
    hall.ran("planner", RunStatus::Success, None).planned(&[""]);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (a step is open)");
}

#[test]
fn a_run_that_a_human_ended_is_done_again_and_not_gone_on_from() {
    let mut hall = Hall::plain();
    hall.planned(&["", ""]).ran("developer", RunStatus::Cancelled, None);
    assert_eq!(fallen(&hall), "SELECT_MODE developer (a step is open)");
}

#[test]
fn a_step_that_failed_and_blocks_the_rest_is_tried_again() {
    let mut hall = Hall::plain();
    hall.planned(&["developer"]).step(0, StepStatus::Failed).ran(
        "tester",
        RunStatus::Success,
        Some("noTests"),
    );
    assert_eq!(fallen(&hall), "SELECT_MODE developer (the step suggests it)");
}

#[test]
fn an_objection_is_mended_and_then_looked_at_again() {
    let mut hall = Hall::plain();
    hall.planned(&["developer"]).ran("developer", RunStatus::Success, None);
    hall.ran("reviewer", RunStatus::Success, Some("needsChanges"));
    assert_eq!(fallen(&hall), "SELECT_MODE developer (verdict needsChanges of reviewer)");
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(fallen(&hall), "SELECT_MODE reviewer (an objection stands)");
    hall.ran("reviewer", RunStatus::Success, Some("blocked"));
    assert_eq!(fallen(&hall), "SELECT_MODE developer (a verdict without a transition)");
    hall.ran("reviewer", RunStatus::Success, Some("approved")).step(0, StepStatus::Complete);
    assert_eq!(fallen(&hall), "COMPLETE (verdict approved of reviewer)");
}

#[test]
fn an_objection_that_nobody_can_take_back_is_a_failure_and_not_a_circle() {
    let mut hall = Hall::opened(json!({}), |agents| agents[3].limits.max_iterations = Some(1));
    hall.planned(&["developer"]).did("developer").ran("reviewer", RunStatus::Success, Some("needsChanges"));
    hall.ran("developer", RunStatus::Success, None);
    assert_eq!(fallen(&hall), "FAIL (an objection stands for ever)");
}

#[test]
fn a_finished_plan_is_claimed_and_a_refused_claim_is_mended() {
    let mut hall = Hall::plain();
    hall.planned(&["developer", "tester"]).did("developer");
    hall.ran("tester", RunStatus::Success, Some("noTests")).step(1, StepStatus::Complete);
    assert_eq!(fallen(&hall), "COMPLETE (the plan is done)");
    hall.turned_back();
    assert_eq!(fallen(&hall), "SELECT_MODE developer (a claim was turned back)");
    let NextMove::SelectMode { guidance, .. } =
        fallback(&hall.state, DecisionPoint::Select, hall.now()).decision
    else {
        panic!("somebody is chosen");
    };
    assert_eq!(guidance, None, "why it was turned back is guidance already");
}

#[test]
fn nobody_left_is_an_end() {
    let used = Hall::opened(json!({}), |agents| {
        agents.iter_mut().for_each(|agent| agent.limits.max_iterations = Some(0));
    });
    assert_eq!(fallen(&used), "FAIL exhausted (limit)");
    let none = Hall::opened(json!({}), Vec::clear);
    assert_eq!(fallen(&none), "FAIL (no agent)");
}

/// One thing that happens, drawn.
#[derive(Debug, Clone)]
enum Happening {
    Ran(usize, u8),
    Planned(Vec<usize>),
    Step(u32, u8),
    TurnedBack,
    Retried,
}

const NAMES: [&str; 6] = ["planner", "developer", "tester", "reviewer", "", "stranger"];

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let one = prop_oneof![
        4 => (0..4_usize, any::<u8>()).prop_map(|(who, how)| Happening::Ran(who, how)),
        1 => prop::collection::vec(0..6_usize, 0..4).prop_map(Happening::Planned),
        2 => (0..4_u32, any::<u8>()).prop_map(|(step, how)| Happening::Step(step, how)),
        1 => Just(Happening::TurnedBack),
        1 => Just(Happening::Retried),
    ];
    prop::collection::vec(one, 0..25)
}

/// How a run of an agent goes, by a die.
fn run(hall: &mut Hall, agent: &str, die: u8) {
    let status = match die % 6 {
        0 => RunStatus::Failure,
        1 => RunStatus::Timeout,
        2 => RunStatus::Cancelled,
        _ => RunStatus::Success,
    };
    let verdicts: &[&str] = match agent {
        "tester" => &["allPassed", "someFailures", "odd"],
        "reviewer" => &["approved", "needsChanges", "blocked"],
        _ => &[],
    };
    let verdict = verdicts.get(usize::from(die / 6) % 4).copied().filter(|_| status == RunStatus::Success);
    let step = hall.conductor().plan.as_deref().and_then(|plan| plan.next()).map(|step| step.index);
    hall.ran(agent, status, verdict);
    if let Some(index) = step {
        let failed = status.failed().then_some(StepStatus::Failed);
        let done = (status == RunStatus::Success && verdict.is_none()).then_some(StepStatus::Complete);
        if let Some(status) = failed.or(done) {
            hall.step(index, status);
        }
    }
}

fn happen(hall: &mut Hall, happening: &Happening) {
    match happening {
        Happening::Ran(who, how) => run(hall, NAMES[*who], *how),
        Happening::Planned(who) => {
            let names: Vec<&str> = who.iter().map(|who| NAMES[*who]).collect();
            hall.planned(&names);
        }
        Happening::Step(index, how) => {
            let all = [StepStatus::Pending, StepStatus::Complete, StepStatus::Failed, StepStatus::Skipped];
            hall.step(*index, all[usize::from(how % 4)]);
        }
        Happening::TurnedBack => {
            hall.turned_back();
        }
        Happening::Retried => retried(hall),
    }
}

fn drawn_hall(limits: [Option<u32>; 4], default: usize) -> Hall {
    let conducting =
        json!({"defaultAgent": NAMES[default], "limits": {"maxIterations": 20, "maxFailures": 5}});
    Hall::opened(conducting, |agents| {
        for (agent, most) in agents.iter_mut().zip(limits) {
            agent.limits.max_iterations = most;
        }
    })
}

fn limits() -> impl Strategy<Value = [Option<u32>; 4]> {
    let one = || prop::option::of(0..4_u32);
    [one(), one(), one(), one()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_decided_is_legal(limits in limits(), default in 0..6_usize, happenings in happenings()) {
        let mut hall = drawn_hall(limits, default);
        for happening in &happenings {
            happen(&mut hall, happening);
            for call in [DecisionPoint::Select, DecisionPoint::Evaluate] {
                let fallen = Some(fallback(&hall.state, call, hall.now()));
                let ruled = rules::rules(&hall.state, call, hall.now());
                for ruled in [fallen, ruled].into_iter().flatten() {
                    let legal = legal::legal(&hall.state, call);
                    prop_assert!(legal.contains(&ruled.decision.kind()), "{:?} of {:?}", ruled, legal);
                    if let NextMove::SelectMode { mode, .. } = &ruled.decision {
                        let agent = hall.conductor().agent(mode);
                        prop_assert!(agent.is_some_and(|agent| hall.conductor().is_eligible(agent)));
                    }
                    prop_assert!(ruled.exhausted.is_none() || ruled.decision.kind() == MoveKind::Fail);
                }
            }
        }
    }

    #[test]
    fn a_mission_without_any_model_comes_to_an_end(
        limits in limits(), default in 0..6_usize, planned in prop::option::of(prop::collection::vec(0..6_usize, 1..4)),
        dice in prop::collection::vec(any::<u8>(), 64),
    ) {
        let mut hall = drawn_hall(limits, default);
        if let Some(who) = planned {
            happen(&mut hall, &Happening::Planned(who));
        }
        let mut call = DecisionPoint::Select;
        let mut ended = false;
        // Twenty iterations, at most one claim after each, and one before.
        for die in dice.iter().take(42) {
            let now = hall.now();
            let ruled = rules::rules(&hall.state, call, now).unwrap_or_else(|| fallback(&hall.state, call, now));
            let last = hall.conductor().last().map(|last| last.agent.clone());
            let mut record = record(&hall, call, ruled.decision.clone());
            record.source = MoveSource::Fallback;
            hall.tell(ConductorFact::Decided(Box::new(record)));
            call = DecisionPoint::Evaluate;
            match ruled.decision {
                NextMove::SelectMode { mode, .. } => run(&mut hall, &mode, *die),
                NextMove::Continue { .. } | NextMove::Retry { .. } => run(&mut hall, &last.expect("somebody ran"), *die),
                NextMove::Complete { .. } if die % 3 == 0 => ended = true,
                NextMove::Complete { .. } => {
                    hall.turned_back();
                    call = DecisionPoint::Select;
                }
                NextMove::Fail { .. } => ended = true,
                other @ (NextMove::SkipStep { .. } | NextMove::Replan { .. } | NextMove::AskHuman { .. }) => {
                    prop_assert!(false, "{other:?}");
                }
            }
            if ended {
                break;
            }
        }
        prop_assert!(ended);
    }
}
