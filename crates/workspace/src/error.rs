//! The errors of the workspace: one variant for each thing a caller does about it.

use std::io;
use std::path::PathBuf;

use super::capture::printable;
use super::limits::{GIT_PROBE, GIT_VERSION_MIN, NAMES_SHOWN_MAX};
use super::locks::held;

#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// Git is not installed. Nothing works without it.
    #[error("git is not installed")]
    NoGit,
    /// Git is too old for what we ask of it.
    #[error("{found} is too old")]
    OldGit { found: String },
    /// The folder is in no work tree of git. We offer to make one, or to work in place.
    #[error("{folder} is not in a git repository")]
    NoRepository { folder: PathBuf },
    /// The repository has no commit, so there is nothing to start from. We offer to make one.
    #[error("repository {root} has no commit yet")]
    NoCommit { root: PathBuf },
    /// A folder that Arbiter did not make is where it would build. Only a person may remove it.
    #[error("{folder} already exists, and Arbiter did not make it")]
    Occupied { folder: PathBuf },
    /// Another process works in the clone, perhaps for a copy of the mission. One of them has to end first.
    #[error("the clone {folder} is in use{}", pid.map(|pid| format!(" by process {pid}")).unwrap_or_default())]
    InUse { folder: PathBuf, pid: Option<u32> },
    /// The clone is gone, or an agent made it point elsewhere. We stop using it.
    #[error("{folder} is no longer the mission's clone")]
    Bent { folder: PathBuf },
    /// A ref of the user's has a name below which Arbiter keeps its own. Only the person may rename it.
    #[error("{root} has a ref named {reference}, and git keeps no ref below another")]
    RefInTheWay { root: PathBuf, reference: String },
    /// The folder's name cannot be written in git's own files. The person renames it.
    #[error("the path {folder:?} has a line break in it, which git's own files cannot hold")]
    LineBreak { folder: PathBuf },
    /// The disk refused to tell whether something is there: an unknown is no "no".
    #[error("cannot read {path}")]
    Unreadable { path: PathBuf, source: io::Error },
    /// Git refused. We tell the person what git said.
    #[error("cannot {doing}: {said}")]
    Git { doing: String, said: String },
    /// Git refused while it made something of ours, in which no agent has a part. It can be tried again.
    #[error("cannot {doing}: {said}")]
    Ours { doing: String, said: String },
    /// The command must run in a sandbox, and there is none.
    #[error("no sandbox is available: {why}")]
    Unheld { why: String },
    /// Git took too long and was stopped. It can be tried again.
    #[error("cannot {doing}: git took more than {seconds} s and was stopped")]
    Slow { doing: String, seconds: u64 },
    /// Files of the user are in conflict, so their content is not decided. The person must resolve them first.
    #[error("files of {root} are in conflict: {}", listed(files))]
    Conflicted { root: PathBuf, files: Vec<String> },
    /// The commit would be larger than Arbiter makes unasked.
    #[error("{what} would be {}, more than {}; the largest is {largest} with {}", size(*bytes), size(*bytes_max), size(*largest_bytes))]
    TooMuch { what: String, bytes: u64, bytes_max: u64, largest: String, largest_bytes: u64 },
    /// The repository is in the middle of a merge, a rebase or the like, or not on a branch. The person
    /// ends that first.
    #[error("{root} {state}")]
    Engaged {
        root: PathBuf,
        state: String,
        /// The command that ends it.
        instead: String,
    },
    /// Files of the user would be in the way, or would be mixed up with the mission's. Arbiter does not touch them.
    #[error("{} in {root}: {}", if *is_untracked { "files that are in no commit are in the way" } else { "there are uncommitted changes" }, listed(files))]
    Uncommitted {
        root: PathBuf,
        files: Vec<String>,
        /// The files are in no commit at all.
        is_untracked: bool,
    },
    /// The work and the user's branch changed the same lines. Nothing was touched.
    #[error("the mission's work conflicts with {branch}: {}", listed(files))]
    Clash { branch: String, files: Vec<String> },
    /// There is no room for the new files. Nothing was moved.
    #[error("there is no room for the merge on the disk of {root}")]
    NoRoom { root: PathBuf, source: io::Error },
    /// The files were moved, and some are not what the commit has. They were put back.
    #[error("after the merge these files of {root} would not be as the commit has them: {}", listed(files))]
    Misplaced { root: PathBuf, files: Vec<String> },
    /// Files were moved in part, and could neither be moved on nor put back.
    #[error("the merge into {root} stopped half-way, and could not be put back: {why}")]
    HalfMoved { root: PathBuf, why: String },
    /// All was moved, and the disk does not promise to keep it. The next merge asks it again.
    #[error("the work is merged into {root}, and the disk does not promise to keep it: {why}")]
    Unkept { root: PathBuf, why: String },
    /// A merge was stopped half-way, and the branch moved since: only the person knows what the files should be.
    #[error("an earlier merge into {root} was stopped half-way, and the branch has moved since")]
    Interrupted { root: PathBuf, desk: PathBuf },
    /// Repositories inside the clone hold work of their own, which no commit of ours can hold. Only a person
    /// may remove them.
    #[error("repositories inside the clone hold work that is nowhere else: {}", listed(folders))]
    Nested {
        /// Paths relative to the clone.
        folders: Vec<String>,
    },
    /// The disk refused to write.
    #[error("cannot write {path}")]
    Disk { path: PathBuf, source: io::Error },
    /// A check without a program. The configuration has to be mended.
    #[error("a check is empty")]
    EmptyCheck,
    /// A check that needs a shell, which could turn a failure into a success. The configuration has to be mended.
    #[error("check `{given}` is a line for a shell")]
    ShellCheck { given: String, instead: String },
}

fn remove_by_hand(lock: &str) -> String {
    let lock = absolute(&format!("{lock}.lock"));
    format!("a git is at work there, or was killed: if none is running, `rm -f '{lock}'`, then try again")
}

impl WorkspaceError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoGit => Some(needed()),
            Self::OldGit { .. } => Some(needed()),
            Self::RefInTheWay { root, reference } => Some(format!(
                "give it another name: `git -C {} update-ref refs/kept/{} {reference}`, then `git -C {} update-ref -d {reference}`",
                root.display(),
                reference.trim_start_matches("refs/"),
                root.display()
            )),
            Self::LineBreak { .. } => Some("rename the folder".into()),
            Self::Unreadable { .. } => Some("is the disk well, and may you read there?".into()),
            Self::Unheld { .. } => Some("`arbiter doctor` says what this machine offers".into()),
            Self::NoRepository { folder } if matches!(is_gits_own(folder), Ok(true)) => {
                Some("this is git's own folder, without files to work on: run it in a clone of it".into())
            }
            Self::NoRepository { .. } => Some(
                "--init makes one (`git init`) with a first commit of the files; --in-place leaves the folder without one"
                    .into(),
            ),
            Self::NoCommit { root } => Some(format!(
                "run `git add -A && git commit -m start` in {}, or let --init do it",
                root.display()
            )),
            Self::Conflicted { .. } => Some(
                "resolve them and `git add` them, or begin from the last commit with `--dirty leave`".into(),
            ),
            Self::TooMuch { .. } => {
                Some("put what is not source into .gitignore, or commit it yourself".into())
            }
            Self::Engaged { instead, .. } => Some(instead.clone()),
            Self::Uncommitted { is_untracked: true, .. } => {
                Some("move them away or commit them; `--patch FILE` writes the work into a file instead".into())
            }
            Self::Uncommitted { .. } => Some(
                "commit them or `git stash` them; `--patch FILE` writes the work into a file instead".into(),
            ),
            Self::Clash { .. } => Some("nothing was changed; merge the mission\'s ref with git to resolve them".into()),
            Self::NoRoom { .. } => Some(
                "nothing was changed; make room, or write the work into a file elsewhere with `--patch FILE`".into(),
            ),
            Self::Misplaced { .. } => {
                Some("everything was put back; is the disk well, and does another program write there?".into())
            }
            Self::HalfMoved { .. } => Some(
                "the same `arbiter merge` puts the files back or finishes what was begun, and then tries again".into(),
            ),
            Self::Unkept { .. } => Some(
                "the same `arbiter merge` asks the disk again and finishes it; is the disk well?".into(),
            ),
            Self::Interrupted { desk, .. } => Some(format!(
                "the files as they were are in {0}/old: take what you need, then `rm -r {0}`, and try again",
                desk.display()
            )),
            Self::Nested { .. } => Some("move what you want to keep, then discard with --force".into()),
            Self::Occupied { folder } => Some(format!("move {} away and try again", folder.display())),
            Self::InUse { .. } => Some(
                "wait for the end of that process, or end it; a mission runs in one place at a time, and a copy of its \
                 project becomes a mission of its own with `arbiter adopt PATH`"
                    .into(),
            ),
            Self::Bent { .. } => {
                Some("the work fetched back so far is under refs/arbiter/ in your repository".into())
            }
            Self::Slow { seconds, .. } if *seconds <= GIT_PROBE.as_secs() => {
                Some("does `git version` answer in your shell? `command -v git` says which program that is".into())
            }
            Self::Slow { .. } => Some("try again; is the disk busy or on a network?".into()),
            Self::EmptyCheck => Some(r#"write the program and its arguments: ["cargo", "test"]"#.into()),
            Self::ShellCheck { instead, .. } => Some(instead.clone()),
            Self::Disk { .. } => Some("is there room on the disk, and may you write there?".into()),
            Self::Git { said, .. } | Self::Ours { said, .. } if said.contains("dubious ownership") => Some(
                "the repository belongs to another user; if you trust it, tell git so with \
                 `git config --global --add safe.directory FOLDER`"
                    .into(),
            ),
            Self::Git { said, .. } | Self::Ours { said, .. } if said.contains("safe.bareRepository") => {
                Some("git is told to use no bare repository: run it in a clone of it".into())
            }
            Self::Git { said, .. } | Self::Ours { said, .. } if is_bad_config(said) => {
                Some("git cannot read its own configuration, so no git command works here: correct that file".into())
            }
            Self::Git { said, .. } | Self::Ours { said, .. } if said.contains("No space left on device") => {
                Some("make room on the disk".into())
            }
            Self::Git { said, .. } => held(said).map(remove_by_hand),
            Self::Ours { said, .. } => Some(
                held(said)
                    .map_or_else(|| "is the disk well, and is there room on it?".into(), remove_by_hand),
            ),
        }
    }

    /// Whether a repository, or its first commit, could be made here.
    #[must_use]
    pub fn can_begin_one(&self) -> bool {
        matches!(self, Self::NoRepository { folder } if matches!(is_gits_own(folder), Ok(false)))
            || matches!(self, Self::NoCommit { .. })
    }

    /// For `map_err`: the error of a failed write of `path`.
    pub(super) fn disk(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::Disk { path, source }
    }
}

fn needed() -> String {
    let (major, minor) = GIT_VERSION_MIN;
    format!("install git {major}.{minor} or newer")
}

/// Git's own words for a file of configuration that it cannot read.
fn is_bad_config(said: &str) -> bool {
    said.contains("bad config") || said.contains("unable to parse") || said.contains("bad numeric config")
}

fn absolute(path: &str) -> String {
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.display().to_string())
}

/// The first names, and how many more there are.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> =
        names.iter().take(NAMES_SHOWN_MAX).map(|name| printable(name.as_bytes())).collect();
    let more = names.len().saturating_sub(shown.len());
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{rest}", shown.join(", "))
}

/// A number of bytes as people say it.
#[must_use]
pub fn size(bytes: u64) -> String {
    let mut left = bytes;
    for unit in ["bytes", "KiB", "MiB"] {
        if left < 10 * 1024 {
            return format!("{left} {unit}");
        }
        left /= 1024;
    }
    format!("{left} GiB")
}

/// A bare repository, or the inside of `.git`.
fn is_gits_own(folder: &std::path::Path) -> io::Result<bool> {
    for place in folder.ancestors() {
        if place.join("HEAD").try_exists()? && place.join("objects").try_exists()? {
            return Ok(true);
        }
    }
    Ok(false)
}
