//! The bounds of this crate: queues, retries, waiting times and sizes.

use std::time::Duration;

/// Events that may wait for the main loop; beyond that, senders wait.
pub const INBOX_MAX: usize = 1024;
/// The longest file that says where a mission works.
pub const GROUND_BYTES_MAX: usize = 1024 * 1024;
/// How long a file of the user's may take to be read before it is said what is waited for.
pub const SLOW_FILE: Duration = Duration::from_secs(1);
/// How often the inbox is read even if the system reported no new file.
pub const INBOX_SWEEP: Duration = Duration::from_secs(10);
/// How long a burst of inbox messages is gathered before the inbox is read again.
pub const INBOX_GATHER: Duration = Duration::from_millis(5);
/// How often another process's files are read even if the system reported no change.
pub const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// How long a burst of changes of a journal is gathered before followers are told.
pub const GATHER: Duration = Duration::from_millis(20);
/// How many other processes may follow a mission.
pub const FOLLOWERS_MAX: usize = 32;
/// How long a follower may take to say who it is, or to take what it is sent.
pub const FOLLOWER_PATIENCE: Duration = Duration::from_secs(1);
/// The longest line that a follower may send.
pub const FOLLOWER_LINE_BYTES_MAX: u64 = 1024;
/// The longest line that a follower takes.
pub const SOCKET_LINE_BYTES_MAX: u64 = 256 * 1024;
/// The longest path of a socket: macOS has room for 104 bytes and the end, Linux for 108.
pub const SOCKET_PATH_BYTES_MAX: usize = 100;
/// How many names among the sockets are looked at to find those of dead processes.
pub const SOCKETS_SWEPT_MAX: usize = 1000;
/// How long a sender waits before it tries a busy mission again.
pub const BUSY_PAUSE: Duration = Duration::from_millis(20);
/// At least this often the program checks whether the person is still there.
pub const PRESENCE_LOOK: Duration = Duration::from_secs(60);
/// How long sessions may take to end when the mission loop ends.
pub const FAREWELL: Duration = Duration::from_secs(5);
/// Reports of usage that are kept while sessions and model calls end with the mission loop.
pub const LATE_USAGE_MAX: usize = 256;
/// How long a model call may take to end and say what it used, once its answer is needed no more.
pub const CALL_END: Duration = Duration::from_secs(1);
/// How long the reader of our output may read nothing, once the mission rests, before the program ends without them.
pub const READER_PATIENCE: Duration = Duration::from_secs(2);
/// How long the last tasks may take to be dropped before the program ends all the same.
pub const SHUTDOWN: Duration = Duration::from_secs(1);
/// How long a command waits until the mission has taken its inbox message.
pub const LETTER_PATIENCE: Duration = Duration::from_secs(2);
/// How often the command checks for that by itself.
pub const LETTER_LOOK: Duration = Duration::from_millis(100);
/// The notes file of a mission is begun anew beyond this size.
pub const NOTES_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How often `resume` checks whether a killed process has released the journal's lock.
pub const DEAD_HOLDER_TRIES: u32 = 50;
/// The pause between two such checks.
pub const DEAD_HOLDER_PAUSE: Duration = Duration::from_millis(20);
/// How many uncommitted files are named before a person is asked about them.
pub const CHANGES_SHOWN_MAX: usize = 12;
/// How many petitions a screen shows; the others wait for their turn.
pub const PETITIONS_SHOWN_MAX: usize = 100;
/// How often a petition or a withdrawal that the docket could not take is tried again.
pub const DOCKET_RETRY: Duration = Duration::from_secs(2);
/// The same for the first tries: most troubles of a disk are over in a moment.
pub const DOCKET_RETRY_FIRST: Duration = Duration::from_millis(200);
/// After so many tries a person is told that a petition cannot be put into the docket.
pub const DOCKET_TRIES_QUIET: u32 = 3;
/// How often the scene's figures move by themselves.
pub const BEAT: Duration = Duration::from_millis(250);
/// The same in the ceremony: every beat draws the whole window, and a fire and a few stars may be slow.
pub const CEREMONY_BEAT: Duration = Duration::from_millis(500);
/// How often a screen is told of new live text.
pub const LIVE_EVERY: Duration = Duration::from_millis(50);
/// How many remarks are kept while a screen has the terminal; the oldest go first.
pub const REMARKS_MAX: usize = 100;
/// How often a new petition's id is drawn again when it is taken.
pub const PETITION_DRAWS_MAX: u32 = 8;
/// How many files of agents a folder may have.
pub const AGENT_FILES_MAX: usize = 100;
/// The longest name or display name of an agent, and the longest name of a verdict, in characters.
pub const AGENT_NAME_CHARS_MAX: usize = 64;
/// The longest sentence about when an agent is the right one, in characters.
pub const AGENT_WHEN_CHARS_MAX: usize = 1_000;
/// The longest name that a note's file is given, in characters.
pub const NOTE_NAME_CHARS_MAX: usize = 60;
/// How many names are tried for a note's file.
pub const NOTE_NAMES_MAX: u32 = 100;
/// The longest title of a note, or tag, in characters.
pub const NOTE_TITLE_CHARS_MAX: usize = 200;
/// How many tags a note has.
pub const NOTE_TAGS_MAX: usize = 20;
/// How long the conductor waits for a model's reply.
pub const DECISION_PATIENCE: Duration = Duration::from_secs(90);
/// The most tokens of one turn of an Arbiter that runs over an API.
pub const ARBITER_TOKENS: u32 = 16_000;
/// How many small writes wait for the disk; further ones are dropped and counted.
pub const DISK_WRITES_MAX: usize = 1_024;
/// The pauses before something is tried again that failed because of the machine, such as a full disk.
pub const MACHINE_FAULT_PAUSES: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(4)];
/// The longest mark of a clone that was made again, in bytes.
pub const REBUILD_MARK_BYTES_MAX: usize = 64;
/// How many of a session's events wait for its task; beyond that, the session itself waits.
pub const SESSION_NEWS_MAX: usize = 64;
/// How many remarks of providers are printed when a run ends.
pub const END_REMARKS_MAX: usize = 8;
