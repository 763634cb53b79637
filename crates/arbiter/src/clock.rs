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
    let ms = i64::try_from(at.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(ms)
        .unwrap_or(jiff::Timestamp::MAX)
        .to_zoned(jiff::tz::TimeZone::system())
}

/// A span in words a person reads at a glance: 4s, 12m, 3h 5m, 2d.
pub fn span(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d", seconds / 86_400),
    }
}
