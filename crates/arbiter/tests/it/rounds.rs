//! The rules of the round in missions of the real binary: its loop takes one batch at a time here, so that each test chooses
//! what is ready together. `cargo xtask plants` breaks the rules one by one and wants these tests to turn red.

use std::fs;
use std::path::PathBuf;

use mind::Fact;
use mind::fact::{GateFact, LifeFact, MissionFact, SessionFact, TalkFact, TurnFact};
use mind::talk::Speaker;
use sim::{BridgeScript, SteppedMission, Theatre};

use crate::{BINARY, wait_until};

/// The bridge without a question.
fn bridge() -> BridgeScript {
    BridgeScript::new().asks_nothing()
}

/// The Arbiter comes to a limit before it has said a word.
const LIMITED: &str = r#"does: [{fail: limit, why: "too many requests", after: 1s}]
says: {intent: address_human, message: "Of stone, or of rope?"}"#;

/// Begins a mission that stands before its first batch.
fn begin(script: BridgeScript) -> SteppedMission {
    let theatre = Theatre::rehearsing(BINARY, script).with_config("docket: { headless: refuse }\n");
    let command = theatre.rehearsal(&["--headless", "--yes"]);
    SteppedMission::begin(theatre, command)
}

fn clone_folder(mission: &SteppedMission) -> PathBuf {
    mission.theatre.clone_of(&mission.theatre.mission_id())
}

/// The facts of the newest batch.
fn last_batch(mission: &SteppedMission) -> Vec<Fact> {
    let mut batches = mission.theatre.batches(&mission.theatre.mission());
    batches.pop().expect("a batch").into_iter().map(|entry| entry.fact).collect()
}

fn words(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Talk(TalkFact::Said { from: Speaker::Human(_), text, .. }) => Some(text),
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    }
}

fn position(facts: &[Fact], wanted: impl Fn(&Fact) -> bool) -> Option<usize> {
    facts.iter().position(wanted)
}

fn is_completed(fact: &Fact) -> bool {
    matches!(fact, Fact::Mission(MissionFact::Completed { .. }))
}

/// A mission that is complete but for the receipt of its only check, which waits in the loop's inbox.
fn about_to_complete() -> SteppedMission {
    let mut mission = begin(bridge());
    let is_brought = |fact: &Fact| matches!(fact, Fact::Gate(_, GateFact::Brought { .. })).then_some(());
    mission.step_until("the work is brought", is_brought);
    wait_until("the check has passed", || mission.waiting() > 0);
    mission
}

#[test]
fn words_that_are_ready_with_the_last_receipt_are_heard_before_the_end() {
    let mut mission = about_to_complete();
    mission.say("Of rope, please.");
    mission.step();
    let facts = mission.theatre.facts();
    let receipt = position(&facts, |fact| matches!(fact, Fact::Gate(_, GateFact::Receipt { .. })));
    let heard = position(&facts, |fact| words(fact) == Some("Of rope, please."));
    assert!(receipt.is_some(), "both were ready together");
    assert!(heard.is_some() && heard < receipt, "the end passed by what was said before it");
    assert!(!facts.iter().any(is_completed), "nothing is complete while somebody waits to be heard");
}

#[test]
fn a_mission_that_completes_during_a_stop_is_complete() {
    let mut mission = about_to_complete();
    mission.stop();
    let code = mission.let_go();
    assert!(mission.theatre.facts().iter().any(is_completed));
    assert_eq!(code, Some(0), "an end is not kept quiet");
}

#[test]
fn a_halt_during_a_stop_is_written_and_is_no_end() {
    let mut mission = begin(bridge());
    fs::create_dir_all(clone_folder(&mission).join("of-somebody-else")).expect("a folder can be made");
    mission.step();
    wait_until("the clone cannot be made", || mission.waiting() > 0);
    mission.stop();
    let code = mission.let_go();
    let halted =
        mission.theatre.facts().iter().any(|fact| matches!(fact, Fact::Mission(MissionFact::Halted { .. })));
    assert!(halted, "what was ready is heard");
    assert_eq!(code, Some(4), "it was stopped; whether it is to halt is for its next start");
}

#[test]
fn a_mission_that_is_stopped_hears_what_was_said_and_begins_nothing() {
    let mut mission = begin(bridge());
    mission.say("Of rope, please.");
    mission.stop();
    assert_eq!(mission.let_go(), Some(4));
    assert!(mission.theatre.facts().iter().any(|fact| words(fact) == Some("Of rope, please.")));
    let letters = fs::read_dir(mission.theatre.mission().join("inbox")).map_or(0, Iterator::count);
    assert_eq!(letters, 0, "a letter that is a fact is discarded");
    assert!(!clone_folder(&mission).exists(), "nothing is begun");
}

#[test]
fn everything_of_a_batch_is_written() {
    let mut mission = begin(bridge());
    let said = ["Of rope.", "Of stone.", "Of wood."];
    said.iter().for_each(|words| mission.say(words));
    mission.step();
    let batch = last_batch(&mission);
    let heard: Vec<&str> = batch.iter().filter_map(words).collect();
    assert_eq!(heard, said, "one batch holds all that was ready");
}

#[test]
fn what_is_due_is_done_in_a_batch_of_letters() {
    let mut mission = begin(bridge().opens_with(&[LIMITED]));
    let until = mission.step_until("the Arbiter waits", |fact| match fact {
        Fact::Session(_, SessionFact::Life(LifeFact::Waits(wait))) => Some(wait.until),
        Fact::Session(..)
        | Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    mission.say("Of rope, please.");
    wait_until("the limit is over", || host::now_ms() > until.0);
    mission.step();
    let batch = last_batch(&mission);
    assert!(batch.iter().any(|fact| words(fact).is_some()), "{batch:?}");
    let retried = |fact: &Fact| matches!(fact, Fact::Session(_, SessionFact::Turn(TurnFact::Retried { .. })));
    assert!(batch.iter().any(retried), "a full inbox keeps the alarm from ringing: {batch:?}");
}
