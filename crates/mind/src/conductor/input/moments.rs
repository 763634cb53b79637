//! Moments on the wire: the journal stores milliseconds, a model reads `2026-01-30T01:30:00Z`. Used as
//! `#[serde(with = "moments")]` on whole fields, so that no type needs a second form.

use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::id::Timestamp;

/// The fields that hold a moment, whatever they stand in.
const FIELDS: [&str; 8] = [
    "createdAt",
    "updatedAt",
    "startedAt",
    "completedAt",
    "timestamp",
    "lastSuccess",
    "lastFailure",
    "deadline",
];
const DAY_MS: u64 = 86_400_000;

/// Writes a value with its moments as text.
pub fn serialize<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let mut value = serde_json::to_value(value).map_err(S::Error::custom)?;
    change(&mut value, &|moment| moment.as_u64().map(|ms| Value::String(Timestamp(ms).utc())));
    value.serialize(serializer)
}

/// Reads a value whose moments are text.
pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut value = Value::deserialize(deserializer)?;
    change(&mut value, &|moment| moment.as_str().and_then(read).map(|moment| Value::from(moment.0)));
    serde_json::from_value(value).map_err(D::Error::custom)
}

fn change(value: &mut Value, form: &impl Fn(&Value) -> Option<Value>) {
    if let Value::Object(fields) = value {
        for (name, field) in fields {
            match FIELDS.contains(&name.as_str()).then(|| form(field)).flatten() {
                Some(changed) => *field = changed,
                None => change(field, form),
            }
        }
    } else if let Value::Array(items) = value {
        items.iter_mut().for_each(|item| change(item, form));
    }
}

/// Reads a moment as [`Timestamp::utc`] writes it.
pub fn read(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let (time, millis) = match time.split_once('.') {
        Some((time, millis)) if millis.len() == 3 => (time, millis.parse::<u64>().ok()?),
        Some(_) => return None,
        None => (time, 0),
    };
    let [hour, minute, second] = numbers(time, ':')?;
    let possible =
        (1..=12).contains(&month) && (1..=31).contains(&day) && hour < 24 && minute < 60 && second < 60;
    let in_day = possible.then_some(((hour * 60 + minute) * 60 + second) * 1000 + millis)?;
    days(year, month, day)?.checked_mul(DAY_MS)?.checked_add(in_day).map(Timestamp)
}

/// Days from the epoch to a date; a year begins with March, so that the day that comes and goes is the last one.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let from_march = (month + 9) % 12;
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    let day_of_era = year % 400 * 365 + year % 400 / 4 - year % 400 / 100 + day_of_year;
    (year / 400).checked_mul(146_097)?.checked_add(day_of_era)?.checked_sub(719_468)
}

fn numbers(text: &str, between: char) -> Option<[u64; 3]> {
    let mut parts = text.split(between).map(|part| part.parse::<u64>().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}
