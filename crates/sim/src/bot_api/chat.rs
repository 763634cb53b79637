//! The chats of the fake: people, groups, and their messages as everybody in the chat sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use serde_json::{Value, json};

use super::markup::{InlineButton, MessageMarkup};
use super::text::{FormattedText, TextEntity};

/// A message of a chat, as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMessage {
    pub chat: i64,
    pub id: i64,
    pub from: i64,
    pub is_from_bot: bool,
    /// By the server's clock, in milliseconds.
    pub sent_ms: u64,
    pub edited_ms: Option<u64>,
    /// What is read: the tags became entities.
    pub text: String,
    pub entities: Vec<TextEntity>,
    pub markup: MessageMarkup,
    pub is_silent: bool,
    pub reply_to: Option<i64>,
    pub is_deleted: bool,
    /// What it showed before it was edited, oldest first.
    pub earlier: Vec<MessageVersion>,
    /// What it is besides text: a sticker, or a note of the server.
    pub(super) content: Option<Value>,
}

/// What a message showed once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageVersion {
    pub text: String,
    pub entities: Vec<TextEntity>,
    pub markup: MessageMarkup,
}

impl ChatMessage {
    /// The buttons, row by row.
    pub fn buttons(&self) -> &[Vec<InlineButton>] {
        self.markup.rows()
    }

    /// The texts of all buttons.
    pub fn button_texts(&self) -> Vec<&str> {
        self.buttons().iter().flatten().map(|button| button.text.as_str()).collect()
    }

    /// The button with this text or this data.
    pub fn button(&self, words: &str) -> Option<&InlineButton> {
        find(&self.markup, words)
    }

    /// The same, also among the buttons that stood there before, newest first.
    pub(super) fn button_ever(&self, words: &str) -> Option<&InlineButton> {
        let earlier = self.earlier.iter().rev().map(|version| &version.markup);
        std::iter::once(&self.markup).chain(earlier).find_map(|markup| find(markup, words))
    }

    pub(super) fn show(&mut self, text: FormattedText, markup: MessageMarkup, now_ms: u64) {
        let (old_text, old_entities) = (std::mem::take(&mut self.text), std::mem::take(&mut self.entities));
        let old_markup = std::mem::replace(&mut self.markup, markup);
        self.earlier.push(MessageVersion { text: old_text, entities: old_entities, markup: old_markup });
        (self.text, self.entities) = (text.text, text.entities);
        self.edited_ms = Some(now_ms);
    }

    pub(super) fn formatted(&self) -> FormattedText {
        FormattedText { text: self.text.clone(), entities: self.entities.clone() }
    }
}

fn find<'a>(markup: &'a MessageMarkup, words: &str) -> Option<&'a InlineButton> {
    let is_meant = |button: &&InlineButton| button.text == words || button.data.as_deref() == Some(words);
    markup.rows().iter().flatten().find(is_meant)
}

/// The text, and below it the buttons row by row.
impl Display for ChatMessage {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)?;
        for row in self.buttons() {
            out.write_str("\n")?;
            let texts: Vec<String> = row.iter().map(|button| format!("[{}]", button.text)).collect();
            out.write_str(&texts.join(" "))?;
        }
        match self.markup {
            MessageMarkup::ForceReply => out.write_str("\n(asks for a reply)"),
            MessageMarkup::Nothing | MessageMarkup::Inline(_) | MessageMarkup::Keyboard => Ok(()),
        }
    }
}

/// A person with an account.
#[derive(Debug, Clone)]
pub(super) struct PersonRecord {
    pub(super) id: i64,
    pub(super) first_name: String,
    pub(super) username: Option<String>,
    /// The person wrote to the bot alone, or started it.
    pub(super) has_started: bool,
    pub(super) has_blocked: bool,
    pub(super) is_deactivated: bool,
}

impl PersonRecord {
    pub(super) fn new(id: i64) -> PersonRecord {
        let first_name = format!("Person {id}");
        PersonRecord {
            id,
            first_name,
            username: None,
            has_started: false,
            has_blocked: false,
            is_deactivated: false,
        }
    }

    pub(super) fn json(&self) -> Value {
        let mut user = json!({ "id": self.id, "is_bot": false, "first_name": self.first_name });
        if let Some(username) = &self.username {
            user["username"] = json!(username);
        }
        user["language_code"] = json!("en");
        user
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChatKind {
    Private,
    Group,
    Supergroup,
}

/// How the bot is in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BotPresence {
    Member,
    Left,
    Kicked,
}

#[derive(Debug, Clone)]
pub(super) struct ChatRecord {
    pub(super) id: i64,
    pub(super) kind: ChatKind,
    pub(super) title: String,
    pub(super) members: BTreeSet<i64>,
    pub(super) bot: BotPresence,
    pub(super) upgraded_to: Option<i64>,
    pub(super) messages: BTreeMap<i64, ChatMessage>,
}

impl ChatRecord {
    pub(super) fn new(id: i64, kind: ChatKind, title: &str, members: &[i64]) -> ChatRecord {
        ChatRecord {
            id,
            kind,
            title: title.to_owned(),
            members: members.iter().copied().collect(),
            bot: BotPresence::Member,
            upgraded_to: None,
            messages: BTreeMap::new(),
        }
    }
}
