//! The JSON that a client is told: that of a petition (`mind::petition::tell`), with what follows from it for an agent.

use docket::DocketError;
use mind::petition::tell;
use serde_json::{Value, json};
use view::amount::counted;

use super::wait::Seen;

pub(super) use mind::petition::tell::{answers, status};

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
pub(super) fn faults(faults: &[String]) -> Value {
    json!({
        "error": format!("nothing was asked: the petition has {}", counted(faults.len(), "fault")),
        "faults": faults,
        "hint": "mend all of them and push again",
    })
}

/// The wait has no result. The client may be gone already.
pub(super) fn ended(why: &str) -> Value {
    json!({ "error": why })
}

/// The docket could not do it.
pub(super) fn trouble(error: &DocketError) -> Value {
    let hint = match error {
        DocketError::Unknown { .. } => {
            "the id is what arbiter_push returned; arbiter_status also finds a petition by its tag".to_owned()
        }
        DocketError::Ambiguous { candidates, .. } => {
            let shown: Vec<String> = candidates.iter().take(10).map(ToString::to_string).collect();
            format!("give the whole id: {}", shown.join(", "))
        }
        DocketError::Gone { .. } => "somebody removed its file; push it again if it still matters".to_owned(),
        DocketError::Malformed { file, .. } => format!("a person has to mend {}", file.display()),
        DocketError::Refused { .. } => "look at it with arbiter_status".to_owned(),
        DocketError::NotYours { .. } => "leave it to the agent that asked it, or to the person".to_owned(),
        DocketError::Taken { .. } => "push it again".to_owned(),
        DocketError::Damaged { .. } => "tell the person: `arbiter audit verify` says more".to_owned(),
        DocketError::Disk { .. } => "tell the person if it happens again".to_owned(),
    };
    json!({ "error": error.to_string(), "hint": hint })
}

const PENDING: &str = "nobody has decided yet, and that is no answer: call arbiter_await again with the same id, or go on \
                       with other work and look later with arbiter_status";

fn awaited(seen: &Seen) -> Value {
    match seen {
        Seen::There { petition, longest } => {
            let mut told = tell::awaited(petition);
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
