//! Which decisions are legal now, and the schema that says so to a model.

use serde_json::{Value, json};

use super::decision::{Call, Kind};
use crate::state::State;

/// What can be decided in this call, as the mission stands.
pub fn legal(_state: &State, _call: Call) -> Vec<Kind> {
    Kind::ALL.to_vec()
}

/// What a reply must look like.
pub fn schema(_legal: &[Kind], _agents: &[&str]) -> Value {
    json!({"type": "object"})
}
