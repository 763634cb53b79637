//! Mends what a death of git or of the machine left in a mission's clone: lock files, a HEAD or an index without a word in
//! it, or none at all; and what a moved repository left: objects that are elsewhere now. In the clone everything is
//! Arbiter's, and the caller holds the mission, so that no process of it lives. Nothing that can be read is changed.

use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use host::untrusted_files;

use super::clone::work_ref;
use super::error::WorkspaceError;
use super::git::{Git, door};
use super::index;
use super::limits::{CLONE_FILE_BYTES_MAX, LOCK_FILES_MAX, MARK_BYTES_MAX};
use super::objects::object_folders;
use super::proof::remove;
use super::refs::find;
use super::submodule::{self, is_there};

/// Mends the clone of `mission` in `folder`, and tells what was mended, in words that name the file.
pub async fn mend_clone(source: &Path, folder: &Path, mission: &str) -> Result<Vec<String>, WorkspaceError> {
    let door = door(folder)?;
    let mut mended = mend_borrowing(source, folder, mission).await?;
    for lock in locks_in(&door).await? {
        remove(&lock).await?;
        mended.push(format!("removed {}, which a killed git left", lock.display()));
    }
    let branch = format!("refs/heads/arbiter/{mission}");
    let known = find(&Git::at(source), &work_ref(mission)).await?;
    if is_torn(&door, &branch).await? {
        // An empty ref would stop git from writing it.
        remove(&door.join(&branch)).await?;
        let git = Git::among_names(folder)?;
        let wanted = newest(&git, &door, &format!("logs/{branch}")).await?.or(known.clone());
        if let Some(commit) = wanted {
            git.run("mend the clone's branch", &["update-ref", &branch, &commit]).await?;
            mended.push(format!("put {} back to {commit}", door.join(&branch).display()));
        }
    }
    if !is_head(&read(&door.join("HEAD"))?) {
        let head = head_of(folder, &door, &branch, known).await?;
        let file = door.join("HEAD");
        untrusted_files::replace(folder, ".git", "HEAD", format!("{head}\n").as_bytes())
            .map_err(WorkspaceError::disk(&file))?;
        mended.push(format!("wrote {} anew: {head}", file.display()));
    }
    if mend_index(folder, &door).await? {
        mended.push(format!("made {} anew", door.join("index").display()));
    }
    Ok(mended)
}

/// Leads the clone and its submodules to the objects that they borrow, if the user's repository was moved since. Each is
/// looked at by itself: a death may have come between two of them.
async fn mend_borrowing(source: &Path, folder: &Path, mission: &str) -> Result<Vec<String>, WorkspaceError> {
    let mut mended = Vec::new();
    if borrow_again(source, folder)? {
        mended.push(format!("it borrows the objects of {} now", source.display()));
    }
    if let Some(work) = find(&Git::at(source), &work_ref(mission)).await? {
        for (copy, place) in submodule::places(source, folder, &work).await? {
            borrow_again(&copy, &place)?;
        }
    }
    Ok(mended)
}

/// Writes where `place` finds the objects of `source`, if what it says leads nowhere, or to another repository: one that
/// stands where the user's once stood.
fn borrow_again(source: &Path, place: &Path) -> Result<bool, WorkspaceError> {
    let Some(wanted) = object_folders(source).into_iter().next() else { return Ok(false) };
    let objects = door(place)?.join("objects");
    let file = objects.join("info/alternates");
    let said = read(&file)?.unwrap_or_default();
    // A clone of a shallow repository has objects of its own, and borrows none.
    let Some(named) = said.lines().next() else { return Ok(false) };
    match std::fs::canonicalize(objects.join(named)) {
        Ok(found) if found == wanted => return Ok(false),
        Err(error) if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(WorkspaceError::Unreadable { path: named.into(), source: error });
        }
        Ok(_) | Err(_) => {}
    }
    let mut line = wanted.into_os_string().into_vec();
    line.push(b'\n');
    untrusted_files::replace(&objects, "info", "alternates", &line).map_err(WorkspaceError::disk(&file))?;
    Ok(true)
}

/// What HEAD should be: the mission's branch, unless the log says that another commit was checked out.
async fn head_of(
    folder: &Path,
    door: &Path,
    branch: &str,
    known: Option<String>,
) -> Result<String, WorkspaceError> {
    // Git takes a folder for a repository only by its HEAD.
    untrusted_files::replace(folder, ".git", "HEAD", format!("ref: {branch}\n").as_bytes())
        .map_err(WorkspaceError::disk(&door.join("HEAD")))?;
    let git = Git::among_names(folder)?;
    let logged = newest(&git, door, "logs/HEAD").await?;
    let shown = find(&git, branch).await?;
    Ok(match (logged, shown) {
        (Some(logged), Some(shown)) if logged != shown => logged,
        (_, Some(_)) => format!("ref: {branch}"),
        (logged, None) => logged.or(known).unwrap_or_else(|| format!("ref: {branch}")),
    })
}

/// The newest commit that a log of the clone's names, if it is there.
async fn newest(git: &Git, door: &Path, log: &str) -> Result<Option<String>, WorkspaceError> {
    let text = untrusted_files::read(&door.join(log), CLONE_FILE_BYTES_MAX).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let commit = text.lines().last().and_then(|line| line.split(' ').nth(1)).filter(|word| is_name(word));
    match commit {
        Some(commit) => find(git, commit).await,
        None => Ok(None),
    }
}

/// Makes the index anew if git cannot read it, or if it is gone. What was staged lies in the files all the same.
async fn mend_index(folder: &Path, door: &Path) -> Result<bool, WorkspaceError> {
    let git = Git::among_names(folder)?;
    let Some(commit) = find(&git, "HEAD").await? else { return Ok(false) };
    let file = door.join("index");
    let is_whole = is_there(&file).await? && !index::is_torn(door, commit.len() / 2);
    if is_whole && git.ask("read the clone's index", &["ls-files", "--stage", "-z"]).await?.is_success {
        return Ok(false);
    }
    // Git would follow a link that an agent left there.
    remove(&file).await?;
    git.patient().run("make the clone's index anew", &["read-tree", "HEAD"]).await?;
    Ok(true)
}

/// Whether the branch's own file is there without a commit's name in it.
async fn is_torn(door: &Path, branch: &str) -> Result<bool, WorkspaceError> {
    let text = read(&door.join(branch))?;
    Ok(text.is_some_and(|text| !is_name(text.trim()) && !text.starts_with("ref: ")))
}

fn is_head(text: &Option<String>) -> bool {
    text.as_deref().is_some_and(|text| is_name(text.trim()) || text.starts_with("ref: refs/"))
}

fn is_name(word: &str) -> bool {
    word.len() >= 40 && word.bytes().all(|sign| sign.is_ascii_hexdigit())
}

/// A short file of the clone's; nothing where there is none.
fn read(file: &Path) -> Result<Option<String>, WorkspaceError> {
    match untrusted_files::read(file, MARK_BYTES_MAX * 16) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        // A link, a folder or a file beyond all bounds: an agent's, and no word to be read.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::FileTooLarge)
                || error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) =>
        {
            Ok(Some(String::new()))
        }
        Err(source) => Err(WorkspaceError::Unreadable { path: file.to_path_buf(), source }),
    }
}

/// The lock files in a clone's `.git`, wherever git puts one. No link is followed.
async fn locks_in(door: &Path) -> Result<Vec<PathBuf>, WorkspaceError> {
    let door = door.to_path_buf();
    let place = door.clone();
    let found = tokio::task::spawn_blocking(move || {
        let (mut locks, mut folders, mut seen) = (Vec::new(), vec![place.clone()], 0);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let entry = entry?;
                seen += 1;
                if seen > LOCK_FILES_MAX {
                    return Ok(locks);
                }
                let (kind, path) = (entry.file_type()?, entry.path());
                let name = entry.file_name().to_string_lossy().into_owned();
                // Objects are not locked one by one, and there are many; hooks are files of the user's or the agent's.
                let is_passed =
                    folder == place.join("objects") && name != "info" || path == place.join("hooks");
                if kind.is_dir() && !is_passed {
                    folders.push(path);
                } else if !kind.is_dir() && name.ends_with(".lock") {
                    locks.push(path);
                }
            }
        }
        Ok(locks)
    });
    let found = found.await.unwrap_or_else(|panic| Err(io::Error::other(panic)));
    found.map_err(|source| WorkspaceError::Unreadable { path: door, source })
}
