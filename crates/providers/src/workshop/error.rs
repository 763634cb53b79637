//! What can go wrong in the workshop: one variant for each thing a caller does about it.

use std::io;
use std::path::PathBuf;

/// A failure of the workshop.
#[derive(Debug, thiserror::Error)]
pub enum WorkshopError {
    /// Git is not installed. Nothing works without it.
    #[error("git is not installed")]
    NoGit,
    /// The folder is in no work tree of git. We offer to make one, or to work in place.
    #[error("{folder} is not in a git repository")]
    NoRepository {
        /// The folder that was looked at.
        folder: PathBuf,
    },
    /// The repository has no commit, so there is nothing to start from. We offer to make one.
    #[error("repository {root} has no commit yet")]
    NoCommit {
        /// The top folder of the repository.
        root: PathBuf,
    },
    /// Something of another origin is where we would build. Only a person may remove it.
    #[error("{folder} is already there and is not what we would make")]
    Occupied {
        /// The folder that is in the way.
        folder: PathBuf,
    },
    /// The clone is gone, or was bent to point elsewhere. We stop using it.
    #[error("{folder} is no longer the mission's clone")]
    Bent {
        /// The clone's folder.
        folder: PathBuf,
    },
    /// Git refused. We tell the person what git said.
    #[error("cannot {doing}: {said}")]
    Git {
        /// What we asked for.
        doing: String,
        /// What git said about it.
        said: String,
    },
    /// Git took too long and was ended. It can be tried again.
    #[error("cannot {doing}: git was ended after {seconds} s")]
    Slow {
        /// What we asked for.
        doing: String,
        /// The time limit.
        seconds: u64,
    },
    /// The disk refused.
    #[error("cannot write {path}")]
    Disk {
        /// What we tried to write.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A check without a program. The configuration has to be mended.
    #[error("a check is empty")]
    EmptyCheck,
    /// A check that needs a shell, which could turn a failure into a success. The configuration has to be mended.
    #[error("check `{given}` is a line for a shell")]
    ShellCheck {
        /// The check as it was written.
        given: String,
        /// What to write instead.
        instead: String,
    },
}

impl WorkshopError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoGit => Some("install git".into()),
            Self::NoRepository { folder } if is_gits_own(folder) => {
                Some("this is git's own folder, without files to work on: run it in a clone of it".into())
            }
            Self::NoRepository { folder } => {
                Some(format!("run `git init && git add -A && git commit -m start` in {}", folder.display()))
            }
            Self::NoCommit { root } => {
                Some(format!("run `git add -A && git commit -m start` in {}", root.display()))
            }
            Self::Occupied { folder } => Some(format!("move {} away and try again", folder.display())),
            Self::Bent { .. } => {
                Some("the work fetched back so far is under refs/arbiter/ in your repository".into())
            }
            Self::Slow { .. } => Some("try again; is the disk busy or on a network?".into()),
            Self::EmptyCheck => Some(r#"write the program and its arguments: ["cargo", "test"]"#.into()),
            Self::ShellCheck { instead, .. } => Some(instead.clone()),
            Self::Disk { .. } => Some("is there room on the disk, and may you write there?".into()),
            Self::Git { .. } => None,
        }
    }

    /// For `map_err`: the disk refused to write `path`.
    pub(super) fn disk(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Disk { path, source }
    }
}

/// A bare repository, or the inside of `.git`.
fn is_gits_own(folder: &std::path::Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}
