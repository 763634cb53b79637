//! Why a mission's journal cannot be used, as a person is told it: the cause, and what helps.

use std::io::ErrorKind;
use std::path::Path;

use journal::JournalError as J;

use crate::complaint::{Code, Complaint};
use crate::mission::chronicle::ChronicleError;

/// Why the journal of the mission in `folder` cannot be used, and what helps.
pub fn refuse(error: &ChronicleError, folder: &Path) -> Complaint {
    let mission = folder.file_name().unwrap_or_default().to_string_lossy();
    let hint = match error {
        ChronicleError::Journal(J::Held { pid, .. }) => {
            let running = format!("mission {mission} is running in process {pid}");
            return Complaint::new(Code::Usage, running).hint(format!(
                "`arbiter attach {mission}` watches it and speaks to it; `arbiter show {mission}` tells how it stands"
            ));
        }
        ChronicleError::Journal(J::Newer { .. }) | ChronicleError::Unknown { .. } => {
            "a newer arbiter wrote it: use that one; nothing was changed"
        }
        ChronicleError::Journal(J::Older { .. }) => {
            "a development version of arbiter wrote it: use that one, or start the mission anew; nothing was changed"
        }
        ChronicleError::Journal(J::Foreign { line: 1, .. }) => {
            "nothing of it is believed, and nothing was changed; if it is yours and came from another machine or \
             account, bring journal.key from the ARBITER_HOME there"
        }
        ChronicleError::Journal(J::Foreign { .. }) => {
            "something else wrote to it from there on; nothing was changed; restore the file from a backup"
        }
        ChronicleError::Journal(J::Damaged { .. }) => {
            "nothing was changed; restore the file from a backup, or keep a copy and cut it before that line"
        }
        ChronicleError::Journal(J::Disk { source, .. }) => {
            return Complaint::of(Code::Failed, error).hint(of_disk(source.kind(), &mission));
        }
        ChronicleError::Journal(J::Missing { .. }) => {
            "without its journal a mission cannot go on; restore it from a backup, or begin another"
        }
        ChronicleError::Journal(
            J::Exists { .. } | J::Conflict { .. } | J::Unfit { .. } | J::Poisoned { .. },
        ) => return Complaint::of(Code::Failed, error),
    };
    Complaint::of(Code::Failed, error).hint(hint)
}

fn of_disk(kind: ErrorKind, mission: &str) -> String {
    let full = matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::WriteZero);
    let first = if full { "the disk is full: make room" } else { "see to the disk" };
    format!("{first}, then `arbiter resume {mission}`; nothing is lost")
}
