//! What a door may do with a mission: read its state and its facts, follow what moves, say something as a person and get a
//! receipt, and see what its sessions are saying. Files, sockets and queues are the port's own: `arbiter/mission/port`
//! reaches a mission in this process or by its folder.

use std::fmt;
use std::sync::Arc;

use mind::event::{HumanAction, HumanEvent};
use mind::{Entry, MissionId, State};
use serde::Serialize;

use crate::LiveText;
use crate::refusal::{InboxTrouble, JournalRefusal, RefusalCause, RefusalReader, refusal};

/// A way to one mission.
pub trait MissionPort: Send + Sync {
    fn mission(&self) -> &MissionId;

    /// The mission as it is now.
    fn state(&self) -> Result<Arc<State>, JournalRefusal>;

    /// Its facts, from the first on.
    fn facts(&self) -> Result<FactStream, JournalRefusal>;

    /// What its sessions are saying right now, as far as it is known here.
    fn live(&self) -> LiveText;

    /// Whether a process runs the mission.
    fn is_running(&self) -> bool;

    /// What a person does, signed with who they are and with an id of its own: it may be sent twice and counts once.
    fn sign(&self, action: HumanAction) -> HumanEvent;

    /// Sends what was signed. It never waits.
    fn send(&self, event: HumanEvent) -> Result<SayReceipt, SayError>;

    /// Says or does it, as the person at this door.
    fn say(&self, action: HumanAction) -> Result<SayReceipt, SayError> {
        self.send(self.sign(action))
    }

    /// Tells `tell` whenever something moved, until that says no or nothing will move any more; then it is dropped.
    /// Several moves may be told as one.
    fn follow(&self, tell: Tell);
}

/// Facts with their numbers, counted from 1. It gives none when all that may be shown now was given, and goes on after
/// [`Moved::Facts`]. An error is given again at the next call.
pub type FactStream = Box<dyn Iterator<Item = Result<(u64, Entry), JournalRefusal>> + Send>;

/// Hears what moved, and says whether it wants to hear more.
pub type Tell = Box<dyn FnMut(Moved) -> bool + Send>;

/// What moved. What it is now is read from the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Moved {
    /// There are more facts.
    Facts,
    /// Something is being said.
    Live,
    /// A process has begun to run the mission, or none does any more.
    Running,
}

/// What became of something said; the text is its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SayReceipt {
    /// The mission has it.
    Taken(Arc<str>),
    /// It lies in the inbox of a mission that runs, and will be taken.
    Written(Arc<str>),
    /// It lies in the inbox. No process runs the mission; it is heard when the mission goes on.
    Waits(Arc<str>),
}

impl SayReceipt {
    /// What the person should know of it, if it is more than that it was heard.
    #[must_use]
    pub fn note(&self, mission: &MissionId) -> Option<String> {
        match self {
            SayReceipt::Taken(_) | SayReceipt::Written(_) => None,
            SayReceipt::Waits(_) => Some(not_running(mission)),
        }
    }
}

/// What a person should know who speaks to a mission that no process runs.
#[must_use]
pub fn not_running(mission: &MissionId) -> String {
    format!("no process runs this mission: what you say waits for `arbiter resume {mission}`")
}

/// Why something said did not reach the mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub enum SayError {
    /// Too much waits for the mission's loop.
    Busy,
    /// The mission's loop has ended.
    Stopped { mission: MissionId },
    /// The mission's clone is gone.
    Discarded,
    /// The mission ended before it was taken. Nothing of it is left in the inbox.
    Over { mission: MissionId },
    /// The inbox did not take it; `said` is its own sentence.
    Inbox { said: String, trouble: InboxTrouble },
    /// What became of it cannot be read.
    Journal(JournalRefusal),
}

impl From<JournalRefusal> for SayError {
    fn from(refused: JournalRefusal) -> SayError {
        SayError::Journal(refused)
    }
}

/// As a person is told it, on one line.
impl fmt::Display for SayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        refusal(&RefusalCause::Say(self.clone()), RefusalReader::Person).fmt(f)
    }
}

impl std::error::Error for SayError {}
