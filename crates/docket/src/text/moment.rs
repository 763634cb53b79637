//! Moments as petition files write them: RFC 3339 with or without a fraction, without a zone (then it is UTC), or a date.

use mind::Timestamp;

/// The longest text that is looked at, in bytes.
const MOMENT_BYTES_MAX: usize = 64;

/// The moment that `text` names, if it names one. A date alone is its first moment in UTC.
pub fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > MOMENT_BYTES_MAX {
        return None;
    }
    let stamp = match text.parse::<jiff::Timestamp>() {
        Ok(stamp) => stamp,
        Err(_) => {
            let civil = text.parse::<jiff::civil::DateTime>().ok();
            let civil =
                civil.or_else(|| text.parse::<jiff::civil::Date>().ok().map(|date| date.at(0, 0, 0, 0)));
            civil?.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp()
        }
    };
    u64::try_from(stamp.as_millisecond()).ok().map(Timestamp)
}
