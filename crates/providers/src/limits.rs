//! Every bound of the providers.

use std::time::Duration;

/// How long the sandbox may take to stand before an agent is started in it.
pub const CAGE_TIME_MAX: Duration = Duration::from_secs(30);
/// Orders that may wait for an agent that does not read.
pub const ORDERS_MAX: usize = 64;
/// Lines that wait for an agent that does not read; more, and it is taken for lost.
pub const WRITES_MAX: usize = 256;
/// Lines of an agent that wait to be understood; then its pipe is no longer read.
pub const LINES_MAX: usize = 64;
/// Events that wait for the mission loop before an agent's output is no longer read.
pub const TOLD_EVENTS_MAX: usize = 1024;
/// How often a session's process is started before it is taken for lost.
pub const STARTS_MAX: usize = 3;
/// The longest line an agent may write; the rest of a longer one is dropped, and the logbook says so.
pub const LINE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How large a logbook grows before it is turned over; the one before it is kept.
pub const LOGBOOK_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// How much of an agent's last word on stderr is told as the cause of its end, in characters.
pub const LAST_WORD_CHARS_MAX: usize = 400;
/// How many of its last lines on stderr are looked through for that cause.
pub const LAST_WORDS_MAX: usize = 8;

/// How much of what a session says right now is kept to be shown.
pub const LIVE_BYTES_MAX: usize = 8 * 1024;
/// How many sessions are shown as they speak; of more, the one that was silent for longest gives way.
pub const LIVE_SESSIONS_MAX: usize = 50;

/// How often a session's lines that mean nothing else are told as a sign of life.
pub const STIR_EVERY: Duration = Duration::from_secs(60);
/// How long a busy agent may take to stop before its input is closed.
pub const PART_TIME_MAX: Duration = Duration::from_secs(2);
/// How long a killed process may take to be reaped, and a pipe to run dry.
pub const REAP_TIME_MAX: Duration = Duration::from_secs(2);

/// How long Claude Code may hold a message without beginning a turn before it is told to go on.
pub const ACKNOWLEDGED_TIME_MAX: Duration = Duration::from_secs(1);
/// How often it is told to go on with one message.
pub const GO_ON_MAX: usize = 3;
/// Tasks of a checklist that are taken up at a resume.
pub const TASK_FILES_MAX: usize = 1000;
/// What one of them may have.
pub const TASK_FILE_BYTES_MAX: usize = 256 * 1024;
/// How long it may take to answer our greeting: it starts in a second, and in ten on a machine under load.
pub const GREETING_TIME_MAX: Duration = Duration::from_secs(120);
/// Turns whose keys a process is remembered to have had.
pub const KEYS_MAX: usize = 64;
/// How much of an error is told, in characters.
pub const ERROR_CHARS_MAX: usize = 300;
/// How often Claude Code may try a request again by itself.
pub const OWN_RETRIES_MAX: u32 = 2;
/// How long it may wait for that by itself.
pub const OWN_WAIT_MAX: Duration = Duration::from_secs(10);
/// Calls of one session that may wait for the docket's answer.
pub const PLEAS_MAX: usize = 64;
/// How long it waits for the answer to a hook, in seconds.
pub const HOOK_SECONDS_MAX: u32 = 60;
/// How many calls that the hook has judged wait for their request for permission; the oldest are judged again.
pub const RULINGS_MAX: usize = 64;
/// From this many tokens on Claude Code is asked how large its window is, if it has not said so: half of the smallest, and
/// well before the first warning in it.
pub const WINDOW_ASKED_AT_TOKENS: u64 = 100_000;
/// How often one process is asked for its window; again only if it refused to say. Each answer takes it a dozen small
/// requests.
pub const WINDOW_ASKS_MAX: u32 = 2;
/// How often in a row one process may refuse to tell its usage inside a turn before it is asked no more.
pub const USAGE_REFUSALS_MAX: u32 = 3;
/// Where Claude Code refuses a request by itself, in tokens: 5,000 before the end of the largest window. In a smaller one
/// our own marks come first, and then the API's.
pub const WALL_TOKENS: u64 = 995_000;

/// How long Claude Code may take to answer one question, its own start included.
pub const ANSWER_TIME_MAX: Duration = Duration::from_secs(180);
/// How much of an answer is kept while it streams, in bytes.
pub const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// How long a model may take for one decision when it is asked directly, from the first byte sent to the last one read.
pub const API_TIME_MAX: Duration = Duration::from_secs(120);
/// How long one turn of a session may take: less than the mission loop waits for a silent session.
pub const API_TURN_TIME_MAX: Duration = Duration::from_secs(540);
/// How long a stream may say nothing once it has begun; servers send signs of life far more often.
pub const API_IDLE_MAX: Duration = Duration::from_secs(60);
/// How long a connection may take to stand.
pub const API_CONNECT_TIME_MAX: Duration = Duration::from_secs(15);
/// How long the body of an error may take: the status alone tells enough.
pub const API_ERROR_TIME_MAX: Duration = Duration::from_secs(5);
/// How much of the body of an error is read.
pub const API_ERROR_BYTES_MAX: usize = 64 * 1024;
/// How much one answer may have on the wire, with everything around its words.
pub const API_ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The longest line of a stream.
pub const API_LINE_BYTES_MAX: usize = 1024 * 1024;
/// A shorter key is no real secret, and may be a word that stands in every message.
pub const API_KEY_BYTES_MIN: usize = 8;
/// How many forms of a request a server may reject before it is taken at its word.
pub const API_FORMS_MAX: usize = 5;
/// How far off a server may put us. A week's limit is the longest that any vendor sets.
pub const API_RETRY_AFTER_MAX: Duration = Duration::from_secs(8 * 24 * 60 * 60);
/// The tokens of an answer, where neither the question nor the options name a bound.
pub const API_TOKENS: u32 = 8_192;
/// How large the conversation of a session may grow on disk.
pub const API_CONVERSATION_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The longest launch of a session that is read, in bytes.
pub const LAUNCH_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The longest rehearsal script that is read, in bytes.
pub const SCRIPT_BYTES_MAX: usize = 1024 * 1024;
/// The longest line that an actor reads from Arbiter, in bytes. JSON makes up to six bytes of one, and no prompt comes
/// near a sixth of this; an actor that gets more leaves with an error.
pub const TOLD_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Lines from Arbiter that an actor queues while it plays.
pub const TOLD_MAX: usize = 256;
/// How long an actor waits for a dying predecessor to release their conversation.
pub const HELD_TIME_MAX: Duration = Duration::from_secs(5);
/// How long a scripted `await_warning` waits for a warning.
pub const WARNING_TIME_MAX: Duration = Duration::from_secs(5);
/// The longest scripted pause, in milliseconds.
pub const PAUSE_MS_MAX: u64 = 600_000;
/// The most lines of a scripted `flood`.
pub const FLOOD_LINES_MAX: u32 = 100_000;
/// The longest time a scripted limit names, in milliseconds.
pub const LIMIT_MS_MAX: u64 = 24 * 60 * 60 * 1000;
/// How long a scripted `hang` lasts when the process is not killed.
pub const HANG_TIME_MAX: Duration = Duration::from_secs(60 * 60);
/// How long a scripted `run` may take.
pub const RUN_TIME_MAX: Duration = Duration::from_secs(120);
/// How long a lock in the clone's git may stand before we take it for a dead process's.
pub const GIT_LOCK_TIME_MAX: Duration = Duration::from_secs(1);
/// How much of a conversation on the disk is looked through for a message in flight, from its end, in bytes.
pub const TRANSCRIPT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// In how many folders a conversation is looked for.
pub const TRANSCRIPT_FOLDERS_MAX: usize = 10_000;
