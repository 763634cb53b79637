//! What holds in every conducted mission, whatever happens in whatever order.

use mind::conductor::replay::{Difference, redecide};
use mind::conductor::state::{Phase, RunKind};
use mind::conductor::{ConductorFact, MoveSource, RunStatus};
use mind::fact::{GateFact, MissionFact, SessionFact, WorkFact};
use mind::play::Stage;
use mind::state::Ended;
use mind::{Entry, Fact, State};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

const OPENINGS: [&str; 6] = [
    "open conducted checks \"make test\"",
    "open conducted no-model checks \"make test\" most 12",
    "open conducted no-model keeper",
    "open conducted keeper failures 5 docket cache",
    "open conducted no-model timeout calls 3 runs tester 2 runs developer 4 checks \"a\" \"b\"",
    "open conducted deadline 2h tokens 5000 no-steer routes rehearsal deaf checks \"make test\"",
];

/// A line that can happen now; most of them move the mission on.
fn line(stage: &Stage, dice: u16) -> String {
    let state = &stage.state;
    let Some(conductor) = &state.conductor else { return "restart".to_owned() };
    let pick = |lines: &[&str]| lines[usize::from(dice / 8) % lines.len()].to_owned();
    if dice.is_multiple_of(8) {
        return pick(&[
            "human pause",
            "human resume",
            "human force developer",
            "human force Tester",
            "human force nobody",
            "human skip",
            "human retry",
            "human interrupt",
            "human: Mind the edges.",
            "human resume",
            "restart",
            "restart",
            "alarm",
            "alarm",
            "unattended",
            "attended",
            "again",
            "human cancel",
        ]);
    }
    if state.clone_place.is_none() {
        return "settled".to_owned();
    }
    if let Some(gate) = &state.gate {
        return match (&gate.tree, gate.brought) {
            (None, _) => pick(&["surveyed c1", "surveyed c2", "surveyed c2 dirty", "unfit: no branch"]),
            (Some(_), false) => pick(&["brought", "brought", "brought c9"]),
            (Some(_), true) => pick(&["check pass", "check pass", "check fail 1: boom", "check timeout"]),
        };
    }
    if state.paused && dice.is_multiple_of(3) {
        return "human resume".to_owned();
    }
    if conductor.asking.is_some() {
        return pick(&[
            r#"decides {"type": "SELECT_MODE", "mode": "developer", "reason": "r", "guidance": "g"}"#,
            r#"decides {"type": "SELECT_MODE", "mode": "Reviewer", "reason": "r"}"#,
            r#"decides {"type": "SELECT_MODE", "mode": "nobody", "reason": "r"}"#,
            r#"decides {"type": "CONTINUE", "reason": "r"}"#,
            r#"decides {"type": "CONTINUE", "reason": "r"}"#,
            r#"decides {"type": "RETRY", "reason": "r"}"#,
            r#"decides {"type": "COMPLETE", "summary": "s"}"#,
            r#"decides {"type": "SKIP_STEP", "reason": "r"}"#,
            r#"decides {"type": "REPLAN", "reason": "r"}"#,
            r#"decides {"type": "ASK_HUMAN", "question": "q?", "options": ["a", "b"]}"#,
            r#"decides {"type": "FAIL", "reason": "r"}"#,
            "decides text: no idea",
            "decides cut: {\"type\"",
            "decides unavailable: overloaded",
            "decides unavailable +5m: limit",
            "decides refused: login",
        ]);
    }
    match (conductor.phase, &conductor.run) {
        (Phase::AwaitingHuman, _) => {
            pick(&["human: b", "human retry", "human force developer", "human: yes"])
        }
        (_, Some(run)) if run.ending.is_some() => pick(&["inspected", "inspected a b", "inspected"]),
        (_, Some(run)) if run.session.is_none() => {
            pick(&["prepared", "prepared", "prepared faults: x.md:1: bad"])
        }
        (_, Some(run)) => {
            let waits = state
                .active_agent()
                .is_none_or(|player| player.turns.current.is_none() || player.health.wait.is_some());
            if waits {
                return pick(&["alarm", "human resume", "alarm"]);
            }
            match (run.agent.as_ref(), run.kind) {
                (_, RunKind::Keep) => pick(&["agent notes: Use make", "agent failure: none", "agent silent"]),
                (_, RunKind::Verify) => {
                    pick(&["agent pass: ok", "agent fail: no | a", "agent failure: cannot"])
                }
                ("planner", RunKind::Work) => pick(&[
                    "agent plan: A @developer | B @tester <1 | C @reviewer <2",
                    "agent plan: A | B",
                    "agent plan: A @developer",
                    "agent failure: no",
                    "agent plain: words",
                    "agent tool Read a",
                    "tree c1 dirty",
                    "tree c1",
                ]),
                ("tester", RunKind::Work) => pick(&[
                    "agent allPassed: ok",
                    "agent someFailures: bad | x",
                    "agent noTests: none",
                    "agent failure: no",
                    "agent raw {\"outcome\": \"success\"}",
                ]),
                ("reviewer", RunKind::Work) => pick(&[
                    "agent approved: ok",
                    "agent approved: ok",
                    "agent needsChanges: bad | y",
                    "agent blocked: stuck",
                    "agent refused: never",
                ]),
                (_, RunKind::Work) => pick(&[
                    "agent success: done",
                    "agent success: done",
                    "agent failure: no",
                    "tree c2",
                    "agent tool Bash make",
                    "agent spent 100 20",
                    "agent fails: overloaded",
                    "agent limited +5m: limit",
                    "lost agent: died",
                    "agent heard",
                    "agent asks rm -r x",
                    "agent gauge 190000/200000",
                    "agent interrupted",
                ]),
            }
        }
        (_, None) => pick(&["alarm", "restart", "human resume"]),
    }
}

fn each_step(opening: usize, dice: &[u16], mut judge: impl FnMut(&State, &Stage, usize)) -> Stage {
    let mut stage = Stage::new();
    stage.perform(OPENINGS[opening]);
    for dice in dice {
        let (before, head) = (stage.state.clone(), stage.entries.len());
        let line = line(&stage, *dice);
        stage.perform(&line);
        judge(&before, &stage, head);
    }
    stage
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_conducted_mission_keeps_its_books(opening in 0..OPENINGS.len(), dice in prop::collection::vec(any::<u16>(), 0..160)) {
        each_step(opening, &dice, |before, stage, head| {
            let conductor = stage.state.conductor.as_ref().expect("it is conducted");
            let limits = stage.state.conducting().expect("it is conducted").limits;
            prop_assert_books(conductor, limits.max_iterations);
            assert!(stage.state.live_sessions().count() <= 1, "two agents at once");
            assert!(conductor.failed.len() <= 5);
            let failures = conductor.history.iter().rev().take_while(|run| run.status != RunStatus::Success);
            let failures = failures.filter(|run| run.status.failed()).count() as u32;
            assert_eq!(conductor.failures, failures, "failures in a row");
            if before.ended.is_some() {
                // What is told late was paid for.
                let books = |entry: &Entry| {
                    matches!(
                        entry.fact,
                        Fact::Conductor(ConductorFact::Spent { .. })
                            | Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. }))
                    )
                };
                let late = &stage.entries[head..];
                assert!(late.iter().all(books), "something happened after the end: {late:?}");
            }
        });
    }

    #[test]
    fn every_decision_is_made_again_from_its_journal(opening in 0..OPENINGS.len(), dice in prop::collection::vec(any::<u16>(), 0..160)) {
        each_step(opening, &dice, |before, stage, head| {
            let mut state = before.clone();
            for entry in &stage.entries[head..] {
                if let Fact::Conductor(ConductorFact::Decided(record)) = &entry.fact {
                    let again = redecide(&state, record, None, entry.at);
                    assert_eq!(Difference::between(record, again), None, "{record:?}");
                }
                state.apply(entry);
            }
        });
    }

    #[test]
    fn completion_is_earned(opening in 0..OPENINGS.len(), dice in prop::collection::vec(any::<u16>(), 0..200)) {
        let stage = each_step(opening, &dice, |_, _, _| {});
        let Some(Ended::Completed(_)) = stage.state.ended else { return Ok(()) };
        let conductor = stage.state.conductor.as_ref().expect("it is conducted");
        assert!(conductor.objections.is_empty(), "completed over an objection");
        assert!(conductor.plan.as_ref().is_none_or(|plan| plan.is_done()), "completed with open steps");
        assert!(stage.state.unheard.is_empty(), "completed over the human's words");
        let checks = stage.state.charter.as_ref().map_or(0, |charter| charter.checks.len());
        let mut passed = 0;
        for entry in &stage.entries {
            match &entry.fact {
                Fact::Gate(_, GateFact::Claimed { .. }) => passed = 0,
                Fact::Gate(_, GateFact::Receipt { receipt, .. }) if receipt.passed() => passed += 1,
                Fact::Mission(_) | Fact::Talk(_) | Fact::Session(..) | Fact::Gate(..) | Fact::Docket(..)
                | Fact::Conductor(_) => {}
            }
        }
        assert_eq!(passed, checks, "completed without every receipt");
        assert!(checks > 0 || conductor.verified.is_some(), "completed without checks and without a verifier");
    }
}

fn prop_assert_books(conductor: &mind::conductor::ConductorState, most: u32) {
    for (at, run) in conductor.history.iter().enumerate() {
        assert_eq!(run.seq as usize, at + 1, "the history has a gap");
    }
    for (at, record) in conductor.decisions.iter().enumerate() {
        assert_eq!(record.number as usize, at + 1, "a decision is missing");
        let named =
            matches!(record.source, MoveSource::Human) || record.legal.contains(&record.decision.kind());
        let ends = matches!(record.decision, mind::conductor::NextMove::Fail { .. });
        assert!(named || ends, "an illegal decision: {record:?}");
    }
    assert!(conductor.iterations <= most, "more iterations than allowed");
    if let Some(plan) = &conductor.plan {
        for (at, step) in plan.steps.iter().enumerate() {
            assert_eq!(step.index as usize, at);
        }
    }
}

#[test]
fn random_missions_reach_every_end() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (0..OPENINGS.len(), prop::collection::vec(any::<u16>(), 220));
    let (mut completed, mut failed, mut exhausted, mut cancelled, mut turned) = (0, 0, 0, 0, 0);
    for _ in 0..120 {
        let (opening, dice) = strategy.new_tree(&mut runner).expect("a strategy").current();
        let stage = each_step(opening, &dice, |_, _, _| {});
        match stage.state.ended {
            Some(Ended::Completed(_)) => completed += 1,
            Some(Ended::Failed(_)) => failed += 1,
            Some(Ended::Exhausted(_)) => exhausted += 1,
            Some(Ended::Cancelled(_)) => cancelled += 1,
            Some(Ended::PlanOnly { .. }) | None => {}
        }
        let is_turned = |fact: &Fact| matches!(fact, Fact::Conductor(ConductorFact::TurnedBack { .. }));
        turned += u32::from(stage.entries.iter().any(|entry| is_turned(&entry.fact)));
        let ends = |fact: &Fact| matches!(fact, Fact::Mission(MissionFact::Completed { .. }));
        assert!(stage.entries.iter().filter(|entry| ends(&entry.fact)).count() <= 1);
    }
    println!(
        "of 120: completed {completed}, failed {failed}, exhausted {exhausted}, cancelled {cancelled}; turned back {turned}"
    );
    assert!(completed >= 3 && failed >= 3 && exhausted >= 3 && cancelled >= 3 && turned >= 3);
}
