//! The clock as missions have it. The rest of the house is told the time.

use mind::Timestamp;

/// Now.
pub fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

/// A moment where the person is.
pub fn local(at: Timestamp) -> jiff::Zoned {
    view::when::at(at, &jiff::tz::TimeZone::system())
}

pub use view::when::span;
