//! Tests of the room that breaks: its worlds, and plays that a world once printed.

mod plays;
mod shrinking;
mod torture;
mod worlds;
