//! What can go wrong with the docket: one variant for each thing that a caller does about it.

use std::io;
use std::path::{Path, PathBuf};

use mind::petition::{Petition, PetitionId, Refusal};

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum DocketError {
    /// No petition has this name.
    #[error("there is no petition {typed:?}")]
    Unknown {
        /// What was asked for.
        typed: String,
    },
    /// Several petitions begin so.
    #[error("{} petitions could be {typed:?}", candidates.len())]
    Ambiguous {
        /// What was asked for.
        typed: String,
        /// Those that could be meant.
        candidates: Vec<PetitionId>,
    },
    /// It was there, and somebody removed its file.
    #[error("petition {id} is no longer there")]
    Gone {
        /// Which.
        id: PetitionId,
    },
    /// Its file cannot be understood.
    #[error("malformed: {why}")]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The petition does not allow it. It is told as it stands.
    #[error("petition {} does not allow that", petition.id)]
    Refused {
        /// Why not.
        refusal: Refusal,
        /// As it stands.
        petition: Box<Petition>,
    },
    /// An agent wants to withdraw what another one asked.
    #[error("petition {id} was asked by {agent}: an agent withdraws only what it asked itself")]
    NotYours {
        /// Which.
        id: PetitionId,
        /// Who asked it.
        agent: std::sync::Arc<str>,
    },
    /// Another petition of this id, with another content, is there.
    #[error("petition {id} is already there and asks something else")]
    Taken {
        /// Which.
        id: PetitionId,
    },
    /// The ledger was changed by somebody else. Nothing is written to it any more.
    #[error("the ledger {} is damaged at line {line}: {why}", path.display())]
    Damaged {
        /// The ledger.
        path: PathBuf,
        /// Which line.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The disk refused.
    #[error("cannot use {}: {source}", path.display())]
    Disk {
        /// What we tried to read or write.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl DocketError {
    pub(crate) fn disk(path: &Path) -> impl FnOnce(io::Error) -> DocketError + use<> {
        let path = path.to_path_buf();
        move |source| DocketError::Disk { path, source }
    }
}
