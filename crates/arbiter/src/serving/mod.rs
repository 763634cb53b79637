//! What stays open while `arbiter serve` runs: its lock, its log, its health, the list of missions for the doors, the word
//! to the service manager, and the notifications besides Telegram. What a door does is the door's.

pub mod healthz;
pub mod limits;
pub mod lock;
pub mod log;
pub mod missions;
pub mod news;
pub mod notifying;
pub mod service_manager;
pub mod standing;
pub mod unit;
