//! Durations as people write them: `90s`, `20m`, `2h`.

use std::time::Duration;

const SHORTEST: Duration = Duration::from_secs(1);
/// The longest duration that most keys take.
pub(super) const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a duration of at most `longest`, or says what is wrong with it.
pub(super) fn parse(written: &str, longest: Duration) -> Result<Duration, String> {
    const FORM: &str = "is not a duration";
    let (number, unit) = written.split_at_checked(written.len().saturating_sub(1)).ok_or(FORM)?;
    let unit_seconds: u64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        _ => return Err(FORM.to_owned()),
    };
    if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(FORM.to_owned());
    }
    // A number too large for u64 is too large for the bound as well.
    let seconds = number.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(unit_seconds);
    let duration = Duration::from_secs(seconds);
    match (SHORTEST..=longest).contains(&duration) {
        true => Ok(duration),
        false => Err(format!("is not from 1s to {}", show(longest))),
    }
}

/// Writes a duration of whole seconds as it could have been read.
pub(crate) fn show(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds.is_multiple_of(60 * 60) => format!("{}h", seconds / 60 / 60),
        seconds if seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}
