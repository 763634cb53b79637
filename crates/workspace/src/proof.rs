//! The proof folder: a clone of the source in which no agent works, put at a claim's commit before each check.
//!
//! Nothing in it is believed, since checks run code of the agent's there: its `.git` is made anew each time, and files
//! are compared by content. What git ignores stays, so that a check finds the build caches of earlier ones. A folder
//! without our mark was not finished: it is made anew as a whole.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::fs;

use host::untrusted_files;
use sandbox::SandboxFactory;

use super::clone::{forget_way_back, leave_mark, reach, share, work_ref};
use super::error::WorkspaceError;
use super::git::{Git, door};
use super::inspection::head;
use super::limits::MARK_BYTES_MAX;
use super::staging::Staging;
use super::submodule;

/// Written last, inside the folder's `.git`: the commit that it was put at.
const MARK: &str = "arbiter-proof";

/// The commit and the folder that checks run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofCheckout {
    /// The repository that holds the commit.
    pub source: PathBuf,
    pub folder: PathBuf,
    /// The mission it belongs to.
    pub mission: String,
    /// The full name of the commit.
    pub commit: String,
    /// The sandbox that checks run in; without one they see all that Arbiter sees.
    pub site: Option<Arc<SandboxFactory>>,
}

/// The proof folder that belongs to the clone in `clone_folder`.
#[must_use]
pub fn proof_folder(clone_folder: &Path) -> PathBuf {
    let mut name = clone_folder.file_name().unwrap_or_default().to_owned();
    name.push(".proof");
    clone_folder.with_file_name(name)
}

/// Puts the proof folder at the commit: its files are the commit's, beside them are only files that git ignores.
pub async fn stand_at(stand: &ProofCheckout) -> Result<(), WorkspaceError> {
    let source = Git::at(&stand.source).of_mission(&stand.mission);
    let commit = format!("{}^{{commit}}", stand.commit);
    let arguments = ["rev-parse", "--verify", "--end-of-options", &commit];
    source.run("find the commit to be checked", &arguments).await?;
    // A folder that cannot be taken over, for whatever reason, is made anew.
    if let Some(before) = stood_at(&stand.folder).await?
        && take_over(stand, &source, &before).await.is_ok()
    {
        return Ok(());
    }
    let aside = make_door(stand, &source).await?;
    remove(&stand.folder).await?;
    aside.finish().await?;
    check_out(stand).await
}

/// Gives the folder a new `.git` that knows which files the old commit had, and which of them are unchanged.
async fn take_over(stand: &ProofCheckout, source: &Git, before: &str) -> Result<(), WorkspaceError> {
    let aside = make_door(stand, source).await?;
    let door = door(&stand.folder)?;
    remove(&door).await?;
    fs::rename(aside.folder().join(".git"), &door).await.map_err(WorkspaceError::disk(&door))?;
    remove(aside.folder()).await?;
    let git = Git::within(&stand.folder)?.of_mission(&stand.mission).patient();
    git.run("read the commit before", &["read-tree", before]).await?;
    // A file that equals the commit keeps its time, by which build tools know it. The status only tells of others.
    git.ask("compare the files", &["update-index", "-q", "--refresh"]).await?;
    check_out(stand).await
}

/// A repository beside the folder. No agent has a part in making it.
async fn make_door(stand: &ProofCheckout, source: &Git) -> Result<Staging, WorkspaceError> {
    let make = async {
        let aside = Staging::for_folder(&stand.folder).await?;
        share(source, &stand.source, aside.folder()).await?;
        let git = Git::within(aside.folder())?.of_mission(&stand.mission).patient();
        reach(&git, &stand.source, &stand.commit, &work_ref(&stand.mission)).await?;
        forget_way_back(&git).await?;
        Ok(aside)
    };
    make.await.map_err(WorkspaceError::of_ours)
}

async fn check_out(stand: &ProofCheckout) -> Result<(), WorkspaceError> {
    let git = Git::within(&stand.folder)?.of_mission(&stand.mission).patient();
    let arguments =
        ["checkout", "--quiet", "--force", "--no-recurse-submodules", "--detach", stand.commit.as_str()];
    git.run("check out the commit to be checked", &arguments).await?;
    // Twice forced: a repository inside it is nothing but another untracked folder.
    git.run("remove what no commit holds", &["clean", "--quiet", "-ffd"]).await?;
    let stands = head(&git).await?;
    if stands != stand.commit {
        let said = format!("the folder is at {stands}");
        return Err(WorkspaceError::Git { doing: format!("check out {}", stand.commit), said });
    }
    submodule::fill(&stand.source, &stand.folder, &stand.commit, &stand.mission).await?;
    leave_mark(&stand.folder, MARK, &stands)
}

/// The commit at which the folder was left, if it was ever put at one to the end.
async fn stood_at(folder: &Path) -> Result<Option<String>, WorkspaceError> {
    match fs::symlink_metadata(folder).await {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(WorkspaceError::Unreadable { path: folder.to_path_buf(), source: error }),
    }
    let Ok(door) = door(folder) else { return Ok(None) };
    // A mark that cannot be read is as good as none: the folder is made anew.
    let text = untrusted_files::read_text(&door.join(MARK), MARK_BYTES_MAX).unwrap_or_default();
    let commit = text.trim();
    let is_whole = commit.len() >= 40 && commit.bytes().all(|sign| sign.is_ascii_hexdigit());
    Ok(is_whole.then(|| commit.to_owned()))
}

/// Removes whatever is there, and nothing beyond it.
pub(super) async fn remove(path: &Path) -> Result<(), WorkspaceError> {
    let removed = match fs::symlink_metadata(path).await {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).await,
        Ok(_) => fs::remove_file(path).await,
        Err(error) => Err(error),
    };
    match removed {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(WorkspaceError::disk(path)(error)),
    }
}
