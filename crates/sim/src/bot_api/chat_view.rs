//! A chat as a person sees it on the screen.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::BotApi;
use super::chat::ChatMessage;
use super::state::BotState;

/// A chat to look at.
#[derive(Debug, Clone, Copy)]
pub struct ChatView<'a> {
    pub(super) api: &'a BotApi,
    pub id: i64,
}

impl ChatView<'_> {
    /// The messages that are there, oldest first.
    pub fn messages(self) -> Vec<ChatMessage> {
        let mut messages = self.all();
        messages.retain(|message| !message.is_deleted);
        messages
    }

    /// The deleted ones too.
    pub fn all(self) -> Vec<ChatMessage> {
        self.api.shared.read(|state| all(state, self.id))
    }

    /// The bot's messages that are there.
    pub fn from_bot(self) -> Vec<ChatMessage> {
        let mut messages = self.messages();
        messages.retain(|message| message.is_from_bot);
        messages
    }

    pub fn message(self, id: i64) -> Option<ChatMessage> {
        self.api.shared.read(|state| state.message(self.id, id).cloned())
    }

    /// The bot's newest message.
    pub fn newest(self) -> Option<ChatMessage> {
        self.from_bot().pop()
    }

    /// The newest message of the bot that fits, as soon as there is one.
    ///
    /// # Panics
    ///
    /// With what the chat shows, when the time is over.
    pub fn wait_for(self, what: &str, fits: impl Fn(&ChatMessage) -> bool) -> ChatMessage {
        self.wait_within(PATIENCE, &fits)
            .unwrap_or_else(|| panic!("waited in vain for {what} in chat {}:\n{self}", self.id))
    }

    /// The same; none when the time is over.
    pub fn wait_within(self, timeout: Duration, fits: impl Fn(&ChatMessage) -> bool) -> Option<ChatMessage> {
        let is_meant = |message: &ChatMessage| message.is_from_bot && !message.is_deleted && fits(message);
        self.api.shared.wait(timeout, |state| all(state, self.id).into_iter().rev().find(is_meant))
    }
}

/// How long a test waits for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

fn all(state: &BotState, chat: i64) -> Vec<ChatMessage> {
    state.chats.get(&chat).map(|chat| chat.messages.values().cloned().collect()).unwrap_or_default()
}

/// Message by message, each with its number and who wrote it.
impl Display for ChatView<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for message in self.messages() {
            let who = if message.is_from_bot { "bot".to_owned() } else { message.from.to_string() };
            let edited = if message.edited_ms.is_some() { ", edited" } else { "" };
            writeln!(out, "#{} {who}{edited}:\n{message}\n", message.id)?;
        }
        Ok(())
    }
}
