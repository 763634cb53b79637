//! What people and agents do with a petition, judged under the lock against the petition as it stands. An act whose caller
//! was not told that it is done, because its file could not follow or the process died, is done when it is repeated.

use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{
    AnswerChoice, Petition, PetitionChange, PetitionId, PetitionRefusal, SeenQuestion, Unwithdrawn,
};

use crate::docket::{Docket, StoredPetition};
use crate::error::DocketError;
use crate::ledger::LedgerLine;
use crate::open_petition::{Missing, OpenPetition};
use crate::reconcile::answers_another_question;
use crate::transaction::{Transaction, unreadable};

/// What is to become of a petition.
pub(crate) enum PetitionAct<'a> {
    Answer {
        decision: &'a str,
        choice: AnswerChoice,
        seen: &'a SeenQuestion,
    },
    /// One decision is handed over, or all of it.
    Assign {
        decision: Option<&'a str>,
        to: &'a str,
    },
    Submit,
    Withdraw {
        why: &'a str,
    },
}

/// Why an act changes nothing.
enum ActRefusal {
    /// The petition as it stands does not allow it.
    Refused(PetitionRefusal),
    /// Another agent asked it.
    NotYours,
}

impl From<PetitionRefusal> for ActRefusal {
    fn from(refusal: PetitionRefusal) -> ActRefusal {
        ActRefusal::Refused(refusal)
    }
}

impl From<Unwithdrawn> for ActRefusal {
    fn from(unwithdrawn: Unwithdrawn) -> ActRefusal {
        match unwithdrawn {
            Unwithdrawn::Closed(closed) => ActRefusal::Refused(PetitionRefusal::Closed(closed)),
            Unwithdrawn::NotYours => ActRefusal::NotYours,
        }
    }
}

impl PetitionAct<'_> {
    /// What it changes in the petition as it stands.
    fn judge(&self, case: &OpenPetition, by: &Actor) -> Result<PetitionChange, ActRefusal> {
        Ok(match self {
            PetitionAct::Answer { decision, choice, seen } => {
                case.petition.answer(decision, choice.clone(), seen, by)?
            }
            PetitionAct::Assign { decision, to } => case.petition.assign(*decision, to, by)?,
            PetitionAct::Submit => submit(case)?,
            PetitionAct::Withdraw { why } => case.petition.withdraw(why, by)?,
        })
    }

    /// The line by which exactly this act of this actor stands.
    fn standing<'c>(&self, case: &'c OpenPetition, by: &Actor) -> Option<&'c LedgerLine> {
        let mut lines = case.history.iter();
        let line = match self {
            PetitionAct::Answer { decision, .. } => {
                lines.rfind(|line| line.decision().is_some_and(|about| **about == **decision))
            }
            PetitionAct::Assign { decision, .. } => {
                lines.rfind(|line| line.assigned().is_some_and(|(whose, _)| whose == *decision))
            }
            PetitionAct::Submit | PetitionAct::Withdraw { .. } => lines.find(|line| line.closes()),
        };
        line.filter(|line| line.by == *by && self.is_said(&case.petition, &line.change))
    }

    fn is_said(&self, petition: &Petition, said: &PetitionChange) -> bool {
        match (self, said) {
            (
                PetitionAct::Answer { decision, choice, .. },
                PetitionChange::Answered { choice: given, digest, .. }
                | PetitionChange::Changed { choice: given, digest, .. }
                | PetitionChange::Late { choice: given, digest, .. },
            ) => petition.decision(decision).is_some_and(|decision| {
                // It was given to the question that is there.
                decision.accept(choice.clone()).is_ok_and(|choice| choice == *given)
                    && *digest == petition.digest(decision)
            }),
            (PetitionAct::Assign { to, .. }, PetitionChange::Assigned { to: given, .. }) => {
                to.trim() == &**given
            }
            (PetitionAct::Submit, PetitionChange::Submitted) => true,
            (PetitionAct::Withdraw { why }, PetitionChange::Withdrawn { why: given }) => {
                Petition::reason(why) == *given
            }
            (
                PetitionAct::Answer { .. }
                | PetitionAct::Assign { .. }
                | PetitionAct::Submit
                | PetitionAct::Withdraw { .. },
                PetitionChange::Asked
                | PetitionChange::Answered { .. }
                | PetitionChange::Changed { .. }
                | PetitionChange::Late { .. }
                | PetitionChange::Assigned { .. }
                | PetitionChange::Submitted
                | PetitionChange::Withdrawn { .. }
                | PetitionChange::Expired { .. },
            ) => false,
        }
    }
}

/// Does it, or says why not.
pub(crate) fn act(
    docket: &Docket,
    id: &PetitionId,
    act: &PetitionAct<'_>,
    by: &Actor,
    now: Timestamp,
) -> Result<StoredPetition, DocketError> {
    let mut transaction = Transaction::begin(docket, now)?;
    let mut case = match transaction.by_id(id) {
        Ok(case) => case,
        Err(Missing::Unknown | Missing::Gone(_)) => {
            // Another program may have added the file, or a person renamed it.
            drop(transaction);
            docket.record_changes(now)?;
            transaction = Transaction::begin(docket, now)?;
            transaction.by_id(id).map_err(|missing| without_file(unreadable(missing, id)))?
        }
        Err(missing) => return Err(without_file(unreadable(missing, id))),
    };
    let refused = match act.judge(&case, by) {
        Ok(change) => {
            case.add(docket, change, by, transaction.now)?;
            None
        }
        Err(no) => Some(no),
    };
    let was_behind = !case.agrees();
    let written = if was_behind { transaction.commit_one(&mut case) } else { Ok(()) };
    let Some(no) = refused else { return written.map(|()| case.stored(docket)) };
    let stands = act.standing(&case, by).map(|line| line.seq);
    match (written, stands) {
        // It was done before, and the file still cannot follow.
        (Err(source @ DocketError::Disk { .. }), Some(_)) => return Err(case.recorded(docket, source)),
        // It is refused, whatever becomes of a file that was behind before.
        (Ok(()) | Err(DocketError::Disk { .. } | DocketError::Recorded { .. }), _) => {}
        (Err(error), _) => return Err(error),
    }
    // It was done before, and its caller was not told so; nothing is left to do now.
    if let Some(line) = stands
        && (transaction.owes(line) || was_behind)
    {
        transaction.tell(line);
        return Ok(case.stored(docket));
    }
    match no {
        ActRefusal::Refused(refusal) => {
            Err(DocketError::Refused { refusal, petition: Box::new(case.petition) })
        }
        ActRefusal::NotYours => Err(DocketError::NotYours { id: case.id, agent: case.petition.agent }),
    }
}

/// A petition that is recorded and whose file is not in its place yet can be seen, and nothing can be done with it.
pub(crate) fn without_file(error: DocketError) -> DocketError {
    if let DocketError::Recorded { source, .. } = error { *source } else { error }
}

/// Submits, if each answer was given to the question that is there.
fn submit(case: &OpenPetition) -> Result<PetitionChange, ActRefusal> {
    let submitted = case.petition.submit()?;
    let new = case.lines.iter().map(|entry| &entry.change);
    let said = case.history.iter().map(|record| &record.change).chain(new);
    if answers_another_question(&case.petition, said) {
        return Err(ActRefusal::Refused(PetitionRefusal::QuestionChanged));
    }
    Ok(submitted)
}
