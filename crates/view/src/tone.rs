//! How a sentence is meant. A door may show it as a colour, as a sign, or not at all.

use serde::Serialize;

/// How a sentence is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Plain,
    /// It matters less.
    Quiet,
    Good,
    /// It wants attention soon.
    Warning,
    Bad,
    /// It waits for the person.
    Wanted,
}
