//! A change of the docket, from beginning to end: take the lock, finish what a dead process left half done, read,
//! record, write the files, write the recovery mark. What is recorded and synced happened; the files follow.

mod recover;
mod write;

pub(crate) use write::unreadable;

use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{PetitionChange, PetitionId};

use crate::docket::Docket;
use crate::error::DocketError;
use crate::files::Disk;
use crate::index::{Index, Slot, marks};
use crate::ledger::LedgerLine;
use crate::ledger::append::{Entry, Ledger};
use crate::limits;
use crate::open_petition::{Missing, OpenPetition, Shelf};
use crate::recovery_mark::RecoveryMark;
use crate::storage::OpenFile;

/// The lock of the docket, and everything that a change needs.
pub(crate) struct Transaction<'a> {
    pub docket: &'a Docket,
    pub index: Index,
    pub now: Timestamp,
    disk: Disk,
    ledger: Ledger,
    applied: RecoveryMark,
    /// Petitions that were half done and were finished when this transaction began.
    pub finished: Vec<PetitionId>,
    _lock: Arc<dyn OpenFile>,
}

impl<'a> Transaction<'a> {
    /// Takes the lock, and finishes what a dead process left half done.
    pub fn begin(docket: &'a Docket, now: Timestamp) -> Result<Transaction<'a>, DocketError> {
        // The ledger could not read later moments again.
        let now = now.min(limits::MOMENT_MAX);
        let disk = docket.disk().clone();
        for folder in docket.folders() {
            disk.folder(&folder)?;
        }
        let lock = docket.lock()?;
        let ledger = Ledger::open(&docket.ledger_file(), &disk)?;
        let applied = RecoveryMark::at(ledger.end(), Vec::new(), &disk);
        let index = docket.index();
        let mut transaction =
            Transaction { docket, index, now, disk, ledger, applied, finished: Vec::new(), _lock: lock };
        transaction.recover()?;
        Ok(transaction)
    }

    /// Reads the petition of this id.
    pub fn by_id(&mut self, id: &PetitionId) -> Result<OpenPetition, Missing> {
        self.read(|shelf| shelf.by_id(id))
    }

    /// Reads the petition in this file.
    pub fn by_name(
        &mut self,
        place: crate::docket::PetitionPlace,
        name: &str,
    ) -> Result<OpenPetition, Missing> {
        self.read(|shelf| shelf.by_name(place, name))
    }

    fn read(
        &mut self,
        read: impl Fn(&mut Shelf<'_>) -> Result<OpenPetition, Missing>,
    ) -> Result<OpenPetition, Missing> {
        match read(&mut self.shelf()) {
            Err(Missing::Misled) => {
                self.rebuild()?;
                read(&mut self.shelf())
            }
            other => other,
        }
    }

    fn shelf(&mut self) -> Shelf<'_> {
        Shelf { docket: self.docket, index: &mut self.index, ledger: self.ledger.reader(), now: self.now }
    }

    /// Records everything with one sync, then brings each file to what it must be. The inner results are those
    /// of the files.
    pub fn commit(
        &mut self,
        cases: &mut [OpenPetition],
    ) -> Result<Vec<Result<(), DocketError>>, DocketError> {
        self.record(cases)?;
        let mut results = Vec::with_capacity(cases.len());
        let mut unfinished = self.applied.unfinished.clone();
        for case in cases {
            let result = self.write(case);
            unfinished.retain(|id| *id != case.id);
            if matches!(result, Err(DocketError::Disk { .. })) {
                unfinished.push(case.id.clone());
            }
            if let Some(slot) = case.slot(self.docket) {
                self.index.note(&case.id, &slot)?;
            }
            results.push(result);
        }
        self.index.write()?;
        self.note(unfinished)?;
        Ok(results)
    }

    /// The same for one petition.
    pub fn commit_one(&mut self, case: &mut OpenPetition) -> Result<(), DocketError> {
        let results = self.commit(std::slice::from_mut(case))?;
        results.into_iter().next().unwrap_or(Ok(()))
    }

    /// Records a new petition, whose file is staged, and moves the file into `pending/`.
    pub fn ask(&mut self, case: &mut OpenPetition) -> Result<(), DocketError> {
        self.record(std::slice::from_mut(case))?;
        self.unstage(&case.name)?;
        if let Some(slot) = case.slot(self.docket) {
            self.index.note(&case.id, &slot)?;
        }
        self.index.write()?;
        self.note(self.applied.unfinished.clone())
    }

    /// Records one line about a petition that has no file.
    pub fn record_alone(&mut self, entry: Entry, back: u64) -> Result<(), DocketError> {
        for (offset, record) in self.append(vec![(entry, Some(back))])? {
            self.index.follow(offset, &record)?;
        }
        self.index.write()?;
        self.note(self.applied.unfinished.clone())
    }

    /// A petition's lines, and where the newest begins; none if the ledger does not know the petition.
    pub fn history(&mut self, id: &PetitionId) -> Result<Option<(Vec<LedgerLine>, u64)>, DocketError> {
        let Some(slot) = self.index.slot(id)? else { return Ok(None) };
        let history = self.ledger.reader().history(id, slot.head)?;
        Ok(history.map(|history| (history, slot.head)))
    }

    /// Notes in the index which files agree with the ledger, so that they need not be read again.
    pub fn note_all(&mut self, slots: &[(PetitionId, Slot)]) -> Result<(), DocketError> {
        for (id, slot) in slots {
            if self.index.slot(id)?.is_some_and(|known| known.head == slot.head) {
                self.index.note(id, slot)?;
            }
        }
        self.index.write()
    }

    /// Writes the recovery mark.
    fn note(&mut self, unfinished: Vec<PetitionId>) -> Result<(), DocketError> {
        let applied = RecoveryMark::at(self.ledger.end(), unfinished, &self.disk);
        if applied != self.applied {
            applied.write(&self.docket.own("applied"), &self.disk)?;
            self.applied = applied;
        }
        Ok(())
    }

    /// Adds lines after the last one that was read under the lock.
    fn append(&mut self, entries: Vec<(Entry, Option<u64>)>) -> Result<Vec<(u64, LedgerLine)>, DocketError> {
        let expected = self.ledger.end().chain.seq;
        self.ledger.append(expected, entries)
    }

    /// Adds the lines of all these petitions to the ledger.
    fn record(&mut self, cases: &mut [OpenPetition]) -> Result<(), DocketError> {
        let mut entries = Vec::new();
        let mut whose = Vec::new();
        for (at, case) in cases.iter_mut().enumerate() {
            for entry in std::mem::take(&mut case.lines) {
                entries.push((entry, case.head));
                whose.push(at);
            }
        }
        if entries.is_empty() {
            return Ok(());
        }
        for ((offset, record), at) in self.append(entries)?.into_iter().zip(whose) {
            let Some(case) = cases.get_mut(at) else { continue };
            case.head = Some(offset);
            case.notify |= record.closes() || matches!(record.change, PetitionChange::Late { .. });
            if record.change == PetitionChange::Asked {
                for mark in marks(&record) {
                    self.index.note_pushed(&mark, &record.petition)?;
                }
            }
            case.history.push(record);
        }
        Ok(())
    }
}
