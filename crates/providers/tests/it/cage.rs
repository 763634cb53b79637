//! The cage with real bubblewrap and real Landlock: what does not get out, what does not live on, what gets through.
#![cfg(target_os = "linux")]

mod attacks;
mod doors;
mod ends;
mod honesty;
mod nested;
mod passage;
mod world;
