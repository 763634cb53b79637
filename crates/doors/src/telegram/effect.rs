//! What the door wants of Telegram, and what came of it. The desk decides, the outbox sends: in order in each chat, and
//! never faster than Telegram allows.

use super::screen::{ChatScreen, ScreenKey};
use super::wire::{ChatId, MessageId};

/// A request to Telegram.
#[derive(Debug, Clone, PartialEq)]
pub enum ChatEffect {
    /// The button stops spinning; `text` is shown for a moment, or as an alert to be closed.
    AnswerTap { tap: String, text: Option<String>, is_alert: bool },
    /// The message shows this now. One that is gone is sent anew. A newer screen for the same message replaces one that
    /// still waits.
    Edit { chat: ChatId, message: MessageId, key: ScreenKey, screen: ChatScreen },
    /// A new message, which the person's phone may ring for; `replaces` is taken away then (or loses its buttons).
    Send { chat: ChatId, key: ScreenKey, screen: ChatScreen, replaces: Option<MessageId>, is_silent: bool },
}

/// What came of a request, as an event for the desk.
#[derive(Debug, Clone, PartialEq)]
pub enum ChatOutcome {
    /// A new message of the chat shows this, perhaps in the place of one that is gone.
    Shown { chat: ChatId, message: MessageId, key: ScreenKey, instead_of: Option<MessageId> },
    /// The bot is blocked, was never started, or the chat is not there.
    Lost { chat: ChatId, why: String },
    /// The group became another chat.
    Moved { from: ChatId, to: ChatId },
    /// The server does not take this message, whatever is done: it is dropped, and told in the log.
    Refused { chat: ChatId, why: String },
}
