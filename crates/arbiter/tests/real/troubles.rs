//! What the API refuses, and what the house makes of it.

use std::time::Duration;

use mind::fact::{LifeFact, SessionFact};
use mind::session::{Wait, WaitKind};
use mind::{Fact, Timestamp};
use sim::api::{How, Place, Step};

use sim::real_stage::{RealStage, act, arbiter};

fn waits(stage: &RealStage) -> Vec<(Timestamp, Wait)> {
    let entries = stage.entries().into_iter();
    let waits = entries.filter_map(|entry| match entry.fact {
        Fact::Session(_, SessionFact::Life(LifeFact::Waits(wait))) => Some((entry.at, wait)),
        Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    waits.collect()
}

/// The Arbiter's first turn meets `steps`, and then speaks to the human.
fn meets(config: &str, steps: impl IntoIterator<Item = Step>) -> Option<RealStage> {
    let greets = act("address_human", "Speak, mortal.");
    RealStage::set(crate::BINARY, config, [arbiter(steps.into_iter().chain([greets]))])
}

const SPOKEN: &str = "Arbiter -> human: Speak, mortal.";

#[test]
fn a_short_limit_is_waited_out_by_the_program_itself() {
    let Some(stage) = meets("", [Step::status(429).header("retry-after", "5")]) else { return };
    let house = stage.begin();
    stage.wait_for(SPOKEN);
    assert_eq!(waits(&stage), []);
    house.stops();
}

#[test]
fn a_long_limit_parks_the_session_until_the_time_that_was_named() {
    let Some(stage) = meets("", [Step::status(429).header("retry-after", "300")]) else { return };
    let house = stage.begin();
    stage.wait_for("Waits s1 limit");
    let (at, wait) = waits(&stage).remove(0);
    assert_eq!(wait.kind, WaitKind::Limit);
    let named = wait.until.0.saturating_sub(at.0);
    assert!((290_000..=300_500).contains(&named), "{named}");
    let shown = stage.tell(&["show"]);
    assert!(!shown.contains("at work") && shown.contains("retrying in"), "{shown}");
    // Nothing is tried meanwhile, and a new start knows the time.
    assert_eq!(stage.api.requests().len(), 1, "{}", stage.story());
    house.stops();
    let house = stage.resume();
    stage.wait_for("Restarted run 2");
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(stage.api.requests().len(), 1, "{}", stage.story());
    // The person knows better.
    stage.tell(&["mission", "resume", &stage.id()]);
    stage.wait_for(SPOKEN);
    house.stops();
}

#[test]
fn a_storm_of_overload_is_the_houses_to_wait_out() {
    let Some(stage) = meets("", [Step::status(529).times(4)]) else { return };
    let house = stage.begin();
    stage.wait_for("Waits s1 backoff");
    assert!(stage.api.requests().len() <= 4, "{}", stage.story());
    stage.wait_for(SPOKEN);
    house.stops();
}

#[test]
fn an_answer_that_breaks_off_is_asked_for_again() {
    let cut = Step::say("half of it").cut(Place::AfterBlock(1), How::Reset);
    let Some(stage) = meets("", [cut]) else { return };
    let house = stage.begin();
    stage.wait_for(SPOKEN);
    house.stops();
}

#[test]
fn a_turn_without_a_typed_output_is_asked_for_one() {
    // The program asks once more by itself; then the house does.
    let chats = || Step::say("Well, let me think.");
    let Some(stage) = meets("", [chats(), chats()]) else { return };
    let house = stage.begin();
    stage.wait_for(SPOKEN);
    assert_eq!(stage.count("Malformed s1"), 1, "{}", stage.story());
    house.stops();
}
