//! The wire to the Bot API: its types, its requests, and what its errors mean. It knows nothing of petitions.

pub mod client;
pub mod requests;
pub mod trouble;
pub mod types;

pub use client::BotClient;
pub use requests::{BotCommand, MessageText, TakenUpdate, WebhookInfo};
pub use trouble::ApiTrouble;
pub use types::{ChatId, MessageId, UserId};
