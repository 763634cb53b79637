//! The laws of a conducted mission: one agent at a time, books without gaps, every asked decision answered or dismissed,
//! notes kept, limits held, and an end that is earned.

use std::sync::Arc;

use mind::conductor::next_move::MoveKind;
use mind::conductor::state::{Phase, RunKind};
use mind::conductor::{ConductorFact, ConductorState, MoveSource};
use mind::effect::ConductorEffect;
use mind::fact::GateFact;
use mind::session::CloneTree;
use mind::state::{Ended, Step};
use mind::talk::Proof;
use mind::{Effect, Fact, State, WaitingOn};

/// What must hold after every event of a conducted mission.
pub(super) fn after_event(before: &State, state: &State, step: &Step) {
    let (Some(conductor), Some(limits)) = (&state.conductor, state.limits()) else { return };
    let live = state.live_sessions().count();
    assert!(live <= 1, "{live} agents at once");
    assert!(conductor.iterations <= limits.max_iterations, "more iterations than allowed");
    for (at, run) in conductor.history.iter().enumerate().skip(books_before(before)) {
        assert_eq!(run.seq as usize, at + 1, "the history has a gap");
    }
    decisions_are_booked(before, conductor);
    if state.ended.is_some() {
        return;
    }
    what_is_asked_is_answered(before, state, conductor, step);
    notes_are_kept(step);
    somebody_moves_it(state, conductor);
    words_go_to_whoever_works(state, conductor);
}

fn books_before(before: &State) -> usize {
    before.conductor.as_ref().map_or(0, |conductor| conductor.history.len())
}

fn decisions_are_booked(before: &State, conductor: &ConductorState) {
    let known = before.conductor.as_ref().map_or(0, |conductor| conductor.decisions.len());
    for (at, record) in conductor.decisions.iter().enumerate().skip(known) {
        assert_eq!(record.number as usize, at + 1, "a decision is missing");
        let named = record.source == MoveSource::Human || record.legal.contains(&record.decision.kind());
        assert!(named || record.decision.kind() == MoveKind::Fail, "an illegal decision: {record:?}");
    }
}

/// A question that is no longer open was answered, or the model call was dismissed.
fn what_is_asked_is_answered(before: &State, state: &State, conductor: &ConductorState, step: &Step) {
    let asked = before.conductor.as_ref().and_then(|conductor| conductor.asking.as_ref());
    let stands = conductor.asking.as_ref().map(|asking| asking.number);
    if let Some(asked) = asked.filter(|asked| stands != Some(asked.number)) {
        let number = asked.number;
        let by_model = step.facts.iter().any(|fact| {
            let Fact::Conductor(ConductorFact::Decided(record)) = fact else { return false };
            record.number == number && record.source != MoveSource::Human
        });
        let dismissed = step.effects.contains(&Effect::Conductor(ConductorEffect::DropCall { number }));
        assert!(by_model || dismissed, "d{number} is asked, and its model call is not dismissed");
    }
    if let Some(asking) = conductor.asking.as_ref().filter(|_| conductor.wakes_at.is_none()) {
        let again = |effect: &Effect| {
            matches!(effect, Effect::Conductor(ConductorEffect::CallModel { number, attempt, .. })
                if (*number, *attempt) == (asking.number, asking.attempt))
        };
        assert!(state.on_start().iter().any(again), "a fall would forget d{}", asking.number);
    }
}

/// A note that is a fact is written down, once.
fn notes_are_kept(step: &Step) {
    let facts =
        step.facts.iter().filter(|fact| matches!(fact, Fact::Conductor(ConductorFact::Remembered(_))));
    let written = step
        .effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Conductor(ConductorEffect::Remember { .. })));
    assert!(facts.count() <= written.count(), "a note is a fact and is not written");
}

/// A mission that rests waits for a person, for a moment that is known, or for work of the mission loop
/// that was ordered.
fn somebody_moves_it(state: &State, conductor: &ConductorState) {
    // What was resumed with other limits is moved by the start that follows.
    if state.halted.is_some() || state.reopened || state.clone_place.is_none() {
        return;
    }
    let waits = match conductor.phase {
        Phase::Idle => false,
        Phase::Recovering => conductor.wakes_at.is_some(),
        Phase::Selecting | Phase::Evaluating => conductor.asking.is_some() || state.paused,
        Phase::Preparing => conductor.run.as_ref().is_some_and(|run| run.session.is_none()),
        Phase::Executing => {
            conductor.run.as_ref().is_some_and(|run| run.ending.is_some() || state.active_agent().is_some())
        }
        Phase::Completing => state.gate.is_some() || state.paused,
        Phase::AwaitingHuman => state.waiting_on() == WaitingOn::Human || state.gate.is_some(),
    };
    assert!(waits, "{:?}, and nothing moves it", conductor.phase);
}

/// While an agent works, what the human said is before it.
fn words_go_to_whoever_works(state: &State, conductor: &ConductorState) {
    let works = |run: &&Arc<mind::conductor::state::Run>| run.kind == RunKind::Work && run.ending.is_none();
    let (Some(_), Some(player)) = (conductor.run.as_ref().filter(works), state.active_agent()) else {
        return;
    };
    let carried = player.unheard_words();
    for id in &state.unheard {
        assert!(carried.contains(id), "the human's words {id} pass the agent by");
    }
}

/// What stood when a conducted mission was called complete?
pub(super) fn completion_is_earned(facts: &[Fact], proof: Proof, state: &State) {
    let Some(conductor) = &state.conductor else { return };
    assert!(conductor.objections.is_empty(), "completed over an objection");
    assert!(conductor.plan.as_ref().is_none_or(|plan| plan.is_done()), "completed with open steps");
    assert!(!conductor.history.is_empty(), "completed without work");
    let mut surveyed: Option<CloneTree> = None;
    let (mut brought, mut verified, mut passed) = (None, None, Vec::new());
    for fact in facts {
        match fact {
            Fact::Gate(_, GateFact::Claimed { .. }) => {
                (surveyed, brought) = (None, None);
                passed.clear();
            }
            Fact::Gate(_, GateFact::Surveyed(tree)) => surveyed = Some(tree.clone()),
            Fact::Gate(_, GateFact::Brought { commit }) => brought = Some(commit.clone()),
            Fact::Gate(_, GateFact::Receipt { index, receipt }) if receipt.passed() => {
                passed.push((*index, receipt.argv.clone(), receipt.commit.clone()));
            }
            Fact::Gate(_, GateFact::Refused { .. }) => surveyed = None,
            Fact::Conductor(ConductorFact::Verified { commit }) => verified = commit.clone(),
            Fact::Conductor(ConductorFact::RunPrepared(run)) if run.kind == RunKind::Work => verified = None,
            Fact::Mission(_)
            | Fact::Talk(_)
            | Fact::Session(..)
            | Fact::Gate(..)
            | Fact::Docket(..)
            | Fact::Conductor(_) => {}
        }
    }
    let Some(tree) = surveyed else { panic!("completed without a survey") };
    assert!(!tree.dirty, "completed on uncommitted work");
    assert_eq!(brought.as_ref(), Some(&tree.commit), "completed without the work");
    let checks = state.charter.as_ref().map_or(&[][..], |charter| &charter.checks[..]);
    let wanted: Vec<_> =
        (0..).zip(checks).map(|(at, argv)| (at, argv.clone(), tree.commit.clone())).collect();
    assert_eq!(passed, wanted, "completed without every receipt");
    assert_eq!(proof == Proof::Proven, !checks.is_empty(), "the proof is another");
    if checks.is_empty() {
        assert_eq!(verified, Some(tree.commit), "completed without checks and without a verifier's pass");
    }
}

/// At the end of a conducted mission: what the limits say is why it is exhausted, and no decision is missing.
pub(super) fn end_is_told(state: &State) {
    let Some(conductor) = &state.conductor else { return };
    if let Some(Ended::PlanOnly { .. }) = &state.ended {
        assert!(conductor.plan.is_some(), "a sketch without a plan");
        assert_eq!(conductor.iterations, conductor.history.len() as u32, "a sketch in the middle of a run");
    }
}
