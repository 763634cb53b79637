//! What happened to a petition, a line of the ledger each: "answered db: pg", by whom.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, PetitionChange};
use serde::Serialize;

use crate::line::line;
use crate::provenance::{by_whom_through, instead_of};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangeView {
    pub text: String,
    pub by: String,
}

/// What happened, and who did it through which door.
#[must_use]
pub fn change(change: &PetitionChange, by: &Actor, door: Door) -> ChangeView {
    let decided = |verb: &str, decision: &str, choice: &AnswerChoice, instead: &Option<Arc<str>>| {
        let instead = instead.as_deref().map(|name| format!(", {}", instead_of(name))).unwrap_or_default();
        match choice {
            AnswerChoice::Answer(text) => format!("{verb} {} = {}{instead}", line(decision), line(text)),
            AnswerChoice::Skipped => format!("{verb} {}: skipped{instead}", line(decision)),
        }
    };
    let ended = |verb: &str, why: &str| match line(why) {
        why if why.is_empty() => verb.to_owned(),
        why => format!("{verb}: {why}"),
    };
    let text = match change {
        PetitionChange::Asked => "asked".to_owned(),
        PetitionChange::Answered { decision, choice, instead_of, .. } => {
            decided("answered", decision, choice, instead_of)
        }
        PetitionChange::Changed { decision, choice, instead_of, .. } => {
            decided("changed", decision, choice, instead_of)
        }
        PetitionChange::Late { decision, choice, instead_of, .. } => {
            decided("late answer to", decision, choice, instead_of)
        }
        PetitionChange::Assigned { decision: Some(decision), to } => {
            format!("handed {} to {}", line(decision), line(to))
        }
        PetitionChange::Assigned { decision: None, to } => format!("handed to {}", line(to)),
        PetitionChange::Submitted => "submitted".to_owned(),
        PetitionChange::Withdrawn { why } => ended("withdrawn", why),
        PetitionChange::Expired { why } => ended("expired", why),
    };
    ChangeView { text, by: by_whom_through(by, door) }
}
