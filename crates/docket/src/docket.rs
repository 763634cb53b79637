//! `Docket`: the public calls on petitions and their ledger, and the values they return.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::Timestamp;
use mind::actor::{Actor, Door};
use mind::petition::{
    AnswerChoice, Petition, PetitionDraft, PetitionId, PetitionStatus, Priority, SeenQuestion,
};
use serde::{Deserialize, Serialize};

use crate::act::PetitionAct;
use crate::damage::Mended;
use crate::error::{DocketError, HeldLock};
use crate::feed::DocketFeed;
use crate::files::{Disk, LockWait, is_absence};
use crate::index::Index;
use crate::ledger::scan::Reader;
use crate::ledger::{Discrepancy, LedgerLine, LedgerReader};
use crate::queue_index::QueueIndex;
use crate::recovery_mark::RecoveryMark;
use crate::storage::memory::MemoryStorage;
use crate::storage::{Open, OpenFile};
use crate::transaction::Transaction;
use crate::{act, damage, find, gone, limits, push, verify};

/// Petitions and their ledger, in a folder or in memory. Cheap to clone: the storage holds everything.
#[derive(Debug, Clone)]
pub struct Docket {
    queue: PathBuf,
    /// The door that is recorded for agents: an agent does not say which one it came through.
    door: Door,
    disk: Disk,
    lock_wait: LockWait,
}

/// A petition with its file and its ledger lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPetition {
    pub petition: Petition,
    pub file: PathBuf,
    pub place: PetitionPlace,
    /// Every ledger line of this petition, in order.
    pub records: Vec<LedgerLine>,
}

/// The folder in which a petition's file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PetitionPlace {
    Pending,
    Completed,
}

/// The result of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    pub kept: StoredPetition,
    /// The same petition was pushed before, and this is that one.
    pub again: bool,
}

/// The queue: open petitions in the order in which they should be answered, and the files that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queue {
    pub petitions: Vec<Summary>,
    /// Files that are no petitions, cannot be read, or are gone.
    pub faults: Vec<Fault>,
}

/// One petition in the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub id: PetitionId,
    /// The agent that asks.
    pub agent: Arc<str>,
    pub tag: Arc<str>,
    pub title: Arc<str>,
    pub priority: Priority,
    pub status: PetitionStatus,
    /// When the petition was pushed.
    pub created_at: Timestamp,
    pub total: usize,
    /// How many decisions are answered or skipped.
    pub decided: usize,
    /// The mission that asks.
    pub mission: Option<Arc<str>>,
    /// What stands still until the petition is answered.
    pub blocks: Option<Arc<str>>,
    /// When a deadline changes the petition next.
    pub due_at: Option<Timestamp>,
    /// The person who is asked; any person if none.
    pub assignee: Option<Arc<str>>,
    #[serde(skip)]
    pub file: PathBuf,
}

/// What stands in the way of a petition that may wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub file: PathBuf,
    pub kind: FaultKind,
    /// The petition, if the ledger knows which one it is.
    pub petition: Option<PetitionId>,
    pub why: String,
}

/// What is wrong with a file of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// It is no petition, or its id is another one's.
    Malformed,
    /// It cannot be read now: a petition may be left out.
    Unreadable,
    /// It is gone, or was never put in its place: the ledger has the petition open.
    Missing,
    /// The petition is closed, and the file cannot be moved to where it belongs.
    Unmoved,
    /// What is new in it is recorded, and it cannot be brought in line yet.
    Behind,
    /// It is the ledger, and another program changed it.
    Damaged,
}

impl Fault {
    /// Whether a petition may wait that the queue does not show.
    pub fn may_hide(&self) -> bool {
        match self.kind {
            FaultKind::Unreadable | FaultKind::Missing => true,
            // Any program may leave what is no petition; in the place of one that is open, it hides that one.
            FaultKind::Malformed => self.petition.is_some(),
            FaultKind::Unmoved | FaultKind::Behind | FaultKind::Damaged => false,
        }
    }
}

impl Docket {
    /// The docket whose petitions lie in the folder `queue`. Its folders are made by the first write.
    pub fn at(queue: PathBuf) -> Docket {
        Docket { queue, door: Door::Cli, disk: Disk::default(), lock_wait: LockWait::default() }
    }

    /// A docket in memory. Dockets of one storage value are the same docket.
    pub fn in_memory(storage: MemoryStorage) -> Docket {
        let queue = storage.home().join("queue");
        Docket { disk: Disk::on(Arc::new(storage)), ..Docket::at(queue) }
    }

    /// The same docket for agents that come through `door`: `mcp`, or `cli` if no call says so.
    pub fn through(mut self, door: Door) -> Docket {
        self.door = door;
        self
    }

    /// The same docket; `tell` is called when another process holds its lock for more than a moment.
    pub fn telling_of_locks(mut self, tell: fn(&HeldLock)) -> Docket {
        self.lock_wait.tell = tell;
        self
    }

    /// The same docket, which waits at most so long for its lock. For tests.
    #[doc(hidden)]
    pub fn waiting_at_most(mut self, at_most: Duration) -> Docket {
        self.lock_wait.at_most = at_most;
        self
    }

    /// The same docket, whose writes stop after so many steps, as if the process had died. For tests.
    #[doc(hidden)]
    pub fn faltering(&self, steps: u32) -> Docket {
        Docket { disk: self.disk.faltering(i64::from(steps)), ..self.clone() }
    }

    /// The same docket, of whose write steps one fails. For tests.
    #[doc(hidden)]
    pub fn stumbling(&self, step: u32) -> Docket {
        Docket { disk: self.disk.stumbling(i64::from(step)), ..self.clone() }
    }

    /// The same docket, of whose looks at names, folders and files one fails. For tests.
    #[doc(hidden)]
    pub fn blinking(&self, look: u32) -> Docket {
        Docket { disk: self.disk.blinking(i64::from(look)), ..self.clone() }
    }

    /// Whether the step or look that was to fail was reached. For tests.
    #[doc(hidden)]
    pub fn has_stumbled(&self) -> bool {
        self.disk.has_stumbled()
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

    /// The ledger's file, beside the folder that it describes. A folder with a name of its own has a ledger of that
    /// name, so that several folders in one place do not share one.
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

    /// Pushes a petition. File and ledger line are on the disk when this returns. The same id, the same key of the same
    /// agent, or without a key the same content of the same agent while it is open, returns the petition that is there.
    pub fn push(
        &self,
        draft: &PetitionDraft,
        id: PetitionId,
        by: &Actor,
        now: Timestamp,
    ) -> Result<Pushed, DocketError> {
        push::push(self, draft, id, by, now)
    }

    /// The petition of exactly this id, or the only one whose id begins so. Passed deadlines and edits of the
    /// file are recorded first.
    pub fn find(&self, typed: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::find(self, typed, now)
    }

    /// The newest petition with this tag.
    pub fn tagged(&self, tag: &str, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::tagged(self, tag, now)
    }

    /// The petition of exactly this id, for callers that poll: a few small reads, however large the docket is.
    pub fn read(&self, id: &PetitionId, now: Timestamp) -> Result<StoredPetition, DocketError> {
        find::read(self, id, now)
    }

    /// Answers or skips a decision. Ledger line and file are on the disk when this returns. Like the acts below it is
    /// done, and records nothing, if its caller did it before and was told of a file that could not follow, or died.
    pub fn answer(
        &self,
        id: &PetitionId,
        decision: &str,
        choice: AnswerChoice,
        seen: &SeenQuestion,
        by: &Actor,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        act::act(self, id, &PetitionAct::Answer { decision, choice, seen }, by, now)
    }

    /// Hands one decision of a petition, or all of it, to another person. Ledger line and file are on the disk when this
    /// returns. Only what is recorded counts from then on: a file that names somebody else is brought in line.
    pub fn assign(
        &self,
        id: &PetitionId,
        decision: Option<&str>,
        to: &str,
        by: &Actor,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        act::act(self, id, &PetitionAct::Assign { decision, to }, by, now)
    }

    /// Submits a petition: makes the answers final, moves the file and notifies the asker. A question that was changed
    /// after its answer must be answered again first.
    pub fn submit(&self, id: &PetitionId, by: &Actor, now: Timestamp) -> Result<StoredPetition, DocketError> {
        act::act(self, id, &PetitionAct::Submit, by, now)
    }

    /// Withdraws a petition. An agent may withdraw its own, a person any. If the file was removed, only the ledger
    /// records that the petition is over.
    pub fn withdraw(
        &self,
        id: &PetitionId,
        why: &str,
        by: &Actor,
        now: Timestamp,
    ) -> Result<StoredPetition, DocketError> {
        match act::act(self, id, &PetitionAct::Withdraw { why }, by, now) {
            Err(DocketError::Gone { id }) => gone::withdraw(self, &id, why, by, now),
            other => other,
        }
    }

    /// The queue. Passed deadlines and edits of the files are recorded first. If the ledger is damaged, the queue is
    /// what the files say, and the ledger is among the faults.
    pub fn queue(&self, now: Timestamp) -> Result<Queue, DocketError> {
        match self.board(now) {
            Ok(board) => Ok(board.queue()),
            Err(DocketError::Damaged { path, line, why }) => {
                let damage = format!("the ledger is damaged at line {line}: {why}");
                damage::as_files_say(self, path, damage)
            }
            Err(error) => Err(error),
        }
    }

    /// What is wrong with the ledger's lines, if anything is. A line that is being written at the moment may
    /// look damaged, too.
    pub fn damage(&self) -> Result<Option<String>, DocketError> {
        damage::damage(self)
    }

    /// Puts a damaged ledger aside, where it is kept, and begins a new one with the files as they stand: each petition
    /// counts as brought by another program. None if the ledger is not damaged.
    pub fn mend(&self, now: Timestamp) -> Result<Option<Mended>, DocketError> {
        damage::mend(self, now)
    }

    /// The queue as an index that the caller keeps and refreshes.
    pub fn board(&self, now: Timestamp) -> Result<QueueIndex, DocketError> {
        let mut board = QueueIndex::open(self, now)?;
        board.refresh(self, now)?;
        Ok(board)
    }

    /// Completed petitions, the newest first.
    pub fn completed(&self, now: Timestamp) -> Result<Vec<Summary>, DocketError> {
        find::completed(self, now)
    }

    /// Whether the ledger has a line of exactly this id.
    pub fn is_recorded(&self, id: &PetitionId, now: Timestamp) -> Result<bool, DocketError> {
        Ok(self.current_index(now)?.slot(id)?.is_some())
    }

    /// Records passed deadlines and edits of the files, for processes that run long.
    pub fn record_changes(&self, now: Timestamp) -> Result<(), DocketError> {
        self.board(now).map(drop)
    }

    /// Follows the docket. All followers of one process share one feed. `now` tells the time.
    pub fn feed(&self, now: fn() -> Timestamp) -> Result<DocketFeed, DocketError> {
        DocketFeed::of(self, now)
    }

    /// When a file of the docket was written; the epoch if the storage does not say.
    pub fn written_at(&self, file: &Path) -> Timestamp {
        let written = self.disk.about(file).ok().and_then(|about| about.modified);
        let since = written.and_then(|at| at.duration_since(std::time::SystemTime::UNIX_EPOCH).ok());
        Timestamp(since.and_then(|since| u64::try_from(since.as_millis()).ok()).unwrap_or(0))
    }

    /// Whether both are the same docket.
    pub(crate) fn is_same(&self, other: &Docket) -> bool {
        self.queue == other.queue && self.disk.storage().identity() == other.disk.storage().identity()
    }

    /// Every line of the ledger, in order, from `seq` on. A line that does not follow the one before is an error.
    pub fn records(&self, seq: u64) -> Result<Vec<LedgerLine>, DocketError> {
        self.ledger(seq).read()
    }

    /// The ledger from line `seq` on, to be read and followed.
    pub fn ledger(&self, seq: u64) -> LedgerReader {
        LedgerReader::new(self.clone(), seq)
    }

    /// What does not agree: ledger lines with one another, files with the ledger. What a process that died left half done
    /// is finished first; nothing else is changed.
    pub fn verify(&self, now: Timestamp) -> Result<Vec<Discrepancy>, DocketError> {
        verify::verify(self, now)
    }

    /// Finishes a half-done change. A process that died in the middle of one left the ledger longer than the
    /// recovery mark says.
    pub(crate) fn whole(&self, now: Timestamp) -> Result<(), DocketError> {
        self.current_index(now).map(drop)
    }

    /// The index as the ledger stands. If the files of the index are behind and cannot be written, it is in memory only.
    pub(crate) fn current_index(&self, now: Timestamp) -> Result<Index, DocketError> {
        let length = self.ledger_length()?;
        let is_done = match self.recovery_mark()? {
            Some(applied) => applied.is_of_this_boot(&self.disk) && applied.end().offset == length,
            None => length == 0,
        };
        if is_done { Ok(self.index()) } else { Ok(Transaction::begin(self, now)?.index) }
    }

    /// The folders that a change needs.
    pub(crate) fn folders(&self) -> [PathBuf; 5] {
        let of = |name: &str| self.queue.join(name);
        [of("pending"), of("completed"), of("notify"), of(".arbiter"), of(".arbiter/staged")]
    }

    /// A file or folder that is ours alone.
    pub(crate) fn own(&self, name: &str) -> PathBuf {
        self.queue.join(".arbiter").join(name)
    }

    /// A folder of petitions.
    pub(crate) fn place(&self, place: PetitionPlace) -> PathBuf {
        self.queue.join(match place {
            PetitionPlace::Pending => "pending",
            PetitionPlace::Completed => "completed",
        })
    }

    /// A petition's file.
    pub(crate) fn path(&self, place: PetitionPlace, name: &str) -> PathBuf {
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
    pub(crate) fn ledger_length(&self) -> Result<u64, DocketError> {
        let path = self.ledger_file();
        match self.disk.open(&path, Open::Read).and_then(|ledger| ledger.about()) {
            Ok(about) => Ok(about.length()),
            Err(error) if is_absence(&error) => Ok(0),
            Err(error) => Err(DocketError::disk(&path)(error)),
        }
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(&self.own("index"), &self.disk)
    }

    pub(crate) fn recovery_mark(&self) -> Result<Option<RecoveryMark>, DocketError> {
        RecoveryMark::read(&self.own("applied"), &self.disk)
    }

    /// Waits for the lock of the whole docket. Another process holds it for about a millisecond.
    pub(crate) fn lock(&self, wait: LockWait) -> Result<Arc<dyn OpenFile>, DocketError> {
        self.disk.lock(&self.own("lock"), Some(&self.own("next")), wait)
    }

    /// Whether somebody waits for the lock.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.disk.is_waited_for(&self.own("next"))
    }

    /// Lets those go first who wait for the lock, within bounds: one of them may be stopped.
    pub(crate) fn give_way(&self) {
        let began = Instant::now();
        while self.is_waited_for() && began.elapsed() < limits::GIVE_WAY_MAX {
            std::thread::sleep(limits::LOCK_PAUSE_MIN);
        }
    }

    pub(crate) fn lock_wait(&self) -> LockWait {
        self.lock_wait
    }

    /// The door that an actor came through.
    pub(crate) fn door(&self, by: &Actor) -> Door {
        by.door().unwrap_or(self.door)
    }
}

impl PetitionPlace {
    pub(crate) fn other(self) -> PetitionPlace {
        match self {
            PetitionPlace::Pending => PetitionPlace::Completed,
            PetitionPlace::Completed => PetitionPlace::Pending,
        }
    }
}

impl Summary {
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
