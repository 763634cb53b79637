//! A person with the app in their hand: writes, answers, taps, blocks the bot.

use serde_json::{Value, json};

use super::BotApi;
use super::chat::ChatMessage;
use super::chat_view::ChatView;
use super::markup::MessageMarkup;
use super::state::BotState;
use super::tap::TapRecord;
use super::text::TextEntity;

/// A person of the fake.
#[derive(Debug, Clone, Copy)]
pub struct ChatPerson<'a> {
    pub(super) api: &'a BotApi,
    pub id: i64,
}

impl<'a> ChatPerson<'a> {
    /// What the person is called.
    pub fn named(self, first_name: &str, username: Option<&str>) -> ChatPerson<'a> {
        self.api.shared.change(|state| {
            let person = state.person(self.id);
            first_name.clone_into(&mut person.first_name);
            person.username = username.map(str::to_owned);
        });
        self
    }

    /// The chat of this person and the bot.
    pub fn chat(self) -> ChatView<'a> {
        self.api.chat(self.id)
    }

    /// Writes to the bot alone, which also takes a block back; returns the message.
    pub fn says(self, text: &str) -> i64 {
        self.says_in(self.id, text)
    }

    pub fn says_in(self, chat: i64, text: &str) -> i64 {
        self.writes(chat, None, text, None)
    }

    /// Answers a message of a chat.
    pub fn replies(self, chat: i64, message: i64, text: &str) -> i64 {
        self.writes(chat, Some(message), text, None)
    }

    /// Sends something that is no text: `{"sticker": {...}}`.
    pub fn sends(self, chat: i64, content: Value) -> i64 {
        self.writes(chat, None, "", Some(content))
    }

    /// Changes a text of their own.
    pub fn edits(self, chat: i64, message: i64, text: &str) {
        self.api.shared.change(|state| {
            let now_ms = state.now_ms();
            let found = state.chats.get_mut(&chat).and_then(|chat| chat.messages.get_mut(&message));
            let found = found.filter(|message| message.from == self.id);
            let found = found.expect("a person edits a message of their own");
            text.clone_into(&mut found.text);
            found.entities = command_entity(text);
            found.edited_ms = Some(now_ms);
            if let Some(message) = state.message(chat, message).map(|message| state.message_json(message)) {
                state.push_update("edited_message", message);
            }
        });
    }

    fn writes(self, chat: i64, reply_to: Option<i64>, text: &str, content: Option<Value>) -> i64 {
        self.api.shared.change(|state| {
            if chat == self.id {
                self.starts(state);
            }
            assert!(state.chats.contains_key(&chat), "there is no chat {chat}");
            state.person(self.id);
            let id = state.put(ChatMessage {
                chat,
                id: 0,
                from: self.id,
                is_from_bot: false,
                sent_ms: state.now_ms(),
                edited_ms: None,
                text: text.to_owned(),
                entities: command_entity(text),
                markup: MessageMarkup::Nothing,
                is_silent: false,
                reply_to,
                is_deleted: false,
                earlier: Vec::new(),
                content,
            });
            if let Some(message) = state.message(chat, id).filter(|message| state.hears(message)) {
                state.push_update("message", state.message_json(message));
            }
            id
        })
    }

    fn starts(self, state: &mut BotState) {
        state.private_chat(self.id);
        if state.person(self.id).has_blocked {
            self.set_block(state, false);
        }
        state.person(self.id).has_started = true;
    }

    /// Taps a button with this text or data in the chat with the bot; returns the id of the tap. One that stood there before
    /// an edit counts too: the person's screen may be behind.
    pub fn taps(self, message: i64, button: &str) -> String {
        self.taps_in(self.id, message, button)
    }

    pub fn taps_in(self, chat: i64, message: i64, button: &str) -> String {
        let data = self.api.shared.read(|state| {
            let message = state.chats.get(&chat)?.messages.get(&message)?;
            message.button_ever(button)?.data.clone()
        });
        let Some(data) = data else {
            panic!("message {message} of chat {chat} has no button {button:?}:\n{}", self.api.chat(chat));
        };
        self.forges(chat, message, &data)
    }

    /// Taps a button of the newest message of the bot that has it.
    pub fn taps_newest(self, button: &str) -> String {
        let found = self.chat().messages().into_iter().rev().find(|message| message.button(button).is_some());
        let Some(message) = found else { panic!("there is no button {button:?}:\n{}", self.chat()) };
        self.taps(message.id, button)
    }

    /// Sends a tap with any data, as a client that was tampered with would. That the server lets it through is unverified.
    pub fn forges(self, chat: i64, message: i64, data: &str) -> String {
        self.api.shared.change(|state| {
            let at_ms = state.now_ms();
            let id = state.taps.add(TapRecord {
                id: String::new(),
                user: self.id,
                chat,
                message,
                data: data.to_owned(),
                at_ms,
                answer: None,
            });
            state.person(self.id);
            let told = match state.message(chat, message) {
                Some(message) => state.message_json(message),
                // #inaccessiblemessage: "Always 0. The field can be used to differentiate regular and inaccessible messages".
                None => {
                    let chat = state.chats.get(&chat).map(|chat| state.chat_json(chat)).unwrap_or_default();
                    json!({ "chat": chat, "message_id": message, "date": 0 })
                }
            };
            let from = state.user_json(self.id);
            let instance = format!("-{}", chat.unsigned_abs());
            state.push_update(
                "callback_query",
                json!({ "id": id, "from": from, "message": told, "chat_instance": instance, "data": data }),
            );
            id
        })
    }

    /// Takes a message out of the chat, their own or the bot's.
    pub fn deletes(self, chat: i64, message: i64) {
        self.api.shared.change(|state| {
            let found = state.chats.get_mut(&chat).and_then(|chat| chat.messages.get_mut(&message));
            // A bot is not told.
            found.expect("the message is there").is_deleted = true;
        });
    }

    /// The bot is told by `my_chat_member` (#chatmemberupdated).
    pub fn blocks(self) {
        self.api.shared.change(|state| self.set_block(state, true));
    }

    pub fn unblocks(self) {
        self.api.shared.change(|state| self.set_block(state, false));
    }

    fn set_block(self, state: &mut BotState, has_blocked: bool) {
        state.private_chat(self.id);
        state.person(self.id).has_blocked = has_blocked;
        let statuses = if has_blocked { ("member", "kicked") } else { ("kicked", "member") };
        state.tell_presence(self.id, self.id, statuses);
    }

    /// The account is gone.
    pub fn deactivates(self) {
        self.api.shared.change(|state| state.person(self.id).is_deactivated = true);
    }

    /// The person knows the bot from here on, without a message that has to be read.
    pub fn has_started(self) -> ChatPerson<'a> {
        self.api.shared.change(|state| {
            state.private_chat(self.id);
            state.person(self.id).has_started = true;
        });
        self
    }
}

/// A command at the beginning is marked as one.
fn command_entity(text: &str) -> Vec<TextEntity> {
    let command = text.split_whitespace().next().filter(|word| text.starts_with(word) && word.len() > 1);
    let command = command.filter(|word| word.starts_with('/'));
    command.map(|word| TextEntity::new("bot_command", 0, word.encode_utf16().count())).into_iter().collect()
}
