//! Tests of the room that breaks: its worlds, plays that a world once printed, what may be missing.

mod plays;
mod real;
#[cfg(feature = "binary")]
mod shrinking;
mod torture;
mod worlds;
