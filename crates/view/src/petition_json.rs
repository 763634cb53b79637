//! A petition as agents and programs are told of it: one JSON for MCP and `--json`, with the names that agents in the wild
//! know. The mind makes it, because it answers the tools of its own sessions with the same; doors take it from here.

pub use mind::petition::tell::{answers, awaited, pushed, status};
