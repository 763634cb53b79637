//! What must hold after every event, whatever happened. A breach is a defect of the mind, and the play stops there.

use crate::effect::{Effect, SessionCommand};
use crate::event::Event;
use crate::fact::{Entry, Fact, SessionFact, TurnFact};
use crate::id::{Address, TurnId};
use crate::session::{Session, WaitKind};
use crate::state::{State, Step};
use crate::waiting_on::WaitingOn;

/// The entry as a reader of the journal gets it.
pub(super) fn stored(entry: &Entry) -> Entry {
    let text = serde_json::to_string(entry).unwrap_or_else(|e| panic!("cannot be stored: {entry:?}: {e}"));
    let back: Entry = serde_json::from_str(&text).unwrap_or_else(|e| panic!("cannot be read: {text}: {e}"));
    assert_eq!(&back, entry, "the stored form differs: {text}");
    back
}

/// A turn begins only where none is in flight.
pub(super) fn one_turn_in_flight(state: &State, fact: &Fact) {
    let Fact::Session(
        id,
        SessionFact::Turn(TurnFact::Prompted { .. })
        | SessionFact::Turn(TurnFact::InterjectionBecameTurn { .. }),
    ) = fact
    else {
        return;
    };
    let busy = state.sessions.get(id).is_some_and(|session| session.turns.current.is_some());
    assert!(!busy, "a second turn in flight: {fact}");
    let ours = matches!(fact, Fact::Session(_, SessionFact::Turn(TurnFact::Prompted { .. })));
    assert!(!ours || !state.paused, "a turn begins in a pause: {fact}");
}

/// Checks a state and the step that led to it.
pub(super) fn assert_all(state: &State, replica: &State, event: &Event, step: &Step) {
    assert!(!step.facts.is_empty() || !step.effects.is_empty(), "no fact and no effect: {event:?}");
    assert_eq!(state, replica, "replay differs after {event:?}");
    assert!(!state.is_stuck(), "the mission waits for no one after {event:?}");
    every_wait_has_a_deadline(state, event);
    let workers = state.live_sessions().filter(|session| session.is_worker()).count();
    assert!(workers <= 1, "{workers} workers at once after {event:?}");
    let wake = state.on_start();
    assert_eq!(wake, state.on_start(), "two answers to what is owed");
    if state.ended.is_none() {
        assert_eq!(in_flight(state), delivered(&wake), "what is owed differs from what is in flight");
    }
    for (address, turn) in delivered(&step.effects) {
        assert!(in_flight(state).contains(&(address, turn)), "{turn} is delivered but not in flight");
    }
}

/// A session that the mission waits for has a deadline, unless the session itself waits for a person.
fn every_wait_has_a_deadline(state: &State, event: &Event) {
    let WaitingOn::Session(id) = state.waiting_on() else { return };
    let by_person =
        state.sessions.get(&id).is_some_and(|session| session.awaits_person() || session.wants_login());
    assert!(
        by_person || state.paused || state.deadline().is_some(),
        "{id} is waited for without end after {event:?}"
    );
}

/// Turns that a session has or should have; one that waits for its next try is not given before that.
fn in_flight(state: &State) -> Vec<(Address, TurnId)> {
    let parked =
        |session: &&Session| session.health.wait.as_ref().is_some_and(|wait| wait.kind != WaitKind::Revival);
    let sessions = state.live_sessions().filter(|session| !parked(session));
    let turns = sessions.map(|session| (session.address(), session.turns.current.as_ref()));
    turns.filter_map(|(address, turn)| Some((address, turn?.id))).collect()
}

fn delivered(effects: &[Effect]) -> Vec<(Address, TurnId)> {
    let deliveries = effects.iter().map(|effect| {
        let Effect::Session(address, SessionCommand::Deliver { turn, .. }) = effect else { return None };
        Some((*address, *turn))
    });
    deliveries.flatten().collect()
}
