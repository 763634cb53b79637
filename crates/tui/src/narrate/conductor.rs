//! The course of a conducted mission as lines of text.

use mind::State;
use mind::conductor::ConductorFact;

use super::{Ink, Line};

/// The lines of one fact, between the state `before` it and the `state` that holds it.
pub(super) fn lines(fact: &ConductorFact, _before: &State, _state: &State) -> Vec<Line> {
    vec![(Ink::Work, format!("  · {fact}"))]
}
