//! Telegram: decide with a tap, from anywhere. The door lays out what `view` says, acts through the docket and the port of a
//! mission, and keeps every update on disk before Telegram forgets it.
//!
//! An update goes this way: `poll` takes it from the server and `log` writes it down; `desk` decides what it means, acts, and
//! gives effects; `outbox` sends them. News of the docket and of missions take the same way to the screens that show them.

mod announce;
mod backoff;
mod desk;
mod door;
pub mod effect;
pub mod fact;
pub mod health;
mod html;
pub mod log;
pub mod memory;
pub mod outbox;
pub mod people;
pub mod poll;
pub mod screen;
pub mod screens;
pub mod settings;
pub mod tap;
pub mod wire;

use std::sync::Arc;

pub use door::TelegramDoor;

/// Something for the log of doors: who did what, when. It has no secrets and no texts of petitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoorNote {
    pub is_trouble: bool,
    pub text: String,
}

/// Takes the notes of a door.
pub type DoorLogger = Arc<dyn Fn(DoorNote) + Send + Sync>;

/// Why the door does not open, or closes by itself.
#[derive(Debug, thiserror::Error)]
pub enum TelegramError {
    /// The server does not know the token.
    #[error("Telegram refuses the bot's token: {why}")]
    TokenRefused { why: String },
    /// Another process has what this door remembers.
    #[error("another process has the Telegram door of this ARBITER_HOME")]
    Held,
    /// What the door remembers cannot be read or written.
    #[error("cannot use {}: {source}", path.display())]
    Disk { path: std::path::PathBuf, source: std::io::Error },
    /// The log of updates is damaged in its middle.
    #[error("{} is damaged at line {line}", path.display())]
    Damaged { path: std::path::PathBuf, line: u64 },
    /// Requests cannot be made at all.
    #[error("cannot make requests: {why}")]
    NoClient { why: String },
}
