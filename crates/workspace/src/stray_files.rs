//! Gathers everything that lies in a mission's clone as a commit in a repository of ours, for its salvage. Nothing is
//! written in the clone: its refs, their logs and its objects may be links of the agent's that lead anywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::fs;

use host::untrusted_files;
use sandbox::Sandbox;

use super::error::WorkspaceError;
use super::git::{Git, door, has_door};
use super::inspection::head;
use super::limits::{CLONE_FILE_BYTES_MAX, SUBMODULE_DEPTH_MAX};
use super::refs::{find, refs_below};
use super::snapshot::{Scrap, add_all, commit_tree, links};
use super::submodule::{has_real, is_there};

/// The name of the commit in our repository.
pub(super) const NAME: &str = "refs/heads/salvage";

/// All that the clone holds at its HEAD and on top of it, until it is dropped.
pub(super) struct StrayFiles {
    pub(super) commit: String,
    /// Whether it holds files that no commit held.
    pub(super) has_uncommitted: bool,
    repository: PathBuf,
    _ours: Scrap,
    /// Where git put its objects: inside the sandbox, and so within reach of programs that the
    /// clone's configuration names.
    _theirs: Scrap,
}

impl StrayFiles {
    /// The repository to fetch it from.
    pub(super) fn folder(&self) -> &Path {
        &self.repository
    }
}

/// Makes a commit of the clone's files as they lie there, unless they are those of its HEAD. No filter runs, so that each
/// is kept byte by byte.
pub(super) async fn gather(
    into: &Git,
    source: &Path,
    clone: &Path,
    mission: &str,
    sandbox: Option<&Arc<Sandbox>>,
) -> Result<StrayFiles, WorkspaceError> {
    let git = Git::in_clone(clone, sandbox).await?.of_mission(mission).patient();
    let git = git.set("core.sparseCheckout=false").set("core.logAllRefUpdates=false");
    let head = head(&git).await?;
    let theirs = match sandbox {
        Some(sandbox) => Scrap::make_in(&sandbox.plan().tmp)?,
        None => Scrap::make()?,
    };
    let objects = theirs.folder().join("objects");
    std::fs::create_dir(&objects).map_err(WorkspaceError::disk(&objects))?;
    let known = door(clone)?.join("objects");
    // The clone's own index may be told to overlook files: a new one overlooks nothing.
    let git = git.with_index(&theirs.index()).with_objects(&objects, &known);
    git.run("read the clone's HEAD", &["read-tree", &head]).await?;
    let before = git.run("read the clone's HEAD", &["rev-parse", "--verify", "HEAD^{tree}"]).await?;
    let tree = tree_of(&git, source, clone).await?;
    let (ours, repository) = make_repository(into, clone, &[&objects, &known]).await?;
    let own = Git::within(&repository)?.patient();
    let has_uncommitted = tree != before;
    let mut commit = head.clone();
    if has_uncommitted {
        let message = "Uncommitted work of a discarded mission";
        commit = commit_tree(&named_as(into, &own).await?, &tree, &[&head], message).await?;
    }
    own.run("name what is salvaged", &["update-ref", "--no-deref", NAME, &commit]).await?;
    Ok(StrayFiles { commit, has_uncommitted, repository, _ours: ours, _theirs: theirs })
}

/// The files as a tree. Git would look into each submodule for changes, as that one's own configuration has it:
/// submodules are left out, and each stands in the tree by the commit that it shows. Those commits are read outside of
/// the sandbox, which does not show the objects that they borrow, and so with all the more care.
async fn tree_of(git: &Git, source: &Path, clone: &Path) -> Result<String, WorkspaceError> {
    let known = links(git).await?;
    let mut entered: Vec<&str> = Vec::new();
    for (path, _) in &known {
        if has_real(clone, Path::new(path)).await? {
            entered.push(path);
        }
    }
    let nested = add_all(git, &entered).await?;
    refuse_nested(source, clone, nested, &known).await?;
    for path in entered {
        let place = clone.join(path);
        if has_door(&place)? {
            let shown = head(&Git::among_names(&place)?).await?;
            let entry = format!("160000,{shown},{path}");
            git.run("read a submodule's HEAD", &["update-index", "--cacheinfo", &entry]).await?;
        }
    }
    git.run("write the files as a tree", &["write-tree"]).await
}

/// A repository that says nothing but what we say, and finds objects in these folders.
async fn make_repository(
    into: &Git,
    clone: &Path,
    objects: &[&Path],
) -> Result<(Scrap, PathBuf), WorkspaceError> {
    let scrap = Scrap::make()?;
    let folder = scrap.folder().join("salvage");
    fs::create_dir(&folder).await.map_err(WorkspaceError::disk(&folder))?;
    let format = into.run("read the kind of the repository", &["rev-parse", "--show-object-format"]).await?;
    let format = format!("--object-format={format}");
    let make = ["init", "--quiet", "-b", "main", &format];
    Git::at(&folder).guarded().making().run("make a repository", &make).await?;
    let mut lines = Vec::new();
    for objects in objects {
        lines.extend(super::git::quoted(objects).into_encoded_bytes());
        lines.push(b'\n');
    }
    let own = folder.join(".git");
    let disk = |error| WorkspaceError::disk(&own)(error);
    untrusted_files::replace(&own.join("objects"), "info", "alternates", &lines).map_err(disk)?;
    // Where a clone's history is cut off, so is ours.
    if let Ok(shallow) = untrusted_files::read(&door(clone)?.join("shallow"), CLONE_FILE_BYTES_MAX) {
        fs::write(own.join("shallow"), shallow).await.map_err(WorkspaceError::disk(&own))?;
    }
    Ok((scrap, folder))
}

/// Our repository, with the author that the user's has.
async fn named_as(into: &Git, own: &Git) -> Result<Git, WorkspaceError> {
    let mut own = own.clone();
    for key in ["user.name", "user.email"] {
        let known = into.ask("read the author's name", &["config", "--get", key]).await?;
        if known.is_success {
            own = own.set(&format!("{key}={}", known.text()));
        }
    }
    Ok(own)
}

/// Refuses to go on if a repository inside the clone holds what the user's copy of it does not.
async fn refuse_nested(
    source: &Path,
    clone: &Path,
    nested: Vec<String>,
    known: &[(String, String)],
) -> Result<(), WorkspaceError> {
    let mut folders = nested;
    for (path, _) in known {
        let (copy, place) = (source.join(path), clone.join(path));
        if has_door(&place)? && !is_expendable(&copy, clone, Path::new(path), 0).await {
            folders.push(path.clone());
        }
    }
    if folders.is_empty() { Ok(()) } else { Err(WorkspaceError::Nested { folders }) }
}

/// Whether a submodule of the clone, with those inside it, holds nothing but what its copy in the user's tree holds too.
async fn is_expendable(copy: &Path, clone: &Path, path: &Path, depth: usize) -> bool {
    let look = async {
        if depth > SUBMODULE_DEPTH_MAX
            || !has_real(clone, path).await?
            || !is_there(&copy.join(".git")).await?
        {
            return Ok(false);
        }
        let git = Git::in_clone(&clone.join(path), None).await?.patient();
        let status = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];
        let doing = "read the state of a submodule";
        let status = git.ask(doing, &status).await?.succeeded(doing)?;
        if !status.output.is_empty() {
            return Ok(false);
        }
        let mut commits = vec![head(&git).await?];
        commits.extend(find(&git, "refs/stash").await?);
        for branch in refs_below(&git, "refs/heads").await? {
            // One that leads to no commit here may lead to work that is nowhere else.
            let Some(commit) = find(&git, &branch).await? else { return Ok(false) };
            commits.push(commit);
        }
        for commit in &commits {
            if !Git::at(copy).guarded().ask("find a commit", &["cat-file", "-e", commit]).await?.is_success {
                return Ok(false);
            }
        }
        for (inner, _) in links(&git).await? {
            let (copy, path) = (copy.join(&inner), path.join(&inner));
            if has_door(&clone.join(&path))? && !Box::pin(is_expendable(&copy, clone, &path, depth + 1)).await
            {
                return Ok(false);
            }
        }
        Ok::<bool, WorkspaceError>(true)
    };
    look.await.unwrap_or(false)
}
