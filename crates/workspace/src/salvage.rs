//! Discards a mission's clone. Everything in it goes into a ref of the user's repository first: what is committed, and
//! on top of it what is not. Only then is anything removed, and always moved aside before, so that a crash in between
//! leaves a whole clone or none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::fs;

use sandbox::Sandbox;

use super::clone::{FETCH, base_ref, believing_nothing, bring, work_ref};
use super::error::WorkspaceError;
use super::git::{Git, door};
use super::merge::is_ancestor;
use super::proof::{proof_folder, remove};
use super::ref_marks;
use super::refs::{drop_ref, find, refs_below};
use super::snapshot::commit_tree;
use super::stray_files;
use super::submodule::{self, is_there};

/// What was salvaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// The ref that holds the salvaged work.
    pub reference: String,
    /// The commit at it.
    pub commit: String,
    /// Whether it holds files that no commit held.
    pub has_uncommitted: bool,
}

/// The ref that holds a discarded mission.
#[must_use]
pub fn salvage_ref(mission: &str) -> String {
    format!("refs/arbiter/salvage/{mission}")
}

/// Puts everything that the clone holds, and the result as it was fetched before, into the salvage ref. Git runs in the
/// sandbox, if there is one.
pub async fn salvage(
    source: &Path,
    clone: &Path,
    mission: &str,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<Salvage, WorkspaceError> {
    let folder = std::path::absolute(clone).map_err(WorkspaceError::disk(clone))?;
    let into = Git::at(source).guarded();
    ref_marks::sweep(&into).await?;
    let leavings = stray_files::gather(&into, source, &folder, mission, sandbox).await?;
    let reference = salvage_ref(mission);
    let mut commit =
        bring(source, leavings.folder(), stray_files::NAME, &leavings.commit, (&reference, mission)).await?;
    if let Some(result) = find(&into, &work_ref(mission)).await?
        && !is_ancestor(&into, &result, &commit).await?
    {
        // The agent dropped commits that were fetched before: both are kept.
        let tree = format!("{commit}^{{tree}}");
        let message = "What a discarded mission left, and what it had thrown away";
        commit = commit_tree(&into, &tree, &[&commit, &result], message).await?;
        keep(&into, &reference, &commit, mission).await?;
    }
    save_other_branches(source, &folder, mission, &commit, sandbox).await?;
    Ok(Salvage { reference, commit, has_uncommitted: leavings.has_uncommitted })
}

/// Saves the other branches of the clone, and its stash, where they hold what the salvage ref does not.
async fn save_other_branches(
    source: &Path,
    clone: &Path,
    mission: &str,
    kept: &str,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<(), WorkspaceError> {
    let prefix = format!("refs/arbiter/salvage-more/{mission}");
    let mut arguments: Vec<OsString> = FETCH.iter().map(OsString::from).collect();
    let door = door(clone)?;
    arguments.extend([door.clone().into(), format!("+refs/heads/*:{prefix}/heads/*").into()]);
    let there = Git::among_names(clone)?.caged(sandbox);
    let branches = refs_below(&there, "refs/heads").await?;
    if find(&there, "refs/stash").await?.is_some() {
        arguments.push(format!("+refs/stash:{prefix}/stash").into());
    }
    let git = believing_nothing(source).of_mission(mission);
    let doing = "fetch the clone's branches";
    git.clone().reaching(&door).write_refs(doing, &arguments, mission).await?.succeeded(doing)?;
    let fetched = refs_below(&git, &prefix).await?;
    // A folder of refs that cannot be read for a moment has no branches for git. What is removed next must be here whole.
    let missing = branches.iter().find(|branch| {
        let kept = branch.strip_prefix("refs/").map(|name| format!("{prefix}/{name}"));
        !kept.is_some_and(|kept| fetched.contains(&kept))
    });
    if let Some(branch) = missing {
        let said = format!("{branch} did not come over");
        return Err(WorkspaceError::Git { doing: doing.into(), said });
    }
    for name in &fetched {
        if is_ancestor(&git, name, kept).await? {
            drop_ref(&git, name, mission).await?;
        }
    }
    Ok(())
}

async fn keep(git: &Git, reference: &str, commit: &str, mission: &str) -> Result<(), WorkspaceError> {
    let doing = "keep what is salvaged";
    let arguments = ["update-ref", "--create-reflog", reference, commit];
    git.write_refs(doing, &arguments, mission).await?.succeeded(doing)?;
    Ok(())
}

/// The same without a clone: what was fetched back, or what was salvaged before, if there is either.
pub async fn salvage_result(source: &Path, mission: &str) -> Result<Option<Salvage>, WorkspaceError> {
    let (git, reference) = (Git::at(source), salvage_ref(mission));
    if let Some(commit) = find(&git, &reference).await? {
        return Ok(Some(Salvage { reference, commit, has_uncommitted: false }));
    }
    let Some(commit) = find(&git, &work_ref(mission)).await? else { return Ok(None) };
    keep(&git, &reference, &commit, mission).await?;
    Ok(Some(Salvage { reference, commit, has_uncommitted: false }))
}

/// Removes the clone and its proof folder: each is moved aside first, so that half of one is never taken for it.
pub async fn remove_clone(clone: &Path) -> Result<(), WorkspaceError> {
    for folder in [clone.to_path_buf(), proof_folder(clone)] {
        if is_there(&folder).await? {
            let aside = aside_of(&folder, &format!("{:016x}.", host::dice()));
            fs::rename(&folder, &aside).await.map_err(WorkspaceError::disk(&folder))?;
        }
        clear(&folder).await?;
    }
    Ok(())
}

/// Removes the mission's refs, once the salvage ref holds what they hold.
pub async fn remove_refs(source: &Path, mission: &str) -> Result<(), WorkspaceError> {
    let git = Git::at(source);
    ref_marks::sweep(&git).await?;
    let kept = find(&git, &salvage_ref(mission)).await?;
    if let Some(base) = find(&git, &base_ref(mission)).await? {
        submodule::forget(source, &base, mission).await;
    }
    for reference in [work_ref(mission), base_ref(mission)] {
        let Some(commit) = find(&git, &reference).await? else { continue };
        if let Some(kept) = &kept
            && is_ancestor(&git, &commit, kept).await?
        {
            drop_ref(&git, &reference, mission).await?;
        }
    }
    Ok(())
}

fn aside_of(folder: &Path, mark: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{mark}discarded"))
}

/// Removes folders that were moved aside, now or before a crash.
async fn clear(folder: &Path) -> Result<(), WorkspaceError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(parent) = folder.parent() else { return Ok(()) };
    let unreadable = |error| WorkspaceError::Unreadable { path: parent.to_path_buf(), source: error };
    let mut entries = match fs::read_dir(parent).await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(unreadable)?,
    };
    while let Some(entry) = entries.next_entry().await.map_err(unreadable)? {
        let found = entry.file_name().to_string_lossy().into_owned();
        if found.starts_with(&format!(".{name}.")) && found.ends_with(".discarded") {
            remove(&entry.path()).await?;
        }
    }
    Ok(())
}
