//! How far the files follow the ledger: the last line whose change is wholly done. It is written after everything else and
//! not synced: after a start of the machine it may be old or lost, and then everything is looked at again.

use std::path::Path;
use std::sync::Arc;

use mind::petition::PetitionId;
use serde::{Deserialize, Serialize};

use crate::error::DocketError;
use crate::files::Disk;
use crate::ledger::append::End;
use crate::ledger::scan::Chain;

/// The last line that is wholly done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecoveryMark {
    /// The start of the machine at which this was written.
    boot: String,
    /// The line's number.
    pub seq: u64,
    /// Where the next one begins.
    offset: u64,
    /// Where the line begins.
    last: u64,
    /// Its hash.
    hash: Arc<str>,
    /// Petitions whose files could not be brought to where they belong; it is tried again.
    #[serde(default)]
    pub unfinished: Vec<PetitionId>,
}

impl RecoveryMark {
    pub fn at(end: &End, unfinished: Vec<PetitionId>, disk: &Disk) -> RecoveryMark {
        RecoveryMark {
            boot: disk.storage().boot(),
            seq: end.chain.seq,
            offset: end.offset,
            last: end.last,
            hash: Arc::clone(&end.chain.hash),
            unfinished,
        }
    }

    /// What is written there; nothing if it cannot be read.
    pub fn read(path: &Path, disk: &Disk) -> Option<RecoveryMark> {
        serde_json::from_slice(&disk.read(path).ok()?).ok()
    }

    pub fn write(&self, path: &Path, disk: &Disk) -> Result<(), DocketError> {
        let bytes = serde_json::to_vec(self).map_err(|error| DocketError::disk(path)(error.into()))?;
        disk.put(path, &bytes)
    }

    /// The machine was not started anew since.
    pub fn is_of_this_boot(&self, disk: &Disk) -> bool {
        self.boot == disk.storage().boot()
    }

    /// The end of the ledger as it was then.
    pub fn end(&self) -> End {
        let chain = Chain { seq: self.seq, hash: Arc::clone(&self.hash) };
        End { offset: self.offset, last: self.last, chain }
    }
}
