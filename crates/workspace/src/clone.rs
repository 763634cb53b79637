//! The mission's own clone: made once from the user's commit, fetched back into a ref of the user's repository.
//!
//! The clone borrows the objects of its source, so two refs there keep them: `refs/arbiter-base/<mission>` stays at the
//! base whatever the agent does to history, `refs/arbiter/<mission>` follows the work.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use host::untrusted_files;
use sandbox::Sandbox;

use super::error::WorkspaceError;
use super::git::{Git, door, has_door};
use super::inspection::head;
use super::limits::{CLONE_FILE_BYTES_MAX, MARK_BYTES_MAX};
use super::mend::mend_clone;
use super::ref_marks;
use super::refs::{create_ref, drop_ref, find};
use super::staging::{Staging, is_free};
use super::submodule;

/// A finished clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissionClone {
    /// The mission it belongs to.
    pub mission: String,
    pub folder: PathBuf,
    /// The branch on which the agents work: `arbiter/<mission>`.
    pub branch: String,
    /// The commit it began with.
    pub base: String,
    /// What a death had left in it, and what was done about that.
    pub mended: Vec<String>,
}

/// Makes the clone of `mission`, which begins at `commit`, or finds the one that is already there and leaves it as it is. A
/// clone that was lost is made at the work that was fetched from it.
pub async fn prepare(
    source_root: &Path,
    commit: &str,
    clone_folder: &Path,
    mission: &str,
) -> Result<MissionClone, WorkspaceError> {
    let source = Git::at(source_root).of_mission(mission);
    let commit = format!("{commit}^{{commit}}");
    let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
    let base = source.run("find the base commit", &arguments).await?;
    let mut clone = MissionClone {
        mission: mission.into(),
        folder: clone_folder.to_path_buf(),
        branch: format!("arbiter/{mission}"),
        base,
        mended: Vec::new(),
    };
    // The refs come first: from the first byte of the clone on, its objects are kept.
    create_ref(&source, &base_ref(mission), &clone.base, mission).await?;
    create_ref(&source, &work_ref(mission), &clone.base, mission).await?;
    if is_free(clone_folder).await? {
        let work =
            source.run("find the mission's work", &["rev-parse", "--verify", &work_ref(mission)]).await?;
        let aside = Staging::for_folder(clone_folder).await?;
        build(&source, source_root, aside.folder(), &clone, &work).await?;
        aside.finish().await?;
    } else if !is_finished(&clone)? {
        return Err(WorkspaceError::Occupied { folder: clone_folder.to_path_buf() });
    } else {
        clone.mended = mend_clone(source_root, clone_folder, mission).await?;
    }
    Ok(clone)
}

/// Whether nothing is left of a clone that once stood in `folder`.
pub async fn is_clone_gone(folder: &Path) -> Result<bool, WorkspaceError> {
    is_free(folder).await
}

/// Pins the base of a mission that is about to be opened, whatever becomes of the user's branches.
pub async fn pin_base(source_root: &Path, commit: &str, mission: &str) -> Result<(), WorkspaceError> {
    let source = Git::at(source_root);
    refuse_refs_in_the_way(&source, source_root).await?;
    ref_marks::sweep(&source).await?;
    create_ref(&source, &base_ref(mission), commit, mission).await
}

/// A ref with the very name of a folder of ours: git would refuse every ref below it, at once or in the mission's middle.
async fn refuse_refs_in_the_way(source: &Git, root: &Path) -> Result<(), WorkspaceError> {
    let doing = "look for refs in the way";
    for reference in ["refs/arbiter", "refs/arbiter-base", "refs/arbiter/salvage"] {
        let found = source.ask(doing, &["show-ref", "--verify", "--quiet", reference]).await?;
        if found.is_yes(doing)? {
            return Err(WorkspaceError::RefInTheWay {
                root: root.to_path_buf(),
                reference: reference.into(),
            });
        }
    }
    Ok(())
}

/// Removes the pin of a base whose mission was never opened.
pub async fn forget_base(source_root: &Path, mission: &str) -> Result<(), WorkspaceError> {
    drop_ref(&Git::at(source_root), &base_ref(mission), mission).await
}

/// Fetches the commit at the clone's HEAD, on whichever branch or none, into `refs/arbiter/<mission>` of the source,
/// and returns the commit that is there now. What the clone says of its objects is not believed: each is hashed again
/// here, and a missing one fails the whole fetch.
///
/// Git runs in the sandbox, if there is one; without one its answer is believed no more.
///
/// The ref's log keeps what it showed before, should an agent have thrown work away.
pub async fn fetch_back(
    source_root: &Path,
    clone_folder: &Path,
    mission: &str,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<String, WorkspaceError> {
    let folder = std::path::absolute(clone_folder).map_err(WorkspaceError::disk(clone_folder))?;
    let wanted = head(&Git::among_names(&folder)?.caged(sandbox)).await?;
    let brought = bring(source_root, &folder, "HEAD", &wanted, (&work_ref(mission), mission)).await?;
    submodule::bring_back(source_root, &folder, &brought, mission).await;
    Ok(brought)
}

/// Fetches `wanted`, which `from` names in the clone, into a ref of a mission in the source.
pub(super) async fn bring(
    source_root: &Path,
    folder: &Path,
    from: &str,
    wanted: &str,
    (reference, mission): (&str, &str),
) -> Result<String, WorkspaceError> {
    let door = door(folder)?;
    let mut arguments: Vec<OsString> = FETCH.iter().map(OsString::from).collect();
    arguments.extend([door.clone().into(), format!("+{from}:{reference}").into()]);
    let source = believing_nothing(source_root).of_mission(mission).reaching(&door);
    let doing = "fetch the mission's work";
    let answer = source.write_refs(doing, &arguments, mission).await?;
    let brought = find(&source, reference).await?.unwrap_or_default();
    // A clone that has become shallow is turned away with a warning and without a failure.
    if answer.is_success && brought == wanted {
        return Ok(brought);
    }
    let moved = || format!("the clone moved on to {brought} while {wanted} was fetched");
    let said = if answer.said.trim().is_empty() { moved() } else { answer.said };
    Err(WorkspaceError::Git { doing: doing.into(), said })
}

/// How a clone is fetched from: what is named, and nothing besides.
pub(super) const FETCH: [&str; 7] =
    ["fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules", "--"];

/// Git in the source, which believes nothing that a clone says of its objects.
pub(super) fn believing_nothing(source_root: &Path) -> Git {
    let source = Git::at(source_root).guarded().patient().set("fetch.fsckObjects=true");
    OLD_FAULTS.iter().fold(source, |source, fault| source.set(&format!("fetch.fsck.{fault}=ignore")))
}

/// Faults that old histories are full of and that do no harm: an agent may well have joined one to its work.
const OLD_FAULTS: [&str; 7] = [
    "badEmail",
    "badTimezone",
    "missingEmail",
    "missingNameBeforeEmail",
    "missingSpaceBeforeDate",
    "missingSpaceBeforeEmail",
    "zeroPaddedFilemode",
];

/// The commit that `mission` began with, if `source_root` is the repository that it began in.
pub async fn pinned_base(source_root: &Path, mission: &str) -> Result<Option<String>, WorkspaceError> {
    find(&Git::at(source_root), &base_ref(mission)).await
}

/// The newest work of `mission` that was fetched into `source_root`, if there is any.
pub async fn fetched_work(source_root: &Path, mission: &str) -> Result<Option<String>, WorkspaceError> {
    find(&Git::at(source_root), &work_ref(mission)).await
}

/// The ref that pins the commit that a mission began with.
pub(super) fn base_ref(mission: &str) -> String {
    format!("refs/arbiter-base/{mission}")
}

/// The ref that follows the work.
pub(super) fn work_ref(mission: &str) -> String {
    format!("refs/arbiter/{mission}")
}

/// Written last, inside `.git` where no commit of the agent reaches: the base of a finished clone.
const MARKER: &str = "arbiter-base";

/// Whether the mark says so. A mark that the disk does not give now is no proof that another made the folder.
fn is_finished(clone: &MissionClone) -> Result<bool, WorkspaceError> {
    if !has_door(&clone.folder)? {
        return Ok(false);
    }
    let mark = text_of(&door(&clone.folder)?.join(MARKER), MARK_BYTES_MAX)?;
    Ok(mark.is_some_and(|base| base.trim() == clone.base))
}

/// A text file inside `.git` of a clone; none where there is none, or something that we never wrote.
fn text_of(file: &Path, bytes_max: usize) -> Result<Option<String>, WorkspaceError> {
    match untrusted_files::read_text(file, bytes_max) {
        Ok(text) => Ok(Some(text)),
        Err(error) if host::files::is_absence(&error) || untrusted_files::is_odd(&error) => Ok(None),
        Err(source) => Err(WorkspaceError::Unreadable { path: file.to_path_buf(), source }),
    }
}

async fn build(
    source: &Git,
    source_root: &Path,
    folder: &Path,
    clone: &MissionClone,
    work: &str,
) -> Result<(), WorkspaceError> {
    share(source, source_root, folder).await?;
    // No agent was here yet: filters are the user's own, and his files are to be whole.
    let git = Git::within(folder)?.patient();
    reach(&git, source_root, &clone.base, &base_ref(&clone.mission)).await?;
    reach(&git, source_root, work, &work_ref(&clone.mission)).await?;
    git.run(
        "check out the mission's work",
        &["checkout", "--quiet", "--no-track", "-b", &clone.branch, work],
    )
    .await?;
    forget_way_back(&git).await?;
    name_author(source, &git).await?;
    submodule::fill(source_root, folder, work, &clone.mission).await?;
    exclude(&door(folder)?, "/.arbiter/\n")?;
    leave_mark(folder, MARKER, &clone.base)
}

/// Writes a commit's name inside `.git` of a clone or a proof folder.
pub(super) fn leave_mark(folder: &Path, name: &str, commit: &str) -> Result<(), WorkspaceError> {
    let text = format!("{commit}\n");
    untrusted_files::replace(folder, ".git", name, text.as_bytes())
        .map_err(WorkspaceError::disk(&door(folder)?.join(name)))
}

/// Makes a clone without files that borrows the objects of its source. What the user likes for line ends is not to change
/// the bytes of a commit, for whoever runs git in it.
pub(super) async fn share(source: &Git, source_root: &Path, folder: &Path) -> Result<(), WorkspaceError> {
    let options = [
        "clone",
        "--quiet",
        "--shared",
        "--no-checkout",
        "--template=",
        "--origin=source",
        "--config=core.autocrlf=false",
        "--config=core.eol=lf",
        "--",
    ];
    let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
    let from = std::path::absolute(source_root).map_err(WorkspaceError::disk(source_root))?;
    let to = std::path::absolute(folder).map_err(WorkspaceError::disk(folder))?;
    arguments.extend([from.clone().into(), to.into()]);
    source.clone().making().reaching(&from).patient().run("clone the repository", &arguments).await?;
    Ok(())
}

/// Fetches a commit that is not within sight: git borrows nothing from a shallow repository.
pub(super) async fn reach(
    git: &Git,
    source_root: &Path,
    commit: &str,
    reference: &str,
) -> Result<(), WorkspaceError> {
    if !git.ask("find the commit", &["cat-file", "-e", commit]).await?.is_success {
        let arguments = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "source", reference];
        let from = std::path::absolute(source_root).map_err(WorkspaceError::disk(source_root))?;
        git.clone().reaching(&from).run("fetch a commit", &arguments).await?;
    }
    Ok(())
}

/// Without a remote, `git push` from a clone has no way to the user's branches.
pub(super) async fn forget_way_back(git: &Git) -> Result<(), WorkspaceError> {
    git.run("forget the way back", &["remote", "remove", "source"]).await?;
    Ok(())
}

/// Commits in the clone carry the author's name that they would carry in the source; any name is better than none.
async fn name_author(source: &Git, git: &Git) -> Result<(), WorkspaceError> {
    for (key, fallback) in [("user.name", "Arbiter"), ("user.email", "arbiter@localhost")] {
        let there = source.ask("read the author's name", &["config", "--get", key]).await?;
        let here = git.ask("read the author's name", &["config", "--get", key]).await?;
        let wanted = if there.is_success { there.text() } else { fallback.into() };
        let is_needed = if there.is_success { here.text() != wanted } else { !here.is_success };
        if is_needed {
            git.run("set the author's name", &["config", "--local", key, &wanted]).await?;
        }
    }
    Ok(())
}

/// Keeps what programs leave in the clone out of its commits: each a pattern as git knows them. What the project itself
/// tracks stays tracked.
pub fn leave_out(clone_folder: &Path, patterns: &[&str]) -> Result<(), WorkspaceError> {
    let lines: String = patterns.iter().map(|pattern| format!("{pattern}\n")).collect();
    exclude(&door(clone_folder)?, &lines)
}

/// What we put into the clone is not the agent's work, and makes no tree dirty.
fn exclude(door: &Path, patterns: &str) -> Result<(), WorkspaceError> {
    let file = door.join("info/exclude");
    let mut text = text_of(&file, CLONE_FILE_BYTES_MAX)?.unwrap_or_default();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let known: Vec<String> = text.lines().map(str::to_owned).collect();
    for pattern in patterns.lines().filter(|pattern| !known.iter().any(|line| line == pattern)) {
        text.push_str(pattern);
        text.push('\n');
    }
    // A template of the user's may have left a link here.
    untrusted_files::replace(door, "info", "exclude", text.as_bytes()).map_err(WorkspaceError::disk(&file))
}
