//! Models that are spoken to directly, against the scripted API in both of its dialects. Nothing leaves this machine.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod asking;
mod house;
mod lives;
mod manners;
mod secrets;
mod session;
mod troubles;
mod world;
