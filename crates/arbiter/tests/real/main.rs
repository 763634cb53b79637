//! Whole missions with the real Claude Code: the real binary of ours, the real `claude`, a scripted Messages API on
//! loopback. Without `claude` each is skipped; with `ARBITER_REQUIRE_REAL=1` it fails.

mod agent;
mod ask;
mod attacks;
mod cage;
mod conductor;
mod falls;
mod limits;
mod logins;
mod mcp;
mod mission;
mod permission;
mod petition;
mod screen;
mod told;
mod troubles;
mod window;
mod words;

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_arbiter");
