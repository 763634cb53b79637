//! The JSON that a client is told: that of a petition (`view::petition_json`), with what follows from it for an agent.

use docket::DocketError;
use mind::Timestamp;
use serde_json::{Value, json};
use view::petition_json;
use view::refusal::{RefusalCause, RefusalReader, RefusalText, refusal};

use super::wait::Seen;
use crate::refusal::docket_refusal;

pub(super) use view::petition_json::{answers, status};

/// One petition, as a call that waited for it is told of it.
pub(super) fn one(seen: &[Seen]) -> Value {
    seen.first().map_or_else(|| json!({}), awaited)
}

/// Several petitions. The state is `pending` while one of them is, and `decided` only if all of them are.
pub(super) fn several(seen: &[Seen]) -> Value {
    let petitions: Vec<Value> = seen.iter().map(awaited).collect();
    let is_pending = |petition: &&Value| petition["state"] == "pending";
    let pending: Vec<Value> =
        petitions.iter().filter(is_pending).map(|petition| petition["id"].clone()).collect();
    let hint = if pending.is_empty() {
        "all of them are closed"
    } else if pending.len() == petitions.len() {
        PENDING
    } else {
        "call arbiter_await again with the ids under `pending`, or go on with other work and look later"
    };
    let states = || petitions.iter().filter_map(|petition| petition["state"].as_str());
    let undecided = || states().find(|state| *state != "decided");
    let state = if pending.is_empty() { undecided().unwrap_or("decided") } else { "pending" };
    json!({ "state": state, "petitions": petitions, "pending": pending, "hint": hint })
}

/// A petition has faults, and nothing was written.
pub(super) fn faults(faults: Vec<String>) -> Value {
    let mut told = told(&RefusalCause::Faults(faults.clone()));
    told["faults"] = json!(faults);
    told
}

/// The wait has no result; its client may be gone.
pub(super) fn ended(why: &str) -> Value {
    json!({ "error": why })
}

/// The docket could not do it.
pub(super) fn trouble(error: &DocketError, now: Timestamp) -> Value {
    told(&docket_refusal(error, now))
}

/// A cause and a hint, as an agent reads them.
fn told(cause: &RefusalCause) -> Value {
    let RefusalText { cause, hint } = refusal(cause, RefusalReader::Agent);
    json!({ "error": cause, "hint": hint })
}

const PENDING: &str = "no person has decided yet, and that is no answer: call arbiter_await again with the same id, or go on \
                       with other work and look later with arbiter_status";

fn awaited(seen: &Seen) -> Value {
    match seen {
        Seen::There { petition, longest } => {
            let mut told = petition_json::awaited(petition);
            if told["state"] == "pending" {
                told["hint"] = json!(PENDING);
                told["waitSecondsMax"] = json!(longest.as_secs());
            }
            told
        }
        Seen::Unreadable { id, why, longest } => json!({
            "planId": id,
            "id": id,
            "state": "pending",
            "problem": format!("its file cannot be understood at the moment: {why}"),
            "waitSecondsMax": longest.as_secs(),
            "hint": PENDING,
        }),
    }
}
