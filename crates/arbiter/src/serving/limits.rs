//! The bounds of `arbiter serve`: waiting times, queues and sizes.

use std::time::Duration;

/// How long what is in hand may take once the program is asked to stop.
pub const STOP_TIME_MAX: Duration = Duration::from_secs(10);
/// A door whose last good poll is older is not well.
pub const POLL_AGE_MAX: Duration = Duration::from_secs(180);
/// The log is begun anew beyond this size.
pub const LOG_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// How many older logs are kept.
pub const LOGS_KEPT: u32 = 3;
/// The longest text of one line of the log, in bytes.
pub const LOG_LINE_BYTES_MAX: usize = 2_000;
/// How many lines wait for stderr; further ones are in the file only.
pub const LOG_LINES_MAX: usize = 1_024;
/// How much of the ledger's end is read to find its last line, in bytes.
pub const LEDGER_TAIL_BYTES: u64 = 1024 * 1024;
/// How many requests for the health are answered at a time, and how long one may take.
pub const HEALTH_REQUESTS_MAX: usize = 8;
pub const HEALTH_TIME_MAX: Duration = Duration::from_secs(2);
/// The longest request for the health, in bytes.
pub const HEALTH_REQUEST_BYTES_MAX: usize = 4 * 1024;
/// How many missions a door is shown, those that run first.
pub const MISSIONS_SHOWN_MAX: usize = 200;
/// A list of missions that is younger is given again as it is.
pub const MISSIONS_FRESH: Duration = Duration::from_millis(250);
/// How often a mission that runs is read again at most: its journal is read from the beginning.
pub const MISSION_READ_EVERY: Duration = Duration::from_secs(1);
/// How often it is looked for news of missions, and how long the ledger is waited for.
pub const MISSION_NEWS_EVERY: Duration = Duration::from_secs(5);
pub const LEDGER_PATIENCE: Duration = Duration::from_secs(1);
/// The pause after the docket could not be read.
pub const TROUBLE_PAUSE: Duration = Duration::from_secs(5);
/// How many notifications wait for one channel; further ones are dropped and told.
pub const NOTIFICATIONS_MAX: usize = 256;
/// How long one try of a channel may take.
pub const NOTIFY_TIME_MAX: Duration = Duration::from_secs(10);
/// The pauses before the second and the third try.
pub const NOTIFY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
