//! Finding a petition: by its id, the beginning of its id, or its tag. A petition that agrees with its ledger lines is
//! read without the lock.

use mind::Timestamp;
use mind::petition::PetitionId;

use crate::docket::{Docket, PetitionPlace, StoredPetition, Summary};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{PetitionFile, Unread};
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
    let mut index = docket.current_index(now)?;
    if index.slot(&id)?.is_some() {
        return read(docket, &id, now);
    }
    let mut candidates: Vec<PetitionId> = index.slots()?.into_iter().map(|(id, _)| id).collect();
    candidates.retain(|id| !typed.is_empty() && id.0.starts_with(typed));
    candidates.sort();
    match candidates.as_slice() {
        [] => ended_before(docket, &id)?.ok_or(DocketError::Unknown { typed: typed.to_owned() }),
        [only] => read(docket, only, now),
        _ => Err(DocketError::Ambiguous { typed: typed.to_owned(), candidates }),
    }
}

/// Reads the petition of exactly this id.
pub(crate) fn read(docket: &Docket, id: &PetitionId, now: Timestamp) -> Result<StoredPetition, DocketError> {
    let found = match settle(docket, id, now) {
        Err(Missing::Gone(_)) => {
            // A person may have renamed the file.
            docket.record_changes(now)?;
            settle(docket, id, now)
        }
        found => found,
    };
    match found {
        Ok(case) => Ok(case.stored(docket)),
        // A reader gets what is recorded, even if the file is not in its place.
        Err(Missing::Disk(DocketError::Recorded { kept, .. })) => Ok(*kept),
        Err(missing) => Err(unreadable(missing, id)),
    }
}

/// Reads a petition, and records and writes what it needs.
pub(crate) fn settle(docket: &Docket, id: &PetitionId, now: Timestamp) -> Result<OpenPetition, Missing> {
    match glance(docket, now, |shelf| shelf.by_id(id)) {
        Ok(case) if case.agrees() => return Ok(case),
        // The petition is being changed, or must be: only a read under the lock is sure.
        Ok(_) | Err(Missing::Gone(_) | Missing::Misled | Missing::Disk(DocketError::Recorded { .. })) => {}
        Err(missing @ (Missing::Unknown | Missing::Malformed(..) | Missing::Disk(_))) => return Err(missing),
    }
    let mut transaction = Transaction::begin(docket, now)?;
    let mut case = transaction.by_id(id)?;
    if !case.agrees() {
        // What is recorded stands, even if the file cannot be written or moved.
        let is_recorded = case.lines.is_empty() || case.petition.closed.is_some();
        match transaction.commit_one(&mut case) {
            Ok(()) | Err(DocketError::Recorded { .. }) => {}
            Err(DocketError::Disk { .. }) if is_recorded => {}
            Err(error) => return Err(Missing::Disk(error)),
        }
    }
    Ok(case)
}

/// Reads without the lock.
pub(crate) fn glance(
    docket: &Docket,
    now: Timestamp,
    read: impl Fn(&mut Shelf<'_>) -> Result<OpenPetition, Missing>,
) -> Result<OpenPetition, Missing> {
    let mut index = docket.current_index(now)?;
    let ledger = docket.reader()?;
    let now = now.min(limits::MOMENT_MAX);
    read(&mut Shelf { docket, index: &mut index, ledger: &ledger, now })
}

/// The newest petition with this tag.
pub(crate) fn tagged(docket: &Docket, tag: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
    docket.record_changes(now)?;
    let mut summaries = Vec::new();
    for (_, slot) in docket.current_index(now)?.slots()? {
        summaries.extend(summary(docket, slot)?);
    }
    let summaries = summaries.into_iter();
    let newest = summaries.filter(|summary| *summary.tag == *tag).max_by_key(|summary| summary.created_at);
    match newest {
        Some(summary) => read(docket, &summary.id, now),
        None => Err(DocketError::Unknown { typed: tag.to_owned() }),
    }
}

/// Completed petitions, the newest first.
pub(crate) fn completed(docket: &Docket, now: Timestamp) -> Result<Vec<Summary>, DocketError> {
    let mut slots = docket.current_index(now)?.slots()?;
    slots.retain(|(_, slot)| !slot.open);
    slots.sort_by_key(|(_, slot)| std::cmp::Reverse(slot.head));
    let mut summaries = Vec::new();
    for (_, slot) in slots {
        summaries.extend(summary(docket, slot)?);
    }
    Ok(summaries)
}

/// None if its file is gone or no petition any more.
fn summary(docket: &Docket, slot: Slot) -> Result<Option<Summary>, DocketError> {
    let file = docket.path(slot.place, &slot.name);
    match slot.summary {
        Some(summary) => Ok(Some(Summary { file, ..summary })),
        None => match PetitionFile::read(docket.disk(), &file) {
            Ok(paper) => Ok(Some(Summary::of(paper.sheet.petition(), file))),
            Err(Unread::Missing | Unread::Malformed(_)) => Ok(None),
            Err(Unread::Disk(error)) => Err(error),
        },
    }
}

/// A petition that was completed before the ledger began: the name of its file contains its id.
fn ended_before(docket: &Docket, id: &PetitionId) -> Result<Option<StoredPetition>, DocketError> {
    let part = names::of_id(id);
    let folder = docket.place(PetitionPlace::Completed);
    let mut names = docket.disk().names(&folder)?;
    names.retain(|name| names::is_petition(name) && name.contains(&part));
    for file in names.iter().map(|name| folder.join(name)) {
        let petition = match PetitionFile::read(docket.disk(), &file) {
            Ok(paper) => paper.sheet.petition().clone(),
            Err(Unread::Missing | Unread::Malformed(_)) => continue,
            Err(Unread::Disk(error)) => return Err(error),
        };
        if petition.id == *id {
            let (place, records) = (PetitionPlace::Completed, Vec::new());
            return Ok(Some(StoredPetition { petition, file, place, records }));
        }
    }
    Ok(None)
}
