//! The errors of the docket: one variant for each thing that a caller does about it.

use std::io;
use std::path::{Path, PathBuf};

use mind::petition::{Petition, PetitionId, PetitionRefusal};

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
    /// The disk refused to read or write.
    #[error("cannot read or write {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl DocketError {
    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> DocketError + use<> {
        let path = path.to_path_buf();
        move |source| DocketError::Disk { path, source }
    }
}
