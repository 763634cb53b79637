//! What happened to a petition, a line of the ledger each: "answered db: pg", by whom.

use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, PetitionChange};
use serde::Serialize;

use crate::line::line;
use crate::provenance::by_whom_through;

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeView {
    pub text: String,
    pub by: String,
}

/// What happened, and who did it through which door.
#[must_use]
pub fn change(change: &PetitionChange, by: &Actor, door: Door) -> ChangeView {
    let decided = |verb: &str, decision: &str, choice: &AnswerChoice| match choice {
        AnswerChoice::Answer(text) => format!("{verb} {} = {}", line(decision), line(text)),
        AnswerChoice::Skipped => format!("{verb} {}: skipped", line(decision)),
    };
    let ended = |verb: &str, why: &str| match line(why) {
        why if why.is_empty() => verb.to_owned(),
        why => format!("{verb}: {why}"),
    };
    let text = match change {
        PetitionChange::Asked => "asked".to_owned(),
        PetitionChange::Answered { decision, choice, .. } => decided("answered", decision, choice),
        PetitionChange::Changed { decision, choice, .. } => decided("changed", decision, choice),
        PetitionChange::Late { decision, choice, .. } => decided("late answer to", decision, choice),
        PetitionChange::Submitted => "submitted".to_owned(),
        PetitionChange::Withdrawn { why } => ended("withdrawn", why),
        PetitionChange::Expired { why } => ended("expired", why),
    };
    ChangeView { text, by: by_whom_through(by, door) }
}
