//! Failures on purpose, as a script writes them.

use super::error::Fault;
use super::raw::STEPS;
use super::{Mishap, ScriptStep};
use crate::limits::{FLOOD_LINES_MAX, LIMIT_MS_MAX};
use crate::rehearsal::wire::FailKind;

/// The keys of a step that name a failure.
pub(super) struct RawMishap {
    pub(super) fail: Option<FailKind>,
    pub(super) why: Option<String>,
    pub(super) after: Option<String>,
    pub(super) cost_microusd: Option<u64>,
    pub(super) hang: Option<bool>,
    pub(super) die: Option<u8>,
    pub(super) flood: Option<u32>,
    pub(super) awaits_human: Option<bool>,
    pub(super) malformed: Option<bool>,
    pub(super) twice: Option<bool>,
    pub(super) stir: Option<bool>,
    pub(super) always: Option<bool>,
}

/// Every failure that the step names; the caller refuses more than one.
pub(super) fn read(raw: RawMishap, line: u64) -> Result<Vec<ScriptStep>, Fault> {
    let RawMishap { fail, why, after, cost_microusd, hang, die, flood, .. } = raw;
    let RawMishap { awaits_human, malformed, twice, stir, always, .. } = raw;
    if (why.is_some() && fail.is_none()) || (after.is_some() && fail != Some(FailKind::Limit)) {
        let hint = "{fail: limit, why: too many requests, after: 2s}";
        return Err(Fault::new(line, "`why` belongs to `fail`, `after` to `fail: limit`", hint));
    }
    if cost_microusd.is_some() && fail.is_none() {
        let hint = "{fail: transient, cost_microusd: 700}, or the key of a whole turn";
        return Err(Fault::new(line, "`cost_microusd` of a step belongs to `fail`", hint));
    }
    if let Some(lines) = flood.filter(|lines| !(1..=FLOOD_LINES_MAX).contains(lines)) {
        return Err(Fault::new(
            line,
            format!("`flood` is {lines}"),
            format!("from 1 to {FLOOD_LINES_MAX} lines"),
        ));
    }
    let after_ms = after.map(|after| span(&after, line)).transpose()?;
    let why = why.unwrap_or_else(|| "it is rehearsed".to_owned());
    let flags = [
        ("hang", hang, Mishap::Hang),
        ("malformed", malformed, Mishap::Malformed),
        ("twice", twice, Mishap::Twice),
        ("stir", stir, Mishap::Stir),
    ];
    let cost_microusd = cost_microusd.unwrap_or(0);
    let mut mishaps = Vec::new();
    mishaps.extend(fail.map(|kind| Mishap::Fail { kind, why, after_ms, cost_microusd }));
    mishaps.extend(die.map(Mishap::Die));
    mishaps.extend(flood.map(Mishap::Flood));
    mishaps.extend(awaits_human.map(Mishap::AwaitsHuman));
    for (name, set, mishap) in flags {
        match set {
            Some(true) => mishaps.push(mishap),
            Some(false) => {
                return Err(Fault::new(
                    line,
                    format!("`{name}` is false"),
                    format!("write `{name}: true`, or leave it out"),
                ));
            }
            None => {}
        }
    }
    if always.is_some() && mishaps.is_empty() {
        return Err(Fault::new(line, "`always` belongs to what goes wrong", STEPS));
    }
    let always = always.unwrap_or(false);
    Ok(mishaps.into_iter().map(|mishap| ScriptStep::Mishap { mishap, always }).collect())
}

/// A time such as `500ms`, `2s`, `5m` or `1h`, in milliseconds.
pub(super) fn span(written: &str, line: u64) -> Result<u64, Fault> {
    let digits = written.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(written.len());
    let (number, unit) = written.split_at(digits);
    let unit_ms = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let span_ms = number.parse::<u64>().ok().zip(unit_ms).and_then(|(number, unit)| number.checked_mul(unit));
    span_ms.filter(|span_ms| *span_ms <= LIMIT_MS_MAX).ok_or_else(|| {
        Fault::new(
            line,
            format!("`after` is {written:?}, which is no time up to a day"),
            "such as 500ms, 2s, 5m or 1h",
        )
    })
}
