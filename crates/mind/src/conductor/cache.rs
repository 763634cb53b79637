//! Equal inputs are decided once, if the user wants that: the key of a decision, and what was decided under it before.

use super::decision::Decision;
use super::record::Asking;
use crate::state::State;

/// An earlier decision of a model about the same input; never one of the fallback.
pub fn find(_state: &State, _asking: &Asking) -> Option<Decision> {
    None
}
