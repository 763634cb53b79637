//! Replays a recording without the world: a bare mind gets the events that a mission got, and the same laws are checked
//! after every event. A play that still breaks its law here needs no disk, no crash and no dice.

use std::collections::BTreeSet;

use mind::{Address, AgentEvent, Entry, Event, State, Timestamp};

use super::laws::Laws;
use super::recording::{self, Told};
use super::{COMPARE_EVERY, Law};

/// Tells a bare mind everything that the lines of a play say. The test that a failing world prints calls this.
///
/// # Panics
///
/// When a law is broken, and when a line cannot be read.
pub fn again(play: &str) {
    again_under(play, None);
}

/// As [`again`], with one more law.
///
/// # Panics
///
/// When a law is broken, and when a line cannot be read.
pub fn again_under(play: &str, law: Option<Law>) {
    let mut bare = Bare::under(law);
    for told in recording::read(play) {
        bare.hear(&told);
    }
    bare.compare();
}

/// Where a bare mind gets when it is told all this.
pub(super) fn state_after(told: &[Told]) -> State {
    let mut bare = Bare::default();
    told.iter().for_each(|told| bare.hear(told));
    bare.state
}

/// A mind without a world.
#[derive(Debug, Default)]
pub(super) struct Bare {
    pub(super) state: State,
    /// The sum of the facts as they come back from their stored form.
    replica: State,
    laws: Laws,
    law: Option<Law>,
    /// Lives that said that they wait for a person.
    waiting: BTreeSet<Address>,
    heard: usize,
}

impl Bare {
    /// With one more law.
    pub(super) fn under(law: Option<Law>) -> Bare {
        Bare { law, ..Bare::default() }
    }

    pub(super) fn hear(&mut self, told: &Told) {
        self.heard += 1;
        let (at, event) = (Timestamp(told.at), &told.event);
        if let Event::Agent(address, AgentEvent::AwaitsHuman(true)) = event {
            self.waiting.insert(*address);
        }
        let before = self.state.clone();
        let step = before.decide(event.clone(), at);
        let mut bodies = Vec::new();
        for fact in &step.facts {
            Laws::before_fact(&self.state, fact);
            let entry = Entry { at, fact: fact.clone() };
            self.state.apply(&entry);
            let body = serde_json::to_string(&entry).unwrap_or_else(|error| panic!("{entry:?}: {error}"));
            let stored = serde_json::from_str(&body).unwrap_or_else(|error| panic!("{body}: {error}"));
            self.replica.apply(&stored);
            bodies.push(body);
        }
        Laws::after_event(&before, &self.state, event, &step, at);
        if let Some(law) = self.law {
            law(&self.state, event);
        }
        self.laws.appending(&bodies, &self.state);
        self.laws.synced(false);
        for effect in &step.effects {
            self.laws.performed.performing(effect, &self.state);
        }
        Laws::every_life_waits_by_its_own_word(&self.state, |address| self.waiting.contains(&address));
        if self.state.ended.is_some() {
            self.laws.judge(&self.state);
        }
        if (self.heard as u64).is_multiple_of(COMPARE_EVERY) {
            self.compare();
        }
    }

    pub(super) fn compare(&self) {
        assert_eq!(self.replica, self.state, "replay differs from the live state");
    }
}
