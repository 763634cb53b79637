//! What needs no model: limits, a finished plan, typed verdicts, configured transitions, the first pick.

use std::sync::Arc;

use super::decision::{Call, Decision};
use crate::id::Timestamp;
use crate::state::State;

/// What a fixed order decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    /// What.
    pub decision: Decision,
    /// By which rule.
    pub cause: Arc<str>,
    /// A limit was reached: the mission ends as exhausted, not as failed.
    pub exhausted: bool,
}

/// What the rules decide, if they do.
pub fn rules(_state: &State, _call: Call, _now: Timestamp) -> Option<Ruled> {
    None
}

/// The limit that is reached, if one is.
pub fn limit(_state: &State, _now: Timestamp) -> Option<Arc<str>> {
    None
}
