//! The cage with real bubblewrap and real Landlock: what does not get out, what does not live on, what gets through.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod attacks;
mod doors;
mod ends;
mod honesty;
mod leftovers;
mod nested;
mod passage;
#[path = "../../../sim/src/real.rs"]
mod real;
mod world;
