//! What is to be done in a chat, one request at a time, and what the outbox tells of it.

use crate::telegram::DoorNote;
use crate::telegram::effect::ChatOutcome;
use crate::telegram::screen::{ChatScreen, ScreenKey};
use crate::telegram::wire::{ApiTrouble, ChatId, MessageId};

/// One request for a chat.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Errand {
    Edit { message: MessageId, key: ScreenKey, screen: ChatScreen },
    Send { key: ScreenKey, screen: ChatScreen, before: Before, is_silent: bool },
    TakeAway { message: MessageId },
    StripButtons { message: MessageId },
}

/// What a new message takes the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    /// This one, which is taken away then.
    Stands(MessageId),
    /// This one, which is gone.
    Gone(MessageId),
}

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Request {
    AnswerTap { tap: String, text: Option<String>, is_alert: bool },
    Chat { chat: ChatId, errand: Errand },
}

/// Whose turn a request was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Tap(u64),
    Chat(ChatId),
}

/// What came of a request: the new message, if it made one.
pub(super) type Answered = Result<Option<MessageId>, ApiTrouble>;

/// What the outbox tells: the desk, or the log.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum News {
    Outcome(ChatOutcome),
    Note(DoorNote),
}

impl News {
    pub(super) fn trouble(text: String) -> News {
        News::Note(DoorNote { is_trouble: true, text })
    }
}
