//! The machine's clock, files and random numbers for all crates, each in one place. It knows no other crate of
//! the workspace.

pub mod files;
pub mod untrusted_files;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time. No other place of the program asks the system for it.
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

/// A random number from the only source of randomness in the standard library.
#[must_use]
pub fn dice() -> u64 {
    RandomState::new().build_hasher().finish()
}
