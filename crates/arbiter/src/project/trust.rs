//! The records of trusted projects, each with the digest of the exact bytes that the user was shown. Which settings need
//! trust is decided by `config`.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use host::untrusted_files;
use mind::{Timestamp, digest};
use serde::{Deserialize, Serialize};

use crate::clock;
use crate::project::home::make_folder;
use crate::project::project_files::ProjectFiles;

/// The largest record that is read, in bytes.
const RECORD_BYTES_MAX: usize = 64 * 1024;

/// Why a record cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The project's path cannot be written as JSON.
    #[error("the path {} is not UTF-8", project.display())]
    NotUtf8 { project: PathBuf },
    /// The disk refused.
    #[error("cannot use {}: {source}", path.display())]
    Disk { path: PathBuf, source: io::Error },
}

impl TrustError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            TrustError::NotUtf8 { .. } => "rename the folder".to_owned(),
            TrustError::Disk { path, .. } => {
                format!("is {} yours and writable? XDG_STATE_HOME sets another place", path.display())
            }
        }
    }

    fn disk(path: &Path) -> impl FnOnce(io::Error) -> TrustError + use<> {
        let path = path.to_path_buf();
        move |source| TrustError::Disk { path, source }
    }
}

/// Whether the user trusts a project's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// The user never trusted the project.
    #[default]
    Untrusted,
    /// The user trusted the project, but its files have changed since.
    Changed { since: Timestamp },
    /// The user trusted exactly these bytes.
    Trusted { since: Timestamp },
}

impl Standing {
    /// Whether settings that need trust count.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, Standing::Trusted { .. })
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Standing::Untrusted => f.write_str("not trusted"),
            Standing::Changed { since } => write!(f, "changed since you trusted it on {}", day(*since)),
            Standing::Trusted { since } => write!(f, "trusted since {}", day(*since)),
        }
    }
}

fn day(at: Timestamp) -> impl fmt::Display {
    clock::local(at).strftime("%Y-%m-%d %H:%M").to_string()
}

/// One project that was trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustRecord {
    /// The project's path, with all links resolved.
    pub project: PathBuf,
    /// What [`Papers::digest`] returned.
    pub digest: String,
    pub trusted_at_ms: Timestamp,
}

impl TrustRecord {
    /// Whether this record trusts `papers`.
    #[must_use]
    pub fn judge(&self, project_files: &ProjectFiles) -> Standing {
        let since = self.trusted_at_ms;
        if project_files.digest().as_ref() == Some(&self.digest) {
            Standing::Trusted { since }
        } else {
            Standing::Changed { since }
        }
    }
}

/// The folder of records, one file for each project, readable by the user alone.
#[derive(Debug, Clone)]
pub struct TrustBook {
    folder: PathBuf,
}

impl TrustBook {
    /// The records in `folder`, which is made when it is first written to.
    #[must_use]
    pub fn new(folder: PathBuf) -> TrustBook {
        TrustBook { folder }
    }

    /// Whether `papers` are trusted. A record that cannot be read trusts nothing.
    pub fn standing(&self, project_files: &ProjectFiles) -> Result<Standing, TrustError> {
        let path = self.file_of(&project_files.root);
        let record = read(&path).map_err(TrustError::disk(&path))?;
        let record = record.filter(|record| record.project == project_files.root);
        Ok(record.map_or(Standing::Untrusted, |record| record.judge(project_files)))
    }

    /// Records that the user trusts exactly these bytes.
    pub fn trust(&self, project_files: &ProjectFiles, now: Timestamp) -> Result<Standing, TrustError> {
        let Some(digest) = project_files.digest() else { return Ok(Standing::Untrusted) };
        let project = project_files.root.clone();
        let record = TrustRecord { project, digest, trusted_at_ms: now };
        let mut bytes = serde_json::to_vec(&record)
            .map_err(|_| TrustError::NotUtf8 { project: project_files.root.clone() })?;
        bytes.push(b'\n');
        make_folder(&self.folder).map_err(TrustError::disk(&self.folder))?;
        let path = self.file_of(&project_files.root);
        host::files::replace(&path, &bytes).map_err(TrustError::disk(&path))?;
        Ok(Standing::Trusted { since: now })
    }

    /// Removes the record; false if there was none. All links of `root` are resolved.
    pub fn revoke(&self, root: &Path) -> Result<bool, TrustError> {
        let path = self.file_of(root);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(TrustError::disk(&path)(error)),
        }
    }

    /// All records, by project. One that cannot be read is skipped: it trusts nothing.
    pub fn list(&self) -> Result<Vec<TrustRecord>, TrustError> {
        let files = match fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(TrustError::disk(&self.folder)(error)),
        };
        let mut records = Vec::new();
        for file in files {
            let path = file.map_err(TrustError::disk(&self.folder))?.path();
            let record = read(&path).map_err(TrustError::disk(&path))?;
            records.extend(record.filter(|record| self.file_of(&record.project) == path));
        }
        records.sort_by(|a, b| a.project.cmp(&b.project));
        Ok(records)
    }

    fn file_of(&self, root: &Path) -> PathBuf {
        let name = digest::of(root.as_os_str().as_bytes());
        self.folder.join(format!("{name}.json"))
    }
}

/// Reads a record; none if there is none, or it cannot be read.
fn read(path: &Path) -> io::Result<Option<TrustRecord>> {
    match untrusted_files::read(path, RECORD_BYTES_MAX) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == io::ErrorKind::NotFound || untrusted_files::is_odd(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
