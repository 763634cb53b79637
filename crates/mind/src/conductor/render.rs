//! The prompts of the two calls: one pass over a template; what agents and tools said is delimited as data.

use std::sync::Arc;

use super::decision::Kind;
use super::input::Input;
use crate::charter::Charter;
use crate::state::State;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Who it is.
    pub system: Arc<str>,
    /// What it is asked.
    pub prompt: Arc<str>,
}

/// What is asked besides: the reply before could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Again {
    /// What was wrong with it.
    pub faults: Vec<Arc<str>>,
    /// It was cut off: this one must be shorter.
    pub shorter: bool,
}

/// The prompt of a call.
pub fn render(
    _charter: &Charter,
    _state: &State,
    _input: &Input,
    _legal: &[Kind],
    _again: &Again,
) -> Rendered {
    Rendered { system: Arc::from(""), prompt: Arc::from("") }
}
