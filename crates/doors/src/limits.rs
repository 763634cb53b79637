//! Every bound of the doors, in one place.

use std::time::Duration;

/// How long a call over MCP waits when it does not say, and at most for a client that we do not know.
pub const WAIT: Duration = Duration::from_secs(45);
/// How often a waiting call tells its client that it still waits.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(15);
/// When a waiting call tells so for the first time, at the latest.
pub const PROGRESS_FIRST: Duration = Duration::from_secs(1);
/// How many calls of one server wait at the same time; one more is told at once how it stands.
pub const WAITS_MAX: usize = 256;
/// How many calls of one server read or write the docket at the same time.
pub const VISITS_MAX: usize = 4;
/// How many petitions one call waits for.
pub const AWAITED_MAX: usize = 50;
/// The longest message of a client, in bytes. A longer one is dropped.
pub const MESSAGE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How often a new petition's id is drawn again when it is taken.
pub const DRAWS_MAX: usize = 8;
