//! When a server wants to be asked again, from the headers of a refusal.

use jiff::fmt::rfc2822;
use mind::Timestamp;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::limits::API_RETRY_AFTER_MAX;

/// The time that the headers name, if they name one that is believable.
pub(super) fn until(headers: &HeaderMap, now: Timestamp) -> Option<Timestamp> {
    let named = headers.get(RETRY_AFTER).and_then(|value| retry_after(value.to_str().ok()?, now));
    let until = named.or_else(|| reset(headers))?;
    let latest = now.0.saturating_add(u64::try_from(API_RETRY_AFTER_MAX.as_millis()).unwrap_or(u64::MAX));
    // A time that has passed is now: a server's clock is not ours.
    Some(Timestamp(until.0.clamp(now.0, latest)))
}

/// Seconds, or a date.
fn retry_after(value: &str, now: Timestamp) -> Option<Timestamp> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        if !(seconds.is_finite() && seconds >= 0.0) {
            return None;
        }
        // What is beyond the range is cut to its end, and by the caller to what is believable.
        return Some(Timestamp(now.0.saturating_add((seconds * 1000.0).ceil() as u64)));
    }
    let date = rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    u64::try_from(date.as_millisecond()).ok().map(Timestamp)
}

/// When what is used up is full again. Anthropic names a time for each of its limits, and what is left of each.
fn reset(headers: &HeaderMap) -> Option<Timestamp> {
    let resets = headers.iter().filter_map(|(name, value)| {
        let limit = name.as_str().strip_prefix("anthropic-ratelimit-")?.strip_suffix("-reset")?;
        let value = value.to_str().ok()?;
        let at = match value.parse::<u64>() {
            Ok(seconds) => seconds.saturating_mul(1000),
            Err(_) => u64::try_from(value.parse::<jiff::Timestamp>().ok()?.as_millisecond()).ok()?,
        };
        let left = headers.get(format!("anthropic-ratelimit-{limit}-remaining"));
        Some((left.is_some_and(|left| left == "0"), Timestamp(at)))
    });
    // What is used up counts; if nothing says that it is, all of it may be.
    resets.max().map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_763_294_400_000);

    fn of(pairs: &[(&'static str, &str)]) -> Option<u64> {
        let headers =
            pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        until(&headers, NOW).map(|until| until.0 - NOW.0)
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        assert_eq!(of(&[("retry-after", "30")]), Some(30_000));
        assert_eq!(of(&[("retry-after", "0.5")]), Some(500));
        assert_eq!(of(&[("retry-after", "Sun, 16 Nov 2025 12:05:00 GMT")]), Some(300_000));
        assert_eq!(
            of(&[("retry-after", "Sun, 16 Nov 2025 11:00:00 GMT")]),
            Some(0),
            "a time that has passed"
        );
    }

    #[test]
    fn what_is_no_time_is_none() {
        for value in ["", "soon", "-3", "NaN", "inf", "Sun, 99 Nov 2025 12:05:00 GMT"] {
            assert_eq!(of(&[("retry-after", value)]), None, "{value}");
        }
        assert_eq!(of(&[]), None);
        let week = 8 * 24 * 60 * 60 * 1000;
        assert_eq!(
            of(&[("retry-after", "99999999999999999999")]),
            Some(week),
            "no server puts us off for ever"
        );
    }

    #[test]
    fn the_limit_that_is_used_up_names_the_time() {
        let both = [
            ("anthropic-ratelimit-requests-remaining", "0"),
            ("anthropic-ratelimit-requests-reset", "2025-11-16T12:00:10Z"),
            ("anthropic-ratelimit-tokens-remaining", "4000"),
            ("anthropic-ratelimit-tokens-reset", "2025-11-16T12:01:00Z"),
        ];
        assert_eq!(of(&both), Some(10_000));
        assert_eq!(of(&both[3..]), Some(60_000));
        assert_eq!(of(&[("anthropic-ratelimit-unified-reset", "1763294405")]), Some(5_000));
        assert_eq!(of(&[("retry-after", "7"), both[1]]), Some(7_000), "what is said outright counts first");
    }
}
