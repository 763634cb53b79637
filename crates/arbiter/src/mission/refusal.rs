//! Errors of a mission's journal and of its inbox, as causes that `view` has words for.

use std::path::Path;

use journal::JournalError as J;
use mind::MissionId;
use view::port::SayError;
use view::refusal::{DiskTrouble, InboxTrouble, JournalRefusal, JournalTrouble};

use crate::complaint::{Complaint, with_sources};
use crate::mission::chronicle::ChronicleError;
use crate::mission::port::{LetterError, id_of};

/// Why the journal of the mission in `folder` cannot be used, and what helps.
pub fn refuse(error: &ChronicleError, folder: &Path) -> Complaint {
    journal_refusal(error, &id_of(folder)).into()
}

/// Why the journal of `mission` cannot be used.
pub fn journal_refusal(error: &ChronicleError, mission: &MissionId) -> JournalRefusal {
    let trouble = match error {
        ChronicleError::Journal(J::Held { pid, .. }) => JournalTrouble::Running { pid: *pid },
        ChronicleError::Journal(J::Newer { .. }) | ChronicleError::Unknown { .. } => JournalTrouble::Newer,
        ChronicleError::Journal(J::Older { .. }) => JournalTrouble::Older,
        ChronicleError::Journal(J::Foreign { line, .. }) => JournalTrouble::Foreign { line: *line },
        ChronicleError::Journal(J::Damaged { .. }) => JournalTrouble::Damaged,
        ChronicleError::Journal(J::Missing { .. }) => JournalTrouble::Missing,
        ChronicleError::Journal(J::Disk { path, source }) => {
            JournalTrouble::Disk(DiskTrouble::of(path, source.kind()))
        }
        ChronicleError::Journal(
            J::Exists { .. } | J::Conflict { .. } | J::Unfit { .. } | J::Poisoned { .. },
        ) => JournalTrouble::Defect,
    };
    JournalRefusal { mission: mission.clone(), said: with_sources(error), trouble }
}

impl From<LetterError> for SayError {
    fn from(error: LetterError) -> SayError {
        let trouble = match &error {
            LetterError::BadId { .. } => InboxTrouble::BadId,
            LetterError::Taken { .. } => InboxTrouble::IdTaken,
            LetterError::TooLarge { .. } => InboxTrouble::TooLarge,
            LetterError::Disk { path, .. } => InboxTrouble::Disk { path: path.display().to_string() },
        };
        SayError::Inbox { said: error.to_string(), trouble }
    }
}
