//! One petition in work: its file, its ledger lines, and the changes that follow from comparing both. Reading needs no
//! lock; if nothing must be recorded and nothing written, the petition stands as it was read.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{Petition, PetitionChange, PetitionId};

use crate::docket::{Docket, PetitionPlace, StoredPetition, Summary};
use crate::error::DocketError;
use crate::files::names;
use crate::files::petition_file::{PetitionFile, Stamp, Unread};
use crate::index::{Index, Slot};
use crate::ledger::LedgerLine;
use crate::ledger::append::{Asked, Entry};
use crate::ledger::scan::Reader;
use crate::reconcile::reconcile;
use crate::text::PetitionText;

/// A petition that was read, and what must be recorded and written.
#[derive(Debug)]
pub(crate) struct OpenPetition {
    pub id: PetitionId,
    pub name: Arc<str>,
    /// The folder in which the file is.
    pub place: PetitionPlace,
    /// The folder in which the file belongs.
    pub target: PetitionPlace,
    /// The file as it was read.
    pub bytes: Vec<u8>,
    pub stamp: Stamp,
    /// The stamp of a content that is known to agree with the ledger.
    pub known: Option<Stamp>,
    /// The file as it must become.
    pub sheet: PetitionText,
    /// The petition as it must become.
    pub petition: Petition,
    pub history: Vec<LedgerLine>,
    /// Where its newest ledger line begins.
    pub head: Option<u64>,
    /// The ledger lines to be added.
    pub lines: Vec<Entry>,
    /// Whether the asker must be notified.
    pub notify: bool,
}

/// Why a petition could not be read.
#[derive(Debug)]
pub(crate) enum Missing {
    /// No petition has this id.
    Unknown,
    /// The ledger knows it, and its file is missing.
    Gone(PetitionId),
    /// The file is no petition.
    Malformed(PathBuf, String),
    /// The index is wrong about it.
    Misled,
    /// The disk refused.
    Disk(DocketError),
}

impl From<DocketError> for Missing {
    fn from(error: DocketError) -> Missing {
        Missing::Disk(error)
    }
}

/// What a petition is read from: storage, ledger, index, and the time.
pub(crate) struct Shelf<'a> {
    pub docket: &'a Docket,
    pub index: &'a mut Index,
    pub ledger: &'a Reader,
    /// At most [`crate::limits::MOMENT_MAX`].
    pub now: Timestamp,
}

impl Shelf<'_> {
    /// Reads the petition of this id from where the index says its file is, or from the folder it would have
    /// been moved to. If it is still staged, the error holds it.
    pub fn by_id(&mut self, id: &PetitionId) -> Result<OpenPetition, Missing> {
        let slot = self.index.slot(id)?.ok_or(Missing::Unknown)?;
        let history = self.ledger.history(id, slot.head)?.ok_or(Missing::Misled)?;
        for place in [slot.place, slot.place.other()] {
            match self.paper(place, &slot.name) {
                Ok(paper) if paper.sheet.petition().id == *id => {
                    return self.case(Arc::clone(&slot.name), place, paper, history, Some(&slot));
                }
                Ok(_) | Err(Missing::Unknown) => {}
                Err(missing) => return Err(missing),
            }
        }
        // Another petition's file had the name, so this file was moved under another one.
        for name in names::aside(&slot.name) {
            match self.paper(PetitionPlace::Completed, &name) {
                Ok(paper) if paper.sheet.petition().id == *id => {
                    return self.case(Arc::from(name), PetitionPlace::Completed, paper, history, Some(&slot));
                }
                Err(missing @ Missing::Disk(_)) => return Err(missing),
                Ok(_) | Err(_) => {}
            }
        }
        let staged = self.docket.own("staged").join(&*slot.name);
        match PetitionFile::read(self.docket.disk(), &staged) {
            Ok(paper) if names::is_plain(&slot.name) && paper.sheet.petition().id == *id => {
                let case =
                    self.case(Arc::clone(&slot.name), PetitionPlace::Pending, paper, history, Some(&slot))?;
                let why = io::Error::other("its file could not be moved there yet");
                let path = self.docket.path(PetitionPlace::Pending, &slot.name);
                Err(Missing::Disk(case.recorded(self.docket, DocketError::disk(&path)(why))))
            }
            Ok(_) | Err(Unread::Missing | Unread::Malformed(_)) => Err(Missing::Gone(id.clone())),
            Err(Unread::Disk(error)) => Err(Missing::Disk(error)),
        }
    }

    /// Reads the petition in this file.
    pub fn by_name(&mut self, place: PetitionPlace, name: &str) -> Result<OpenPetition, Missing> {
        let paper = self.paper(place, name)?;
        let id = paper.sheet.petition().id.clone();
        let Some(slot) = self.index.slot(&id)? else {
            return self.case(Arc::from(name), place, paper, Vec::new(), None);
        };
        // A file that cannot be read at the moment is no missing file: a person may be editing it.
        let is_there = |place: PetitionPlace| match PetitionFile::read(
            self.docket.disk(),
            &self.docket.path(place, &slot.name),
        ) {
            Ok(paper) => paper.sheet.petition().id == id,
            Err(Unread::Missing) => false,
            Err(Unread::Malformed(_) | Unread::Disk(_)) => true,
        };
        if *slot.name != *name && (is_there(PetitionPlace::Pending) || is_there(PetitionPlace::Completed)) {
            let why = format!("the id is also in {}", slot.name);
            return Err(Missing::Malformed(self.docket.path(place, name), why));
        }
        let history = self.ledger.history(&id, slot.head)?.ok_or(Missing::Misled)?;
        self.case(Arc::from(name), place, paper, history, Some(&slot))
    }

    fn paper(&self, place: PetitionPlace, name: &str) -> Result<PetitionFile, Missing> {
        if !names::is_plain(name) {
            return Err(Missing::Unknown);
        }
        let path = self.docket.path(place, name);
        PetitionFile::read(self.docket.disk(), &path).map_err(|unread| match unread {
            Unread::Missing => Missing::Unknown,
            Unread::Malformed(why) => Missing::Malformed(path, why),
            Unread::Disk(error) => Missing::Disk(error),
        })
    }

    fn case(
        &self,
        name: Arc<str>,
        place: PetitionPlace,
        paper: PetitionFile,
        history: Vec<LedgerLine>,
        slot: Option<&Slot>,
    ) -> Result<OpenPetition, Missing> {
        let petition = paper.sheet.petition().clone();
        let mut case = OpenPetition {
            id: petition.id.clone(),
            name,
            place,
            target: place,
            bytes: Vec::new(),
            stamp: paper.stamp,
            known: slot.and_then(|slot| slot.stamp),
            sheet: paper.sheet.clone(),
            petition,
            history,
            head: slot.map(|slot| slot.head),
            lines: Vec::new(),
            notify: false,
        };
        case.take(self.docket, paper, self.now)?;
        Ok(case)
    }
}

impl OpenPetition {
    /// Takes the file as it is now, and compares it with the ledger.
    pub fn take(&mut self, docket: &Docket, paper: PetitionFile, now: Timestamp) -> Result<(), Missing> {
        let findings = reconcile(paper.sheet.petition(), self.place, &self.history, &paper.hand(), now);
        let path = || docket.path(self.place, &self.name);
        let sheet = paper.sheet.edited(&findings.edits).map_err(|why| Missing::Malformed(path(), why.0))?;
        self.bytes = paper.bytes;
        self.stamp = paper.stamp;
        self.sheet = sheet;
        self.target = findings.place;
        self.petition = findings.petition;
        self.petition.updated_at = self.sheet.petition().updated_at;
        self.lines = findings.lines.into_iter().map(|(change, by, at)| self.entry(change, by, at)).collect();
        Ok(())
    }

    /// Adds a change that `mind` allowed.
    pub fn add(
        &mut self,
        docket: &Docket,
        change: PetitionChange,
        by: &Actor,
        now: Timestamp,
    ) -> Result<(), DocketError> {
        let malformed =
            |why: String| DocketError::Malformed { file: docket.path(self.place, &self.name), why };
        self.sheet = self.sheet.with(&change, by, now).map_err(|why| malformed(why.0))?;
        self.petition.apply(&change, by, now);
        if self.petition.closed.is_some() {
            self.target = PetitionPlace::Completed;
        }
        let mut entry = self.entry(change, by.clone(), now);
        entry.door = docket.door(by);
        self.lines.push(entry);
        Ok(())
    }

    /// Whether the file agrees with the ledger and is where it belongs.
    pub fn agrees(&self) -> bool {
        self.lines.is_empty() && self.target == self.place && self.sheet.text().as_bytes() == self.bytes
    }

    /// The file's stamp, if it is reliable.
    pub fn sure_stamp(&self) -> Option<Stamp> {
        let is_sure = self.known == Some(self.stamp) || self.stamp.is_sure();
        (self.agrees() && is_sure).then_some(self.stamp)
    }

    /// What a caller is told whose act was recorded, and whose file failed.
    pub fn recorded(&self, docket: &Docket, source: DocketError) -> DocketError {
        DocketError::Recorded { kept: Box::new(self.stored(docket)), source: Box::new(source) }
    }

    /// The petition as callers receive it.
    pub fn stored(&self, docket: &Docket) -> StoredPetition {
        StoredPetition {
            petition: self.petition.clone(),
            file: docket.path(self.place, &self.name),
            place: self.place,
            records: self.history.clone(),
        }
    }

    /// The petition as the queue lists it.
    pub fn summary(&self, docket: &Docket) -> Summary {
        Summary::of(&self.petition, docket.path(self.place, &self.name))
    }

    /// The petition's entry in the index; none if the ledger does not know the petition.
    pub fn slot(&self, docket: &Docket) -> Option<Slot> {
        Some(Slot {
            name: Arc::clone(&self.name),
            place: self.place,
            head: self.head?,
            open: !self.history.iter().any(LedgerLine::closes),
            stamp: self.sure_stamp(),
            summary: Some(self.summary(docket)),
        })
    }

    fn entry(&self, change: PetitionChange, by: Actor, at: Timestamp) -> Entry {
        let asked = (change == PetitionChange::Asked).then(|| Asked {
            file: Arc::clone(&self.name),
            agent: shortened(&self.petition.agent),
            tag: shortened(&self.petition.tag),
            priority: self.petition.priority,
            key: None,
            content: None,
            requires_human: requiring_human(&self.petition),
        });
        // A change that was found in the file came through the file, or a deadline made it.
        let door = by.door().unwrap_or(Door::File);
        Entry { at, petition: self.id.clone(), change, by, door, asked }
    }
}

/// The decisions that only a person at a door may answer.
pub(crate) fn requiring_human(petition: &Petition) -> Vec<Arc<str>> {
    let theirs = petition.decisions.iter().filter(|decision| decision.requires_human);
    theirs.map(|decision| Arc::clone(&decision.id)).collect()
}

/// A name cut to the ledger's bound: files of other programs may hold far longer names than we accept.
pub(crate) fn shortened(name: &Arc<str>) -> Arc<str> {
    let max = 4 * mind::limits::NAME_CHARS_MAX;
    if name.chars().count() <= max { Arc::clone(name) } else { Arc::from(mind::limits::cut(name, max)) }
}
