//! The docket as its callers know it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{Choice, Draft, Petition, PetitionId, Priority, Seen, Status};
use serde::{Deserialize, Serialize};

use crate::damage::Mended;
use crate::error::DocketError;
use crate::feed::DocketFeed;
use crate::files::Disk;
use crate::index::Index;
use crate::ledger::scan::Reader;
use crate::ledger::{Discrepancy, LedgerReader, Record};
use crate::queue_index::QueueIndex;
use crate::recovery_mark::RecoveryMark;
use crate::storage::memory::MemoryStorage;
use crate::storage::{Open, OpenFile};
use crate::transaction::Transaction;
use crate::{damage, find, gone, push, verify};

/// Petitions and their ledger, in a folder or in memory. Cheap to clone: everything is kept there.
#[derive(Debug, Clone)]
pub struct Docket {
    queue: PathBuf,
    /// The door of agents, who do not say by themselves through which one they came.
    door: Door,
    disk: Disk,
}

/// A petition as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPetition {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    pub kept: StoredPetition,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(skip)]
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
        Docket { queue, door: Door::Cli, disk: Disk::default() }
    }

    /// A docket in memory. Those of one storage are one docket.
    pub fn in_memory(storage: MemoryStorage) -> Docket {
        let queue = storage.home().join("queue");
        Docket { disk: Disk::on(Arc::new(storage)), ..Docket::at(queue) }
    }

    /// The same for agents that come through this door: `mcp`, or `cli` if nothing is said.
    pub fn through(mut self, door: Door) -> Docket {
        self.door = door;
        self
    }

    /// The same docket with a hand that stops after so many steps, as if its process had died. For tests.
    #[doc(hidden)]
    pub fn faltering(&self, steps: u32) -> Docket {
        Docket { disk: self.disk.faltering(i64::from(steps)), ..self.clone() }
    }

    /// The same docket with a hand of whose steps one fails. For tests.
    #[doc(hidden)]
    pub fn stumbling(&self, step: u32) -> Docket {
        Docket { disk: self.disk.stumbling(i64::from(step)), ..self.clone() }
    }

    /// How often this docket synced its ledger. For tests.
    #[doc(hidden)]
    pub fn syncs(&self) -> u64 {
        self.disk.syncs()
    }

    /// The folder of petitions.
    pub fn folder(&self) -> &Path {
        &self.queue
    }

    /// The ledger's file: beside the folder that it describes. A folder with a name of its own has one of that name, so that
    /// several folders in one place do not share it.
    pub fn ledger_file(&self) -> PathBuf {
        let beside = self.queue.parent().unwrap_or(&self.queue);
        match self.queue.file_name() {
            Some(name) if name != "queue" => {
                let mut name = name.to_owned();
                name.push(".ledger.jsonl");
                beside.join(name)
            }
            Some(_) | None => beside.join("ledger.jsonl"),
        }
    }

    /// Asks. It is on the disk, file and ledger, when this returns. The same id, the same key of the same agent, or without
    /// a key the same content of the same agent while it is open, gives the petition that is there.
    pub fn push(
        &self,
        draft: &Draft,
        id: PetitionId,
        by: &Actor,
        now: Timestamp,
    ) -> Result<Pushed, DocketError> {
        push::push(self, draft, id, by, now)
    }

    /// The petition of exactly this id, or the only one whose id begins so. What time, a hand or another program made of it
    /// meanwhile is recorded first.
    pub fn find(&self, typed: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::find(self, typed, now)
    }

    /// The newest petition with this tag.
    pub fn tagged(&self, tag: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::tagged(self, tag, now)
    }

    /// One more look at a petition, for those who wait: a few small reads, whatever else is in the docket.
    pub fn look(&self, id: &PetitionId, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::look(self, id, now)
    }

    /// Answers or skips a decision. It is on the disk, ledger and file, when this returns.
    pub fn answer(
        &self,
        id: &PetitionId,
        decision: &str,
        choice: Choice,
        seen: &Seen,
        by: &Actor,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        push::act(self, id, by, now, |case| Ok(case.petition.answer(decision, choice, seen, by)?))
    }

    /// Makes the answers final, moves the file and notifies the asker. A question that was changed after its answer has to
    /// be answered again first.
    pub fn submit(&self, id: &PetitionId, by: &Actor, now: Timestamp) -> Result<StoredPetition, DocketError> {
        push::act(self, id, by, now, push::submit)
    }

    /// The asker needs it no more. An agent withdraws what is its own, a person anything. If its file was
    /// removed, the ledger alone says that it is over.
    pub fn withdraw(
        &self,
        id: &PetitionId,
        why: &str,
        by: &Actor,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        match push::act(self, id, by, now, |case| Ok(case.petition.withdraw(why, by)?)) {
            Err(DocketError::Gone { id }) => gone::withdraw(self, &id, why, by, now),
            other => other,
        }
    }

    /// What waits. What time, hands or other programs made of it meanwhile is recorded first. If the ledger is damaged it is
    /// what the files say, and the ledger is among the faults.
    pub fn queue(&self, now: Timestamp) -> Result<Queue, DocketError> {
        match self.board(now) {
            Ok(board) => Ok(board.queue()),
            Err(DocketError::Damaged { path, line, why }) => {
                let damage = format!("the ledger is damaged at line {line}: {why}");
                Ok(damage::as_files_say(self, path, damage))
            }
            Err(error) => Err(error),
        }
    }

    /// What is wrong with the ledger's lines, if anything is. A line that is being written at the moment may look so, too.
    pub fn damage(&self) -> Result<Option<String>, DocketError> {
        damage::damage(self)
    }

    /// Puts a damaged ledger aside, where it is kept, and begins a new one with the files as they stand: each petition as if
    /// another program had brought it. None if nothing is wrong with the ledger.
    pub fn mend(&self, now: Timestamp) -> Result<Option<Mended>, DocketError> {
        damage::mend(self, now)
    }

    /// What waits, to be kept and refreshed.
    pub fn board(&self, now: Timestamp) -> Result<QueueIndex, DocketError> {
        let mut board = QueueIndex::open(self, now)?;
        board.refresh(self, now)?;
        Ok(board)
    }

    /// What is over, the newest first.
    pub fn completed(&self) -> Result<Vec<Summary>, DocketError> {
        find::completed(self)
    }

    /// Records what time, hands and other programs made of the petitions, for whoever lives long.
    pub fn settle(&self, now: Timestamp) -> Result<(), DocketError> {
        self.board(now).map(drop)
    }

    /// Follows the docket: one feed for all of this process who do. `now` tells the time.
    pub fn feed(&self, now: fn() -> Timestamp) -> Result<DocketFeed, DocketError> {
        DocketFeed::of(self, now)
    }

    /// When a file of the docket was written; the beginning of time if it cannot be told.
    pub fn written_at(&self, file: &Path) -> Timestamp {
        let written = self.disk.about(file).ok().and_then(|about| about.modified);
        let since = written.and_then(|at| at.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
        Timestamp(since.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or(0))
    }

    /// Both are of the same petitions.
    pub(crate) fn is_same(&self, other: &Docket) -> bool {
        self.queue == other.queue && self.disk.storage().identity() == other.disk.storage().identity()
    }

    /// Every line of the ledger, in order, from `seq` on. A line that does not follow the one before is an error.
    pub fn records(&self, seq: u64) -> Result<Vec<Record>, DocketError> {
        self.ledger(seq).read()
    }

    /// The ledger from line `seq` on, to be read and followed.
    pub fn ledger(&self, seq: u64) -> LedgerReader {
        LedgerReader::new(self.clone(), seq)
    }

    /// What does not agree: lines with one another, files with the ledger. It changes nothing.
    pub fn verify(&self) -> Result<Vec<Discrepancy>, DocketError> {
        verify::verify(self)
    }

    /// Makes sure that nothing is half done: whoever died in the middle of a change left the ledger longer than what is
    /// noted as done.
    pub(crate) fn whole(&self, now: Timestamp) -> Result<(), DocketError> {
        let length = self.ledger_length();
        let is_done = match self.recovery_mark() {
            Some(applied) => applied.is_of_this_boot(&self.disk) && applied.end().offset == length,
            None => length == 0,
        };
        if is_done { Ok(()) } else { Transaction::begin(self, now).map(drop) }
    }

    /// Everything that a change needs.
    pub(crate) fn folders(&self) -> [PathBuf; 5] {
        let of = |name: &str| self.queue.join(name);
        [of("pending"), of("completed"), of("notify"), of(".arbiter"), of(".arbiter/staged")]
    }

    /// A file or folder that is ours alone.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.queue.join(".arbiter").join(name)
    }

    /// A folder of petitions.
    pub(crate) fn place(&self, place: Place) -> PathBuf {
        self.queue.join(match place {
            Place::Pending => "pending",
            Place::Completed => "completed",
        })
    }

    /// A petition's file.
    pub(crate) fn path(&self, place: Place, name: &str) -> PathBuf {
        self.place(place).join(name)
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The ledger, to be read.
    pub(crate) fn reader(&self) -> Result<Reader, DocketError> {
        Reader::open(&self.ledger_file(), &self.disk)
    }

    /// How long the ledger is; 0 if there is none.
    pub(crate) fn ledger_length(&self) -> u64 {
        let ledger = self.disk.storage().open(&self.ledger_file(), Open::Read);
        ledger.and_then(|ledger| ledger.about()).map_or(0, |about| about.length())
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(&self.own("index"), &self.disk)
    }

    pub(crate) fn recovery_mark(&self) -> Option<RecoveryMark> {
        RecoveryMark::read(&self.own("applied"), &self.disk)
    }

    /// Waits until nobody else changes anything: one lock serves the whole docket, for about a millisecond.
    pub(crate) fn lock(&self) -> Result<Arc<dyn OpenFile>, DocketError> {
        let path = self.own("lock");
        self.disk.storage().lock(&path).map_err(DocketError::disk(&path))
    }

    /// The door that somebody came through.
    pub(crate) fn door(&self, by: &Actor) -> Door {
        by.door().unwrap_or(self.door)
    }
}

impl Place {
    /// Where it would be else.
    pub(crate) fn other(self) -> Place {
        match self {
            Place::Pending => Place::Completed,
            Place::Completed => Place::Pending,
        }
    }
}

impl Summary {
    /// Of a petition.
    pub(crate) fn of(petition: &Petition, file: PathBuf) -> Summary {
        Summary {
            id: petition.id.clone(),
            agent: Arc::clone(&petition.agent),
            tag: Arc::clone(&petition.tag),
            title: Arc::clone(&petition.title),
            priority: petition.priority,
            status: petition.status(),
            created_at: petition.created_at,
            total: petition.decisions.len(),
            decided: petition.decided(),
            mission: petition.mission.clone(),
            blocks: petition.blocks.clone(),
            due_at: petition.due_at(),
            assignee: petition.assignee.clone(),
            file,
        }
    }
}
