//! Inspects the clone without changing it: which commit, whether anything is uncommitted, and a fingerprint by which
//! two inspections can be compared.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use host::untrusted_files;
use mind::digest::Digest;
use sandbox::Sandbox;

use super::error::WorkspaceError;
use super::git::{Git, GitOutput, door};
use super::index;
use super::limits::{GIT_ANSWER_BYTES_MAX, LOOK_BYTES_MAX};
use super::refs::find;

/// The state of the clone at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedTree {
    /// The commit at HEAD.
    pub commit: String,
    /// Whether the files differ from that commit, untracked files included.
    pub dirty: bool,
    /// Changes when the commit or anything uncommitted changes.
    pub fingerprint: String,
}

/// Inspects the clone in `folder`. The agent can make it look as it likes: the result is news, never proof.
pub async fn inspect(folder: &Path) -> Result<ObservedTree, WorkspaceError> {
    inspect_in(folder, None).await
}

/// The same, with git in a sandbox: then no program that the clone's own configuration names runs free.
pub async fn inspect_in(
    folder: &Path,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<ObservedTree, WorkspaceError> {
    let mut git = Git::among_names(folder)?.patient().caged(sandbox);
    if sandbox.is_none() {
        // In a sandbox a filter may run.
        let filters = git.filters().await?;
        git = git.without(filters);
    }
    // One process where that is enough: the mission waits for the answer.
    let mut status = succeed(&git, &STATUS).await?;
    if status_commit(&status.output).is_none() {
        // Git says so of a branch that it cannot read, too.
        head(&git).await?;
        status = succeed(&git, &STATUS).await?;
    }
    let commit = status_commit(&status.output).ok_or_else(|| WorkspaceError::Ours {
        doing: DOING.into(),
        said: "git finds the commit at HEAD, and does not name it".into(),
    })?;
    let Files { mut digest, summed, changed, hides } = read_files(folder, status).await?;
    if !summed {
        digest.add(succeed(&git, &DIFFERENCE).await?.digest);
    }
    let hides = match hides {
        Some(hides) => hides,
        None => hides_files(&git).await?,
    };
    Ok(ObservedTree { commit, dirty: changed || hides, fingerprint: digest.hex() })
}

/// What the files of a clone show beside its status.
struct Files {
    /// The status and what it names.
    digest: Digest,
    /// All that it names was read.
    summed: bool,
    /// It names something.
    changed: bool,
    /// Git is told to overlook files; nothing where only git can tell.
    hides: Option<bool>,
}

/// Reads what a status names, and the index: megabytes at times, so on a thread that may wait for the disk.
async fn read_files(folder: &Path, status: GitOutput) -> Result<Files, WorkspaceError> {
    let place = folder.to_path_buf();
    let read = tokio::task::spawn_blocking(move || {
        let mut digest = Digest::default();
        digest.add(&status.digest);
        let changes = Changes::of(&status.output);
        let summed = changes.sum(&place, &mut digest);
        let changed = !changes.tracked.is_empty() || !changes.untracked.is_empty();
        Ok(Files { digest, summed, changed, hides: index::hides_files(&door(&place)?) })
    });
    read.await.unwrap_or_else(|panic| Err(WorkspaceError::disk(folder)(std::io::Error::other(panic))))
}

/// What a status says besides the commit.
#[derive(Default)]
struct Changes<'a> {
    /// The files that differ from the commit or the index.
    tracked: Vec<&'a [u8]>,
    /// The files that are in neither.
    untracked: Vec<&'a [u8]>,
    /// A submodule is at another commit, or the list was cut: only git can tell them apart.
    is_for_git: bool,
}

impl Changes<'_> {
    fn of(status: &[u8]) -> Changes<'_> {
        let mut changes = Changes { is_for_git: status.len() >= GIT_ANSWER_BYTES_MAX, ..Changes::default() };
        for entry in status.split(|byte| *byte == 0) {
            // `1 XY SUB ...five fields... PATH`, `u XY SUB ...seven fields... PATH`, `? PATH`; a header begins with `#`.
            let fields = match entry.first() {
                Some(b'1') => 9,
                Some(b'u') => 11,
                Some(b'?') => {
                    changes.untracked.extend(entry.get(2..));
                    continue;
                }
                Some(_) | None => continue,
            };
            let words: Vec<&[u8]> = entry.splitn(fields, |byte| *byte == b' ').collect();
            changes.is_for_git |= words.get(2).is_some_and(|submodule| submodule.starts_with(b"S"));
            changes.tracked.extend(words.last());
        }
        changes
    }

    /// Adds what the files hold. A status names the tracked ones and not their text; of the untracked size and times
    /// tell enough. Says whether that was all of it: what is too much to read is left to git.
    fn sum(&self, folder: &Path, digest: &mut Digest) -> bool {
        let at = |name: &[u8]| folder.join(std::ffi::OsStr::from_bytes(name));
        self.untracked.iter().for_each(|name| stamp(&at(name), digest));
        let mut left = LOOK_BYTES_MAX;
        !self.is_for_git
            && self.tracked.iter().all(|name| {
                let text = text(&at(name), left);
                text.is_some_and(|text| {
                    left -= text.len().min(left);
                    digest.add(text.len().to_le_bytes());
                    digest.add(&text);
                    true
                })
            })
    }
}

/// What a file holds, or where a link leads; nothing at all where it is gone, or is a folder. None if that cannot be read,
/// so that git is asked.
fn text(file: &Path, bytes_max: usize) -> Option<Vec<u8>> {
    match std::fs::symlink_metadata(file) {
        Ok(found) if found.is_file() => untrusted_files::read(file, bytes_max).ok(),
        Ok(found) if found.is_symlink() => {
            std::fs::read_link(file).ok().map(|to| to.into_os_string().into_encoded_bytes())
        }
        Ok(_) => Some(Vec::new()),
        Err(error) => host::files::is_absence(&error).then(Vec::new),
    }
}

/// The commit at HEAD, as a status names it; none for a branch that has none yet.
fn status_commit(status: &[u8]) -> Option<String> {
    let header = status.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(b"# branch.oid "));
    let commit = header.map(|commit| String::from_utf8_lossy(commit).into_owned());
    commit.filter(|commit| commit != "(initial)")
}

/// The commit at HEAD.
pub(super) async fn head(git: &Git) -> Result<String, WorkspaceError> {
    find(git, "HEAD").await?.ok_or_else(|| WorkspaceError::Git {
        doing: "read the clone's HEAD".into(),
        said: "it names no commit: commit the work, or check out the branch that holds it".into(),
    })
}

const DOING: &str = "read the state of the clone";
// Submodules are compared by commit only: looking into one would follow its own configuration.
const STATUS: [&str; 7] = [
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    "--ignore-submodules=dirty",
];
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

async fn succeed(git: &Git, arguments: &[&str]) -> Result<GitOutput, WorkspaceError> {
    git.ask(DOING, arguments).await?.succeeded(DOING)
}

/// Git knows nothing of untracked files but their names; size and times tell when one was written.
fn stamp(file: &Path, digest: &mut Digest) {
    if let Ok(found) = std::fs::symlink_metadata(file) {
        let times = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()];
        digest.add(found.len().to_le_bytes());
        times.iter().for_each(|time| digest.add(time.to_le_bytes()));
    }
}

/// Whether the index is told to overlook files (`--assume-unchanged`, `--skip-worktree`): then "clean" proves nothing.
async fn hides_files(git: &Git) -> Result<bool, WorkspaceError> {
    let files = succeed(git, &["ls-files", "-v", "-z"]).await?;
    let mut tags = files.output.split(|byte| *byte == 0).filter_map(|entry| entry.first());
    Ok(tags.any(|tag| *tag == b'S' || tag.is_ascii_lowercase()))
}
