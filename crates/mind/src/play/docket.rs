//! The docket in a play: what a session wants of it, and what became of a petition. Petitions are called by their number,
//! in the order of asking.

use std::sync::Arc;

use crate::actor::{Actor, Door};
use crate::event::{DocketCall, DocketEvent, Event};
use crate::petition::{AnswerChoice, Answered, DraftDecision, PetitionDraft, PetitionId};
use crate::talk::DecisionOption;

use super::Stage;

impl Stage {
    /// `push TITLE [KEY, KEY]`, `status 1`, `get 1 [partial]`, `await 1`.
    pub(super) fn plea(&self, text: &str) -> DocketCall {
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        match verb {
            "push" => DocketCall::Push(Arc::new(draft(rest))),
            "status" => DocketCall::Status(self.petition(rest)),
            "get" => {
                let (which, partial) = rest.split_once(' ').unwrap_or((rest, ""));
                DocketCall::Get { id: self.petition(which), partial: partial == "partial" }
            }
            "await" => DocketCall::Await(self.petition(rest)),
            other => panic!("the docket cannot be asked to {other:?}"),
        }
    }

    /// `docket 1 decided [forged] [by policy|by file]: ID=ANSWER | ID=ANSWER`, `late: ID=ANSWER`, `closed: WHY`, `unasked: WHY`,
    /// `delayed: WHY`.
    pub(super) fn docket_event(&self, words: &[&str], text: &str) -> Event {
        let [which, verb, how @ ..] = words else { panic!("docket NUMBER VERB: ..., not {words:?}") };
        let id = self.petition(which);
        let answers = || text.split(" | ").map(|part| self.answered(&id, part, how)).collect::<Vec<_>>();
        let event = match *verb {
            "decided" => DocketEvent::Decided { answers: answers() },
            "late" => DocketEvent::Late(answers().remove(0)),
            "closed" => DocketEvent::Closed { why: Arc::from(text) },
            "delayed" => DocketEvent::Delayed { why: Arc::from(text) },
            "unasked" => DocketEvent::Unasked { why: Arc::from(text) },
            other => panic!("a petition cannot be {other:?}"),
        };
        Event::Docket(id, event)
    }

    fn petition(&self, which: &str) -> PetitionId {
        let Ok(nth) = which.parse::<usize>() else { return PetitionId::from(which) };
        let mut all: Vec<_> = self.state.petitions.iter().collect();
        all.sort_by_key(|(_, raised)| raised.at);
        let found = all.get(nth.wrapping_sub(1)).map(|(id, _)| (*id).clone());
        found.unwrap_or_else(|| panic!("there is no petition {which}"))
    }

    fn answered(&self, id: &PetitionId, part: &str, how: &[&str]) -> Answered {
        let (decision, answer) = part.split_once('=').unwrap_or_else(|| panic!("ID=ANSWER, not {part:?}"));
        let raised = self.state.petitions.get(id).unwrap_or_else(|| panic!("there is no petition {id}"));
        let petition = raised.draft.petition(id.clone(), raised.at);
        let shown = petition.decision(decision).map(|decision| petition.digest(decision));
        let shown = shown.filter(|_| !how.contains(&"forged")).unwrap_or(Arc::from("another"));
        let by = match how {
            [.., "by", "policy"] => Actor::Policy(Arc::from("default")),
            [.., "by", "file"] => Actor::human(Door::File, "ada"),
            _ => Actor::human(Door::Cli, "ada"),
        };
        let choice = match answer {
            "skip" => AnswerChoice::Skipped,
            text => AnswerChoice::Answer(Arc::from(text)),
        };
        Answered { decision: Arc::from(decision), choice, by, at: self.now(), digest: shown }
    }
}

fn draft(text: &str) -> PetitionDraft {
    let (title, keys) = text.split_once(" [").unwrap_or((text, ""));
    let keys = keys.trim_end_matches(']').split(", ").filter(|key| !key.is_empty());
    let options: Vec<DecisionOption> =
        keys.map(|key| DecisionOption { key: key.to_owned(), label: key.to_uppercase() }).collect();
    let decision = DraftDecision {
        id: Arc::from("way"),
        title: Arc::from("Which way?"),
        allow_custom: options.is_empty().then_some(true),
        options,
        ..DraftDecision::default()
    };
    PetitionDraft {
        title: Arc::from(title),
        tag: Arc::from("bridge"),
        decisions: vec![decision],
        ..PetitionDraft::default()
    }
}
