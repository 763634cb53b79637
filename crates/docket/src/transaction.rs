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
use crate::files::{Disk, LockWait};
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
    /// The recovery mark as it is on the disk.
    applied: Option<RecoveryMark>,
    /// Petitions whose files could not be brought in line; later transactions try again.
    unfinished: Vec<PetitionId>,
    /// Lines that a command recorded that could not finish them: its caller is told so when it repeats the act.
    untold: Vec<u64>,
    /// The index could not follow the ledger, so it is not written.
    hints_lost: bool,
    _lock: Arc<dyn OpenFile>,
}

impl<'a> Transaction<'a> {
    /// Takes the lock, and finishes what a dead process left half done.
    pub fn begin(docket: &'a Docket, now: Timestamp) -> Result<Transaction<'a>, DocketError> {
        Transaction::begin_within(docket, now, docket.lock_wait())
    }

    /// The same, if no other process holds the lock.
    pub fn begin_at_once(docket: &'a Docket, now: Timestamp) -> Result<Transaction<'a>, DocketError> {
        Transaction::begin_within(docket, now, LockWait::NONE)
    }

    fn begin_within(
        docket: &'a Docket,
        now: Timestamp,
        wait: LockWait,
    ) -> Result<Transaction<'a>, DocketError> {
        // The ledger could not read later moments again.
        let now = now.min(limits::MOMENT_MAX);
        let disk = docket.disk().clone();
        for folder in docket.folders() {
            disk.folder(&folder)?;
        }
        let lock = docket.lock(wait)?;
        let ledger = Ledger::open(&docket.ledger_file(), &disk, wait)?;
        if ledger.is_empty()? {
            for folder in docket.folders() {
                disk.sync_name(&folder)?;
            }
        }
        let mut transaction = Transaction {
            docket,
            index: docket.index(),
            now,
            disk,
            ledger,
            applied: None,
            unfinished: Vec::new(),
            untold: Vec::new(),
            hints_lost: false,
            _lock: lock,
        };
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
    /// of the files: whatever they are, what was recorded happened.
    pub fn commit(
        &mut self,
        cases: &mut [OpenPetition],
    ) -> Result<Vec<Result<(), DocketError>>, DocketError> {
        let before = self.ledger.end().chain.seq;
        self.record(cases)?;
        let mut results = Vec::with_capacity(cases.len());
        for case in cases {
            let result = self.write(case);
            self.unfinished.retain(|id| *id != case.id);
            if matches!(result, Err(DocketError::Disk { .. })) {
                self.unfinished.push(case.id.clone());
                let new = case.history.iter().filter(|line| line.seq > before);
                self.owe(new.map(|line| line.seq));
            }
            self.note(case);
            results.push(result);
        }
        self.write_hints();
        Ok(results)
    }

    /// The same for one petition. If something was recorded and only the file failed, the error says so.
    pub fn commit_one(&mut self, case: &mut OpenPetition) -> Result<(), DocketError> {
        let before = case.history.len();
        let results = self.commit(std::slice::from_mut(case))?;
        match results.into_iter().next() {
            Some(Err(source)) if case.history.len() > before => Err(case.recorded(self.docket, source)),
            Some(result) => result,
            None => Ok(()),
        }
    }

    /// Records a new petition, whose file is staged, and moves the file into `pending/`.
    pub fn ask(&mut self, case: &mut OpenPetition) -> Result<(), DocketError> {
        self.record(std::slice::from_mut(case))?;
        let placed = self.unstage(&case.name);
        if placed.is_err() {
            self.unfinished.push(case.id.clone());
        }
        self.note(case);
        self.write_hints();
        placed.map_err(|source| case.recorded(self.docket, source))
    }

    /// Records one line about a petition that has no file.
    pub fn record_alone(&mut self, entry: Entry, back: u64) -> Result<Vec<LedgerLine>, DocketError> {
        let added = self.append(vec![(entry, Some(back))])?;
        for (offset, record) in &added {
            self.hints_lost |= self.index.follow(*offset, record).is_err();
        }
        self.write_hints();
        Ok(added.into_iter().map(|(_, record)| record).collect())
    }

    /// A petition's lines, and where the newest begins; none if the ledger does not know the petition.
    pub fn history(&mut self, id: &PetitionId) -> Result<Option<(Vec<LedgerLine>, u64)>, DocketError> {
        let Some(slot) = self.index.slot(id)? else { return Ok(None) };
        let history = self.ledger.reader().history(id, slot.head)?;
        Ok(history.map(|history| (history, slot.head)))
    }

    /// Whether the caller that made this line was not told that it is done.
    pub fn owes(&self, line: u64) -> bool {
        self.untold.contains(&line)
    }

    /// The caller is told now.
    pub fn tell(&mut self, line: u64) {
        self.untold.retain(|seq| *seq != line);
        self.write_hints();
    }

    /// The callers that made these lines are not told that they are done.
    fn owe(&mut self, lines: impl Iterator<Item = u64>) {
        self.untold.extend(lines);
        let over = self.untold.len().saturating_sub(limits::UNTOLD_MAX);
        self.untold.drain(..over);
    }

    /// Notes in the index which files agree with the ledger, so that they need not be read again.
    pub fn note_all(&mut self, slots: &[(PetitionId, Slot)]) {
        for (id, slot) in slots {
            let known = self.index.slot(id).ok().flatten();
            if known.is_some_and(|known| known.head == slot.head) {
                self.hints_lost |= self.index.note(id, slot).is_err();
            }
        }
        self.write_hints();
    }

    /// Notes in the index how a petition stands.
    fn note(&mut self, case: &OpenPetition) {
        if let Some(slot) = case.slot(self.docket) {
            self.hints_lost |= self.index.note(&case.id, &slot).is_err();
        }
    }

    /// Writes the index and then the recovery mark. Both are hints: what is recorded happened, whether they can be written
    /// or not. As long as the mark stays behind, the next transaction makes them anew from the ledger.
    fn write_hints(&mut self) {
        if self.hints_lost || self.index.write().is_err() {
            return;
        }
        let (unfinished, untold) = (self.unfinished.clone(), self.untold.clone());
        let applied = RecoveryMark::at(self.ledger.end(), unfinished, untold, &self.disk);
        let is_written = self.applied.as_ref() == Some(&applied);
        if !is_written && applied.write(&self.docket.own("applied"), &self.disk).is_ok() {
            self.applied = Some(applied);
        }
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
                    self.hints_lost |= self.index.note_pushed(&mark, &record.petition).is_err();
                }
            }
            case.history.push(record);
        }
        Ok(())
    }
}
