//! What can go wrong, one variant for each thing a caller does about it.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why the journal refused.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is nothing to open: the caller creates, or named the wrong mission.
    #[error("there is no journal {path}")]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// There is one already: the caller opens it.
    #[error("journal {path} exists already")]
    Exists {
        /// The journal that is there.
        path: PathBuf,
    },
    /// Another process is writing: the caller attaches to it. The pid is 0 if the lock does not
    /// say.
    #[error("journal {path} is held by process {pid}")]
    Held {
        /// The journal that is held.
        path: PathBuf,
        /// Who holds it.
        pid: u32,
    },
    /// A newer program wrote it: the caller asks for an update.
    #[error("journal {path} has format {found}, known is up to {known}")]
    Newer {
        /// The journal of the newer format.
        path: PathBuf,
        /// Its format number.
        found: u32,
        /// The newest number this program reads.
        known: u32,
    },
    /// An older program wrote it, in a form that is read no more: the caller names what can read it.
    #[error("journal {path} has format {found}, known is {known}")]
    Older {
        /// The journal of the older format.
        path: PathBuf,
        /// Its format number.
        found: u32,
        /// The number this program reads.
        known: u32,
    },
    /// The lines are whole, but not sealed with this key: others wrote them, or the key is another one. Nothing was
    /// touched; the caller believes none of it.
    #[error("journal {path} was not written by this user's arbiter: the seal in line {line} does not hold")]
    Foreign {
        /// The journal in question.
        path: PathBuf,
        /// The first line whose seal does not hold; the header is line 1.
        line: u64,
    },
    /// Something other than a torn tail is wrong. Nothing was touched; only a person may mend it.
    #[error("{path} is damaged at line {line}: {what}")]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// The first bad line; the header is line 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The caller decided on an older head than the journal's: it reads on and decides again.
    #[error("journal {path} is at {head}, not at {expected}")]
    Conflict {
        /// The journal that moved on.
        path: PathBuf,
        /// The head the caller expected.
        expected: u64,
        /// The head there is.
        head: u64,
    },
    /// The caller gave something that is no entry; nothing was written.
    #[error("this cannot be an entry: {what}")]
    Unfit {
        /// What is wrong with it.
        what: &'static str,
    },
    /// The disk refused. We stop acting: what is not written did not happen.
    #[error("the disk refused {path}")]
    Disk {
        /// The file in question.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An earlier write or sync failed, so nobody knows what the disk holds: the caller opens the
    /// journal anew.
    #[error("journal {path} takes nothing more since an earlier failure")]
    Poisoned {
        /// The journal that failed.
        path: PathBuf,
    },
}

impl JournalError {
    /// What the system said about `path`.
    pub(crate) fn disk(path: &Path, source: io::Error) -> JournalError {
        JournalError::Disk { path: path.to_owned(), source }
    }

    /// What the system said when asked for a journal at `path`.
    pub(crate) fn not_opened(path: &Path, source: io::Error) -> JournalError {
        if source.kind() == io::ErrorKind::NotFound {
            return JournalError::Missing { path: path.to_owned() };
        }
        JournalError::disk(path, source)
    }
}
