//! The inputs of the two calls, built from what the mission knows.

use serde::Serialize;

use super::decision::Call;
use crate::id::Timestamp;
use crate::state::State;

/// What a selection is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectAgentInput {}

/// What an evaluation is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EvaluateProgressInput {}

/// The input of one of the calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Input {
    /// Who works next.
    Select(SelectAgentInput),
    /// What became of the last run.
    Evaluate(EvaluateProgressInput),
}

/// The input of a call, as the mission stands at `now`.
pub fn input(_state: &State, call: Call, _now: Timestamp) -> Input {
    match call {
        Call::Select => Input::Select(SelectAgentInput {}),
        Call::Evaluate => Input::Evaluate(EvaluateProgressInput {}),
    }
}

impl Input {
    /// The input of a call out of its stored form.
    pub fn read(call: Call, value: &serde_json::Value) -> Option<Input> {
        let _ = value;
        Some(match call {
            Call::Select => Input::Select(SelectAgentInput {}),
            Call::Evaluate => Input::Evaluate(EvaluateProgressInput {}),
        })
    }
}
