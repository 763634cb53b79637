//! The petitions that a mission asked in the docket, and what became of each.

use std::sync::Arc;

use crate::fact::DocketFact;
use crate::id::Timestamp;
use crate::petition::{
    Answered, ClosedPetition, Petition, PetitionChange, PetitionDraft, PetitionEnd, PetitionId,
    PetitionSubject,
};
use crate::state::State;

/// A petition that the mission asked.
#[derive(Debug, Clone, PartialEq)]
pub struct MissionPetition {
    pub subject: PetitionSubject,
    pub draft: Arc<PetitionDraft>,
    pub at: Timestamp,
    /// How it ended; none while it is open.
    pub outcome: Option<Outcome>,
    /// The start of the mission loop (its number) in which that happened.
    pub run: u32,
    /// Decisions that were answered after that.
    pub late: Vec<Arc<str>>,
}

/// What became of a petition.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The answers came.
    Decided { answers: Vec<Answered>, at: Timestamp },
    /// The answers were bound to another question than was asked.
    Void,
    /// The mission needed it no more.
    Withdrawn(Arc<str>),
    /// It was closed elsewhere, or could not be asked.
    Closed(Arc<str>),
}

impl MissionPetition {
    /// The petition as far as the mission knows it.
    pub fn petition(&self, id: &PetitionId) -> Petition {
        let mut petition = self.draft.petition(id.clone(), self.at);
        let (end, at, why) = match &self.outcome {
            None => return petition,
            Some(Outcome::Decided { answers, at }) => {
                for answer in answers {
                    let (decision, choice, digest) =
                        (answer.decision.clone(), answer.choice.clone(), answer.digest.clone());
                    let change = PetitionChange::Answered { decision, choice, digest, instead_of: None };
                    petition.apply(&change, &answer.by, answer.at);
                }
                (PetitionEnd::Completed, *at, None)
            }
            Some(Outcome::Void) => (PetitionEnd::Withdrawn, self.at, None),
            Some(Outcome::Withdrawn(why)) => (PetitionEnd::Withdrawn, self.at, Some(Arc::clone(why))),
            Some(Outcome::Closed(why)) => (PetitionEnd::Expired, self.at, Some(Arc::clone(why))),
        };
        petition.closed = Some(ClosedPetition { end, at, why });
        petition
    }
}

impl State {
    pub(crate) fn apply_docket(&mut self, id: &PetitionId, fact: &DocketFact, at: Timestamp) {
        let outcome = match fact {
            DocketFact::Asked { subject, draft } => {
                let raised = MissionPetition {
                    subject: *subject,
                    draft: Arc::clone(draft),
                    at,
                    outcome: None,
                    run: self.run,
                    late: Vec::new(),
                };
                self.petitions.insert(id.clone(), Arc::new(raised));
                return;
            }
            DocketFact::Decided { answers } => Outcome::Decided { answers: answers.clone(), at },
            DocketFact::Void { .. } => Outcome::Void,
            DocketFact::Withdrawn { why } => Outcome::Withdrawn(Arc::clone(why)),
            DocketFact::Closed { why } => Outcome::Closed(Arc::clone(why)),
            DocketFact::Late(answer) => {
                if let Some(raised) = self.petitions.get_mut(id) {
                    Arc::make_mut(raised).late.push(Arc::clone(&answer.decision));
                }
                return;
            }
        };
        let run = self.run;
        if let Some(raised) = self.petitions.get_mut(id) {
            let raised = Arc::make_mut(raised);
            (raised.outcome, raised.run) = (Some(outcome), run);
        }
    }

    /// Whether a petition waits for an answer.
    pub fn is_open(&self, id: &PetitionId) -> bool {
        self.petitions.get(id).is_some_and(|raised| raised.outcome.is_none())
    }

    /// Petitions that wait for an answer.
    pub fn open_petitions(&self) -> impl Iterator<Item = (&PetitionId, &MissionPetition)> {
        let all = self.petitions.iter().map(|(id, raised)| (id, raised.as_ref()));
        all.filter(|(_, raised)| raised.outcome.is_none())
    }
}
