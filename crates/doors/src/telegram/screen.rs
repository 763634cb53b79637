//! What a message of the bot shows: its text with its buttons, and the key by which the same screen is drawn again.

use std::sync::Arc;

use mind::MissionId;
use mind::petition::PetitionId;
use serde::{Deserialize, Serialize};

use super::tap::Tap;

/// A message as it is sent: HTML within Telegram's bounds, and buttons row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatScreen {
    /// Escaped, at most 4,096 signs once it is parsed.
    pub html: String,
    pub buttons: Vec<Vec<ChatButton>>,
    /// The client opens a field to answer this message: in groups a bot hears nothing else.
    pub asks_for_reply: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatButton {
    pub text: String,
    pub tap: Tap,
}

/// What a message shows. It is remembered, so that the message can be drawn again when what it shows has changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "shows")]
pub enum ScreenKey {
    Help,
    Status,
    Queue {
        page: usize,
    },
    Petition {
        petition: PetitionId,
        page: usize,
    },
    Decision {
        petition: PetitionId,
        decision: Arc<str>,
        page: usize,
        /// The person answers what another one is asked.
        #[serde(default)]
        instead: bool,
    },
    /// The decision waits for a text of the person's own.
    OwnWords {
        petition: PetitionId,
        decision: Arc<str>,
        /// The person answers what another one is asked.
        #[serde(default)]
        instead: bool,
    },
    Review {
        petition: PetitionId,
        page: usize,
    },
    /// How it ended.
    Completion {
        petition: PetitionId,
    },
    /// To whom the petition, or one decision of it, can be handed.
    HandOver {
        petition: PetitionId,
        decision: Option<Arc<str>>,
    },
    Missions {
        page: usize,
    },
    Mission {
        mission: MissionId,
    },
    /// Whether it is to be cancelled.
    MissionCancel {
        mission: MissionId,
    },
    /// A plain word that is never drawn again.
    Word,
}

impl ScreenKey {
    /// The petition that it shows.
    pub fn petition(&self) -> Option<&PetitionId> {
        match self {
            ScreenKey::Petition { petition, .. }
            | ScreenKey::Decision { petition, .. }
            | ScreenKey::OwnWords { petition, .. }
            | ScreenKey::Review { petition, .. }
            | ScreenKey::Completion { petition }
            | ScreenKey::HandOver { petition, .. } => Some(petition),
            ScreenKey::Help
            | ScreenKey::Status
            | ScreenKey::Queue { .. }
            | ScreenKey::Missions { .. }
            | ScreenKey::Mission { .. }
            | ScreenKey::MissionCancel { .. }
            | ScreenKey::Word => None,
        }
    }

    /// The mission that it shows.
    pub fn mission(&self) -> Option<&MissionId> {
        match self {
            ScreenKey::Mission { mission } | ScreenKey::MissionCancel { mission } => Some(mission),
            ScreenKey::Help
            | ScreenKey::Status
            | ScreenKey::Queue { .. }
            | ScreenKey::Petition { .. }
            | ScreenKey::Decision { .. }
            | ScreenKey::OwnWords { .. }
            | ScreenKey::Review { .. }
            | ScreenKey::Completion { .. }
            | ScreenKey::HandOver { .. }
            | ScreenKey::Missions { .. }
            | ScreenKey::Word => None,
        }
    }
}
