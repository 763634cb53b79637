//! What the docket refuses, as `view` has words for it: the one place where its errors become causes.

use docket::DocketError;
use mind::Timestamp;
use view::refusal::{DiskTrouble, DocketTrouble, RefusalCause};

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
        DocketError::Disk { path, source } => DocketTrouble::Disk {
            path: path.display().to_string(),
            trouble: DiskTrouble::of(path, source.kind()),
        },
    };
    RefusalCause::Docket { said: error.to_string(), trouble }
}
