//! What a door may do with a mission, and what comes of it.

use mind::MissionId;

use crate::refusal::{InboxTrouble, JournalRefusal, RefusalCause, RefusalReader, refusal};

/// Why something said did not reach the mission.
#[derive(Debug, Clone, PartialEq, Eq)]
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
impl std::fmt::Display for SayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        refusal(&RefusalCause::Say(self.clone()), RefusalReader::Person).fmt(f)
    }
}

impl std::error::Error for SayError {}
