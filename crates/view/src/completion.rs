//! How a petition ended: submitted, withdrawn or expired; when, by whom and why. And what became of the petitions of a
//! mission, answer by answer.

use mind::Timestamp;
use mind::actor::Actor;
use mind::mission_petition::{MissionPetition, Outcome};
use mind::petition::{ClosedPetition, Petition, PetitionEnd};
use serde::Serialize;

use crate::actor::actor_words;
use crate::decision::said;
use crate::line::{line, some_line};
use crate::provenance::ago;

/// How a petition ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Completion {
    pub end: PetitionEnd,
    /// "withdrawn 2m ago by the agent ceo: no need"
    pub text: String,
    pub since: String,
    pub by: Option<String>,
    pub why: Option<String>,
}

/// What became of one question of a mission, or of a petition that ended without answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeRow {
    /// The question; none if nothing was answered.
    pub decision: Option<String>,
    /// The answer, or why there is none.
    pub text: String,
    pub by: Option<String>,
    pub at: Option<Timestamp>,
}

/// How it ended. A petition does not say by whom: the ledger does, and the door that ended it.
#[must_use]
pub fn completion(closed: &ClosedPetition, by: Option<&Actor>, now: Timestamp) -> Completion {
    let (since, by) = (ago(closed.at, now), by.map(actor_words));
    let why = closed.why.as_deref().and_then(some_line);
    // What expires is ended by its deadline alone.
    let whose = by.as_ref().filter(|_| closed.end != PetitionEnd::Expired);
    let whose = whose.map(|by| format!(" by {by}")).unwrap_or_default();
    let reason = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
    let text = format!("{} {since}{whose}{reason}", word(closed.end));
    Completion { end: closed.end, text, since, by, why }
}

/// The session that hears of the end, on one line.
#[must_use]
pub fn notified(petition: &Petition) -> Option<String> {
    petition.notify_session.as_deref().and_then(some_line)
}

/// An end in one word.
#[must_use]
pub fn word(end: PetitionEnd) -> &'static str {
    match end {
        PetitionEnd::Completed => "submitted",
        PetitionEnd::Withdrawn => "withdrawn",
        PetitionEnd::Expired => "expired",
    }
}

/// What became of a mission's petition: a row for each answer, or one that says why there is none.
#[must_use]
pub fn outcome(asked: &MissionPetition) -> Vec<OutcomeRow> {
    let without = |text: String| vec![OutcomeRow { decision: None, text, by: None, at: None }];
    let answers = match &asked.outcome {
        Some(Outcome::Decided { answers, .. }) => answers,
        Some(Outcome::Void) => return without("void: the answer was to another question".to_owned()),
        Some(Outcome::Withdrawn(why)) => return without(format!("withdrawn: {}", line(why))),
        Some(Outcome::Closed(why)) => return without(format!("closed: {}", line(why))),
        None => return without("open".to_owned()),
    };
    let petition = asked.petition(&mind::petition::PetitionId::from(""));
    let rows = answers.iter().map(|answer| {
        let decision = petition.decision(&answer.decision);
        let text = decision.map_or_else(|| line(answer.choice.text()), |asked| said(asked, &answer.choice));
        let (decision, by) = (Some(line(&answer.decision)), Some(actor_words(&answer.by)));
        OutcomeRow { decision, text, by, at: Some(answer.at) }
    });
    rows.collect()
}
