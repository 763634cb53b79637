//! The round: one batch of events becomes facts and effects. The mission loop and the simulated worlds both call it; they
//! add the disk, the time and the failures. These rules of a batch stand only here:
//!
//! - a person's words come before whatever else is ready, so that no end passes them by;
//! - a batch is bounded, and its facts are written and synced together before any of its effects is performed;
//! - what is due rings at the end of every batch, however full the inbox is;
//! - a mission that is being stopped hears what was said before, but leaves what it would begin to its next start;
//! - the loop leaves when an effect says so; while it is being stopped, only if the mission is over.

use crate::effect::{Effect, Leave, MissionEffect};
use crate::event::Event;
use crate::fact::{Entry, Fact};
use crate::id::Timestamp;
use crate::limits;
use crate::state::{State, Step};

/// Whether the loop goes on after a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoopMode {
    /// It waits for the next batch.
    Running,
    /// A person or a signal stops it: what is in the inbox is heard, and nothing new is begun.
    Stopping,
}

/// What a batch came to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Round {
    /// What became true, in order: one batch of the journal, synced before anything is performed.
    pub entries: Vec<Entry>,
    /// What is performed after that.
    pub effects: Vec<Effect>,
    /// The loop leaves after that.
    pub leave: Option<Leave>,
}

/// Sees each event and fact of a round, and changes nothing.
pub trait Witness {
    /// An event is about to be decided.
    fn event(&mut self, _state: &State, _event: &Event) {}
    /// A fact is about to be applied.
    fn fact(&mut self, _state: &State, _fact: &Fact) {}
    /// The event has been decided, and its facts are applied.
    fn decided(&mut self, _state: &State, _step: &Step) {}
}

impl Witness for () {}

impl State {
    /// Takes the next batch from `events`; what is more than one batch holds stays there.
    pub fn round(
        &mut self,
        events: &mut Vec<Event>,
        mode: LoopMode,
        now: Timestamp,
        witness: &mut impl Witness,
    ) -> Round {
        events.sort_by_key(precedence);
        let mut round = Round::default();
        for event in events.drain(..events.len().min(limits::BATCH_EVENTS_MAX)) {
            round.take(self, event, now, witness);
        }
        if mode == LoopMode::Running && self.is_due(now) {
            round.take(self, Event::Alarm, now, witness);
        }
        round.end(self, mode)
    }

    /// A deadline has passed.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }
}

impl Round {
    fn take(&mut self, state: &mut State, event: Event, now: Timestamp, witness: &mut impl Witness) {
        witness.event(state, &event);
        let step = state.decide(event, now);
        for fact in &step.facts {
            witness.fact(state, fact);
            let entry = Entry { at: now, fact: fact.clone() };
            state.apply(&entry);
            self.entries.push(entry);
        }
        witness.decided(state, &step);
        self.effects.extend(step.effects);
    }

    fn end(mut self, state: &State, mode: LoopMode) -> Round {
        let leave = self.effects.iter().find_map(|effect| match effect {
            Effect::Mission(MissionEffect::Leave(why)) => Some(*why),
            Effect::Mission(MissionEffect::RemoveFromInbox { .. } | MissionEffect::Note { .. })
            | Effect::Spawn(_)
            | Effect::Session(..)
            | Effect::Workspace(_)
            | Effect::Docket(..)
            | Effect::Conductor(_) => None,
        });
        self.leave = leave.filter(|_| mode == LoopMode::Running || state.ended.is_some());
        if mode == LoopMode::Stopping && self.leave.is_none() {
            self.effects.retain(is_record);
        }
        self
    }
}

fn precedence(event: &Event) -> u8 {
    match event {
        Event::Opened(_) | Event::LimitsSet(_) | Event::Started | Event::Attended(_) | Event::Docket(..) => 0,
        Event::Human(_) => 1,
        Event::Agent(..) | Event::Workshop(_) | Event::Conductor(_) | Event::Alarm => 2,
    }
}

/// The effect only tidies up after facts that are stored already, and begins nothing.
fn is_record(effect: &Effect) -> bool {
    matches!(effect, Effect::Mission(MissionEffect::RemoveFromInbox { .. } | MissionEffect::Note { .. }))
}
