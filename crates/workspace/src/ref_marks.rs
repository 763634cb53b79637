//! The mark of a git that writes refs for Arbiter. It lies in the git folder that all work trees of a repository share, and names
//! the files that git locks for that: a lock that a killed git left is removed by whoever comes next. Who holds the mark's
//! own lock is alive, and is left alone; so is every lock that is older or much younger than the mark.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use tokio::time::sleep;

use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{LOCK_STALE, REF_BYTES_MAX, REF_MARKS_MAX, WRITING_REFS_MAX};
use super::locks::identity;
use super::preflight::path_from;

/// How marks are called; what follows is of each mark's own.
const PREFIX: &str = "arbiter-writes-refs.";

/// Locks outside of `refs/` that git takes when it writes refs.
const LOCKS: [&str; 3] = ["HEAD.lock", "ORIG_HEAD.lock", "packed-refs.lock"];

/// Has git write refs, for which it locks these files. What a git that fails leaves behind is removed at once; what is left
/// when Arbiter dies, too, is for [`sweep`].
pub(super) async fn while_locking<T>(
    git: &Git,
    locked: &[&str],
    writing: impl Future<Output = Result<T, WorkspaceError>>,
) -> Result<T, WorkspaceError> {
    let mark = RefMark::set(find_locks(git, locked).await?)?;
    let written = writing.await;
    // The mark itself tells of what cannot be tidied up.
    let _ = mark.remove(written.is_ok()).await;
    written
}

/// Removes what killed gits of ours left behind in the repository.
pub(super) async fn sweep(git: &Git) -> Result<(), WorkspaceError> {
    let doing = "find the folder of the repository";
    let found = git.ask(doing, &["rev-parse", "--git-common-dir"]).await?.succeeded(doing)?;
    let folder = git.folder().join(path_from(&found.output));
    for path in
        marks_in(&folder).map_err(|source| WorkspaceError::Unreadable { path: folder.clone(), source })?
    {
        // A mark that cannot be read, or whose writer lives, stays as it is.
        let Ok(Some(mark)) = RefMark::take_over(&folder, path) else { continue };
        mark.remove(false).await?;
    }
    sweep_bases(&folder.join("refs/arbiter-base")).await;
    Ok(())
}

/// The files that git locks, below the folder that holds the repository's refs.
struct RefLocks {
    folder: PathBuf,
    locks: Vec<PathBuf>,
}

async fn find_locks(git: &Git, locked: &[&str]) -> Result<RefLocks, WorkspaceError> {
    let doing = "find the files of refs";
    let names: Vec<String> = locked.iter().map(|name| format!("{name}.lock")).collect();
    let mut asked = vec!["rev-parse", "--git-common-dir"];
    for name in &names {
        asked.extend(["--git-path", name]);
    }
    let found = git.ask(doing, &asked).await?.succeeded(doing)?;
    let mut lines = found.output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut next = || lines.next().map(|line| git.folder().join(path_from(line)));
    let folder = next().unwrap_or_else(|| git.folder().to_path_buf());
    let locks = std::iter::from_fn(next);
    let locks = locks.filter_map(|lock| lock.strip_prefix(&folder).ok().map(Path::to_path_buf)).collect();
    Ok(RefLocks { folder, locks })
}

/// A mark that this process holds.
struct RefMark {
    path: PathBuf,
    _held: File,
    set_at: SystemTime,
    locks: RefLocks,
}

impl RefMark {
    fn set(locks: RefLocks) -> Result<RefMark, WorkspaceError> {
        let path = locks.folder.join(format!("{PREFIX}{:016x}", host::dice()));
        let make = || {
            let mut file = host::files::open_plain(OpenOptions::new().write(true).create_new(true), &path)?;
            host::files::try_lock(&file)?;
            let names = locks.locks.iter().map(|lock| lock.to_string_lossy());
            file.write_all(names.collect::<Vec<_>>().join("\n").as_bytes())?;
            let set_at = file.metadata()?.modified()?;
            Ok::<_, io::Error>((file, set_at))
        };
        match make() {
            Ok((held, set_at)) => Ok(RefMark { path, _held: held, set_at, locks }),
            Err(error) => {
                // It names nothing, or not all: it must not stay.
                let _ = fs::remove_file(&path);
                Err(WorkspaceError::disk(&path)(error))
            }
        }
    }

    /// The mark of a process that is gone; nothing if it lives, or has just tidied up itself.
    fn take_over(folder: &Path, path: PathBuf) -> io::Result<Option<RefMark>> {
        let held = host::files::open_plain(OpenOptions::new().read(true), &path)?;
        if host::files::try_lock(&held).is_err() {
            return Ok(None);
        }
        let set_at = held.metadata()?.modified()?;
        let bytes = host::files::read(&path, REF_BYTES_MAX)?;
        // After a loss of power it may hold anything.
        let text = String::from_utf8_lossy(&bytes);
        let locks = text.lines().map(PathBuf::from).filter(|lock| is_lock_of_refs(lock)).collect();
        let locks = RefLocks { folder: folder.to_path_buf(), locks };
        Ok(Some(RefMark { path, _held: held, set_at, locks }))
    }

    /// Removes the mark, and before it the locks that were left, unless all went well: then there are none of ours.
    async fn remove(self, all_went_well: bool) -> Result<(), WorkspaceError> {
        let ours =
            self.locks.locks.iter().filter(|_| !all_went_well).map(|lock| self.locks.folder.join(lock));
        remove_stale(ours.filter(|lock| self.is_ours(lock)).collect()).await?;
        gone(fs::remove_file(&self.path)).map_err(WorkspaceError::disk(&self.path))
    }

    /// Whether a lock came while the mark stood: an older one was somebody else's before, and no git of ours takes as long
    /// as a much younger one would have come after.
    fn is_ours(&self, lock: &Path) -> bool {
        let inside = lock.parent().and_then(|parent| parent.canonicalize().ok());
        let folder = self.locks.folder.canonicalize().ok();
        let is_inside = inside.zip(folder).is_some_and(|(inside, folder)| inside.starts_with(folder));
        let made = fs::symlink_metadata(lock).and_then(|found| found.modified());
        is_inside && made.is_ok_and(|made| made >= self.set_at && made <= self.set_at + WRITING_REFS_MAX)
    }
}

fn is_lock_of_refs(lock: &Path) -> bool {
    let parts: Option<Vec<&str>> = lock
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        })
        .collect();
    let is_lock = |name: &str| LOCKS.contains(&name);
    match parts.as_deref() {
        Some([name]) => is_lock(name),
        Some(["worktrees", _, name]) => is_lock(name),
        Some(["refs", .., name]) => name.ends_with(".lock"),
        Some(_) | None => false,
    }
}

fn marks_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut marks = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            && marks.len() < REF_MARKS_MAX
        {
            marks.push(entry.path());
        }
    }
    Ok(marks)
}

/// Removes locks of bases that stay: those of missions that died before they began, for which nobody comes back. A folder
/// that cannot be read keeps them, to no harm.
async fn sweep_bases(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let locks = entries.flatten().map(|entry| entry.path());
    let locks = locks.filter(|path| path.extension().is_some_and(|ending| ending == "lock"));
    let _ = remove_stale(locks.collect()).await;
}

/// Removes the locks that stay the same for a moment: those have no living owner.
async fn remove_stale(locks: Vec<PathBuf>) -> Result<(), WorkspaceError> {
    let mut looked_at = Vec::new();
    for lock in locks {
        looked_at.extend(identity(&lock).await?.map(|found| (found, lock)));
    }
    if looked_at.is_empty() {
        return Ok(());
    }
    sleep(LOCK_STALE).await;
    for (before, lock) in looked_at {
        if identity(&lock).await? == Some(before) {
            gone(fs::remove_file(&lock)).map_err(WorkspaceError::disk(&lock))?;
        }
    }
    Ok(())
}

/// What another process has removed is removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_nothing_but_locks_of_refs() {
        for lock in ["HEAD.lock", "packed-refs.lock", "refs/heads/a/b.lock", "worktrees/w/ORIG_HEAD.lock"] {
            assert!(is_lock_of_refs(Path::new(lock)), "{lock}");
        }
        for other in [
            "",
            "config",
            "config.lock",
            "index.lock",
            "refs/../config.lock",
            "/refs/a.lock",
            "refs/a",
            "worktrees/w/index.lock",
        ] {
            assert!(!is_lock_of_refs(Path::new(other)), "{other}");
        }
    }
}
