//! The fixed order for when no model answers well: it neither stalls a mission nor ends it wrongly.

use std::sync::Arc;

use super::decision::{Call, Decision};
use super::rules::Ruled;
use crate::id::Timestamp;
use crate::state::State;

/// What is decided without rules and without a model.
pub fn fallback(_state: &State, _call: Call, _now: Timestamp) -> Ruled {
    let decision = Decision::Fail { reason: Arc::from("nothing is decided yet") };
    Ruled { decision, cause: Arc::from("nothing"), exhausted: false }
}
