//! When something is needed, as an agent writes it: a moment such as `2026-01-30T01:30:00Z`, or a span from now such as
//! `30m`.

use crate::id::Timestamp;

/// The moment that is meant; none if it is neither.
pub fn when(written: &str, now: Timestamp) -> Option<Timestamp> {
    let written = written.trim();
    match span_ms(written) {
        Some(ms) => now.0.checked_add(ms).map(Timestamp),
        None => moment(written),
    }
}

/// `90s`, `5m`, `1h30m`, `2d`.
fn span_ms(written: &str) -> Option<u64> {
    let mut total: u64 = 0;
    let mut rest = written;
    while !rest.is_empty() {
        let end = rest.find(|sign: char| !sign.is_ascii_digit())?;
        let (number, unit) = rest.split_at(end);
        let unit_ms = match unit.as_bytes().first()? {
            b's' => 1000,
            b'm' => 60_000,
            b'h' => 3_600_000,
            b'd' => 86_400_000,
            _ => return None,
        };
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(unit_ms)?)?;
        rest = unit.get(1..)?;
    }
    (!written.is_empty()).then_some(total)
}

/// RFC 3339, with any fraction of a second, in any zone.
fn moment(written: &str) -> Option<Timestamp> {
    let bytes = written.as_bytes();
    let stands = |at: usize, signs: &[u8]| bytes.get(at).is_some_and(|sign| signs.contains(sign));
    let form: [(usize, &[u8]); 5] = [(4, b"-"), (7, b"-"), (10, b"Tt "), (13, b":"), (16, b":")];
    if !form.iter().all(|(at, signs)| stands(*at, signs)) {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = written.get(from..to).filter(|text| text.bytes().all(|sign| sign.is_ascii_digit()))?;
        digits.parse::<u64>().ok()
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days_in_month = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    if year < 1970 || !(1..=days_in_month).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let rest = written.get(19..)?;
    let (millis, zone) = match rest.strip_prefix('.') {
        Some(rest) => {
            let end = rest.find(|sign: char| !sign.is_ascii_digit())?;
            let (fraction, zone) = rest.split_at(end);
            let first: String = fraction.chars().chain("00".chars()).take(3).collect();
            ((!fraction.is_empty()).then(|| first.parse::<u64>().ok())??, zone)
        }
        None => (0, rest),
    };
    let of_day = ((hour * 60 + minute) * 60 + second) * 1000 + millis;
    let local = days(year, month, day) * 86_400_000 + of_day;
    if zone == "Z" || zone == "z" {
        return Some(Timestamp(local));
    }
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let two = |text: &str, most: u64| {
        let number = text.parse::<u64>().ok().filter(|number| *number <= most)?;
        (text.len() == 2 && !text.starts_with('+')).then_some(number)
    };
    let offset = (two(hours, 23)? * 60 + two(minutes, 59)?) * 60_000;
    match zone.as_bytes().first()? {
        b'+' => local.checked_sub(offset).map(Timestamp),
        b'-' => local.checked_add(offset).map(Timestamp),
        _ => None,
    }
}

/// Days since 1970, with years counted from March on, so that the day that comes and goes is the last one.
fn days(year: u64, month: u64, day: u64) -> u64 {
    let (year, from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year / 400, year % 400);
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_that_we_write_is_read_again() {
        for at in [
            0,
            1,
            951_782_399_999,
            951_782_400_000,
            1_769_736_600_000,
            4_107_542_399_001,
            253_402_300_799_999,
        ] {
            let at = Timestamp(at);
            assert_eq!(when(&at.utc(), Timestamp(7)), Some(at), "{}", at.utc());
        }
    }

    #[test]
    fn zones_and_fractions_are_understood() {
        let noon = when("2026-01-30T12:00:00Z", Timestamp(0)).unwrap();
        for same in ["2026-01-30T13:00:00+01:00", "2026-01-30t07:30:00-04:30", "2026-01-30 12:00:00z"] {
            assert_eq!(when(same, Timestamp(0)), Some(noon), "{same}");
        }
        assert_eq!(when("2026-01-30T12:00:00.5Z", Timestamp(0)), Some(Timestamp(noon.0 + 500)));
        assert_eq!(when("2026-01-30T12:00:00.123456Z", Timestamp(0)), Some(Timestamp(noon.0 + 123)));
    }

    #[test]
    fn a_span_counts_from_now() {
        for (written, ms) in [("30m", 1_800_000), ("1h30m", 5_400_000), ("2d", 172_800_000), ("90s", 90_000)]
        {
            assert_eq!(when(written, Timestamp(5)), Some(Timestamp(5 + ms)), "{written}");
        }
    }

    #[test]
    fn what_is_neither_is_nothing() {
        for written in [
            "",
            "soon",
            "30",
            "m",
            "30x",
            "30µ",
            "99999999999999999999d",
            "2026-01-30",
            "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-01-30T24:00:00Z",
            "2026-01-30T12:00:00",
            "2026-01-30T12:00:00.Z",
            "2026-01-30T12:00:00+1:00",
            "2026-01-30T12:00:00*01:00",
            "1969-12-31T23:59:59Z",
            "2026-01-30T12:00:0éZ",
            "+026-01-30T12:00:00Z",
            "1970-01-01T00:00:00+01:00",
            "2026/01/30 12.00.00Z",
        ] {
            assert_eq!(when(written, Timestamp(5)), None, "{written}");
        }
    }
}
