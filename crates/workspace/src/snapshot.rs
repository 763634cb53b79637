//! Makes a commit of files as they lie in a folder, beside everything: no branch moves, no index changes, no file is
//! touched. Files that git ignores stay out; a repository inside the folder is left out and named.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::git::Git;
use super::limits::{GIT_ANSWER_BYTES_MAX, TAKEN_BYTES_MAX};
use super::preflight::path_of;

/// A commit of the user's files as they were at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The commit. No ref holds it yet.
    pub commit: String,
    /// Submodules with changes of their own, and repositories inside the folder: what is in them was not taken.
    pub left: Vec<String>,
}

/// The size of a commit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Load {
    pub files: usize,
    pub bytes: u64,
    largest: (String, u64),
}

/// Makes a commit of all that is uncommitted in the work tree at `root`, with HEAD as its parent.
pub async fn take_along(root: &Path) -> Result<Snapshot, WorkspaceError> {
    let git = Git::at(root).patient();
    let dirty = dirty(&git, root).await?;
    dirty.load.judge("the uncommitted changes")?;
    let scrap = Scrap::make()?;
    let found = git.ask("find the index", &["rev-parse", "--git-path", "index"]).await?;
    copy_index(&root.join(path_of(&found)), &scrap.index())?;
    let git = git.with_index(&scrap.index());
    let (tree, nested) = tree_of(&git).await?;
    let head = git.run("read HEAD", &["rev-parse", "--verify", "HEAD^{commit}"]).await?;
    let message = "Uncommitted changes, as the mission found them";
    let commit = commit_tree(&git, &tree, &[&head], message).await?;
    Ok(Snapshot { commit, left: [dirty.engaged, nested].concat() })
}

/// Puts all files of git's work tree into its index and writes that as a tree. A repository inside that the index does
/// not know is left out and named: git would keep only its commit, and one without a commit would stop it.
pub(super) async fn tree_of(git: &Git) -> Result<(String, Vec<String>), WorkspaceError> {
    let nested = add_all(git, &[]).await?;
    Ok((git.run("write the files as a tree", &["write-tree"]).await?, nested))
}

/// Puts all files into the index, but for what is below `except`, and names the repositories that were left out.
pub(super) async fn add_all(git: &Git, except: &[&str]) -> Result<Vec<String>, WorkspaceError> {
    let doing = "read the files";
    let others =
        git.ask(doing, &["ls-files", "--others", "--exclude-standard", "-z"]).await?.succeeded(doing)?;
    let entries = others.output.split(|byte| *byte == 0);
    let nested: Vec<&[u8]> = entries.filter_map(|entry| entry.strip_suffix(b"/")).collect();
    let mut arguments: Vec<OsString> = ["add", "--all", "--", ":/"].iter().map(OsString::from).collect();
    for path in nested.iter().copied().chain(except.iter().map(|path| path.as_bytes())) {
        let mut except = OsString::from(":(exclude,top,literal)");
        except.push(OsStr::from_bytes(path));
        arguments.push(except);
    }
    git.clone().set("core.safecrlf=false").run(doing, &arguments).await?;
    Ok(nested.iter().map(|path| String::from_utf8_lossy(path).into_owned()).collect())
}

/// The places in the index where another repository belongs, each with its commit.
pub(super) async fn links(git: &Git) -> Result<Vec<(String, String)>, WorkspaceError> {
    let doing = "read the index";
    let answer = git.ask(doing, &["ls-files", "--stage", "-z"]).await?.succeeded(doing)?;
    let entries = answer.output.split(|byte| *byte == 0).filter_map(|entry| entry.strip_prefix(b"160000 "));
    let links = entries.filter_map(|entry| {
        let text = String::from_utf8_lossy(entry);
        let (commit, path) = (text.split(' ').next()?, text.split_once('\t')?.1);
        Some((path.to_owned(), commit.to_owned()))
    });
    Ok(links.collect())
}

/// Makes a commit that no ref holds, in the author's name, or in ours where the user has none.
pub(super) async fn commit_tree(
    git: &Git,
    tree: &str,
    parents: &[&str],
    message: &str,
) -> Result<String, WorkspaceError> {
    let git = named(git).await?;
    let mut arguments = vec!["commit-tree", tree, "-m", message];
    arguments.extend(parents.iter().flat_map(|parent| ["-p", *parent]));
    git.run("make a commit", &arguments).await
}

/// Git with an author: the user, or Arbiter where git knows no user.
pub(super) async fn named(git: &Git) -> Result<Git, WorkspaceError> {
    let known = git.ask("read the author's name", &["var", "GIT_COMMITTER_IDENT"]).await?;
    if known.is_success {
        return Ok(git.clone());
    }
    Ok(git.clone().set("user.name=Arbiter").set("user.email=arbiter@localhost"))
}

struct Dirty {
    load: Load,
    /// Submodules with changes of their own.
    engaged: Vec<String>,
}

async fn dirty(git: &Git, root: &Path) -> Result<Dirty, WorkspaceError> {
    let arguments = [
        "status",
        "--porcelain=v2",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignore-submodules=none",
    ];
    let doing = "read the state of the files";
    let status = git.ask(doing, &arguments).await?.succeeded(doing)?;
    let mut dirty = Dirty { load: Load::default(), engaged: Vec::new() };
    let mut conflicted = Vec::new();
    if status.output.len() >= GIT_ANSWER_BYTES_MAX {
        // So many files are more than any commit of ours may have.
        dirty.load.bytes = u64::MAX;
    }
    for entry in status.output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
        let fields = match entry.first() {
            Some(b'1') => 9,
            Some(b'u') => 11,
            _ => 2,
        };
        let parts: Vec<&[u8]> = entry.splitn(fields, |byte| *byte == b' ').collect();
        let Some(path) = parts.last().filter(|_| parts.len() == fields) else { continue };
        let name = String::from_utf8_lossy(path).into_owned();
        let module = parts.get(2).copied().unwrap_or_default();
        if fields == 11 {
            conflicted.push(name);
        } else if fields == 9 && module.starts_with(b"S") {
            // A submodule's commit goes along; what it has not committed does not.
            if module.get(2..).is_some_and(|flags| flags != b"..") {
                dirty.engaged.push(name);
            }
        } else {
            dirty.load.add(root, path);
        }
    }
    if conflicted.is_empty() {
        return Ok(dirty);
    }
    Err(WorkspaceError::Conflicted { root: root.to_path_buf(), files: conflicted })
}

impl Load {
    /// Counts a file; a deleted one has no bytes.
    pub(super) fn add(&mut self, folder: &Path, path: &[u8]) {
        let found = std::fs::symlink_metadata(folder.join(OsStr::from_bytes(path)));
        let bytes = found.ok().filter(|found| !found.is_dir()).map_or(0, |found| found.len());
        self.files += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if bytes >= self.largest.1 {
            self.largest = (String::from_utf8_lossy(path).into_owned(), bytes);
        }
    }

    /// Refuses a commit that would be too large.
    pub(super) fn judge(&self, what: &str) -> Result<(), WorkspaceError> {
        if self.bytes <= TAKEN_BYTES_MAX {
            return Ok(());
        }
        Err(WorkspaceError::TooMuch {
            what: what.into(),
            bytes: self.bytes,
            bytes_max: TAKEN_BYTES_MAX,
            largest: self.largest.0.clone(),
            largest_bytes: self.largest.1,
        })
    }
}

/// A temporary folder.
pub(super) struct Scrap(PathBuf);

impl Scrap {
    pub(super) fn make() -> Result<Self, WorkspaceError> {
        Self::make_in(&std::env::temp_dir())
    }

    /// The same in a folder of the caller's choice.
    pub(super) fn make_in(place: &Path) -> Result<Self, WorkspaceError> {
        let folder = place.join(format!("arbiter-{:016x}", host::dice()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder).map_err(WorkspaceError::disk(&folder))?;
        Ok(Self(folder))
    }

    /// Where an index may be.
    pub(super) fn index(&self) -> PathBuf {
        self.0.join("index")
    }

    /// Where anything may be.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scrap {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Copies an index with its time, by which git knows which of its files may have changed since.
pub(super) fn copy_index(from: &Path, to: &Path) -> Result<(), WorkspaceError> {
    let copy = || {
        let time = std::fs::metadata(from)?.modified()?;
        while let Err(error) = std::fs::copy(from, to) {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        File::options().write(true).open(to)?.set_modified(time)
    };
    match copy() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(WorkspaceError::disk(to)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
