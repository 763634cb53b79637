//! The rehearsal provider with real processes: a part played to its end, killed at every line, spoken to, ended.

#![expect(clippy::unwrap_used, reason = "the helpers of tests fail as tests do")]

mod actor;
mod agents;
mod death;
mod docket;
mod handle;
mod mishap;
mod script;
mod wire;
