//! The recovery mark: the last ledger line whose change is wholly in the files. It is written after everything else and
//! not synced: after a restart of the machine it may be old or lost, and then every file is checked again.

use std::io;
use std::path::Path;
use std::sync::Arc;

use mind::petition::PetitionId;
use serde::{Deserialize, Serialize};

use crate::error::DocketError;
use crate::files::{Disk, is_absence};
use crate::ledger::append::End;
use crate::ledger::scan::Chain;

/// The last ledger line whose change is wholly done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecoveryMark {
    /// The boot id of the machine when this was written.
    boot: String,
    pub seq: u64,
    /// Where the next line begins.
    offset: u64,
    last: u64,
    hash: Arc<str>,
    /// Petitions whose files could not be moved to where they belong; the next transaction tries again.
    #[serde(default)]
    pub unfinished: Vec<PetitionId>,
    /// Lines that a command recorded that could not finish them, the newest last: its caller is told that they are done when
    /// it repeats the act.
    #[serde(default)]
    pub untold: Vec<u64>,
}

impl RecoveryMark {
    pub fn at(end: &End, unfinished: Vec<PetitionId>, untold: Vec<u64>, disk: &Disk) -> RecoveryMark {
        RecoveryMark {
            boot: disk.storage().boot(),
            seq: end.chain.seq,
            offset: end.offset,
            last: end.last,
            hash: Arc::clone(&end.chain.hash),
            unfinished,
            untold,
        }
    }

    /// Reads the mark; none if it is lost or torn, as it may be after a restart of the machine, or no file at all.
    pub fn read(path: &Path, disk: &Disk) -> Result<Option<RecoveryMark>, DocketError> {
        match disk.read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if is_absence(&error) || error.kind() == io::ErrorKind::InvalidInput => Ok(None),
            Err(error) => Err(DocketError::disk(path)(error)),
        }
    }

    pub fn write(&self, path: &Path, disk: &Disk) -> Result<(), DocketError> {
        let bytes = serde_json::to_vec(self).map_err(|error| DocketError::disk(path)(error.into()))?;
        disk.put(path, &bytes)
    }

    /// Whether the machine was not restarted since.
    pub fn is_of_this_boot(&self, disk: &Disk) -> bool {
        self.boot == disk.storage().boot()
    }

    /// The end of the ledger at that time.
    pub fn end(&self) -> End {
        let chain = Chain { seq: self.seq, hash: Arc::clone(&self.hash) };
        End { offset: self.offset, last: self.last, chain }
    }
}
