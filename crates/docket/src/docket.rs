//! The docket as its callers know it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{By, Choice, Draft, Petition, PetitionId, Priority, Seen, Status};

use crate::error::DocketError;
use crate::ledger::{Discrepancy, Record};

/// A folder of petitions and its ledger. Cheap to clone: everything is on the disk.
#[derive(Debug, Clone)]
pub struct Docket {
    queue: PathBuf,
}

/// A petition as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// What it says.
    pub petition: Petition,
    /// Its file.
    pub file: PathBuf,
    /// Where that is.
    pub place: Place,
    /// Everything the ledger holds of it, in order.
    pub records: Vec<Record>,
}

/// Where a petition's file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In `pending/`.
    Pending,
    /// In `completed/`.
    Completed,
}

/// A petition that was pushed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// As it is kept.
    pub kept: Kept,
    /// It was there already.
    pub again: bool,
}

/// What waits, in the order in which it should be answered, and what cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queue {
    /// The petitions.
    pub petitions: Vec<Summary>,
    /// Files that are no petitions.
    pub faults: Vec<Fault>,
}

/// One line of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub id: PetitionId,
    /// The agent that asks.
    pub agent: Arc<str>,
    /// What it belongs to.
    pub tag: Arc<str>,
    /// What it is about.
    pub title: Arc<str>,
    /// How much it matters.
    pub priority: Priority,
    /// Where it stands.
    pub status: Status,
    /// When it was asked.
    pub created_at: Timestamp,
    /// How many decisions it has.
    pub total: usize,
    /// How many of them are answered or skipped.
    pub decided: usize,
    /// The mission that asks.
    pub mission: Option<Arc<str>>,
    /// What waits for it.
    pub blocks: Option<Arc<str>>,
    /// When time alone changes something next.
    pub due_at: Option<Timestamp>,
    /// Who is asked; anybody if none.
    pub assignee: Option<Arc<str>>,
    /// Its file.
    pub file: PathBuf,
}

/// A file that is no petition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

impl Docket {
    /// The docket whose petitions lie in `queue`; the folders are made when they are first written to.
    pub fn at(queue: PathBuf) -> Docket {
        Docket { queue }
    }

    /// The folder of petitions.
    pub fn folder(&self) -> &Path {
        &self.queue
    }

    /// The ledger's file: beside the folder that it describes.
    pub fn ledger_file(&self) -> PathBuf {
        self.queue.parent().unwrap_or(&self.queue).join("ledger.jsonl")
    }

    /// Asks. It is on the disk, file and ledger, when this returns. The same id, the same key of the same agent, or without
    /// a key the same content of the same agent, gives the petition that is there.
    pub fn push(
        &self,
        draft: &Draft,
        id: PetitionId,
        by: &By,
        now: Timestamp,
    ) -> Result<Pushed, DocketError> {
        let _ = (draft, by, now);
        Err(DocketError::Gone { id })
    }

    /// The petition of exactly this id, or the only one whose id begins so. What time, a hand or another program made of it
    /// meanwhile is recorded first.
    pub fn find(&self, typed: &str, now: Timestamp) -> Result<Kept, DocketError> {
        let _ = now;
        Err(DocketError::Unknown { typed: typed.to_owned() })
    }

    /// The newest petition with this tag.
    pub fn tagged(&self, tag: &str, now: Timestamp) -> Result<Kept, DocketError> {
        self.find(tag, now)
    }

    /// Answers or skips a decision. It is on the disk, ledger and file, when this returns.
    pub fn answer(
        &self,
        id: &PetitionId,
        decision: &str,
        choice: Choice,
        seen: &Seen,
        by: &By,
        now: Timestamp,
    ) -> Result<Kept, DocketError> {
        let _ = (decision, choice, seen, by, now);
        Err(DocketError::Gone { id: id.clone() })
    }

    /// Makes the answers final, moves the file and notifies the asker.
    pub fn submit(&self, id: &PetitionId, by: &By, now: Timestamp) -> Result<Kept, DocketError> {
        let _ = (by, now);
        Err(DocketError::Gone { id: id.clone() })
    }

    /// The asker needs it no more.
    pub fn withdraw(&self, id: &PetitionId, why: &str, by: &By, now: Timestamp) -> Result<Kept, DocketError> {
        let _ = (why, by, now);
        Err(DocketError::Gone { id: id.clone() })
    }

    /// What waits. What time, hands or other programs made of it meanwhile is recorded first.
    pub fn queue(&self, now: Timestamp) -> Result<Queue, DocketError> {
        let _ = now;
        Ok(Queue::default())
    }

    /// Every line of the ledger, in order, from `seq` on.
    pub fn records(&self, seq: u64) -> Result<Vec<Record>, DocketError> {
        let _ = seq;
        Ok(Vec::new())
    }

    /// What does not agree: lines with one another, files with the ledger. It changes nothing.
    pub fn verify(&self) -> Result<Vec<Discrepancy>, DocketError> {
        Ok(Vec::new())
    }
}
