//! What a mission still owes or is owed: by whom, what, until when. Only a person is waited for without a limit.

use mind::mission_petition::MissionPetition;
use mind::petition::{PetitionId, PetitionSubject};
use mind::{State, Timestamp};
use serde::Serialize;

/// Something that is still to come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OwedView {
    /// "the program", "you", or a session.
    pub by: String,
    pub what: String,
    pub until: Option<Timestamp>,
}

/// Everything that is still to come; nothing once the mission is over.
#[must_use]
pub fn owed(state: &State) -> Vec<OwedView> {
    if state.ended.is_some() {
        return Vec::new();
    }
    let owes = |by: &str, what: String, until| OwedView { by: by.to_owned(), what, until };
    let mut owed = Vec::new();
    for session in state.live_sessions() {
        let who = session.profile.speaker().to_string();
        match (&session.health.wait, &session.turns.current) {
            (Some(wait), _) => {
                let what = format!("another try for {who} ({})", wait.why);
                owed.push(owes("the program", what, Some(wait.until)));
            }
            (None, Some(_)) if session.awaits_person() => {
                owed.push(owes("a person", format!("what {who} waits for"), None));
            }
            (None, Some(turn)) => {
                owed.push(owes(&who, format!("the end of turn {}", turn.id.0), state.deadline()));
            }
            (None, None) => {}
        }
    }
    if let Some(gate) = &state.gate {
        let limit = state.charter.as_ref().map_or(0, |charter| charter.check_limit_ms);
        let until = Timestamp(state.now.0.saturating_add(limit));
        owed.push(owes("the program", format!("claim {} at the gate", gate.id), Some(until)));
    }
    if state.question.is_some() {
        owed.push(owes("you", "an answer".to_owned(), None));
    }
    for (petition, raised) in open_petitions(state) {
        if let PetitionSubject::Session(_) = raised.subject {
            owed.push(owes("you", format!("the answers to petition {petition}"), raised.draft.deadline));
        }
    }
    owed
}

/// Petitions of the mission that wait for an answer, the oldest first.
#[must_use]
pub fn open_petitions(state: &State) -> Vec<(&PetitionId, &MissionPetition)> {
    let mut open: Vec<_> = state.open_petitions().collect();
    open.sort_by_key(|(_, raised)| raised.at);
    open
}

/// How many decisions the mission itself asks for: permissions, and a question that asks for more than words.
#[must_use]
pub fn own_decisions(state: &State) -> usize {
    let question = state.question.and_then(|id| state.message(id));
    let wants = question.is_some_and(|message| message.asks.is_some() || !message.decisions.is_empty());
    state.open_permissions().count() + usize::from(wants)
}
