//! Every bound of the docket, in one place.

use std::time::Duration;

/// The largest petition file that is read, in bytes.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// How often what is watched is looked at, whether or not the system told of a change.
pub const SWEEP_EVERY: Duration = Duration::from_secs(2);
