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

/// With less room than this on the disk, a check that failed says nothing about the commit.
pub(super) const CHECK_ROOM_BYTES_MIN: u64 = 64 * 1024;

/// How long a pipe may stay open after every process that could write to it was ended.
pub(super) const DRAIN_TIME_MAX: Duration = Duration::from_millis(500);

/// What one git command may answer before we stop keeping it.
pub(super) const GIT_ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// What git may say about its troubles.
pub(super) const GIT_SAID_BYTES_MAX: usize = 4 * 1024;
/// Git's answer to what it need not look up.
pub(super) const GIT_PROBE: Duration = Duration::from_secs(10);
/// After this long a git command that has not answered is told of.
pub(super) const GIT_WORD: Duration = Duration::from_secs(5);
/// The oldest git that has all we use: `merge-tree --write-tree` is of 2.38.
pub(super) const GIT_VERSION_MIN: (u32, u32) = (2, 38);
/// The oldest git that can be told to fetch nothing that is missing, which a clone's configuration could make a program.
pub(super) const GIT_VERSION_GUARDED: (u32, u32) = (2, 45);
/// How often the lock of a clone is tried before its holder is told of.
pub(super) const CLONE_LOCK_TRIES: u32 = 20;
/// How long is waited between two such tries.
pub(super) const CLONE_LOCK_PAUSE: Duration = Duration::from_millis(50);
/// The longest file of a ref, in bytes: a ref that leads to another has its name.
pub(super) const REF_BYTES_MAX: usize = 4096;
/// How many files of refs are looked at, where every branch is to be found.
pub(super) const REFS_LOOKED_AT_MAX: usize = 100_000;
/// How long git may write refs under one mark: two commands.
pub(super) const WRITING_REFS_MAX: Duration = GIT_SHORT.saturating_mul(2);
/// How many marks of killed writers are looked at.
pub(super) const REF_MARKS_MAX: usize = 1_000;
/// How many files in a folder of refs may be none to git.
pub(super) const REFS_LEFT_OUT_MAX: usize = 100;
/// How long a lock of ours stays the same before it is taken for a dead process's.
pub(super) const LOCK_STALE: Duration = Duration::from_secs(1);
/// How often a lock that changes is looked at before its owner is believed to live.
pub(super) const LOCK_LOOKS_MAX: usize = 5;
/// How many files of a clone's `.git` are looked at for locks that a killed git left.
pub(super) const LOCK_FILES_MAX: usize = 50_000;
/// The room that must be left when all new files of a merge are written: for an index, refs and their logs.
pub(super) const MERGE_ROOM_BYTES_MIN: u64 = 512 * 1024;
/// A git command that reads or moves a ref.
pub(super) const GIT_SHORT: Duration = Duration::from_secs(60);
/// A git command that may have to write a whole tree.
pub(super) const GIT_LONG: Duration = Duration::from_secs(600);

/// The list of what a merge moves: a line for each file.
pub(super) const MOVE_PLAN_BYTES_MAX: usize = 256 * 1024 * 1024;
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
