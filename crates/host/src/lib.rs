//! The machine's clock, disk and dice as every room needs them, each thing in one place. It knows no other room.

pub mod files;
pub mod untrusted_files;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

/// What time it is. No other place of the program asks the system.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the one clock")]
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// The same in milliseconds since 1970.
#[must_use]
pub fn now_ms() -> u64 {
    let since = now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A random number from the only dice of the standard library.
#[must_use]
pub fn dice() -> u64 {
    RandomState::new().build_hasher().finish()
}
