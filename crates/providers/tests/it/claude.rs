//! Claude Code: what its lines mean to us.

mod casting;
mod conversation;
mod docket;
mod permission;
mod transcripts;
mod usage;
mod window;
mod words;
