//! People, chats and messages as the API tells them (core.telegram.org/bots/api#available-types).

use serde_json::{Value, json};

use super::chat::{ChatKind, ChatMessage, ChatRecord};
use super::state::BotState;

impl BotState {
    pub(super) fn user_json(&self, id: i64) -> Value {
        match self.people.get(&id) {
            Some(person) => person.json(),
            None => self.bot.json(),
        }
    }

    pub(super) fn chat_json(&self, chat: &ChatRecord) -> Value {
        match chat.kind {
            ChatKind::Private => {
                let person = self.people.get(&chat.id);
                let first_name = person.map_or("", |person| &person.first_name);
                let mut told = json!({ "id": chat.id, "first_name": first_name });
                if let Some(username) = person.and_then(|person| person.username.as_ref()) {
                    told["username"] = json!(username);
                }
                told["type"] = json!("private");
                told
            }
            ChatKind::Group => {
                json!({ "id": chat.id, "title": chat.title, "type": "group", "all_members_are_administrators": false })
            }
            ChatKind::Supergroup => json!({ "id": chat.id, "title": chat.title, "type": "supergroup" }),
        }
    }

    pub(super) fn message_json(&self, message: &ChatMessage) -> Value {
        let mut told = self.bare_message_json(message);
        // "the Message object in this field will not contain further reply_to_message fields even if it itself is a reply".
        if let Some(replied) = message.reply_to.and_then(|id| self.message(message.chat, id)) {
            told["reply_to_message"] = self.bare_message_json(replied);
        }
        told
    }

    fn bare_message_json(&self, message: &ChatMessage) -> Value {
        let mut told = json!({ "message_id": message.id, "from": self.user_json(message.from) });
        if let Some(chat) = self.chats.get(&message.chat) {
            told["chat"] = self.chat_json(chat);
        }
        told["date"] = json!(message.sent_ms / 1_000);
        if let Some(edited_ms) = message.edited_ms {
            told["edit_date"] = json!(edited_ms / 1_000);
        }
        if let Some(Value::Object(content)) = &message.content {
            content.iter().for_each(|(name, value)| told[name] = value.clone());
        } else {
            told["text"] = json!(message.text);
        }
        if !message.entities.is_empty() {
            let entities: Vec<Value> = message.entities.iter().map(|entity| entity.json()).collect();
            told["entities"] = json!(entities);
        }
        if let Some(markup) = message.markup.json() {
            told["reply_markup"] = markup;
        }
        told
    }
}
