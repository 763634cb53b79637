//! The errors of the docket: one variant for each thing that a caller does about it.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

use mind::petition::{Petition, PetitionId, PetitionRefusal};

use crate::docket::StoredPetition;
use crate::storage::LockHolder;

#[derive(Debug, thiserror::Error)]
pub enum DocketError {
    /// No petition has this id or tag.
    #[error("there is no petition {typed:?}")]
    Unknown { typed: String },
    /// Several ids begin with what was typed.
    #[error("{} petitions could be {typed:?}", candidates.len())]
    Ambiguous {
        typed: String,
        /// The petitions that the typed text could mean.
        candidates: Vec<PetitionId>,
    },
    /// The ledger knows the petition, and its file was removed.
    #[error("petition {id} is no longer there")]
    Gone { id: PetitionId },
    /// The file is no valid petition.
    #[error("malformed: {why}")]
    Malformed { file: PathBuf, why: String },
    /// The petition does not allow this act. It is returned as it stands.
    #[error("petition {} does not allow that", petition.id)]
    Refused { refusal: PetitionRefusal, petition: Box<Petition> },
    /// An agent wants to withdraw another agent's petition.
    #[error("petition {id} was asked by {agent}: an agent withdraws only what it asked itself")]
    NotYours {
        id: PetitionId,
        /// The agent that asked.
        agent: std::sync::Arc<str>,
    },
    /// A petition of this id with another content is there.
    #[error("petition {id} is already there and asks something else")]
    Taken { id: PetitionId },
    /// Another program or a person changed the ledger. Nothing is written to it any more.
    #[error("the ledger {} is damaged at line {line}: {why}", path.display())]
    Damaged { path: PathBuf, line: u64, why: String },
    /// The act is in the ledger, so it happened; its file could not be brought in line. Every later act tries that again.
    #[error("petition {} is recorded, and its file cannot be brought in line yet: {source}", kept.petition.id)]
    Recorded { kept: Box<StoredPetition>, source: Box<DocketError> },
    /// Another process holds the lock, for longer than it is waited for. Nothing was recorded.
    #[error("{0}")]
    Held(HeldLock),
    /// The disk refused to read or write.
    #[error("cannot read or write {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

/// A lock that another process holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldLock {
    pub path: PathBuf,
    /// None if the system does not tell.
    pub holder: Option<LockHolder>,
    /// How long it was waited for.
    pub waited: Duration,
}

impl fmt::Display for HeldLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holder {
            Some(LockHolder { pid, is_stopped: true }) => {
                write!(f, "process {pid}, which is stopped, holds")?
            }
            Some(LockHolder { pid, is_stopped: false }) => write!(f, "process {pid} holds")?,
            None => f.write_str("another process holds")?,
        }
        write!(f, " the lock {} for {} s", self.path.display(), self.waited.as_secs())
    }
}

impl DocketError {
    /// For callers to whom an act that is recorded is done: the petition as the ledger has it.
    pub fn recorded(self) -> Result<StoredPetition, DocketError> {
        if let DocketError::Recorded { kept, .. } = self { Ok(*kept) } else { Err(self) }
    }

    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> DocketError + use<> {
        let path = path.to_path_buf();
        move |source| DocketError::Disk { path, source }
    }
}
