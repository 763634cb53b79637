//! The audit: ledger lines against one another, and every file against its lines. A change that is just being made may
//! look wrong, and so may one that a dead process left half done: before faults are reported, that is finished under the
//! lock, as every other act does, and everything is checked again. Nothing else is changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{PetitionChange, PetitionId};

use crate::docket::{Docket, PetitionPlace};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{PetitionFile, Unread};
use crate::ledger::scan::Chain;
use crate::ledger::{Discrepancy, LedgerLine};
use crate::reconcile::{assignments, given};
use crate::transaction::Transaction;

pub(crate) fn verify(docket: &Docket, now: Timestamp) -> Result<Vec<Discrepancy>, DocketError> {
    let found = audit(docket)?;
    if found.is_empty() || !docket.disk().is_there(&docket.own("lock"))? {
        return Ok(found);
    }
    match Transaction::begin(docket, now) {
        Ok(_held) => audit(docket),
        Err(DocketError::Damaged { .. }) => {
            let _lock = docket.lock(docket.lock_wait())?;
            audit(docket)
        }
        // The disk takes no change, as a copy that is only read: what is found is told, with that.
        Err(error @ DocketError::Disk { .. }) => {
            let what = format!("what may be half done cannot be finished: {error}");
            let mut found = audit(docket)?;
            found.insert(0, Discrepancy { place: "the docket".to_owned(), what });
            Ok(found)
        }
        Err(error) => Err(error),
    }
}

fn audit(docket: &Docket) -> Result<Vec<Discrepancy>, DocketError> {
    let mut audit = Audit { docket, found: Vec::new(), files: BTreeMap::new() };
    let histories = audit.lines()?;
    audit.read(PetitionPlace::Pending)?;
    audit.read(PetitionPlace::Completed)?;
    audit.compare(&histories);
    Ok(audit.found)
}

/// What is wrong with the lines alone.
pub(crate) fn lines(docket: &Docket) -> Result<Vec<Discrepancy>, DocketError> {
    let mut audit = Audit { docket, found: Vec::new(), files: BTreeMap::new() };
    audit.lines()?;
    Ok(audit.found)
}

struct Audit<'a> {
    docket: &'a Docket,
    found: Vec<Discrepancy>,
    files: BTreeMap<PetitionId, Vec<(PetitionPlace, String, PetitionFile)>>,
}

type Histories = BTreeMap<PetitionId, Vec<LedgerLine>>;

impl Audit<'_> {
    fn fault(&mut self, place: impl Into<String>, what: impl Into<String>) {
        self.found.push(Discrepancy { place: place.into(), what: what.into() });
    }

    /// Checks the chain, line by line. After a fault it goes on with the line that is there.
    fn lines(&mut self) -> Result<Histories, DocketError> {
        let mut histories = Histories::new();
        let mut heads: BTreeMap<PetitionId, u64> = BTreeMap::new();
        let mut chain = Chain::start();
        let mut number = 0u64;
        self.docket.reader()?.lines(0, |line| {
            number += 1;
            let place = format!("line {number} of the ledger");
            if !line.whole {
                self.fault(place, "it is torn off: it was never finished");
                return true;
            }
            let expected = chain.clone();
            let record = match chain.next(&line.bytes).or_else(|_| LedgerLine::read(&line.bytes)) {
                Ok(record) => record,
                Err(why) => {
                    self.fault(place, why);
                    // The lines that follow are judged by their own numbers.
                    chain.seq += 1;
                    chain.hash = Arc::from("");
                    return true;
                }
            };
            if record.seq != expected.seq + 1 {
                let before = expected.seq;
                self.fault(place.as_str(), format!("it has number {}, and follows {before}", record.seq));
            } else if record.prev != expected.hash && !expected.hash.is_empty() {
                self.fault(place.as_str(), "it does not follow the line before");
            }
            let back = heads.insert(record.petition.clone(), line.offset);
            if record.back != back {
                self.fault(place, "it does not name the petition's line before");
            }
            chain.follow(&record);
            histories.entry(record.petition.clone()).or_default().push(record);
            true
        })?;
        let applied = self.docket.recovery_mark()?.map_or(0, |applied| applied.seq);
        if applied > chain.seq {
            self.fault("the end of the ledger", format!("lines {} to {applied} are missing", chain.seq + 1));
        }
        Ok(histories)
    }

    fn read(&mut self, place: PetitionPlace) -> Result<(), DocketError> {
        let folder = self.docket.place(place);
        let mut names = self.docket.disk().names(&folder)?;
        names.retain(|name| names::is_petition(name));
        for name in names {
            match PetitionFile::read(self.docket.disk(), &folder.join(&name)) {
                Ok(paper) => {
                    let id = paper.sheet.petition().id.clone();
                    self.files.entry(id).or_default().push((place, name, paper));
                }
                Err(Unread::Missing) => {}
                Err(Unread::Malformed(why)) => self.fault(name, format!("malformed: {why}")),
                Err(Unread::Disk(error)) => self.fault(name, error.to_string()),
            }
        }
        Ok(())
    }

    fn compare(&mut self, histories: &Histories) {
        let files = std::mem::take(&mut self.files);
        for (id, history) in histories {
            let closed = history.iter().find(|record| record.closes());
            match (files.get(id).map(Vec::as_slice), closed) {
                (Some([(place, name, paper)]), _) => self.petition(*place, name, paper, history, closed),
                (Some([_, (_, second, _), ..]), _) => {
                    self.fault(second, format!("the id {id} is in two files"))
                }
                (Some([]) | None, None) => self.fault(id.to_string(), "it is open, and its file is gone"),
                // The file of a closed petition may be cleared away.
                (Some([]) | None, Some(_)) => {}
            }
        }
        for (id, files) in &files {
            // A petition that was closed before the ledger began is not judged.
            let pending = files.iter().find(|(place, ..)| *place == PetitionPlace::Pending);
            if let (Some((_, name, _)), false) = (pending, histories.contains_key(id)) {
                self.fault(name, "not yet recorded: the ledger does not know that it was asked");
            }
        }
    }

    fn petition(
        &mut self,
        place: PetitionPlace,
        name: &str,
        paper: &PetitionFile,
        history: &[LedgerLine],
        closed: Option<&LedgerLine>,
    ) {
        let petition = paper.sheet.petition();
        let must = history.first().map(|asked| asked.requires_human.as_slice()).unwrap_or_default();
        for (decision, record) in assignments(history) {
            let to = record.assigned().map(|(_, to)| to);
            let found = match decision {
                None => petition.assignee.as_ref(),
                Some(id) => match petition.decision(id) {
                    Some(decision) => decision.assignee.as_ref(),
                    None => continue,
                },
            };
            if found != to {
                let whose = decision.map(|id| format!("{id}: ")).unwrap_or_default();
                let to = to.map_or("", |to| to);
                self.fault(name, format!("{whose}it was handed to {to}, and its file does not say so"));
            }
        }
        let mut newest: BTreeMap<&Arc<str>, &LedgerLine> = BTreeMap::new();
        for record in history {
            newest.extend(record.decision().map(|decision| (decision, record)));
        }
        for decision in &petition.decisions {
            let id = &decision.id;
            let record = newest.remove(id);
            let known = record.and_then(given);
            match (&known, &decision.answer) {
                (None, Some(_)) => self.fault(name, format!("{id}: its answer is not yet recorded")),
                (Some(_), None) => {
                    self.fault(name, format!("{id}: the answer of the ledger is not in the file"))
                }
                (Some(known), Some(found)) if known.choice != found.choice => {
                    self.fault(name, format!("{id}: its answer differs from the ledger's, not yet recorded"));
                }
                (Some(known), Some(found)) if known != found => {
                    self.fault(name, format!("{id}: who answered or when differs from the ledger"));
                }
                (None, None) | (Some(_), Some(_)) => {}
            }
            if must.contains(id) && !decision.requires_human {
                self.fault(name, format!("{id}: it requires a human, and its file does not say so"));
            }
            if record.and_then(digest).is_some_and(|shown| *shown != petition.digest(decision)) {
                self.fault(name, format!("{id}: the question was changed after it was answered"));
            }
        }
        for decision in newest.keys() {
            self.fault(name, format!("{decision}: it was answered, and is no longer in the file"));
        }
        match (closed, place, petition.closed.is_some()) {
            (Some(_), PetitionPlace::Pending, _) => {
                self.fault(name, "it is closed, and its file is still in pending")
            }
            (Some(_), PetitionPlace::Completed, false) => {
                self.fault(name, "it is closed, and its file does not say so")
            }
            (None, PetitionPlace::Completed, _) => {
                self.fault(name, "not yet recorded: its file is in completed, and it is open in the ledger");
            }
            (None, PetitionPlace::Pending, true) => {
                self.fault(name, "its file says that it is closed, the ledger does not")
            }
            (Some(_), PetitionPlace::Completed, true) | (None, PetitionPlace::Pending, false) => {}
        }
    }
}

fn digest(record: &LedgerLine) -> Option<&Arc<str>> {
    match &record.change {
        PetitionChange::Answered { digest, .. }
        | PetitionChange::Changed { digest, .. }
        | PetitionChange::Late { digest, .. } => Some(digest),
        PetitionChange::Asked
        | PetitionChange::Assigned { .. }
        | PetitionChange::Submitted
        | PetitionChange::Withdrawn { .. }
        | PetitionChange::Expired { .. } => None,
    }
}
