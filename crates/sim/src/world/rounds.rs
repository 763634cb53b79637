//! The laws of every round, judged by its outcome: a person's words are not passed by, a mission that is being stopped
//! begins nothing and records what it heard, an end is reported, and nothing that is due is left.

use std::sync::Arc;

use mind::effect::{MissionEffect, SessionCommand};
use mind::{Effect, Event, LoopMode, Round, State, Timestamp};

/// A round, and whose event ended the mission in it.
pub(super) struct Turned {
    pub(super) round: Round,
    pub(super) ended_by_person: bool,
}

/// What a batch must come to, told by what was in it before its round.
pub(super) struct BatchLaws {
    over: bool,
    letters: Vec<Arc<str>>,
}

impl BatchLaws {
    pub(super) fn of(state: &State, events: &[Event]) -> BatchLaws {
        let letters = events.iter().filter_map(|event| {
            let Event::Human(human) = event else { return None };
            Some(human.inbox_id.clone())
        });
        BatchLaws { over: state.ended.is_some(), letters: letters.collect() }
    }

    /// The round is made; nothing of it is written or performed yet. What a person says behind words of their own that
    /// ended the mission comes too late, and stays in the inbox.
    pub(super) fn judge(&self, turned: &Turned, state: &State, mode: LoopMode, now: Timestamp) {
        let Turned { round, ended_by_person } = turned;
        let ends = state.ended.is_some();
        let in_time = |letter: &&Arc<str>| !ended_by_person || state.received.contains(*letter);
        for letter in self.letters.iter().filter(|_| !self.over).filter(in_time) {
            assert!(state.received.contains(letter), "an end passed by {letter}, which was ready before it");
            let gone = Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id: letter.clone() });
            assert!(round.effects.contains(&gone), "{letter} is a fact, and stays in the inbox");
        }
        match mode {
            LoopMode::Running => assert!(!state.is_due(now), "something is due, and was not done"),
            LoopMode::Stopping => {
                assert_eq!(round.leave.is_some(), ends, "a stop and an end are taken for one another");
                let begun = round.effects.iter().find(|effect| begins(effect));
                assert!(ends || begun.is_none(), "something is begun while it stops: {begun:?}");
            }
        }
    }
}

fn begins(effect: &Effect) -> bool {
    match effect {
        Effect::Spawn(_) | Effect::Workspace(_) | Effect::Docket(..) | Effect::Conductor(_) => true,
        Effect::Session(_, SessionCommand::End) | Effect::Mission(_) => false,
        Effect::Session(..) => true,
    }
}
