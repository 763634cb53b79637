//! Reads a model's reply. Control flow is never inferred from words in prose: the first object that validates counts.

use serde_json::Value;

use super::agent::Agent;
use super::decision::{Decision, Kind};

/// By what a reply is judged.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// What can be decided.
    pub legal: &'a [Kind],
    /// Who can be named.
    pub agents: &'a [&'a Agent],
}

/// The decision in a reply, or everything that is wrong with it in words the model can act on.
pub fn read(output: Option<&Value>, _text: &str, _terms: &Terms<'_>) -> Result<Decision, Vec<String>> {
    let output = output.cloned().unwrap_or_default();
    serde_json::from_value(output).map_err(|error| vec![error.to_string()])
}
