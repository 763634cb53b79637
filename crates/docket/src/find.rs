//! Finding a petition: by its id, the beginning of its id, or its tag. A petition that agrees with its ledger lines is
//! read without the lock.

use std::path::Path;

use mind::Timestamp;
use mind::petition::PetitionId;

use crate::docket::{Docket, PetitionPlace, StoredPetition, Summary};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::PetitionFile;
use crate::index::Slot;
use crate::limits;
use crate::open_petition::{Missing, OpenPetition, Shelf};
use crate::transaction::{Transaction, unreadable};

/// Finds by exactly this id, else by its beginning.
pub(crate) fn find(docket: &Docket, typed: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
    let id = PetitionId::from(typed);
    match read(docket, &id, now) {
        Err(DocketError::Unknown { .. }) => {}
        other => return other,
    }
    // Another program may have added the file a moment ago.
    docket.record_changes(now)?;
    let mut index = docket.index();
    if index.slot(&id)?.is_some() {
        return read(docket, &id, now);
    }
    let mut candidates: Vec<PetitionId> = index.slots()?.into_iter().map(|(id, _)| id).collect();
    candidates.retain(|id| !typed.is_empty() && id.0.starts_with(typed));
    candidates.sort();
    match candidates.as_slice() {
        [] => ended_before(docket, &id).ok_or(DocketError::Unknown { typed: typed.to_owned() }),
        [only] => read(docket, only, now),
        _ => Err(DocketError::Ambiguous { typed: typed.to_owned(), candidates }),
    }
}

/// Reads the petition of exactly this id.
pub(crate) fn read(docket: &Docket, id: &PetitionId, now: Timestamp) -> Result<StoredPetition, DocketError> {
    match glance(docket, now, |shelf| shelf.by_id(id)) {
        Ok(case) if case.agrees() => return Ok(case.stored(docket)),
        Err(Missing::Unknown) => return Err(DocketError::Unknown { typed: id.to_string() }),
        Err(missing @ (Missing::Malformed(..) | Missing::Disk(_))) => return Err(unreadable(missing, id)),
        // The petition is being changed, or must be: only a read under the lock is sure.
        Ok(_) | Err(Missing::Gone(_) | Missing::Misled) => {}
    }
    let mut transaction = Transaction::begin(docket, now)?;
    let mut case = match transaction.by_id(id) {
        Ok(case) => case,
        Err(Missing::Gone(_)) => {
            // A person may have renamed the file.
            drop(transaction);
            docket.record_changes(now)?;
            transaction = Transaction::begin(docket, now)?;
            transaction.by_id(id).map_err(|missing| unreadable(missing, id))?
        }
        Err(missing) => return Err(unreadable(missing, id)),
    };
    if !case.agrees() {
        // A reader gets what is recorded, even if the file cannot be moved.
        match transaction.commit_one(&mut case) {
            Ok(()) => {}
            Err(DocketError::Disk { .. }) if case.petition.closed.is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(case.stored(docket))
}

/// Reads without the lock.
pub(crate) fn glance(
    docket: &Docket,
    now: Timestamp,
    read: impl Fn(&mut Shelf<'_>) -> Result<OpenPetition, Missing>,
) -> Result<OpenPetition, Missing> {
    docket.whole(now)?;
    let ledger = docket.reader()?;
    let mut index = docket.index();
    let now = now.min(limits::MOMENT_MAX);
    read(&mut Shelf { docket, index: &mut index, ledger: &ledger, now })
}

/// The newest petition with this tag.
pub(crate) fn tagged(docket: &Docket, tag: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
    docket.record_changes(now)?;
    let slots = docket.index().slots()?;
    let summaries = slots.into_iter().filter_map(|(_, slot)| summary(docket, slot));
    let newest = summaries.filter(|summary| *summary.tag == *tag).max_by_key(|summary| summary.created_at);
    match newest {
        Some(summary) => read(docket, &summary.id, now),
        None => Err(DocketError::Unknown { typed: tag.to_owned() }),
    }
}

/// Completed petitions, the newest first.
pub(crate) fn completed(docket: &Docket) -> Result<Vec<Summary>, DocketError> {
    let mut slots = docket.index().slots()?;
    slots.retain(|(_, slot)| !slot.open);
    slots.sort_by_key(|(_, slot)| std::cmp::Reverse(slot.head));
    Ok(slots.into_iter().filter_map(|(_, slot)| summary(docket, slot)).collect())
}

fn summary(docket: &Docket, slot: Slot) -> Option<Summary> {
    let file = docket.path(slot.place, &slot.name);
    match slot.summary {
        Some(summary) => Some(Summary { file, ..summary }),
        None => Some(Summary::of(PetitionFile::read(docket.disk(), &file).ok()?.sheet.petition(), file)),
    }
}

/// A petition that was completed before the ledger began: the name of its file contains its id.
fn ended_before(docket: &Docket, id: &PetitionId) -> Option<StoredPetition> {
    let part = names::of_id(id);
    let folder = docket.place(PetitionPlace::Completed);
    let mut names = docket.disk().names(&folder);
    names.retain(|name| names::is_petition(name) && name.contains(&part));
    names.iter().find_map(|name| read_only(docket, &folder.join(name), id))
}

fn read_only(docket: &Docket, file: &Path, id: &PetitionId) -> Option<StoredPetition> {
    let petition = PetitionFile::read(docket.disk(), file).ok()?.sheet.petition().clone();
    let kept = StoredPetition {
        petition,
        file: file.to_owned(),
        place: PetitionPlace::Completed,
        records: Vec::new(),
    };
    (kept.petition.id == *id).then_some(kept)
}
