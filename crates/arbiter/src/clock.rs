//! The clock of missions. Only the joining room reads it; the other rooms are given the time as a value.

use mind::Timestamp;

pub fn now() -> Timestamp {
    Timestamp(host::now_ms())
}

/// A moment where the person is.
pub fn local(at: Timestamp) -> jiff::Zoned {
    view::when::at(at, &jiff::tz::TimeZone::system())
}

pub use view::when::span;
