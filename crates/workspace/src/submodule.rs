//! Submodules of a clone: each is cloned from the user's own copy of it, at the commit that is asked for. Nothing is
//! fetched from anywhere else, and of `.gitmodules` only the paths are read.

use std::io;
use std::path::{Component, Path, PathBuf};

use tokio::fs;

use super::clone::{base_ref, bring, reach, share, work_ref};
use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{SUBMODULE_DEPTH_MAX, SUBMODULES_MAX};
use super::refs::{create_ref, drop_ref};

/// A submodule whose folder stays empty in the mission's clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its path, as seen from the top folder.
    pub path: String,
    /// The reason, as words that follow "submodule X".
    pub why: &'static str,
    /// Whether checking it out in the user's tree would help.
    pub can_be_checked_out: bool,
}

/// A submodule as a commit has it.
struct Module {
    path: PathBuf,
    commit: String,
}

/// Says which submodules of `commit` the user's tree at `root` has no copy of, to any depth.
pub async fn absent_submodules(root: &Path, commit: &str) -> Result<Vec<Absent>, WorkspaceError> {
    let mut absent = Vec::new();
    let mut waiting = vec![(root.to_path_buf(), commit.to_owned(), 0)];
    while let Some((place, commit, depth)) = waiting.pop() {
        let git = Git::at(&place);
        let (modules, strange) = modules_of(&git, &commit).await?;
        let strange = strange.into_iter();
        absent.extend(strange.map(|path| Absent { path, why: STRANGE, can_be_checked_out: false }));
        for module in modules {
            let copy = place.join(&module.path);
            let path = copy.strip_prefix(root).unwrap_or(&copy).display().to_string();
            match copy_at(&place, &module).await {
                Ok(_) if depth < SUBMODULE_DEPTH_MAX => waiting.push((copy, module.commit, depth + 1)),
                Ok(_) => absent.push(Absent { path, why: "lies too deep", can_be_checked_out: false }),
                Err(why) => absent.push(Absent { path, why, can_be_checked_out: true }),
            }
        }
    }
    Ok(absent)
}

/// Fills the submodules of the clone in `folder`, which shows `commit`, from the user's copies below `source`. One that
/// has no copy keeps its empty folder.
pub(super) async fn fill(
    source: &Path,
    folder: &Path,
    commit: &str,
    mission: &str,
) -> Result<(), WorkspaceError> {
    let mut waiting = vec![(source.to_path_buf(), folder.to_path_buf(), commit.to_owned(), 0)];
    while let Some((source, folder, commit, depth)) = waiting.pop() {
        let (modules, _) = modules_of(&Git::at(&source), &commit).await?;
        for module in modules {
            let Ok(git) = copy_at(&source, &module).await else { continue };
            let (copy, place) = (source.join(&module.path), folder.join(&module.path));
            make_room(&folder, &module.path).await?;
            create_ref(&git, &base_ref(mission), &module.commit, mission).await?;
            share(&git.clone().of_mission(mission), &copy, &place).await?;
            let inside = Git::within(&place)?.of_mission(mission).patient();
            reach(&inside, &copy, &module.commit, &base_ref(mission)).await?;
            let arguments =
                ["checkout", "--quiet", "--force", "--no-recurse-submodules", "--detach", &module.commit];
            inside.run("check out a submodule", &arguments).await?;
            inside.run("forget the way back", &["remote", "remove", "source"]).await?;
            if depth < SUBMODULE_DEPTH_MAX {
                waiting.push((copy, place, module.commit, depth + 1));
            }
        }
    }
    Ok(())
}

/// The user's copies of the submodules of `commit`, each with its place below the clone in `folder`, where both stand.
pub(super) async fn places(
    source: &Path,
    folder: &Path,
    commit: &str,
) -> Result<Vec<(PathBuf, PathBuf)>, WorkspaceError> {
    let mut found = Vec::new();
    let mut waiting = vec![(source.to_path_buf(), folder.to_path_buf(), commit.to_owned(), 0)];
    while let Some((source, folder, commit, depth)) = waiting.pop() {
        let (modules, _) = modules_of(&Git::at(&source).guarded(), &commit).await?;
        for module in modules {
            let (copy, place) = (source.join(&module.path), folder.join(&module.path));
            let has_both = has_real(&source, &module.path).await? && has_real(&folder, &module.path).await?;
            if has_both && is_there(&copy.join(".git")).await? && is_there(&place.join(".git")).await? {
                found.push((copy.clone(), place.clone()));
                if depth < SUBMODULE_DEPTH_MAX && copy_at(&source, &module).await.is_ok() {
                    waiting.push((copy, place, module.commit, depth + 1));
                }
            }
        }
    }
    Ok(found)
}

/// Removes the refs that pinned commits in the user's copies for a clone that is gone. Commits that an agent
/// made there stay.
pub(super) async fn forget(source: &Path, commit: &str, mission: &str) {
    let mut waiting = vec![(source.to_path_buf(), commit.to_owned(), 0)];
    while let Some((source, commit, depth)) = waiting.pop() {
        let Ok((modules, _)) = modules_of(&Git::at(&source), &commit).await else { continue };
        for module in modules {
            if let Ok(git) = copy_at(&source, &module).await {
                let _ = drop_ref(&git, &base_ref(mission), mission).await;
                if depth < SUBMODULE_DEPTH_MAX {
                    waiting.push((source.join(&module.path), module.commit, depth + 1));
                }
            }
        }
    }
}

/// Fetches commits that an agent made in submodules of the clone into the user's copies, so that `commit` can be
/// checked out whole elsewhere. A commit that cannot be fetched stays in the clone, and a check of `commit` meets an
/// empty folder there.
pub(super) async fn bring_back(source: &Path, folder: &Path, commit: &str, mission: &str) {
    let mut waiting = vec![(source.to_path_buf(), folder.to_path_buf(), commit.to_owned(), 0)];
    while let Some((source, folder, commit, depth)) = waiting.pop() {
        let Ok((modules, _)) = modules_of(&Git::at(&source).guarded(), &commit).await else { continue };
        for module in modules {
            let (copy, place) = (source.join(&module.path), folder.join(&module.path));
            let is_real = async |root: &Path| has_real(root, &module.path).await.unwrap_or(false);
            let has_both = is_real(&source).await && is_real(&folder).await;
            if has_both
                && copy_at(&source, &module).await.is_err()
                && is_there(&copy.join(".git")).await.unwrap_or(false)
            {
                let work = work_ref(mission);
                let _ = bring(&copy, &place, &module.commit, &module.commit, (&work, mission)).await;
            }
            if has_both && depth < SUBMODULE_DEPTH_MAX {
                waiting.push((copy, place, module.commit, depth + 1));
            }
        }
    }
}

/// The submodules that `commit` names and holds, and the paths it names that must not be followed.
async fn modules_of(git: &Git, commit: &str) -> Result<(Vec<Module>, Vec<String>), WorkspaceError> {
    let blob = format!("{commit}:.gitmodules");
    let arguments = ["config", "--blob", &blob, "-z", "--get-regexp", r"^submodule\..*\.path$"];
    let answer = git.ask("read .gitmodules", &arguments).await?;
    let (mut modules, mut strange) = (Vec::new(), Vec::new());
    // It says no where the commit has no such file, or one without a path; more than that is no answer.
    if !answer
        .is_yes("read .gitmodules")
        .or_else(|error| if is_absent(&answer.said) { Ok(false) } else { Err(error) })?
    {
        return Ok((modules, strange));
    }
    for entry in answer.output.split(|byte| *byte == 0).take(SUBMODULES_MAX) {
        let text = String::from_utf8_lossy(entry);
        let Some((key, path)) = text.split_once('\n') else { continue };
        let name = key.strip_prefix("submodule.").and_then(|rest| rest.strip_suffix(".path")).unwrap_or(key);
        if !is_plain(Path::new(path)) || name.split(['/', '\\']).any(|part| part == "..") {
            strange.push(path.to_owned());
            continue;
        }
        let found =
            git.run("find a submodule", &["ls-tree", "--full-tree", "-z", commit, "--", path]).await?;
        // Without its place in the commit a section of `.gitmodules` means nothing.
        if let Some(rest) = found.strip_prefix("160000 commit ") {
            let commit = rest.split('\t').next().unwrap_or_default().to_owned();
            modules.push(Module { path: PathBuf::from(path), commit });
        }
    }
    Ok((modules, strange))
}

/// Git's words for a commit without the file.
fn is_absent(said: &str) -> bool {
    said.contains("unable to resolve config blob") || said.contains(" in blob ")
}

const STRANGE: &str = "has a name or a path that leads elsewhere";

/// A path that stays below where it begins and enters no repository's own folder.
fn is_plain(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some()
        && parts.all(|part| match part {
            Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => false,
        })
}

/// Git in the user's own copy of a submodule, if it is there and has the commit.
async fn copy_at(root: &Path, module: &Module) -> Result<Git, &'static str> {
    let absent = "is not checked out in your tree, so its folder is empty in the mission's clone";
    let place = root.join(&module.path);
    let found = match has_real(root, &module.path).await {
        Ok(true) => is_there(&place.join(".git")).await,
        other => other,
    };
    match found {
        Ok(true) => {}
        Ok(false) => return Err(absent),
        Err(_) => return Err("cannot be read in your tree, so its folder is empty in the mission's clone"),
    }
    let git = Git::at(&place).patient();
    let commit = format!("{}^{{commit}}", module.commit);
    // An agent may have chosen the commit: it is here, or it is not.
    let found = git.clone().guarded().ask("find a submodule's commit", &["cat-file", "-e", &commit]).await;
    if found.is_ok_and(|found| found.is_success) {
        return Ok(git);
    }
    Err("does not have the commit that is wanted, so its folder is empty in the mission's clone")
}

/// Whether anything is at `path`. What the disk does not tell is an error, never a no.
pub(super) async fn is_there(path: &Path) -> Result<bool, WorkspaceError> {
    match fs::symlink_metadata(path).await {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(WorkspaceError::Unreadable { path: path.to_path_buf(), source: error }),
    }
}

/// Whether `path` is a folder below `root` that no link leads out of. What the disk does not tell is an error, never a no.
pub(super) async fn has_real(root: &Path, path: &Path) -> Result<bool, WorkspaceError> {
    let mut place = root.to_path_buf();
    for part in path.components() {
        place.push(part);
        match fs::symlink_metadata(&place).await {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(error) if host::files::is_absence(&error) => return Ok(false),
            Err(source) => return Err(WorkspaceError::Unreadable { path: place, source }),
        }
    }
    Ok(true)
}

/// An empty place for a submodule, with real folders on the way to it: what stands there is not believed.
async fn make_room(folder: &Path, path: &Path) -> Result<(), WorkspaceError> {
    let mut place = folder.to_path_buf();
    for part in path.components() {
        place.push(part);
        match fs::symlink_metadata(&place).await {
            Ok(found) if found.is_dir() => continue,
            Ok(_) => fs::remove_file(&place).await.map_err(WorkspaceError::disk(&place))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(WorkspaceError::Unreadable { path: place, source: error }),
        }
        fs::create_dir(&place).await.map_err(WorkspaceError::disk(&place))?;
    }
    fs::remove_dir_all(&place).await.map_err(WorkspaceError::disk(&place))
}
