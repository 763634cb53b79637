//! The queue as an index that a long-running process keeps: a change costs the reading of one file. A file that looks
//! as it did when it last agreed with the ledger is not read; every other one is, and what must be recorded is
//! recorded, many files with one sync.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use mind::Timestamp;
use mind::petition::PetitionId;

use crate::docket::{Docket, Fault, PetitionPlace, Queue, Summary};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::Stamp;
use crate::index::Slot;
use crate::limits;
use crate::open_petition::{Missing, OpenPetition, Shelf};
use crate::transaction::{Transaction, unreadable};

/// The queue, by the names of the files.
#[derive(Debug, Clone)]
pub struct QueueIndex {
    folder: PathBuf,
    rows: BTreeMap<String, Row>,
    /// Petitions that were read since `take_changed` was last called.
    changed: BTreeSet<PetitionId>,
}

#[derive(Debug, Clone)]
struct Row {
    /// The file's stamp when it was read; none if it must be read again in any case.
    stamp: Option<Stamp>,
    /// The petition, or why the file is no petition.
    says: Result<Summary, String>,
}

impl QueueIndex {
    /// The queue as the index knows it, without reading a petition.
    pub(crate) fn open(docket: &Docket, now: Timestamp) -> Result<QueueIndex, DocketError> {
        docket.whole(now)?;
        let mut rows = BTreeMap::new();
        for (_, slot) in docket.index().slots()? {
            if let (true, PetitionPlace::Pending, Some(summary)) = (slot.open, slot.place, slot.summary) {
                let file = docket.path(slot.place, &slot.name);
                let says = Ok(Summary { file, ..summary });
                rows.insert(slot.name.to_string(), Row { stamp: slot.stamp, says });
            }
        }
        Ok(QueueIndex { folder: docket.place(PetitionPlace::Pending), rows, changed: BTreeSet::new() })
    }

    /// Compares the stamp of every file, and reads those that changed or are due.
    pub fn refresh(&mut self, docket: &Docket, now: Timestamp) -> Result<(), DocketError> {
        docket.whole(now)?;
        let folder = docket.place(PetitionPlace::Pending);
        let mut names = BTreeSet::new();
        match docket.disk().storage().names(&folder) {
            Ok(found) => names.extend(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(DocketError::disk(&folder)(error)),
        }
        names.extend(self.rows.keys().cloned());
        self.reread_files(docket, names, now)
    }

    /// The same for these files only.
    pub fn touch(
        &mut self,
        docket: &Docket,
        names: impl IntoIterator<Item = String>,
        now: Timestamp,
    ) -> Result<(), DocketError> {
        docket.whole(now)?;
        self.reread_files(docket, names.into_iter().collect(), now)
    }

    /// The queue, in the order in which it should be answered.
    pub fn queue(&self) -> Queue {
        let mut queue = Queue::default();
        for (name, row) in &self.rows {
            match &row.says {
                Ok(summary) => queue.petitions.push(summary.clone()),
                Err(why) => queue.faults.push(Fault { file: self.folder.join(name), why: why.clone() }),
            }
        }
        sort(&mut queue.petitions);
        queue
    }

    /// The petitions that were read since this was last called.
    pub(crate) fn take_changed(&mut self) -> BTreeSet<PetitionId> {
        std::mem::take(&mut self.changed)
    }

    fn reread_files(
        &mut self,
        docket: &Docket,
        names: BTreeSet<String>,
        now: Timestamp,
    ) -> Result<(), DocketError> {
        let (mut changed, mut left) = (Vec::new(), Vec::new());
        for name in names {
            if !names::is_petition(&name) {
                continue;
            }
            let Ok(about) = docket.disk().about(&docket.path(PetitionPlace::Pending, &name)) else {
                left.extend(
                    self.rows.remove(&name).and_then(|row| row.says.ok()).map(|says| (name, says.id)),
                );
                continue;
            };
            if !about.is_file() {
                self.rows.insert(name, Row { stamp: None, says: Err("not a file".to_owned()) });
                continue;
            }
            let is_known = self.rows.get(&name).is_some_and(|row| {
                let is_due = row.says.as_ref().is_ok_and(|says| says.due_at.is_some_and(|due| due <= now));
                row.stamp == Some(about.stamp) && !is_due
            });
            if !is_known {
                self.rows.remove(&name);
                changed.push(name);
            }
        }
        // A file that left was submitted by us or by another program, or was removed.
        for (name, id) in left {
            if docket.disk().exists(&docket.path(PetitionPlace::Completed, &name)) {
                match docket.read(&id, now) {
                    Ok(kept) if kept.place == PetitionPlace::Pending => changed.push(name),
                    Err(error @ DocketError::Damaged { .. }) => return Err(error),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        let rest = self.read(docket, changed, now)?;
        let mut left = rest.as_slice();
        while !left.is_empty() {
            let done = self.record_files(docket, left, now)?;
            left = left.get(done..).unwrap_or_default();
        }
        Ok(())
    }

    /// Reads files without the lock. Returns those for which something must be recorded or written.
    fn read(
        &mut self,
        docket: &Docket,
        names: Vec<String>,
        now: Timestamp,
    ) -> Result<Vec<String>, DocketError> {
        let mut rest = Vec::new();
        if names.is_empty() {
            return Ok(rest);
        }
        let ledger = docket.reader()?;
        let mut index = docket.index();
        let now = now.min(limits::MOMENT_MAX);
        let mut shelf = Shelf { docket, index: &mut index, ledger: &ledger, now };
        let mut found: Vec<(PetitionId, Slot)> = Vec::new();
        for name in names {
            match shelf.by_name(PetitionPlace::Pending, &name) {
                Ok(case) if case.agrees() && case.head.is_some() => {
                    let known = shelf.index.slot(&case.id)?;
                    let is_news = |slot: &Slot| {
                        let moved = |known: Slot| known.name != slot.name || known.place != slot.place;
                        slot.stamp.is_some_and(|stamp| case.known != Some(stamp)) || known.is_some_and(moved)
                    };
                    found.extend(case.slot(docket).filter(is_news).map(|slot| (case.id.clone(), slot)));
                    self.set(docket, name, Ok(case));
                }
                Ok(_) | Err(Missing::Misled | Missing::Gone(_)) => rest.push(name),
                Err(missing) => self.set(docket, name, Err(missing)),
            }
        }
        if !found.is_empty() {
            Transaction::begin(docket, now)?.note_all(&found)?;
        }
        Ok(rest)
    }

    /// Records and writes what these files need, with one sync of the ledger, up to the bounds of one batch. Returns
    /// how many files it did.
    fn record_files(
        &mut self,
        docket: &Docket,
        names: &[String],
        now: Timestamp,
    ) -> Result<usize, DocketError> {
        let mut transaction = Transaction::begin(docket, now)?;
        let (mut done, mut bytes) = (0, 0);
        let (mut cases, mut of) = (Vec::new(), Vec::new());
        let mut ids: BTreeMap<PetitionId, String> = BTreeMap::new();
        for name in names.iter().take(limits::BATCH) {
            if bytes > limits::BATCH_BYTES {
                break;
            }
            done += 1;
            let case = transaction.by_name(PetitionPlace::Pending, name);
            bytes += case.as_ref().map_or(0, |case| case.bytes.len());
            match case {
                Ok(case) => match ids.get(&case.id) {
                    Some(first) => {
                        let why = format!("the id is also in {first}");
                        self.rows.insert(name.clone(), Row { stamp: None, says: Err(why) });
                    }
                    None => {
                        ids.insert(case.id.clone(), name.clone());
                        cases.push(case);
                        of.push(name.clone());
                    }
                },
                Err(missing) => self.set(docket, name.clone(), Err(missing)),
            }
        }
        let results = transaction.commit(&mut cases)?;
        for ((case, result), name) in cases.into_iter().zip(results).zip(of) {
            match result {
                Ok(()) => self.set(docket, name, Ok(case)),
                Err(DocketError::Gone { .. }) => {}
                Err(error) => {
                    let why = match (&error, case.petition.closed.is_some()) {
                        (DocketError::Malformed { why, .. }, _) => why.clone(),
                        (_, true) => format!("it is closed, and cannot be moved: {error}"),
                        (_, false) => error.to_string(),
                    };
                    self.rows.insert(name, Row { stamp: None, says: Err(why) });
                }
            }
        }
        Ok(done)
    }

    fn set(&mut self, docket: &Docket, name: String, case: Result<OpenPetition, Missing>) {
        let row = match case {
            Ok(case) if case.place == PetitionPlace::Pending => {
                self.changed.insert(case.id.clone());
                Row { stamp: case.sure_stamp(), says: Ok(case.summary(docket)) }
            }
            Ok(_) | Err(Missing::Unknown | Missing::Gone(_)) => return,
            Err(Missing::Malformed(_, why)) => Row { stamp: None, says: Err(why) },
            Err(missing) => {
                let why = unreadable(missing, &PetitionId::from("")).to_string();
                Row { stamp: None, says: Err(why) }
            }
        };
        self.rows.insert(name, row);
    }
}

/// Petitions that missions wait for come first, then by priority, then the oldest.
pub(crate) fn sort(petitions: &mut [Summary]) {
    petitions.sort_by_cached_key(|summary| {
        let blocks = summary.mission.is_some() || summary.blocks.is_some();
        (Reverse(blocks), Reverse(summary.priority), summary.created_at, summary.id.clone())
    });
}
