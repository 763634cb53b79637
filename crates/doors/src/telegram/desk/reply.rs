//! What an update comes to: facts to remember, and requests to Telegram.

use crate::telegram::effect::ChatEffect;
use crate::telegram::fact::DoorFact;
use crate::telegram::screen::ScreenKey;
use crate::telegram::wire::ChatId;

#[derive(Debug, Default)]
pub(super) struct Reply {
    pub effects: Vec<ChatEffect>,
    pub facts: Vec<DoorFact>,
}

/// What a tap, a command or a text leads to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    pub key: ScreenKey,
    /// One line above the screen: what has just been done, or why not.
    pub banner: Option<String>,
    /// A word beside the button; an alert stays until it is closed.
    pub toast: Option<String>,
    pub is_alert: bool,
}

impl Turn {
    pub fn to(key: ScreenKey) -> Turn {
        Turn { key, banner: None, toast: None, is_alert: false }
    }

    pub fn saying(self, toast: impl Into<String>) -> Turn {
        Turn { toast: Some(toast.into()), ..self }
    }

    pub fn warning(self, toast: impl Into<String>) -> Turn {
        Turn { toast: Some(toast.into()), is_alert: true, ..self }
    }

    pub fn under(self, banner: impl Into<String>) -> Turn {
        Turn { banner: Some(banner.into()), ..self }
    }
}

impl Reply {
    pub fn answer_tap(&mut self, tap: String, text: Option<String>, is_alert: bool) {
        self.effects.push(ChatEffect::AnswerTap { tap, text, is_alert });
    }

    /// The messages that are new in their chats.
    pub fn new_messages(&self) -> impl Iterator<Item = (ChatId, ScreenKey)> + '_ {
        self.effects.iter().filter_map(|effect| match effect {
            ChatEffect::Send { chat, key, .. } => Some((*chat, key.clone())),
            ChatEffect::AnswerTap { .. } | ChatEffect::Edit { .. } => None,
        })
    }
}
