//! Time as people read it. It knows no clock: the caller says what time it is.

use jiff::Zoned;
use jiff::tz::TimeZone;
use mind::Timestamp;

/// A moment in a time zone.
pub fn at(moment: Timestamp, zone: &TimeZone) -> Zoned {
    let ms = i64::try_from(moment.0).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(ms).unwrap_or(jiff::Timestamp::MAX).to_zoned(zone.clone())
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

/// A span as a clock shows it, to the second: 0:04, 12:31, 3:05:12.
pub fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds % 3600 / 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// How long something took, as exactly as it matters: 12 ms, 3.4 s, 12m.
pub fn took(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..60_000 => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
        _ => span(ms),
    }
}

/// How long it is until then: minutes are enough while there are some.
pub fn left(until: Timestamp, now: Timestamp) -> String {
    let left = until.0.saturating_sub(now.0);
    if left >= 60_000 { span(left) } else { clock(left) }
}

/// Since when something lasts: the day is told from another day on.
pub fn since(since: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (then, now) = (at(since, zone), at(now, zone));
    let form = if then.date() == now.date() { "since %H:%M" } else { "since %-d %b %H:%M" };
    then.strftime(form).to_string()
}
