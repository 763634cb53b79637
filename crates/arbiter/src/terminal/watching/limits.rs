//! The bounds of what a watcher keeps and reads at once.

/// How many facts lie between two checkpoints of a feed, at first.
pub const CHECKPOINT_SPACING: u64 = 256;
/// How many checkpoints a feed keeps; then every second one goes and the spacing doubles.
pub const CHECKPOINTS_MAX: usize = 512;

/// How many raw lines a logbook keeps, over all sessions.
pub const RECORDS_MAX: usize = 20_000;
/// How much text they may have together.
pub const RECORDS_BYTES_MAX: usize = 32 << 20;
/// How much of one raw line is kept.
pub const RECORD_BYTES_MAX: usize = 64 << 10;
/// How much of a stored line is looked at: enough for a record's bytes even if each is written as `\u0000`.
pub const STORED_BYTES_MAX: usize = 6 * RECORD_BYTES_MAX + (4 << 10);
/// How much of one session's files is read when they are first seen.
pub const BACKLOG_BYTES_MAX: u64 = 8 << 20;
/// How much of all sessions' files is read when they are first seen.
pub const BACKLOGS_BYTES_MAX: u64 = 32 << 20;
/// How much is read at once, between two frames.
pub const SLICE_BYTES: usize = 2 << 20;
/// How many names of the folder are looked at.
pub const NAMES_MAX: usize = 10_000;
