//! The only clock. Everyone else is told the time.

use std::time::{SystemTime, UNIX_EPOCH};

use mind::Timestamp;

/// Now.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(since.as_millis() as u64)
}

/// A moment where the person is.
pub fn local(at: Timestamp) -> jiff::Zoned {
    tui::when::at(at, &jiff::tz::TimeZone::system())
}

pub use tui::when::span;
