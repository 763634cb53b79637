//! Withdrawing a petition whose file was removed. The ledger still knows it, but no person could answer it any more;
//! the withdrawal is recorded in the ledger alone, without a file.

use std::sync::Arc;

use mind::Timestamp;
use mind::actor::Actor;
use mind::petition::{Petition, PetitionChange, PetitionDraft, PetitionId, PetitionRefusal, Unwithdrawn};

use crate::act::without_file;
use crate::docket::{Docket, PetitionPlace, StoredPetition};
use crate::error::DocketError;
use crate::ledger::LedgerLine;
use crate::ledger::append::Entry;
use crate::open_petition::Missing;
use crate::transaction::{Transaction, unreadable};

/// Records that the petition is withdrawn. Its first ledger line is all that is known of it.
pub(crate) fn withdraw(
    docket: &Docket,
    id: &PetitionId,
    why: &str,
    by: &Actor,
    now: Timestamp,
) -> Result<StoredPetition, DocketError> {
    let mut transaction = Transaction::begin(docket, now)?;
    let now = transaction.now;
    let gone = || DocketError::Gone { id: id.clone() };
    match transaction.by_id(id) {
        Err(Missing::Gone(_)) => {}
        // The file was put back a moment ago: the caller that tries again finds it.
        Ok(_) => return Err(gone()),
        Err(missing) => return Err(without_file(unreadable(missing, id))),
    }
    let (mut history, head) = transaction.history(id)?.ok_or_else(gone)?;
    let asked = history.first().ok_or_else(gone)?;
    let mut petition = remembered(id, asked);
    let file = docket.path(PetitionPlace::Completed, asked.file.as_deref().unwrap_or_default());
    let place = PetitionPlace::Completed;
    if let Some(closing) = history.iter().find(|record| record.closes()) {
        petition.apply(&closing.change, &closing.by, closing.at);
        let withdrawn = PetitionChange::Withdrawn { why: Petition::reason(why) };
        // It was done before, and its caller was not told so.
        if closing.by == *by && closing.change == withdrawn && transaction.owes(closing.seq) {
            transaction.tell(closing.seq);
            return Ok(StoredPetition { petition, file, place, records: history });
        }
    }
    // The actor that pushed it may withdraw it, too: the mission loop pushes in the name of its sessions.
    let judged = match petition.withdraw(why, by) {
        Err(Unwithdrawn::NotYours) if *by == asked.by => petition.withdraw(why, &Actor::policy("asker")),
        judged => judged,
    };
    let change = match judged {
        Ok(change) => change,
        Err(Unwithdrawn::Closed(closed)) => {
            let refusal = PetitionRefusal::Closed(closed);
            return Err(DocketError::Refused { refusal, petition: Box::new(petition) });
        }
        Err(Unwithdrawn::NotYours) => {
            return Err(DocketError::NotYours { id: id.clone(), agent: petition.agent });
        }
    };
    petition.apply(&change, by, now);
    let entry =
        Entry { at: now, petition: id.clone(), change, by: by.clone(), door: docket.door(by), asked: None };
    history.extend(transaction.record_alone(entry, head)?);
    Ok(StoredPetition { petition, file, place, records: history })
}

/// The petition as its first ledger line describes it. The file's name stands for the title, which is lost.
fn remembered(id: &PetitionId, asked: &LedgerLine) -> Petition {
    let draft = PetitionDraft {
        agent: asked.agent.clone().unwrap_or_default(),
        tag: asked.tag.clone().unwrap_or_default(),
        title: asked.file.clone().unwrap_or_else(|| Arc::clone(&id.0)),
        priority: asked.priority.unwrap_or_default(),
        ..PetitionDraft::default()
    };
    draft.petition(id.clone(), asked.at)
}
