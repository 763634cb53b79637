//! Looks at the state of the clone without changing it: which commit, whether anything is uncommitted, and a
//! fingerprint by which two looks can be compared.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::cage::Cage;

use super::capture::hexadecimal;
use super::error::WorkshopError;
use super::git::{Answer, Git};

/// The clone at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The commit at HEAD.
    pub commit: String,
    /// Whether the files differ from that commit, untracked files included.
    pub dirty: bool,
    /// Changes when the commit or anything uncommitted changes.
    pub fingerprint: String,
}

/// Looks at the clone in `folder`. The agent can make it look as it likes: what it shows is news, never proof.
pub async fn look(folder: &Path) -> Result<Tree, WorkshopError> {
    look_from(folder, None).await
}

/// The same, from within a cage: then nothing that the clone's own configuration names runs free.
pub async fn look_from(folder: &Path, cage: Option<&Arc<Cage>>) -> Result<Tree, WorkshopError> {
    let mut git = Git::among_names(folder)?.patient().caged(cage);
    if cage.is_none() {
        // In a cage a filter may run.
        let filters = git.filters().await?;
        git = git.without(filters);
    }
    // Three questions at once: each is a process, and the mission waits for the answer.
    let (commit, hides, status) = tokio::try_join!(head(&git), hides_files(&git), succeed(&git, &STATUS))?;
    let mut hasher = Sha256::new();
    hasher.update(&commit);
    hasher.update(&status.digest);
    if !status.output.is_empty() {
        hasher.update(succeed(&git, &DIFFERENCE).await?.digest);
        untracked(folder, &status, &mut hasher);
    }
    let dirty = !status.output.is_empty() || hides;
    Ok(Tree { commit, dirty, fingerprint: hexadecimal(hasher) })
}

/// The commit at HEAD.
pub(super) async fn head(git: &Git) -> Result<String, WorkshopError> {
    let doing = "read the clone's HEAD";
    let found = git.ask(doing, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await?;
    if found.is_success {
        return Ok(found.text());
    }
    let said = "it names no commit: commit the work, or check out the branch that holds it".to_owned();
    Err(WorkshopError::Git { doing: doing.into(), said })
}

// Submodules are compared by commit only: looking into one would follow its own configuration.
const STATUS: [&str; 6] =
    ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=dirty"];
const DIFFERENCE: [&str; 9] = [
    "diff",
    "--binary",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "HEAD",
];

async fn succeed(git: &Git, arguments: &[&str]) -> Result<Answer, WorkshopError> {
    let doing = "read the state of the clone";
    let answer = git.ask(doing, arguments).await?;
    if answer.is_success {
        Ok(answer)
    } else {
        Err(WorkshopError::Git { doing: doing.into(), said: answer.said })
    }
}

/// Git knows nothing of untracked files but their names; size and time tell when one was written.
fn untracked(folder: &Path, status: &Answer, hasher: &mut Sha256) {
    let names = status.output.split(|byte| *byte == 0).filter_map(|entry| entry.strip_prefix(b"?? "));
    for name in names {
        if let Ok(found) = std::fs::symlink_metadata(folder.join(std::ffi::OsStr::from_bytes(name))) {
            for number in [found.len(), found.mtime().cast_unsigned(), found.mtime_nsec().cast_unsigned()] {
                hasher.update(number.to_le_bytes());
            }
        }
    }
}

/// Whether the index is told to overlook files (`--assume-unchanged`, `--skip-worktree`): then "clean" proves nothing.
async fn hides_files(git: &Git) -> Result<bool, WorkshopError> {
    let files = succeed(git, &["ls-files", "-v", "-z"]).await?;
    let mut tags = files.output.split(|byte| *byte == 0).filter_map(|entry| entry.first());
    Ok(tags.any(|tag| *tag == b'S' || tag.is_ascii_lowercase()))
}
