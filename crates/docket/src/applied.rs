//! How far the files follow the ledger: the last line whose change is wholly done. It is written after everything else and
//! not synced: after a start of the machine it may be old or lost, and then everything is looked at again.

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use mind::petition::PetitionId;
use serde::{Deserialize, Serialize};

use crate::error::DocketError;
use crate::files::Disk;
use crate::ledger::append::End;
use crate::ledger::scan::Chain;

/// The last line that is wholly done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Applied {
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

impl Applied {
    pub fn at(end: &End, unfinished: Vec<PetitionId>) -> Applied {
        Applied {
            boot: boot().to_owned(),
            seq: end.chain.seq,
            offset: end.offset,
            last: end.last,
            hash: Arc::clone(&end.chain.hash),
            unfinished,
        }
    }

    /// What is written there; nothing if it cannot be read.
    pub fn read(path: &Path) -> Option<Applied> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    pub fn write(&self, path: &Path, disk: &Disk) -> Result<(), DocketError> {
        let bytes = serde_json::to_vec(self).map_err(|error| DocketError::disk(path)(error.into()))?;
        disk.put(path, &bytes)
    }

    /// The machine was not started anew since.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot == boot()
    }

    /// The end of the ledger as it was then.
    pub fn end(&self) -> End {
        let chain = Chain { seq: self.seq, hash: Arc::clone(&self.hash) };
        End { offset: self.offset, last: self.last, chain }
    }
}

/// Which start of the machine this is; nothing where the system does not say.
fn boot() -> &'static str {
    static BOOT: OnceLock<String> = OnceLock::new();
    BOOT.get_or_init(|| {
        fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
    })
}
