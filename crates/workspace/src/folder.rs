//! Projects without a repository: Arbiter makes one in the folder, or keeps one for it elsewhere so that the folder
//! itself shows nothing.

use std::path::{Path, PathBuf};

use mind::digest;
use tokio::fs;

use super::carry::{half_moved, verify};
use super::desk::{Desk, MovePlan};
use super::error::WorkspaceError;
use super::git::Git;
use super::limits::GIT_ANSWER_BYTES_MAX;
use super::preflight::{Base, preflight};
use super::snapshot::{Load, Scrap, Snapshot, commit_tree, named, tree_of};
use super::staging::{Staging, is_free};
use super::tree_move::{change_places, moves, put_back, refuse_obstacles, write_beside};

/// How many files and bytes a first commit of `folder` would have. Nothing is made there.
pub async fn measure(folder: &Path) -> Result<Load, WorkspaceError> {
    let scrap = Scrap::make()?;
    let repository = scrap.folder().join("repository");
    make_empty(&repository).await?;
    measure_with(&Git::over(&repository.join(".git"), folder).with_index(&scrap.index()), folder).await
}

/// Makes a repository in `folder` with a first commit of its files, or the first commit where only that is missing.
/// Says which repositories inside were left out.
pub async fn init(folder: &Path) -> Result<(Base, Vec<String>), WorkspaceError> {
    measure(folder).await?.judge("a first commit")?;
    let git = Git::at(folder).patient();
    git.run("make a repository", &["init", "--quiet"]).await?;
    let git = named(&git).await?;
    let (_, nested) = tree_of(&git).await?;
    let commit = ["commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "-m", "Begin"];
    git.run("make the first commit", &commit).await?;
    Ok((preflight(folder).await?, nested))
}

/// The repository that is kept for `folder` among those in `store`.
#[must_use]
pub fn own_repository(store: &Path, folder: &Path) -> PathBuf {
    let digest = digest::of(folder.as_os_str().as_encoded_bytes());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().filter(|sign| sign.is_ascii_alphanumeric()).take(24).collect();
    store.join(format!("{name}-{}", &digest[..16]))
}

/// Makes a commit of the files of `folder` in a repository of our own, which is made if it is not there.
pub async fn commit_in_place(repository: &Path, folder: &Path) -> Result<Snapshot, WorkspaceError> {
    if is_free(repository).await? {
        let aside = Staging::for_folder(repository).await?;
        make_empty(aside.folder()).await?;
        aside.finish().await?;
    }
    let scrap = Scrap::make()?;
    let git = Git::over(&repository.join(".git"), folder).with_index(&scrap.index()).patient();
    measure_with(&git, folder).await?.judge("a copy of the files")?;
    let (tree, left) = tree_of(&git).await?;
    let commit = commit_tree(&git, &tree, &[], "The files, as the mission found them").await?;
    Ok(Snapshot { commit, left })
}

/// Writes what changed between `base` and `result` into the folder, and returns those files. A file that is neither as
/// in the base nor as in the result stops it before anything is written.
pub async fn write_in_place(
    repository: &Path,
    folder: &Path,
    base: &str,
    result: &str,
) -> Result<Vec<String>, WorkspaceError> {
    let door = repository.join(".git");
    let desk = Desk::take(&door, folder)?;
    if let Some(plan) = desk.unfinished()? {
        // A process that was killed had begun: the folder is as it was before, or will be in a moment.
        put_back(&desk, &plan.moves).map_err(|error| half_moved(folder, &error))?;
    }
    desk.clear()?;
    let scrap = Scrap::make()?;
    let git = Git::over(&door, folder).with_index(&scrap.index()).patient();
    git.run("read the base", &["read-tree", base]).await?;
    let (now, _) = tree_of(&git).await?;
    let touched = changed(&git, base, &now).await?;
    let ahead = changed(&git, &now, result).await?;
    // A file that differs from the base but not from the result was written by an earlier try.
    let files: Vec<String> = touched.into_iter().filter(|file| ahead.contains(file)).collect();
    if !files.is_empty() {
        return Err(WorkspaceError::Uncommitted { root: folder.to_path_buf(), files, is_untracked: false });
    }
    let moves = moves(&git, &now, result).await?;
    // Ignored files lie in this folder too.
    refuse_obstacles(folder, &moves)?;
    desk.make(desk.folder())?;
    if let Err(error) = write_beside(&desk, &door, result, &moves).await {
        let _ = desk.clear();
        return Err(error);
    }
    let plan = MovePlan { from: now, to: result.to_owned(), moves };
    let moved = async {
        desk.begin(&plan)?;
        change_places(&desk, &plan.moves)?;
        git.run("read the result", &["read-tree", result]).await?;
        verify(&git, &desk, result, &plan.moves).await?;
        desk.make_durable().await
    };
    let moved = moved.await;
    if moved.is_err() {
        put_back(&desk, &plan.moves).map_err(|error| half_moved(folder, &error))?;
    }
    let _ = desk.clear();
    moved.map(|()| ahead)
}

/// The files that differ between two commits or trees.
pub(super) async fn changed(git: &Git, from: &str, to: &str) -> Result<Vec<String>, WorkspaceError> {
    let arguments = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--end-of-options", from, to];
    let doing = "compare two commits";
    let answer = git.ask(doing, &arguments).await?.succeeded(doing)?;
    if answer.output.len() >= GIT_ANSWER_BYTES_MAX {
        return Err(WorkspaceError::Git { doing: doing.into(), said: "too many files differ".into() });
    }
    let names = answer.output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

async fn measure_with(git: &Git, folder: &Path) -> Result<Load, WorkspaceError> {
    let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
    let doing = "read the files of the folder";
    let answer = git.clone().patient().ask(doing, &arguments).await?.succeeded(doing)?;
    let mut load = Load::default();
    for path in answer.output.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
        load.add(folder, path);
    }
    if answer.output.len() >= GIT_ANSWER_BYTES_MAX {
        load.bytes = u64::MAX;
    }
    Ok(load)
}

/// A repository without files, whose only setting is that Arbiter's own folder is not the project's.
async fn make_empty(repository: &Path) -> Result<(), WorkspaceError> {
    fs::create_dir_all(repository).await.map_err(WorkspaceError::disk(repository))?;
    let git = Git::at(repository);
    git.making().run("make a repository", &["init", "--quiet", "-b", "main"]).await?;
    let info = repository.join(".git/info");
    fs::create_dir_all(&info).await.map_err(WorkspaceError::disk(&info))?;
    let file = info.join("exclude");
    fs::write(&file, "/.arbiter/\n").await.map_err(WorkspaceError::disk(&file))
}
