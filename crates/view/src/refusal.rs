//! Why something was refused, and what helps: one pair of sentences for every door. What refused it is told here as plain
//! data. A room's error becomes a `RefusalCause` in one place each: the docket's in `doors/refusal`, a journal's and an
//! inbox's in `arbiter/mission/refusal`. Exit codes are the program's.

mod mission;
mod petition;

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use mind::petition::{PetitionId, PetitionRefusal};
use mind::{MissionId, Timestamp};
use serde::Serialize;

pub use self::petition::{already, ended, in_short, what_stands};
use crate::port::SayError;

/// What is told of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusalText {
    /// What is wrong, in lower case and without a dot.
    pub cause: String,
    /// What helps, if anything is known to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl RefusalText {
    fn new(cause: impl Into<String>, hint: impl Into<String>) -> RefusalText {
        RefusalText { cause: cause.into(), hint: Some(hint.into()) }
    }
}

/// On one line, for a door that has no room for two.
impl fmt::Display for RefusalText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}: {hint}", self.cause),
            None => f.write_str(&self.cause),
        }
    }
}

/// Who is told, and so what a hint may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum RefusalReader {
    /// Types commands: `arbiter inbox`.
    Person,
    /// Calls tools: `arbiter_status`.
    Agent,
}

/// Why something was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum RefusalCause {
    /// The docket did not do it; `said` is its own sentence.
    Docket { said: String, trouble: DocketTrouble },
    /// A petition as it stands does not allow it. `now` is when it was judged.
    Petition { id: PetitionId, is_closed: bool, refusal: PetitionRefusal, now: Timestamp },
    /// What was typed names no answer.
    Choice(ChoiceTrouble),
    /// What an agent or a person wants to ask has these faults; all of them are told.
    Faults(Vec<String>),
    /// An agent's session did what only a person may do.
    OnlyPersons,
    /// The mission does not take it.
    Mission(MissionId, MissionTrouble),
    /// The mission's journal cannot be used.
    Journal(JournalRefusal),
    /// What was said did not reach the mission.
    Say(SayError),
}

impl From<JournalRefusal> for RefusalCause {
    fn from(refused: JournalRefusal) -> RefusalCause {
        RefusalCause::Journal(refused)
    }
}

impl From<SayError> for RefusalCause {
    fn from(error: SayError) -> RefusalCause {
        RefusalCause::Say(error)
    }
}

/// What can be wrong in a docket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum DocketTrouble {
    /// No petition is called so.
    Unknown,
    /// Several petitions begin so.
    Ambiguous(Vec<PetitionId>),
    /// A petition's file was removed.
    Gone,
    /// A petition's file cannot be understood.
    Malformed {
        file: String,
    },
    /// Another agent asked it.
    NotYours(PetitionId),
    /// Another petition has this id.
    IdTaken,
    /// The ledger was changed by another program.
    LedgerDamaged,
    /// The act is in the ledger, and the petition's file is behind it.
    FileBehind {
        trouble: DiskTrouble,
    },
    /// Another process holds the lock; `pid` is none if the system does not tell.
    Held {
        pid: Option<u32>,
        is_stopped: bool,
    },
    Disk {
        path: String,
        trouble: DiskTrouble,
    },
}

/// What can be wrong with the words that name an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum ChoiceTrouble {
    /// None of the petition's decisions is called so.
    NoSuchDecision { typed: String, petition: PetitionId, known: Vec<Arc<str>> },
    /// No decision was named.
    WhichDecision { petition: PetitionId, known: Vec<Arc<str>> },
    /// No option was named. `own_words`: the asker takes other answers too.
    WhichOption { decision: Arc<str>, keys: Vec<String>, own_words: bool },
    /// None of the options is called so.
    NotAKey { typed: String, keys: Vec<String>, own_words: bool },
    /// Several options were named where one is asked for.
    OneOnly { typed: String },
}

/// Why a mission takes no words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum MissionTrouble {
    Over,
    Discarded,
    /// It has no conductor whose moves could be forced.
    NotConducted,
}

/// Why the journal of a mission cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JournalRefusal {
    pub mission: MissionId,
    /// The journal's own sentence.
    pub said: String,
    pub trouble: JournalTrouble,
}

impl fmt::Display for JournalRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl std::error::Error for JournalRefusal {}

/// What can be wrong with a journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum JournalTrouble {
    /// Another process writes to it.
    Running {
        pid: u32,
    },
    /// A newer program wrote it, or a line of it.
    Newer,
    /// A program wrote it whose journals are read no more.
    Older,
    /// It is not sealed with this user's key, from this line on; 1 is all of it.
    Foreign {
        line: u64,
    },
    Damaged,
    Missing,
    Disk(DiskTrouble),
    /// Nothing a person can mend.
    Defect,
}

/// What can be wrong with a mission's inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum InboxTrouble {
    BadId,
    /// Another letter has this id.
    IdTaken,
    TooLarge,
    Disk {
        path: String,
    },
}

/// Why a disk refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum DiskTrouble {
    Full,
    /// Nothing may be written in this folder.
    Forbidden {
        folder: String,
    },
    /// A file is where a folder should be.
    FileInTheWay,
    Other,
}

impl DiskTrouble {
    /// What the system means that refused to use `path`.
    #[must_use]
    pub fn of(path: &Path, kind: ErrorKind) -> DiskTrouble {
        use ErrorKind as Kind;
        if matches!(kind, Kind::StorageFull | Kind::QuotaExceeded | Kind::WriteZero) {
            DiskTrouble::Full
        } else if matches!(kind, Kind::PermissionDenied | Kind::ReadOnlyFilesystem) {
            DiskTrouble::Forbidden { folder: path.parent().unwrap_or(path).display().to_string() }
        } else if matches!(kind, Kind::NotADirectory | Kind::AlreadyExists) {
            DiskTrouble::FileInTheWay
        } else {
            DiskTrouble::Other
        }
    }

    /// What helps, if the system said enough.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            DiskTrouble::Full => Some("make room on the disk".to_owned()),
            DiskTrouble::Forbidden { folder } => Some(format!("may you write in {folder}?")),
            DiskTrouble::FileInTheWay => Some("a file is where a folder should be; move it away".to_owned()),
            DiskTrouble::Other => None,
        }
    }
}

/// The sentence that says what was refused, and the next step.
#[must_use]
pub fn refusal(cause: &RefusalCause, reader: RefusalReader) -> RefusalText {
    match cause {
        RefusalCause::Docket { said, trouble } => {
            RefusalText::new(said, petition::docket_hint(trouble, reader))
        }
        RefusalCause::Petition { id, is_closed, refusal, now } => {
            petition::judged(id, *is_closed, refusal, *now, reader)
        }
        RefusalCause::Choice(trouble) => petition::choice(trouble),
        RefusalCause::Faults(faults) => petition::faults(faults, reader),
        RefusalCause::OnlyPersons => RefusalText::new(
            "an agent's session cannot speak for a human",
            "an agent is heard by what it answers; a person types this in a terminal of their own",
        ),
        RefusalCause::Mission(id, trouble) => mission::mission(id, trouble),
        RefusalCause::Journal(refused) => mission::journal(refused),
        RefusalCause::Say(error) => mission::say(error),
    }
}
