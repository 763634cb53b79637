//! Recovery, by the process that takes the lock after one died in the middle of a change: the ledger's torn end is cut,
//! the changes after the recovery mark are brought to their files, and a lost index is rebuilt.

use std::collections::BTreeSet;

use mind::petition::{Petition, PetitionChange, PetitionId};

use super::Transaction;
use crate::docket::PetitionPlace;
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{PetitionFile, Unread};
use crate::ledger::LedgerLine;
use crate::ledger::append::End;
use crate::limits;
use crate::open_petition::{Missing, OpenPetition};
use crate::reconcile::reconcile;
use crate::recovery_mark::RecoveryMark;

impl Transaction<'_> {
    pub(super) fn recover(&mut self) -> Result<(), DocketError> {
        let known = self.docket.recovery_mark()?;
        let folder = self.docket.own("index");
        let is_folder = self.disk.is_folder(&folder)?;
        let fresh = known.clone().filter(|known| known.is_of_this_boot(&self.disk) && is_folder);
        self.disk.folder(&folder)?;
        let start = fresh.as_ref().map_or_else(End::start, RecoveryMark::end);
        let mut records = self.ledger.mend(&start, known.as_ref().map_or(0, |known| known.seq))?;
        if fresh.is_none() {
            self.index.rebuild(&records)?;
            records = self.half_done(records, known.as_ref())?;
        } else {
            for (offset, record) in &records {
                self.index.follow(*offset, record)?;
            }
        }
        let unfinished = known.as_ref().map(|known| known.unfinished.clone()).unwrap_or_default();
        self.untold = known.as_ref().map(|known| known.untold.clone()).unwrap_or_default();
        self.applied = known;
        if records.is_empty() && unfinished.is_empty() && fresh.is_some() {
            return Ok(());
        }
        // Their process died, or could not write the mark.
        self.owe(records.iter().map(|(_, record)| record.seq));
        let told =
            |record: &LedgerLine| record.closes() || matches!(record.change, PetitionChange::Late { .. });
        let loud: BTreeSet<PetitionId> =
            records.iter().filter(|(_, record)| told(record)).map(|(_, r)| r.petition.clone()).collect();
        let mut half: BTreeSet<PetitionId> = records.into_iter().map(|(_, r)| r.petition).collect();
        let (again, later) = unfinished.split_at(unfinished.len().min(limits::UNFINISHED_TRIES));
        half.extend(again.iter().cloned());
        // Petitions that were tried go to the end, so that each has its turn.
        self.unfinished = later.to_vec();
        for id in half {
            self.finish(&id, loud.contains(&id) || again.contains(&id))?;
        }
        self.write_hints();
        Ok(())
    }

    /// Brings one petition's file to what the ledger says. What fails for now is tried again by later transactions.
    fn finish(&mut self, id: &PetitionId, closed: bool) -> Result<(), DocketError> {
        let name = self.index.slot(id)?.map(|slot| slot.name);
        if let Some(Err(DocketError::Disk { .. })) = name.map(|name| self.unstage(&name)) {
            self.unfinished.push(id.clone());
            return Ok(());
        }
        let mut case = match self.by_id(id) {
            Ok(case) => case,
            // A missing or unreadable file cannot be finished; once it is mended, it is read again anyway.
            Err(Missing::Unknown | Missing::Gone(_) | Missing::Malformed(..) | Missing::Misled) => {
                return Ok(());
            }
            // The next transaction tries again; other petitions do not wait for this one.
            Err(Missing::Disk(DocketError::Disk { .. })) => {
                self.unfinished.push(id.clone());
                return Ok(());
            }
            Err(Missing::Disk(error)) => return Err(error),
        };
        case.notify = closed && case.petition.closed.is_some();
        // What is in the way there is in the way of this petition alone.
        let _ = self.disk.remove(&self.docket.place(case.place).join(names::beside(&case.name)));
        self.record(std::slice::from_mut(&mut case))?;
        let result = self.write(&mut case).and_then(|()| self.clear_left_behind(&case));
        self.note(&case);
        if matches!(result, Err(DocketError::Disk { .. })) {
            self.unfinished.push(id.clone());
        }
        Ok(())
    }

    /// Removes the file that a loss of power brought back to where a closed petition was moved from: the move had reached
    /// the one folder and not the other. A file that says anything that the ledger does not know stays.
    fn clear_left_behind(&self, case: &OpenPetition) -> Result<(), DocketError> {
        if case.place != PetitionPlace::Completed {
            return Ok(());
        }
        let left = self.docket.path(PetitionPlace::Pending, &case.name);
        let paper = match PetitionFile::read(&self.disk, &left) {
            Ok(paper) => paper,
            Err(Unread::Missing | Unread::Malformed(_)) => return Ok(()),
            Err(Unread::Disk(error)) => return Err(error),
        };
        let petition = paper.sheet.petition();
        let findings = reconcile(petition, PetitionPlace::Pending, &case.history, &paper.hand(), self.now);
        if asks_the_same(petition, &case.petition) && findings.lines.is_empty() {
            self.disk.remove(&left)?;
            self.disk.sync_folder(&self.docket.place(PetitionPlace::Pending))?;
        }
        Ok(())
    }

    /// The lines that may be half done after a restart of the machine: those after the recovery mark, or the last
    /// change if the mark is lost.
    fn half_done(
        &self,
        records: Vec<(u64, LedgerLine)>,
        known: Option<&RecoveryMark>,
    ) -> Result<Vec<(u64, LedgerLine)>, DocketError> {
        let last_at = records.last().map(|(_, record)| record.at);
        let is_half = |(_, record): &(u64, LedgerLine)| match known {
            Some(known) => record.seq > known.seq,
            None => Some(record.at) == last_at,
        };
        let left: BTreeSet<_> = self.disk.names(&self.docket.own("staged"))?.into_iter().collect();
        let is_staged =
            |(_, record): &(u64, LedgerLine)| record.file.as_ref().is_some_and(|name| left.contains(&**name));
        Ok(records.into_iter().filter(|record| is_half(record) || is_staged(record)).collect())
    }

    /// Rebuilds the index, because it was wrong.
    pub(super) fn rebuild(&mut self) -> Result<(), DocketError> {
        let records = self.ledger.mend(&End::start(), self.ledger.end().chain.seq)?;
        self.index.rebuild(&records)?;
        // The next reader would rebuild it again; nothing else is lost.
        let _ = self.index.write();
        Ok(())
    }
}

/// Whether two files ask the same, whatever was answered.
fn asks_the_same(one: &Petition, other: &Petition) -> bool {
    let asked = |petition: &Petition| {
        let mut decisions = petition.decisions.clone();
        for decision in &mut decisions {
            (decision.answer, decision.requires_human) = (None, false);
        }
        (petition.id.clone(), petition.title.clone(), petition.context.clone(), decisions)
    };
    asked(one) == asked(other)
}
