//! Groups: who is in them, what a bot hears there, and how they become another chat.

use serde_json::{Value, json};

use super::BotApi;
use super::chat::{BotPresence, ChatKind, ChatMessage, ChatRecord};
use super::chat_view::ChatView;
use super::markup::MessageMarkup;
use super::state::BotState;

/// A group of the fake.
#[derive(Debug, Clone, Copy)]
pub struct ChatGroup<'a> {
    pub(super) api: &'a BotApi,
    /// Groups have negative numbers.
    pub id: i64,
}

impl<'a> ChatGroup<'a> {
    pub fn chat(self) -> ChatView<'a> {
        self.api.chat(self.id)
    }

    pub fn adds(self, user: i64) {
        self.api.shared.change(|state| {
            state.person(user);
            if let Some(chat) = state.chats.get_mut(&self.id) {
                chat.members.insert(user);
            }
        });
    }

    /// A person throws the bot out.
    pub fn kicks_bot(self, by: i64) {
        self.api.shared.change(|state| {
            if let Some(chat) = state.chats.get_mut(&self.id) {
                chat.bot = BotPresence::Kicked;
            }
            state.tell_presence(self.id, by, ("member", "kicked"));
        });
    }

    /// The bot went out of the group, or never was in it.
    pub fn is_without_bot(self) {
        self.api.shared.change(|state| {
            if let Some(chat) = state.chats.get_mut(&self.id) {
                chat.bot = BotPresence::Left;
            }
        });
    }

    /// The group becomes a supergroup; both chats tell it (#message: `migrate_to_chat_id`, `migrate_from_chat_id`).
    pub fn upgrades(self) -> ChatGroup<'a> {
        let id = self.api.shared.change(|state| {
            let old = state.chats.get_mut(&self.id).expect("the group is there");
            // "-100" before the number, as ids of supergroups are written.
            let id = -1_000_000_000_000 - self.id.abs();
            old.upgraded_to = Some(id);
            let members: Vec<i64> = old.members.iter().copied().collect();
            let title = old.title.clone();
            state.chats.insert(id, ChatRecord::new(id, ChatKind::Supergroup, &title, &members));
            state.note(self.id, json!({ "migrate_to_chat_id": id }));
            state.note(id, json!({ "migrate_from_chat_id": self.id }));
            id
        });
        ChatGroup { api: self.api, id }
    }
}

impl BotState {
    /// Privacy mode (core.telegram.org/bots/features#privacy-mode): commands for this bot or for all, answers to its messages,
    /// and what the server notes. That commands for all come also when another bot spoke last is unverified: here is one bot.
    pub(super) fn hears(&self, message: &ChatMessage) -> bool {
        let Some(chat) = self.chats.get(&message.chat) else { return false };
        if chat.kind == ChatKind::Private || self.bot.reads_groups {
            return true;
        }
        if chat.bot != BotPresence::Member {
            return false;
        }
        let command = message.text.split_whitespace().next().filter(|_| message.text.starts_with('/'));
        let is_command = command.is_some_and(|command| match command.split_once('@') {
            Some((_, name)) => name.eq_ignore_ascii_case(&self.bot.username),
            None => command.len() > 1,
        });
        let replied = message.reply_to.and_then(|id| self.message(message.chat, id));
        let is_note =
            message.content.as_ref().is_some_and(|content| content.get("migrate_to_chat_id").is_some());
        is_command || is_note || replied.is_some_and(|replied| replied.is_from_bot)
    }

    /// A message of the server itself.
    fn note(&mut self, chat: i64, content: Value) {
        let from =
            self.chats.get(&chat).and_then(|chat| chat.members.first().copied()).unwrap_or(self.bot.id);
        let id = self.put(ChatMessage {
            chat,
            id: 0,
            from,
            is_from_bot: false,
            sent_ms: self.now_ms(),
            edited_ms: None,
            text: String::new(),
            entities: Vec::new(),
            markup: MessageMarkup::Nothing,
            is_silent: false,
            reply_to: None,
            is_deleted: false,
            earlier: Vec::new(),
            content: Some(content),
        });
        if let Some(message) = self.message(chat, id) {
            self.push_update("message", self.message_json(message));
        }
    }

    /// The bot's own place in a chat changed, from one status to another.
    pub(super) fn tell_presence(&mut self, chat: i64, by: i64, (old, new): (&str, &str)) {
        let Some(record) = self.chats.get(&chat) else { return };
        let member = |status: &str| {
            let until = (status == "kicked").then_some(0);
            let mut told = json!({ "user": self.bot.json(), "status": status });
            if let Some(until) = until {
                told["until_date"] = json!(until);
            }
            told
        };
        let told = json!({
            "chat": self.chat_json(record),
            "from": self.user_json(by),
            "date": self.now_ms() / 1_000,
            "old_chat_member": member(old),
            "new_chat_member": member(new),
        });
        self.push_update("my_chat_member", told);
    }
}
