//! The bounds of the journal, in one place.

use std::time::Duration;

/// The format this program writes, and the only one it reads.
pub(crate) const FORMAT: u32 = 2;

/// A line longer than this is not written, and not believed when read.
pub(crate) const LINE_BYTES_MAX: usize = 16 << 20;

/// A batch goes to the disk in one call, so it has to fit in memory with ease.
pub(crate) const BATCH_BYTES_MAX: usize = 64 << 20;

/// How much of the file is read at once.
pub(crate) const READ_BYTES: usize = 256 << 10;

/// How often an opener asks for the lock: longer than any probe by `holder` takes.
pub(crate) const LOCK_TRIES: u32 = 20;

/// The pause between two tries.
pub(crate) const LOCK_PAUSE: Duration = Duration::from_millis(5);

/// How many cuts are kept beside one journal before a person has to look.
pub(crate) const CUTS_MAX: u32 = 1000;

/// How often a reader reads again before it reports damage: a writer may have been cutting the tail.
pub(crate) const READS_MAX: u32 = 3;

/// After how long a follower reads again where every writer rings the signal.
pub(crate) const POLL_NEVER: Duration = Duration::MAX;

/// How often a follower polls for what other processes wrote.
pub(crate) const POLL_EVERY: Duration = Duration::from_millis(100);
