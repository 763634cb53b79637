//! Errors of a mission's journal and of its inbox, as causes that `view` has words for.

use std::path::Path;

use journal::JournalError as J;
use mind::MissionId;
use view::port::SayError;
use view::refusal::{DiskTrouble, InboxTrouble, JournalRefusal, JournalTrouble};

use crate::cli_error::{CliError, with_sources};
use crate::mission::fact_log::FactLogError;
use crate::mission::port::{InboxError, id_of};

/// Why the journal of the mission in `folder` cannot be used, and what helps.
pub fn refuse(error: &FactLogError, folder: &Path) -> CliError {
    journal_refusal(error, &id_of(folder)).into()
}

/// Why the journal of `mission` cannot be used.
pub fn journal_refusal(error: &FactLogError, mission: &MissionId) -> JournalRefusal {
    let trouble = match error {
        FactLogError::Journal(J::Held { pid, .. }) => JournalTrouble::Running { pid: *pid },
        FactLogError::Journal(J::Newer { .. }) | FactLogError::Unknown { .. } => JournalTrouble::Newer,
        FactLogError::Journal(J::Older { .. }) => JournalTrouble::Older,
        FactLogError::Journal(J::Foreign { line, .. }) => JournalTrouble::Foreign { line: *line },
        FactLogError::Journal(J::Damaged { .. }) => JournalTrouble::Damaged,
        FactLogError::Journal(J::Missing { .. }) => JournalTrouble::Missing,
        FactLogError::Journal(J::Disk { path, source }) => {
            JournalTrouble::Disk(DiskTrouble::of(path, source.kind()))
        }
        FactLogError::Journal(
            J::Exists { .. } | J::Conflict { .. } | J::Unfit { .. } | J::Poisoned { .. },
        ) => JournalTrouble::Defect,
    };
    JournalRefusal { mission: mission.clone(), said: with_sources(error), trouble }
}

impl From<InboxError> for SayError {
    fn from(error: InboxError) -> SayError {
        let trouble = match &error {
            InboxError::BadId { .. } => InboxTrouble::BadId,
            InboxError::Taken { .. } => InboxTrouble::IdTaken,
            InboxError::TooLarge { .. } => InboxTrouble::TooLarge,
            InboxError::Disk { path, .. } => InboxTrouble::Disk { path: path.display().to_string() },
        };
        SayError::Inbox { said: error.to_string(), trouble }
    }
}
