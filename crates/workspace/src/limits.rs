//! Every bound of the workspace.

use std::time::Duration;

/// How much of the beginning of a check's output is kept.
pub(super) const HEAD_BYTES_MAX: usize = 4 * 1024;
/// How much of the end of a check's output is kept.
pub(super) const TAIL_BYTES_MAX: usize = 28 * 1024;
/// One read from a pipe.
pub(super) const CHUNK_BYTES: usize = 64 * 1024;

/// The largest index that is read here; git itself reads any other.
pub(super) const INDEX_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How much of the changed files is read for one inspection; git compares what is more.
pub(super) const LOOK_BYTES_MAX: usize = 8 * 1024 * 1024;

/// How long a pipe may stay open after every process that could write to it was ended.
pub(super) const DRAIN_TIME_MAX: Duration = Duration::from_millis(500);

/// What one git command may answer before we stop keeping it.
pub(super) const GIT_ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// What git may say about its troubles.
pub(super) const GIT_SAID_BYTES_MAX: usize = 4 * 1024;
/// A git command that reads or moves a ref.
pub(super) const GIT_SHORT: Duration = Duration::from_secs(60);
/// A git command that may have to write a whole tree.
pub(super) const GIT_LONG: Duration = Duration::from_secs(600);

/// A mark of ours in a place where an agent writes: a commit's name.
pub(super) const MARK_BYTES_MAX: usize = 256;
/// What of a clone's `.git` we read ourselves.
pub(super) const CLONE_FILE_BYTES_MAX: usize = 1024 * 1024;

/// What of the user's own files goes into a commit that we make.
pub(super) const TAKEN_BYTES_MAX: u64 = 100 * 1024 * 1024;
/// How many files an error names.
pub(super) const NAMES_SHOWN_MAX: usize = 10;
/// How many submodules a commit may have.
pub(super) const SUBMODULES_MAX: usize = 256;
/// How deep submodules may lie in one another.
pub(super) const SUBMODULE_DEPTH_MAX: usize = 8;
/// How deep the folders of submodules are looked for in a repository.
pub(super) const SUBMODULE_FOLDERS_DEPTH_MAX: usize = 24;
/// How many folders are looked at for that.
pub(super) const SUBMODULE_FOLDERS_MAX: usize = 4_096;
/// How many repositories may borrow from one another in a row, as git itself counts.
pub(super) const ALTERNATES_DEPTH_MAX: usize = 5;
