//! Looks, before a mission begins, whether there is a commit to begin from.

use std::path::{Path, PathBuf};

use super::error::WorkshopError;
use super::git::{Answer, Git};

/// Where a mission begins: the commit that its clone will show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    /// The top folder of the user's work tree.
    pub root: PathBuf,
    /// The commit at HEAD.
    pub commit: String,
    /// Files whose present state is in no commit, and so not in the clone.
    pub dirty: Vec<String>,
}

/// Finds the repository around `folder`, and changes nothing in it.
pub async fn preflight(folder: &Path) -> Result<Base, WorkshopError> {
    if !folder.is_dir() {
        return Err(WorkshopError::NoRepository { folder: folder.to_path_buf() });
    }
    let root = root_of(folder).await?;
    let git = Git::at(&root).patient();
    let head = git.ask("read HEAD", &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).await?;
    if !head.is_success {
        return Err(WorkshopError::NoCommit { root });
    }
    let arguments = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"];
    let status = git.ask("read the state of the files", &arguments).await?;
    if !status.is_success {
        return Err(WorkshopError::Git { doing: "read the state of the files".into(), said: status.said });
    }
    Ok(Base { root, commit: head.text(), dirty: paths_of(&status).collect() })
}

async fn root_of(folder: &Path) -> Result<PathBuf, WorkshopError> {
    use std::os::unix::ffi::OsStringExt;
    let found = Git::at(folder).ask("find the repository", &["rev-parse", "--show-toplevel"]).await?;
    if found.is_success {
        let path = found.output.strip_suffix(b"\n").unwrap_or(&found.output).to_vec();
        return Ok(PathBuf::from(std::ffi::OsString::from_vec(path)));
    }
    // A repository of another user: git's own words tell how to trust it.
    if found.said.contains("dubious ownership") {
        return Err(WorkshopError::Git { doing: "read the repository".into(), said: found.said });
    }
    Err(WorkshopError::NoRepository { folder: folder.to_path_buf() })
}

/// The paths in the answer of `git status -z`; each stands behind two letters and a space.
fn paths_of(status: &Answer) -> impl Iterator<Item = String> {
    let entries = status.output.split(|byte| *byte == 0).filter_map(|entry| entry.get(3..));
    entries.map(|path| String::from_utf8_lossy(path).into_owned())
}
