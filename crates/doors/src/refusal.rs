//! What the docket refuses, as `view` has words for it: the one place where its errors become causes.

use docket::DocketError;
use mind::Timestamp;
use view::refusal::{DiskTrouble, DocketTrouble, RefusalCause, what_stands};

/// Why the docket refused, for `view::refusal`; `now` is when it did.
pub fn docket_refusal(error: &DocketError, now: Timestamp) -> RefusalCause {
    let trouble = match error {
        DocketError::Refused { refusal, petition } => {
            let (id, refusal) = (petition.id.clone(), refusal.clone());
            return RefusalCause::Petition { id, is_closed: petition.closed.is_some(), refusal, now };
        }
        DocketError::Unknown { .. } => DocketTrouble::Unknown,
        DocketError::Ambiguous { candidates, .. } => DocketTrouble::Ambiguous(candidates.clone()),
        DocketError::Gone { .. } => DocketTrouble::Gone,
        DocketError::Malformed { file, .. } => DocketTrouble::Malformed { file: file.display().to_string() },
        DocketError::NotYours { id, .. } => DocketTrouble::NotYours(id.clone()),
        DocketError::Taken { .. } => DocketTrouble::IdTaken,
        DocketError::Damaged { .. } => DocketTrouble::LedgerDamaged,
        DocketError::Recorded { kept, source } => {
            let id = &kept.petition.id;
            let stands = kept.records.last().map(|record| what_stands(id, &record.change));
            let stands = stands.unwrap_or_else(|| format!("petition {id} is recorded"));
            let said = format!("{stands}, and its file cannot be brought in line yet: {source}");
            return RefusalCause::Docket {
                said,
                trouble: DocketTrouble::FileBehind { trouble: disk(source) },
            };
        }
        DocketError::Held(held) => {
            let pid = held.holder.map(|holder| holder.pid);
            let is_stopped = held.holder.is_some_and(|holder| holder.is_stopped);
            let said = format!("{held}; nothing of this was recorded");
            return RefusalCause::Docket { said, trouble: DocketTrouble::Held { pid, is_stopped } };
        }
        DocketError::Disk { path, source } => DocketTrouble::Disk {
            path: path.display().to_string(),
            trouble: DiskTrouble::of(path, source.kind()),
        },
    };
    RefusalCause::Docket { said: error.to_string(), trouble }
}

fn disk(error: &DocketError) -> DiskTrouble {
    match error {
        DocketError::Disk { path, source } => DiskTrouble::of(path, source.kind()),
        DocketError::Unknown { .. }
        | DocketError::Ambiguous { .. }
        | DocketError::Gone { .. }
        | DocketError::Malformed { .. }
        | DocketError::Refused { .. }
        | DocketError::NotYours { .. }
        | DocketError::Taken { .. }
        | DocketError::Damaged { .. }
        | DocketError::Recorded { .. }
        | DocketError::Held(_) => DiskTrouble::Other,
    }
}
