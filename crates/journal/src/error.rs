//! The errors of the journal: one variant for each thing a caller does about it.

use std::{
    io,
    path::{Path, PathBuf},
};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// No journal is there: the caller creates one, or named the wrong mission.
    #[error("there is no journal {path}")]
    Missing { path: PathBuf },
    /// A journal is there already: the caller opens it.
    #[error("journal {path} exists already")]
    Exists { path: PathBuf },
    /// Another process has the journal open for writing: the caller attaches to that process. The pid is 0 if the lock
    /// file does not name it.
    #[error("journal {path} is held by process {pid}")]
    Held { path: PathBuf, pid: u32 },
    /// A newer program wrote it: the caller asks for an update.
    #[error("journal {path} has format {found}; this arbiter reads formats up to {known}")]
    Newer {
        path: PathBuf,
        found: u32,
        /// The newest format that this program reads.
        known: u32,
    },
    /// An older program wrote it, in a form that is read no more: the caller names what can read it.
    #[error("journal {path} has format {found}; this arbiter reads format {known} only")]
    Older {
        path: PathBuf,
        found: u32,
        /// The format that this program reads.
        known: u32,
    },
    /// The lines are whole, but not sealed with this key: another program or user wrote them, or the key is another
    /// one. Nothing was changed; the caller believes none of it.
    #[error("journal {path} was not written by this user's arbiter: the seal in line {line} does not hold")]
    Foreign {
        path: PathBuf,
        /// The first line whose seal does not hold; the header is line 1.
        line: u64,
    },
    /// Something other than a torn tail is wrong. Nothing was changed; only a person may mend it.
    #[error("{path} is damaged at line {line}: {what}")]
    Damaged {
        path: PathBuf,
        /// The first bad line; the header is line 1.
        line: u64,
        what: String,
    },
    /// The caller decided on an older state than the journal's: it reads on and decides again.
    #[error("journal {path} is at {head}, not at {expected}")]
    Conflict {
        path: PathBuf,
        /// The last entry that the caller knew.
        expected: u64,
        /// The last entry that is there.
        head: u64,
    },
    /// The caller gave a body that cannot be an entry; nothing was written.
    #[error("not a valid journal entry: {what}")]
    Unfit { what: &'static str },
    /// The disk refused. The caller stops acting: what is not written did not happen.
    #[error("cannot read or write {path}")]
    Disk { path: PathBuf, source: io::Error },
    /// An earlier write or sync failed, so the bytes on the disk are unknown: the caller opens the journal anew.
    #[error("journal {path} takes no more entries, because an earlier write failed")]
    Poisoned { path: PathBuf },
}

impl JournalError {
    /// The error for a failed read or write of `path`.
    pub(crate) fn disk(path: &Path, source: io::Error) -> JournalError {
        JournalError::Disk { path: path.to_owned(), source }
    }

    /// The error for a journal at `path` that could not be opened.
    pub(crate) fn not_opened(path: &Path, source: io::Error) -> JournalError {
        if source.kind() == io::ErrorKind::NotFound {
            return JournalError::Missing { path: path.to_owned() };
        }
        JournalError::disk(path, source)
    }
}
