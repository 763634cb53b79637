//! A damaged ledger: one that another program or a person changed. The docket writes nothing to it any more;
//! the queue is shown from the files alone, and a person can put the ledger aside and let a new one begin with
//! the files as they stand.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{Petition, PetitionId};

use crate::docket::{Docket, Fault, FaultKind, PetitionPlace, Queue, Summary};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{PetitionFile, Unread};
use crate::queue_index;
use crate::transaction::Transaction;
use crate::{limits, verify};

/// What the docket did with a damaged ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    pub what: String,
    /// Where the damaged ledger is kept; none if no byte of it was left.
    pub kept: Option<PathBuf>,
    /// How many petitions the new ledger begins with.
    pub petitions: usize,
    /// Answers that only a person at a door can give: they were taken back, and must be given again.
    pub again: Vec<(PetitionId, Arc<str>)>,
}

/// The queue as the files say it. The files do not say who answered, and nothing is recorded.
pub(crate) fn as_files_say(docket: &Docket, path: PathBuf, damage: String) -> Result<Queue, DocketError> {
    let damage = Fault { file: path, kind: FaultKind::Damaged, petition: None, why: damage };
    let mut queue = Queue { petitions: Vec::new(), faults: vec![damage] };
    for (file, said) in pending(docket)? {
        match said {
            Ok(petition) => queue.petitions.push(Summary::of(&petition, file)),
            Err((kind, why)) => queue.faults.push(Fault { file, kind, petition: None, why }),
        }
    }
    queue_index::sort(&mut queue.petitions);
    Ok(queue)
}

/// Puts a damaged ledger aside and begins a new one. None if the ledger is not damaged.
pub(crate) fn mend(docket: &Docket, now: Timestamp) -> Result<Option<Mended>, DocketError> {
    let now = now.min(limits::MOMENT_MAX);
    // What a process that died left half done is no damage: recovery finishes it.
    match Transaction::begin(docket, now) {
        Ok(_) | Err(DocketError::Damaged { .. }) => {}
        Err(error) => return Err(error),
    }
    let Some((what, kept)) = put_aside(docket, now)? else { return Ok(None) };
    let mut again = Vec::new();
    for petition in pending(docket)?.into_iter().filter_map(|(_, said)| said.ok()) {
        let theirs = petition.decisions.iter().filter(|one| one.requires_human && one.answer.is_some());
        again.extend(theirs.map(|one| (petition.id.clone(), Arc::clone(&one.id))));
    }
    let petitions = docket.board(now)?.queue().petitions.len();
    Ok(Some(Mended { what, kept, petitions, again }))
}

/// Runs under the lock. The index goes last: until then the docket stays closed, and this can be done again.
fn put_aside(docket: &Docket, now: Timestamp) -> Result<Option<(String, Option<PathBuf>)>, DocketError> {
    let disk = docket.disk();
    let _lock = docket.lock(docket.lock_wait())?;
    let Some(what) = damage(docket)? else { return Ok(None) };
    let ledger = docket.ledger_file();
    let is_there = docket.ledger_length()? > 0;
    let kept = is_there.then(|| free_name(docket, &ledger, now)).transpose()?;
    if let Some(kept) = &kept {
        disk.rename(&ledger, kept)?;
        disk.sync_folder(ledger.parent().unwrap_or(&ledger))?;
    }
    let index = docket.own("index");
    for shard in disk.names(&index)? {
        disk.remove(&index.join(shard))?;
    }
    disk.remove(&docket.own("applied"))?;
    disk.sync_folder(&docket.own(""))?;
    Ok(Some((what, kept)))
}

/// What is wrong with the ledger's lines, if anything is.
pub(crate) fn damage(docket: &Docket) -> Result<Option<String>, DocketError> {
    if let Some(fault) = verify::lines(docket)?.into_iter().next() {
        return Ok(Some(format!("{}: {}", fault.place, fault.what)));
    }
    let Some(known) = docket.recovery_mark()?.map(|applied| applied.end()) else {
        return Ok(None);
    };
    let last = docket.reader()?.record_at(known.last)?;
    let is_known = known.chain.seq == 0 || last.is_some_and(|last| last.hash == known.chain.hash);
    Ok((!is_known).then(|| format!("line {} of the ledger: it was changed", known.chain.seq)))
}

type Said = Result<Petition, (FaultKind, String)>;

fn pending(docket: &Docket) -> Result<Vec<(PathBuf, Said)>, DocketError> {
    let folder = docket.place(PetitionPlace::Pending);
    let mut names = docket.disk().names(&folder)?;
    names.retain(|name| names::is_petition(name));
    let mut found = Vec::new();
    for file in names.iter().map(|name| folder.join(name)) {
        let said = match PetitionFile::read(docket.disk(), &file) {
            Ok(paper) => Ok(paper.sheet.petition().clone()),
            Err(Unread::Missing) => continue,
            Err(Unread::Malformed(why)) => Err((FaultKind::Malformed, why)),
            Err(Unread::Disk(error)) => Err((FaultKind::Unreadable, error.to_string())),
        };
        found.push((file, said));
    }
    Ok(found)
}

/// A free file name beside the ledger.
fn free_name(docket: &Docket, ledger: &Path, now: Timestamp) -> Result<PathBuf, DocketError> {
    let stem = ledger.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let at = now.utc().to_string().replace(['-', ':'], "");
    let name = |number: usize| {
        let number = if number < 2 { String::new() } else { format!("-{number}") };
        ledger.with_file_name(format!("{stem}.damaged-{at}{number}.jsonl"))
    };
    for path in (1..limits::NAME_TRIES).map(name) {
        if !docket.disk().is_there(&path)? {
            return Ok(path);
        }
    }
    Ok(name(limits::NAME_TRIES))
}
