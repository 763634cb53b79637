//! Whole missions with the real Claude Code: the real binary of ours, the real `claude`, a scripted Messages API on
//! loopback. Without `claude` each says loudly that it is skipped; with `ARBITER_REQUIRE_REAL=1` it fails.

mod agent;
mod ask;
mod attacks;
mod cage;
mod conductor;
mod falls;
mod mcp;
mod mission;
mod permission;
mod petition;
mod screen;
mod stage;
mod troubles;
mod words;
