//! What a process that died left half done is finished by whoever takes the lock next: the ledger's torn end is cut, the
//! changes after the last one that was wholly done are brought to their files, and lost hints are made anew.

use std::collections::BTreeSet;

use mind::petition::{Change, PetitionId};

use super::Transaction;
use crate::error::DocketError;
use crate::files::names;
use crate::ledger::Record;
use crate::ledger::append::End;
use crate::limits;
use crate::open_petition::Missing;
use crate::recovery_mark::RecoveryMark;

impl Transaction<'_> {
    pub(super) fn recover(&mut self) -> Result<(), DocketError> {
        let known = self.docket.recovery_mark();
        let folder = self.docket.own("index");
        let fresh =
            known.clone().filter(|known| known.is_of_this_boot(&self.disk) && self.disk.is_folder(&folder));
        self.disk.folder(&folder)?;
        let start = fresh.as_ref().map_or_else(End::start, RecoveryMark::end);
        let mut records = self.ledger.mend(&start, known.as_ref().map_or(0, |known| known.seq))?;
        if fresh.is_none() {
            self.index.rebuild(&records)?;
            records = self.half_done(records, known.as_ref());
        } else {
            for (offset, record) in &records {
                self.index.follow(*offset, record)?;
            }
        }
        let unfinished = known.map(|known| known.unfinished).unwrap_or_default();
        if records.is_empty() && unfinished.is_empty() && fresh.is_some() {
            self.applied = RecoveryMark::at(self.ledger.end(), Vec::new(), &self.disk);
            return Ok(());
        }
        for (_, record) in &records {
            if let (Change::Asked, Some(name)) = (&record.change, &record.file) {
                self.unstage(name)?;
            }
        }
        let told = |record: &Record| record.closes() || matches!(record.change, Change::Late { .. });
        let loud: BTreeSet<PetitionId> =
            records.iter().filter(|(_, record)| told(record)).map(|(_, r)| r.petition.clone()).collect();
        let mut half: BTreeSet<PetitionId> = records.into_iter().map(|(_, r)| r.petition).collect();
        let (again, later) = unfinished.split_at(unfinished.len().min(limits::UNFINISHED_TRIES));
        half.extend(again.iter().cloned());
        // Those that were tried go to the end, so that each has its turn.
        self.applied.unfinished = later.to_vec();
        for id in half {
            let closed = loud.contains(&id) || again.contains(&id);
            if self.finish(&id, closed)? && again.contains(&id) {
                self.finished.push(id);
            }
        }
        self.applied = RecoveryMark::at(self.ledger.end(), self.applied.unfinished.clone(), &self.disk);
        // If it cannot be noted (the disk is full), the next one does all of this again; but what waits can be seen.
        if self.index.write().is_ok() {
            let _ = self.applied.write(&self.docket.own("applied"), &self.disk);
        }
        Ok(())
    }

    /// Brings one petition's file to what the ledger says. False if that failed for now.
    fn finish(&mut self, id: &PetitionId, closed: bool) -> Result<bool, DocketError> {
        let mut case = match self.by_id(id) {
            Ok(case) => case,
            // Nobody can finish what is gone or cannot be read; a file that is mended is read again anyway.
            Err(Missing::Unknown | Missing::Gone(_) | Missing::Malformed(..) | Missing::Misled) => {
                return Ok(true);
            }
            // It is tried again later, and keeps nobody from anything else.
            Err(Missing::Disk(DocketError::Disk { .. })) => {
                self.applied.unfinished.push(id.clone());
                return Ok(false);
            }
            Err(Missing::Disk(error)) => return Err(error),
        };
        case.notify = closed && case.petition.closed.is_some();
        // Whatever is in the way there is in the way of this petition alone.
        let _ = self.disk.remove(&self.docket.place(case.place).join(names::beside(&case.name)));
        self.record(std::slice::from_mut(&mut case))?;
        let result = self.write(&mut case);
        if let Some(slot) = case.slot(self.docket) {
            self.index.note(id, &slot)?;
        }
        if matches!(result, Err(DocketError::Disk { .. })) {
            self.applied.unfinished.push(id.clone());
        }
        Ok(result.is_ok())
    }

    /// Which lines may not be wholly done, after a start of the machine: those after the last that is known to be, or if
    /// that is lost the last change.
    fn half_done(&self, records: Vec<(u64, Record)>, known: Option<&RecoveryMark>) -> Vec<(u64, Record)> {
        let last_at = records.last().map(|(_, record)| record.at);
        let is_half = |(_, record): &(u64, Record)| match known {
            Some(known) => record.seq > known.seq,
            None => Some(record.at) == last_at,
        };
        let left: BTreeSet<_> = self.disk.names(&self.docket.own("staged")).into_iter().collect();
        let is_staged =
            |(_, record): &(u64, Record)| record.file.as_ref().is_some_and(|name| left.contains(&**name));
        records.into_iter().filter(|record| is_half(record) || is_staged(record)).collect()
    }

    /// Makes the index anew: it misled us.
    pub(super) fn rebuild(&mut self) -> Result<(), DocketError> {
        let records = self.ledger.mend(&End::start(), self.ledger.end().chain.seq)?;
        self.index.rebuild(&records)?;
        self.index.write()
    }
}
