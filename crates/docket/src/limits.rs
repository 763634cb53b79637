//! Every bound of the docket, in one place.

use std::time::Duration;

/// The largest petition file that is read, in bytes.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// How often what is followed is looked at where the system may not tell of every change, as in folders on a network.
pub const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// The same where the system tells of every change: for the one that was lost all the same.
pub const SWEEP_EVERY_SURE: Duration = Duration::from_secs(15);
/// Changes that come within this time are told of together.
pub const GATHER: Duration = Duration::from_millis(10);
/// How many changed files the feed reads before it hears its followers again.
pub const GATHERED_MAX: usize = 256;
/// How long the docket's lock is waited for. It is held for about a millisecond, and for some more where many files
/// of other programs are taken in.
pub const LOCK_WAIT_MAX: Duration = Duration::from_secs(20);
/// Who waits longer for the lock is told who holds it.
pub const LOCK_TOLD_AFTER: Duration = Duration::from_secs(1);
/// How long a process that waits for the lock pauses between two tries, at first.
pub const LOCK_PAUSE_MIN: Duration = Duration::from_millis(1);
/// The same after a while.
pub const LOCK_PAUSE_MAX: Duration = Duration::from_millis(10);
/// The same for the one that is next: it tries more often, so that the lock is not free for long.
pub const LOCK_PAUSE_NEXT: Duration = Duration::from_millis(2);
/// How long a process that takes in many files lets those go first that wait for the lock: longer than any of them pauses.
pub const GIVE_WAY_MAX: Duration = Duration::from_millis(25);
/// The longest line of the ledger, in bytes. An answer is far shorter, even with every sign escaped.
pub const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Into how many files the index is divided, so that a change writes a small part of it.
pub const SHARDS: u16 = 512;
/// How many files are recorded with one sync of the ledger: the lock is held meanwhile.
pub const BATCH: usize = 1_024;
/// How many hints of the index are written at once: each is a small file of its own.
pub const BATCH_HINTS: usize = 64;
/// After this a batch ends early if somebody waits for the lock: a person's answer comes in between.
pub const BATCH_TIME: Duration = Duration::from_millis(10);
/// How many bytes of files, together, are recorded so: a large one takes as long as a thousand small ones.
pub const BATCH_BYTES: usize = 4 * 1024 * 1024;
/// How often a file is written anew when another program changes it at the same time.
pub const REWRITES_MAX: usize = 16;
/// How many changes that could not be finished are tried again at once.
pub const UNFINISHED_TRIES: usize = 8;
/// How many lines are remembered whose command could not finish them.
pub const UNTOLD_MAX: usize = 64;
/// A file that was changed more recently than this can be changed again without looking different.
pub const STAMP_SURE: Duration = Duration::from_millis(50);
/// The same where the clock of files knows whole seconds only, or every second one.
pub const STAMP_SURE_COARSE: Duration = Duration::from_millis(2_050);
/// The longest part of a file's name that is made of an agent's name or a title.
pub const NAME_PART_MAX: usize = 30;
/// The longest part of a file's name that is made of an id.
pub const NAME_ID_MAX: usize = 64;
/// How much of a file's name stands in the name of the file beside it, in bytes: names have an end.
pub const NAME_BESIDE_MAX: usize = 200;
/// How many names are tried for a new file.
pub const NAME_TRIES: usize = 100;
/// The last moment that the ledger can name: the end of the year 9999, in every time zone.
pub const MOMENT_MAX: mind::Timestamp = mind::Timestamp(253_402_207_200_999);
/// How deep lists and maps of a petition's frontmatter may nest.
pub const YAML_DEPTH_MAX: usize = 16;
/// How many values the list of decisions in a frontmatter may have.
pub const YAML_NODES_MAX: usize = 100_000;
/// How many values may come from aliases.
pub const YAML_ALIASED_MAX: usize = 10_000;
/// The longest part of a fault that comes from the file, in characters.
pub const WHY_CHARS_MAX: usize = 200;
/// The longest name of a petition or a decision that is read, in characters.
pub const ID_CHARS_MAX: usize = 256;
/// How many options of one decision are read.
pub const OPTIONS_READ_MAX: usize = 500;
