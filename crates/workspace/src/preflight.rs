//! Checks, before a mission begins, whether there is a commit to begin from.

use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::git::{Git, GitOutput};
use super::refs::find;
use super::version::git_version;

/// Where a mission begins: the commit that its clone will show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The top folder of the user's work tree, or the folder of a bare repository.
    pub root: PathBuf,
    /// The repository has no work tree.
    pub bare: bool,
    /// The commit at HEAD.
    pub commit: String,
    /// Files whose present state is in no commit, and so not in the clone.
    pub dirty: Vec<String>,
}

/// Finds the repository around `folder`, and changes nothing in it.
pub async fn preflight(folder: &Path) -> Result<Base, WorkspaceError> {
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(WorkspaceError::NoRepository { folder: folder.to_path_buf() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(WorkspaceError::NoRepository { folder: folder.to_path_buf() });
        }
        Err(source) => return Err(WorkspaceError::Unreadable { path: folder.to_path_buf(), source }),
    }
    git_version().await?;
    let (root, bare) = root_of(folder).await?;
    if root.as_os_str().as_encoded_bytes().contains(&b'\n') {
        // The clone names the repository that it borrows from in a file of lines.
        return Err(WorkspaceError::LineBreak { folder: root });
    }
    let git = Git::at(&root).patient();
    let Some(commit) = find(&git, "HEAD").await? else { return Err(WorkspaceError::NoCommit { root }) };
    if bare {
        return Ok(Base { root, bare, commit, dirty: Vec::new() });
    }
    let arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"];
    let doing = "read the state of the files";
    let status = git.ask(doing, &arguments).await?.succeeded(doing)?;
    Ok(Base { root, bare, commit, dirty: paths_of(&status).collect() })
}

/// The top folder of the work tree that `folder` is in, or the bare repository itself, and whether it is one.
pub(super) async fn root_of(folder: &Path) -> Result<(PathBuf, bool), WorkspaceError> {
    let git = Git::at(folder);
    let found = git.ask("find the repository", &["rev-parse", "--show-toplevel"]).await?;
    if found.is_success {
        return Ok((path_of(&found), false));
    }
    let asked = ["rev-parse", "--is-bare-repository", "--absolute-git-dir"];
    let inside = git.ask("find the repository", &asked).await?;
    match inside.output.strip_prefix(b"true\n") {
        Some(path) if inside.is_success => return Ok((path_from(path), true)),
        Some(_) | None => {}
    }
    // Only these words say that there is none. A repository of another user, one that git is told to refuse, and a
    // configuration that cannot be read are something else: git's own words say what.
    let is_none = inside.is_success || found.said.contains("not a git repository");
    if is_none && !found.said.contains("dubious ownership") {
        return Err(WorkspaceError::NoRepository { folder: folder.to_path_buf() });
    }
    Err(WorkspaceError::Git { doing: "read the repository".into(), said: found.said })
}

/// The path that git printed.
pub(super) fn path_of(answer: &GitOutput) -> PathBuf {
    path_from(&answer.output)
}

pub(super) fn path_from(line: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    let path = line.strip_suffix(b"\n").unwrap_or(line).to_vec();
    PathBuf::from(std::ffi::OsString::from_vec(path))
}

/// The paths in the answer of `git status -z`; each stands behind two letters and a space.
pub(super) fn paths_of(status: &GitOutput) -> impl Iterator<Item = String> {
    let entries = status.output.split(|byte| *byte == 0).filter_map(|entry| entry.get(3..));
    entries.map(|path| String::from_utf8_lossy(path).into_owned())
}
