//! What a killed git or a power cut left of refs of ours in the user's repository: a lock file, or a ref without a word in
//! it. Each holds a mission's name, and only the process that holds that mission writes it: a lock that stays the same
//! for a moment has no living owner. Locks and refs of the user's own are never touched.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use tokio::fs;
use tokio::time::sleep;

use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{LOCK_LOOKS_MAX, LOCK_STALE};
use super::preflight::path_of;

/// The namespaces that are Arbiter's.
const OURS: [&str; 2] = ["refs/arbiter/", "refs/arbiter-base/"];

/// If git refused because of a stale lock on a ref of `mission`, or because such a ref is empty, removes it and says yes: it
/// can be tried again.
pub(super) async fn clear_stale(git: &Git, said: &str, mission: &str) -> Result<bool, WorkspaceError> {
    if let Some(reference) = broken(said).and_then(|broken| ours(broken, mission)) {
        let file = path_in(git, reference).await?;
        let is_empty =
            fs::symlink_metadata(&file).await.is_ok_and(|found| found.is_file() && found.size() == 0);
        if is_empty {
            fs::remove_file(&file).await.map_err(WorkspaceError::disk(&file))?;
        }
        return Ok(is_empty);
    }
    let Some(reference) = held(said).and_then(|lock| ours(lock, mission)) else { return Ok(false) };
    let lock = path_in(git, &format!("{reference}.lock")).await?;
    let mut before = identity(&lock).await?;
    for _ in 0..LOCK_LOOKS_MAX {
        if before.is_none() {
            return Ok(true);
        }
        // Another git of the user's, such as one that packs refs, holds a lock for a moment only.
        sleep(LOCK_STALE).await;
        let now = identity(&lock).await?;
        if now == before {
            fs::remove_file(&lock).await.map_err(WorkspaceError::disk(&lock))?;
            return Ok(true);
        }
        before = now;
    }
    Ok(false)
}

async fn path_in(git: &Git, name: &str) -> Result<PathBuf, WorkspaceError> {
    let doing = "find a file of the repository";
    let found = git.ask(doing, &["rev-parse", "--git-path", name]).await?.succeeded(doing)?;
    Ok(git.folder().join(path_of(&found)))
}

fn is_plain(reference: &str) -> bool {
    Path::new(reference).components().all(|part| matches!(part, Component::Normal(_)))
}

/// The lock file that git could not make because it is there.
pub(super) fn held(said: &str) -> Option<&str> {
    let (before, _) = said.split_once(".lock': File exists")?;
    let (_, path) = before.rsplit_once("Unable to create '")?;
    Some(path)
}

/// The ref that git could not read.
fn broken(said: &str) -> Option<&str> {
    let (before, _) = said.split_once("': reference broken")?;
    before.rsplit_once('\'').map(|(_, reference)| reference)
}

/// The ref that such a file locks, if it is one of `mission`.
fn ours<'a>(path: &'a str, mission: &str) -> Option<&'a str> {
    let at = OURS.iter().filter_map(|prefix| path.rfind(prefix)).max()?;
    let reference = path.get(at..)?;
    let is_missions = Path::new(reference).components().any(|part| part.as_os_str() == mission);
    (is_plain(reference) && is_missions).then_some(reference)
}

/// What stays the same while a lock has no living owner.
pub(super) async fn identity(file: &Path) -> Result<Option<[i64; 4]>, WorkspaceError> {
    match fs::symlink_metadata(file).await {
        Ok(found) => Ok(Some([
            found.ino().cast_signed(),
            found.mtime(),
            found.mtime_nsec(),
            found.size().cast_signed(),
        ])),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(WorkspaceError::Unreadable { path: file.to_path_buf(), source: error }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lock_of_the_missions_own_refs_is_ours() {
        let said = |path: &str| {
            format!(
                "fatal: cannot lock ref 'x': Unable to create '/p/.git/{path}.lock': File exists.\n\nAnother"
            )
        };
        let judge = |path: &str| held(&said(path)).and_then(|lock| ours(lock, "m1")).map(str::to_owned);
        for reference in [
            "refs/arbiter/m1",
            "refs/arbiter-base/m1",
            "refs/arbiter/salvage/m1",
            "refs/arbiter/salvage-more/m1/heads/x",
        ] {
            assert_eq!(judge(reference).as_deref(), Some(reference));
        }
        for other in [
            "refs/heads/m1",
            "index",
            "packed-refs",
            "refs/arbiter/m2",
            "HEAD",
            "refs/arbiter/../heads/m1",
            "refs/m1",
        ] {
            assert_eq!(judge(other), None, "{other}");
        }
        assert_eq!(held("fatal: not a git repository"), None);
    }
}
