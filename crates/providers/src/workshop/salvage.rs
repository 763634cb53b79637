//! Lets go of a mission's clone. Everything in it goes into a ref of the user's repository first: what is committed, and
//! on top of it what is not. Only then is anything removed, and always moved aside before, so that a fall in between
//! leaves a whole clone or none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tokio::fs;

use super::clone::{FETCH, base_ref, bring, drop_ref, wary, work_ref};
use super::error::WorkshopError;
use super::git::{Git, door};
use super::kin::dice;
use super::limits::SUBMODULE_DEPTH_MAX;
use super::look::head;
use super::merge::{find, is_ancestor};
use super::proof::{proof_folder, remove};
use super::snapshot::{Scrap, commit_tree, links, tree_of};
use super::submodule::{self, has_real};

/// What was salvaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Salvage {
    /// The ref that holds it.
    pub reference: String,
    /// The commit at it.
    pub commit: String,
    /// It holds files that no commit held.
    pub has_uncommitted: bool,
}

/// The ref that holds a discarded mission.
#[must_use]
pub fn salvage_ref(mission: &str) -> String {
    format!("refs/arbiter/salvage/{mission}")
}

/// Puts everything that the clone holds, and the result as it was fetched back, into the salvage ref.
pub async fn salvage(source: &Path, clone: &Path, mission: &str) -> Result<Salvage, WorkshopError> {
    let folder = std::path::absolute(clone).map_err(WorkshopError::disk(clone))?;
    let git = Git::in_clone(&folder).await?.of_mission(mission).patient().set("core.sparseCheckout=false");
    let head = head(&git).await?;
    let scrap = Scrap::make()?;
    // The clone's own index may be told to overlook files: a new one overlooks nothing.
    let git = git.with_index(&scrap.index());
    git.run("read the clone's HEAD", &["read-tree", &head]).await?;
    let before = git.run("read the clone's HEAD", &["rev-parse", "--verify", "HEAD^{tree}"]).await?;
    let (tree, nested) = tree_of(&git).await?;
    refuse_nested(source, &folder, nested, links(&git).await?).await?;
    let has_uncommitted = tree != before;
    let mut wanted = head.clone();
    if has_uncommitted {
        wanted = commit_tree(&git, &tree, &[&head], "Uncommitted work of a discarded mission").await?;
    }
    // Fetching wants a name in the clone.
    let name = "refs/arbiter-salvage";
    git.run("name what is salvaged", &["update-ref", "--no-deref", name, &wanted]).await?;
    let reference = salvage_ref(mission);
    let into = Git::at(source);
    let mut commit = bring(source, &folder, name, &wanted, &reference).await?;
    if let Some(result) = find(&into, &work_ref(mission)).await?
        && !is_ancestor(&into, &result, &commit).await?
    {
        // The agent turned away from what was fetched before: both are kept.
        let tree = format!("{commit}^{{tree}}");
        let message = "What a discarded mission left, and what it had thrown away";
        commit = commit_tree(&into, &tree, &[&commit, &result], message).await?;
        into.run("keep what is salvaged", &["update-ref", "--create-reflog", &reference, &commit]).await?;
    }
    keep_more(source, &folder, mission, &commit).await?;
    Ok(Salvage { reference, commit, has_uncommitted })
}

/// Keeps the other branches of the clone, and its stash, where they hold what the salvage ref does not.
async fn keep_more(source: &Path, clone: &Path, mission: &str, kept: &str) -> Result<(), WorkshopError> {
    let prefix = format!("refs/arbiter/salvage-more/{mission}");
    let mut arguments: Vec<OsString> = FETCH.iter().map(OsString::from).collect();
    arguments.extend([door(clone)?.into(), format!("+refs/heads/*:{prefix}/heads/*").into()]);
    if find(&Git::among_names(clone)?, "refs/stash").await?.is_some() {
        arguments.push(format!("+refs/stash:{prefix}/stash").into());
    }
    let git = wary(source);
    git.run("fetch the clone's branches", &arguments).await?;
    let names = ["for-each-ref", "--format=%(refname)", prefix.as_str()];
    for name in git.run("read what was fetched", &names).await?.lines() {
        if is_ancestor(&git, name, kept).await? {
            drop_ref(&git, name).await?;
        }
    }
    Ok(())
}

/// The same without a clone: what was fetched back, or what was salvaged before, if there is either.
pub async fn salvage_result(source: &Path, mission: &str) -> Result<Option<Salvage>, WorkshopError> {
    let (git, reference) = (Git::at(source), salvage_ref(mission));
    if let Some(commit) = find(&git, &reference).await? {
        return Ok(Some(Salvage { reference, commit, has_uncommitted: false }));
    }
    let Some(commit) = find(&git, &work_ref(mission)).await? else { return Ok(None) };
    git.run("keep what is salvaged", &["update-ref", "--create-reflog", &reference, &commit]).await?;
    Ok(Some(Salvage { reference, commit, has_uncommitted: false }))
}

/// Removes the clone and its proof folder: each is moved aside first, so that half of one is never taken for it.
pub async fn remove_clone(clone: &Path) -> Result<(), WorkshopError> {
    for folder in [clone.to_path_buf(), proof_folder(clone)] {
        if fs::symlink_metadata(&folder).await.is_ok() {
            let aside = aside_of(&folder, &format!("{:016x}.", dice()));
            fs::rename(&folder, &aside).await.map_err(WorkshopError::disk(&folder))?;
        }
        clear(&folder).await?;
    }
    Ok(())
}

/// Removes the mission's refs, once the salvage ref holds what they hold.
pub async fn remove_refs(source: &Path, mission: &str) -> Result<(), WorkshopError> {
    let git = Git::at(source);
    let kept = find(&git, &salvage_ref(mission)).await?;
    if let Some(base) = find(&git, &base_ref(mission)).await? {
        submodule::forget(source, &base, mission).await;
    }
    for reference in [work_ref(mission), base_ref(mission)] {
        let Some(commit) = find(&git, &reference).await? else { continue };
        if let Some(kept) = &kept
            && is_ancestor(&git, &commit, kept).await?
        {
            drop_ref(&git, &reference).await?;
        }
    }
    Ok(())
}

/// Refuses to go on if a repository inside the clone holds what the user's copy of it does not.
async fn refuse_nested(
    source: &Path,
    clone: &Path,
    nested: Vec<String>,
    known: Vec<(String, String)>,
) -> Result<(), WorkshopError> {
    let mut folders = nested;
    for (path, _) in known {
        let place = clone.join(&path);
        if door(&place).is_ok() && !is_expendable(&source.join(&path), clone, Path::new(&path), 0).await {
            folders.push(path);
        }
    }
    if folders.is_empty() { Ok(()) } else { Err(WorkshopError::Nested { folders }) }
}

/// Whether a submodule of the clone, with those inside it, holds nothing but what its copy in the user's tree holds too.
async fn is_expendable(copy: &Path, clone: &Path, path: &Path, depth: usize) -> bool {
    let look = async {
        if depth > SUBMODULE_DEPTH_MAX || !has_real(clone, path).await || !copy.join(".git").exists() {
            return Ok(false);
        }
        let git = Git::in_clone(&clone.join(path)).await?.patient();
        let status = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];
        let status = git.ask("read the state of a submodule", &status).await?;
        if !status.is_success || !status.output.is_empty() {
            return Ok(false);
        }
        let names = ["for-each-ref", "--format=%(objectname)", "refs/heads", "refs/stash"];
        let commits = git.run("read the branches of a submodule", &names).await?;
        for commit in commits.lines().chain([head(&git).await?.as_str()]) {
            if !Git::at(copy).ask("find a commit", &["cat-file", "-e", commit]).await?.is_success {
                return Ok(false);
            }
        }
        for (inner, _) in links(&git).await? {
            let (copy, path) = (copy.join(&inner), path.join(&inner));
            if door(&clone.join(&path)).is_ok()
                && !Box::pin(is_expendable(&copy, clone, &path, depth + 1)).await
            {
                return Ok(false);
            }
        }
        Ok::<bool, WorkshopError>(true)
    };
    look.await.unwrap_or(false)
}

fn aside_of(folder: &Path, mark: &str) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    folder.with_file_name(format!(".{name}.{mark}discarded"))
}

/// Removes what was moved aside, now or before a fall.
async fn clear(folder: &Path) -> Result<(), WorkshopError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some(parent) = folder.parent() else { return Ok(()) };
    let Ok(mut entries) = fs::read_dir(parent).await else { return Ok(()) };
    while let Ok(Some(entry)) = entries.next_entry().await {
        let found = entry.file_name().to_string_lossy().into_owned();
        if found.starts_with(&format!(".{name}.")) && found.ends_with(".discarded") {
            remove(&entry.path()).await?;
        }
    }
    Ok(())
}
