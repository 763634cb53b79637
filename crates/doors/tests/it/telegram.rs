//! The Telegram door's wire, log, poll and outbox.

mod client;
mod log;
mod outbox;
mod poll;
mod server;
