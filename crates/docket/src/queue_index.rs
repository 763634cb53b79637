//! The queue as an index that a long-running process keeps: a change costs the reading of one file. A file that looks
//! as it did when it last agreed with the ledger is not read; every other one is, and what must be recorded is
//! recorded, many files with one sync.

mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use mind::Timestamp;
use mind::petition::PetitionId;

use crate::docket::{Docket, Fault, FaultKind, PetitionPlace, Queue, Summary};
use crate::error::DocketError;
use crate::files::{is_absence, names};
use crate::find;
use crate::index::{Index, Slot};
use crate::limits;
use crate::open_petition::{Missing, OpenPetition, Shelf};
use crate::transaction::{Transaction, unreadable};
use crate::waiting_counts::WaitingCounts;

use self::rows::{QueueRows, Row, RowFault};

/// The queue, by the names of the files.
#[derive(Debug, Clone)]
pub struct QueueIndex {
    folder: PathBuf,
    rows: QueueRows,
    /// The files that must be there: of petitions that are open in the ledger.
    expected: BTreeMap<String, Expected>,
    /// Why the folder cannot be read.
    unread: Option<String>,
    /// Petitions that were read since `take_changed` was last called.
    changed: BTreeSet<PetitionId>,
}

/// A petition that is open in the ledger.
#[derive(Debug, Clone)]
struct Expected {
    id: PetitionId,
    title: Option<Arc<str>>,
}

impl Expected {
    fn fault(self, kind: FaultKind, why: &str) -> RowFault {
        let title = self.title.map(|title| format!(", \"{title}\",")).unwrap_or_default();
        let why = format!("{}{title} is open in the ledger, and {why}", self.id);
        RowFault { kind, petition: Some(self.id), why }
    }
}

impl QueueIndex {
    /// The queue as the index knows it, without reading a petition.
    pub(crate) fn open(docket: &Docket, now: Timestamp) -> Result<QueueIndex, DocketError> {
        let (mut rows, mut expected) = (QueueRows::default(), BTreeMap::new());
        for (id, slot) in docket.current_index(now)?.slots()? {
            if !slot.open || slot.place != PetitionPlace::Pending {
                continue;
            }
            let title = slot.summary.as_ref().map(|summary| Arc::clone(&summary.title));
            expected.insert(slot.name.to_string(), Expected { id, title });
            if let Some(summary) = slot.summary {
                let file = docket.path(slot.place, &slot.name);
                let says = Ok(Summary { file, ..summary });
                rows.insert(slot.name, Row { stamp: slot.stamp, says, behind: None });
            }
        }
        let folder = docket.place(PetitionPlace::Pending);
        Ok(QueueIndex { folder, rows, expected, unread: None, changed: BTreeSet::new() })
    }

    /// Compares the stamp of every file, and reads those that changed or are due.
    pub fn refresh(&mut self, docket: &Docket, now: Timestamp) -> Result<(), DocketError> {
        docket.whole(now)?;
        let folder = docket.place(PetitionPlace::Pending);
        let mut names = BTreeSet::new();
        self.unread = match docket.disk().names(&folder) {
            Ok(found) => {
                names.extend(found);
                None
            }
            // What the ledger knows is looked for by name.
            Err(error) => Some(error.to_string()),
        };
        names.extend(self.rows.names().map(|name| name.to_string()));
        names.extend(self.expected.keys().cloned());
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
        Queue { petitions: self.rows.in_order().cloned().collect(), faults: self.faults() }
    }

    /// A part of the queue, from the place `offset` on.
    pub fn page(&self, offset: usize, count: usize) -> Vec<Summary> {
        self.rows.in_order().skip(offset).take(count).cloned().collect()
    }

    /// How many wait.
    pub fn counts(&self) -> WaitingCounts {
        self.rows.counts()
    }

    /// When a deadline changes the queue next, after `rung`.
    pub fn due_after(&self, rung: Timestamp) -> Option<Timestamp> {
        self.rows.due_after(rung)
    }

    /// The files that are no petitions, cannot be read, are gone, or are behind what is recorded.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, row) in self.rows.faulty() {
            let file = self.folder.join(&**name);
            let (kind, petition, why) = match (&row.says, &row.behind) {
                (Err(fault), _) => (fault.kind, fault.petition.clone(), fault.why.clone()),
                (Ok(summary), Some(why)) => (FaultKind::Behind, Some(summary.id.clone()), why.clone()),
                (Ok(_), None) => continue,
            };
            faults.push(Fault { file, kind, petition, why });
        }
        faults.extend(self.unread.iter().map(|why| Fault {
            file: self.folder.clone(),
            kind: FaultKind::Unreadable,
            petition: None,
            why: why.clone(),
        }));
        faults
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
        self.reread_each(docket, names, now)?;
        self.name_hidden(docket, now)
    }

    fn reread_each(
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
            let path = docket.path(PetitionPlace::Pending, &name);
            let about = match docket.disk().about(&path) {
                Ok(about) => about,
                Err(error) if is_absence(&error) => {
                    self.rows.remove(&name);
                    left.extend(self.expected.get(&name).cloned().map(|expected| (name, expected)));
                    continue;
                }
                Err(error) => {
                    let why = DocketError::disk(&path)(error).to_string();
                    self.rows.insert(name, Row::faulty(FaultKind::Unreadable, why));
                    continue;
                }
            };
            if !about.is_file() {
                self.rows.insert(name, Row::faulty(FaultKind::Malformed, "not a file"));
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
        let missing = self.look_for(docket, left, &mut changed, now)?;
        let rest = self.read(docket, changed, now)?;
        let mut left = rest.as_slice();
        while !left.is_empty() {
            let done = self.record_files(docket, left, now)?;
            left = left.get(done..).unwrap_or_default();
            docket.give_way();
        }
        self.name_missing(docket, missing, now)
    }

    /// A file that left was submitted by us or by another program, was renamed, or was removed. Returns those that are in
    /// neither folder.
    fn look_for(
        &mut self,
        docket: &Docket,
        left: Vec<(String, Expected)>,
        changed: &mut Vec<String>,
        now: Timestamp,
    ) -> Result<Vec<(String, Expected)>, DocketError> {
        let mut missing = Vec::new();
        for (name, expected) in left {
            if !docket.disk().is_there(&docket.path(PetitionPlace::Completed, &name))? {
                missing.push((name, expected));
                continue;
            }
            match find::settle(docket, &expected.id, now) {
                Ok(case) if case.place == PetitionPlace::Pending => changed.push(name),
                Ok(_) => drop(self.expected.remove(&name)),
                Err(Missing::Disk(error @ DocketError::Damaged { .. })) => return Err(error),
                Err(Missing::Gone(_) | Missing::Unknown | Missing::Misled) => missing.push((name, expected)),
                Err(missing @ (Missing::Malformed(..) | Missing::Disk(_))) => {
                    self.set(docket, name, Err(missing))
                }
            }
        }
        Ok(missing)
    }

    /// Names the petitions that are open in the ledger and whose files are not there.
    fn name_missing(
        &mut self,
        docket: &Docket,
        missing: Vec<(String, Expected)>,
        now: Timestamp,
    ) -> Result<(), DocketError> {
        if missing.is_empty() {
            return Ok(());
        }
        let mut index = docket.current_index(now)?;
        let ledger = docket.reader()?;
        let mut shelf =
            Shelf { docket, index: &mut index, ledger: &ledger, now: now.min(limits::MOMENT_MAX) };
        for (name, expected) in missing {
            let found = shelf.by_id(&expected.id);
            let (kind, why) = match found {
                Err(Missing::Disk(DocketError::Recorded { .. })) => {
                    (FaultKind::Missing, "its file could not be moved there yet".to_owned())
                }
                Err(Missing::Disk(error @ DocketError::Damaged { .. })) => return Err(error),
                Err(Missing::Disk(error)) => {
                    (FaultKind::Unreadable, format!("its file is not found: {error}"))
                }
                Err(Missing::Gone(_)) if is_open_in(shelf.index, &expected.id, &name)? => {
                    (FaultKind::Missing, "its file is gone".to_owned())
                }
                // It is closed, was renamed, or has just come back: that is read when its file is.
                Ok(_) | Err(_) => {
                    self.expected.remove(&name);
                    continue;
                }
            };
            let says = Err(expected.fault(kind, &why));
            self.rows.insert(name, Row { stamp: None, says, behind: None });
        }
        Ok(())
    }

    /// Names the petitions that are open in the ledger where their files cannot be read, or hold something else.
    fn name_hidden(&mut self, docket: &Docket, now: Timestamp) -> Result<(), DocketError> {
        let hides = |says: &Result<Summary, RowFault>| match says {
            Err(RowFault { kind: FaultKind::Malformed | FaultKind::Unreadable, petition: None, .. }) => true,
            Ok(_) | Err(_) => false,
        };
        let hidden = self.rows.faulty().filter(|(_, row)| hides(&row.says));
        let mut known = Vec::new();
        for (name, _) in hidden {
            known.extend(self.expected.get(&**name).cloned().map(|expected| (Arc::clone(name), expected)));
        }
        if known.is_empty() {
            return Ok(());
        }
        let mut index = docket.current_index(now)?;
        for (name, expected) in known {
            if !is_open_in(&mut index, &expected.id, &name)? {
                self.expected.remove(&*name);
                continue;
            }
            if let Some(fault) = self.rows.fault_mut(&name) {
                let is = if fault.kind == FaultKind::Malformed { "is no petition" } else { "cannot be read" };
                let why = format!("its file {is}: {}", fault.why);
                *fault = expected.fault(fault.kind, &why);
            }
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
        let mut index = docket.current_index(now)?;
        let ledger = docket.reader()?;
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
            // A hint for the next reader: it is not waited for, and nothing is lost without it.
            for part in found.chunks(limits::BATCH_HINTS) {
                match Transaction::begin_at_once(docket, now) {
                    Ok(mut transaction) => transaction.note_all(part),
                    Err(error @ DocketError::Damaged { .. }) => return Err(error),
                    Err(_) => {}
                }
                docket.give_way();
            }
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
        let began = Instant::now();
        let (mut done, mut bytes) = (0, 0);
        let (mut cases, mut of) = (Vec::new(), Vec::new());
        let mut ids: BTreeMap<PetitionId, String> = BTreeMap::new();
        for name in names.iter().take(limits::BATCH) {
            let is_long = began.elapsed() >= limits::BATCH_TIME;
            if bytes > limits::BATCH_BYTES || (done > 0 && is_long && docket.is_waited_for()) {
                break;
            }
            done += 1;
            let case = transaction.by_name(PetitionPlace::Pending, name);
            bytes += case.as_ref().map_or(0, |case| case.bytes.len());
            match case {
                Ok(case) => match ids.get(&case.id) {
                    Some(first) => {
                        let why = format!("the id is also in {first}");
                        self.rows.insert(name.clone(), Row::faulty(FaultKind::Malformed, why));
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
                    let row = match (&error, case.petition.closed.is_some()) {
                        (DocketError::Malformed { why, .. }, _) => Row::faulty(FaultKind::Malformed, why),
                        (_, true) => {
                            let why = format!("it is closed, and cannot be moved: {error}");
                            Row::faulty(FaultKind::Unmoved, why)
                        }
                        (_, false) => {
                            let why = format!("what it says is recorded, and it cannot be written: {error}");
                            Row { stamp: None, says: Ok(case.summary(docket)), behind: Some(why) }
                        }
                    };
                    self.rows.insert(name, row);
                }
            }
        }
        Ok(done)
    }

    fn set(&mut self, docket: &Docket, name: String, case: Result<OpenPetition, Missing>) {
        let row = match case {
            Ok(case) if case.place == PetitionPlace::Pending => {
                self.changed.insert(case.id.clone());
                let title = Some(Arc::clone(&case.petition.title));
                self.expected.insert(name.clone(), Expected { id: case.id.clone(), title });
                Row { stamp: case.sure_stamp(), says: Ok(case.summary(docket)), behind: None }
            }
            Ok(_) | Err(Missing::Unknown | Missing::Gone(_)) => return,
            Err(Missing::Malformed(_, why)) => Row::faulty(FaultKind::Malformed, why),
            Err(missing) => {
                let why = unreadable(missing, &PetitionId::from("")).to_string();
                Row::faulty(FaultKind::Unreadable, why)
            }
        };
        self.rows.insert(name, row);
    }
}

/// Whether the petition is open, and this is its file.
fn is_open_in(index: &mut Index, id: &PetitionId, name: &str) -> Result<bool, DocketError> {
    Ok(index.slot(id)?.is_some_and(|slot| slot.open && *slot.name == *name))
}

/// As they should be answered.
pub(crate) fn sort(petitions: &mut [Summary]) {
    petitions.sort_by_cached_key(rows::place);
}
