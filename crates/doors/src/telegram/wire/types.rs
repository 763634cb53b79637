//! The part of the Bot API that the door speaks, as serde reads and writes it. Fields that it does not need are left out;
//! fields that it does not know are passed over, so that a newer server changes nothing.

use serde::{Deserialize, Serialize};

/// A chat: a person's own (the same number as the person's), or a group (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChatId(pub i64);

/// A person's number at Telegram. A name can change, this cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(pub i64);

/// A message, unique in its chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MessageId(pub i64);

/// Something that happened in a chat.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Update {
    pub update_id: i64,
    pub message: Option<ChatText>,
    pub callback_query: Option<CallbackQuery>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ChatText {
    pub message_id: MessageId,
    /// None in channels.
    pub from: Option<User>,
    pub chat: Chat,
    pub text: Option<String>,
    pub reply_to_message: Option<Box<RepliedMessage>>,
    /// The group became another chat, of this number.
    pub migrate_to_chat_id: Option<ChatId>,
}

/// The message that a message answers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RepliedMessage {
    pub message_id: MessageId,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct User {
    pub id: UserId,
    #[serde(default)]
    pub is_bot: bool,
    #[serde(default)]
    pub first_name: String,
    pub username: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Chat {
    pub id: ChatId,
    /// `private`, `group`, `supergroup` or `channel`.
    #[serde(rename = "type", default)]
    pub kind: String,
}

impl Chat {
    /// Whether others may read along.
    pub fn is_group(&self) -> bool {
        self.kind != "private"
    }
}

/// A tap on a button.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CallbackQuery {
    pub id: String,
    pub from: User,
    /// The message with the button; none if it is too old.
    pub message: Option<TappedMessage>,
    pub data: Option<String>,
}

/// The message with a button that was tapped. Of an old one only this is told.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TappedMessage {
    pub message_id: MessageId,
    pub chat: Chat,
}

/// Buttons below a message, row by row.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InlineKeyboard {
    pub inline_keyboard: Vec<Vec<InlineButton>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InlineButton {
    pub text: String,
    pub callback_data: String,
}

/// What a server answers, whatever was asked.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answer<T> {
    pub ok: bool,
    pub result: Option<T>,
    pub error_code: Option<i64>,
    pub description: Option<String>,
    pub parameters: Option<AnswerParameters>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct AnswerParameters {
    /// How many seconds to wait.
    pub retry_after: Option<u64>,
    pub migrate_to_chat_id: Option<ChatId>,
}
