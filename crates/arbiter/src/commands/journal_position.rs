//! A place in a journal as a person names it: an entry's number, a time of day, a date and time, or how long after the
//! opening. What is meant depends on the journal, so it is read first and placed later.

use std::str::FromStr;

use jiff::civil;
use jiff::tz::TimeZone;
use mind::Timestamp;

const FORM: &str = "write an entry's number, `21:30`, `2026-11-15T21:30`, or `+5m` from the opening";

/// A place as it was named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NamedPosition {
    Entry(u64),
    /// This time of the day.
    Clock(civil::Time),
    /// This day and time, where the person is.
    Calendar(civil::DateTime),
    /// This long after the opening.
    After(u64),
}

/// A place as it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalPosition {
    Entry(u64),
    Time(Timestamp),
}

/// How far a journal reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// The newest entry.
    pub head: u64,
    /// When the first entry was written.
    pub opened: Timestamp,
    /// When the newest entry was written.
    pub newest: Timestamp,
}

impl FromStr for NamedPosition {
    type Err = &'static str;

    fn from_str(written: &str) -> Result<NamedPosition, &'static str> {
        if let Some(offset) = written.strip_prefix('+') {
            return offset_ms(offset).map(NamedPosition::After).ok_or(FORM);
        }
        if !written.is_empty() && written.bytes().all(|digit| digit.is_ascii_digit()) {
            return written.parse().map(NamedPosition::Entry).map_err(|_| FORM);
        }
        if let Ok(time) = written.parse() {
            return Ok(NamedPosition::Clock(time));
        }
        written.parse().map(NamedPosition::Calendar).map_err(|_| FORM)
    }
}

impl NamedPosition {
    /// Where it is in a journal that reaches so far.
    pub fn place(self, extent: &Extent, zone: &TimeZone) -> JournalPosition {
        match self {
            NamedPosition::Entry(number) => JournalPosition::Entry(number),
            NamedPosition::After(ms) => JournalPosition::Time(Timestamp(extent.opened.0.saturating_add(ms))),
            NamedPosition::Calendar(date) => JournalPosition::Time(at(date, zone)),
            NamedPosition::Clock(time) => {
                let opened = jiff::Timestamp::from_millisecond(extent.opened.0 as i64).unwrap_or_default();
                let day = zone.to_datetime(opened).date();
                let first = at(day.to_datetime(time), zone);
                let second = day.tomorrow().map_or(first, |day| at(day.to_datetime(time), zone));
                // A mission that was opened late in the evening has its small hours on the next day.
                let next_day = first < extent.opened && second <= extent.newest;
                JournalPosition::Time(if next_day { second } else { first })
            }
        }
    }
}

impl JournalPosition {
    /// The entry stands here, or after it.
    pub fn is_reached(self, seq: u64, at: Timestamp) -> bool {
        match self {
            JournalPosition::Entry(number) => seq >= number,
            JournalPosition::Time(time) => at >= time,
        }
    }

    /// The entry stands after it.
    pub fn is_passed(self, seq: u64, at: Timestamp) -> bool {
        match self {
            JournalPosition::Entry(number) => seq > number,
            JournalPosition::Time(time) => at > time,
        }
    }
}

/// A moment of the calendar; one that a change of the clocks left out is the one after the gap.
fn at(date: civil::DateTime, zone: &TimeZone) -> Timestamp {
    let ms = zone.to_timestamp(date).map_or(0, jiff::Timestamp::as_millisecond);
    Timestamp(u64::try_from(ms).unwrap_or(0))
}

/// `90s`, `5m`, `1h30m`, `2d`, in milliseconds.
pub(crate) fn offset_ms(written: &str) -> Option<u64> {
    let mut total: u64 = 0;
    let mut rest = written;
    while !rest.is_empty() {
        let digits = rest.find(|sign: char| !sign.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        let unit_ms = match rest.as_bytes().get(digits)? {
            b's' => 1000,
            b'm' => 60_000,
            b'h' => 3_600_000,
            b'd' => 86_400_000,
            _ => return None,
        };
        total = total.checked_add(number.checked_mul(unit_ms)?)?;
        rest = &rest[digits + 1..];
    }
    (!written.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-15T23:50:00Z, for half an hour.
    const LATE: Extent =
        Extent { head: 340, opened: Timestamp(1_794_786_600_000), newest: Timestamp(1_794_788_400_000) };

    fn place(written: &str) -> JournalPosition {
        written.parse::<NamedPosition>().expect(written).place(&LATE, &TimeZone::UTC)
    }

    fn minutes_after_opening(written: &str) -> i64 {
        match place(written) {
            JournalPosition::Time(time) => (time.0 as i64 - LATE.opened.0 as i64) / 60_000,
            JournalPosition::Entry(number) => panic!("{number} is no time"),
        }
    }

    #[test]
    fn a_number_is_an_entry() {
        assert_eq!(place("12"), JournalPosition::Entry(12));
        assert!(place("12").is_reached(12, Timestamp(0)) && !place("12").is_passed(12, Timestamp(0)));
    }

    #[test]
    fn times_are_of_the_mission() {
        assert_eq!(minutes_after_opening("2026-11-15T23:55"), 5);
        assert_eq!(minutes_after_opening("23:55:59"), 5);
        assert_eq!(minutes_after_opening("00:10"), 20, "the small hours belong to the next day");
        assert_eq!(minutes_after_opening("23:40"), -10, "before the opening, and not a day later");
    }

    #[test]
    fn an_offset_counts_from_the_opening() {
        assert_eq!(minutes_after_opening("+5m"), 5);
        assert_eq!(minutes_after_opening("+1h30m"), 90);
        assert_eq!(minutes_after_opening("+1d60s"), 24 * 60 + 1);
    }

    #[test]
    fn anything_else_is_refused_with_the_forms() {
        for written in ["", "+", "+5", "+m", "-3", "noon", "25:00", "+99999999999999999999s", "+5ü", "1e3"] {
            assert_eq!(written.parse::<NamedPosition>(), Err(FORM), "{written}");
        }
    }
}
