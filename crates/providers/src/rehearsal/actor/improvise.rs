//! What an actor says where its script is silent, so that no case ends in silence.

use mind::session::Role;
use serde_json::{Value, json};

/// The word of a part that has no more turns.
pub(super) fn at_the_end(role: Role) -> Value {
    match role {
        Role::Arbiter => json!({ "intent": "address_human", "message": "My part ends here." }),
        Role::Orchestrator => json!({
            "kind": "handoff",
            "expects_response": true,
            "message": "My part ends here; nothing more is rehearsed.",
        }),
        Role::Verifier => json!({
            "kind": "handoff",
            "expects_response": true,
            "verdict": "fail",
            "findings": ["nothing was verified"],
            "message": "My part ends here; nothing more is rehearsed.",
        }),
    }
}

/// The answer to a text that was heard within an earlier turn already.
pub(super) fn heard_before(role: Role) -> Value {
    let message = "I heard this while I worked.";
    match role {
        Role::Arbiter => json!({ "intent": "musings", "message": message }),
        Role::Orchestrator | Role::Verifier => {
            json!({ "kind": "progress", "expects_response": false, "message": message })
        }
    }
}

/// The Arbiter's answer to a human who speaks out of turn: no script knows when that will be, and none is put out of
/// step by it.
pub(super) fn interjection(role: Role, text: &str) -> Option<Value> {
    let headings = || text.lines().filter(|line| line.starts_with('«') && line.ends_with('»'));
    let is_only_words = headings().any(|heading| heading.ends_with("Human Interjection»"))
        && headings().all(|heading| heading.ends_with("Human Interjection»") || heading.contains(" - Work Log "));
    if role != Role::Arbiter || !is_only_words {
        return None;
    }
    if text.contains("interrupted its running turn") {
        return Some(json!({ "intent": "address_orchestrator", "message": "Go on where you stopped." }));
    }
    let message = "You are heard, mortal. But this is a rehearsal: its course is written, and it goes on.";
    Some(json!({ "intent": "address_human", "message": message }))
}
