//! What one step of the cage tells the next: one word of JSON on its command line. Everybody can read it there, so there
//! is no secret in it.

use mind::lay::{Lay, Level};
use serde::{Deserialize, Serialize};

/// Which step reads the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// The outermost: started by the house.
    Keep,
    /// Before bubblewrap: ties its life to the keeper's, and becomes it.
    Tie,
    /// The innermost: becomes the program.
    Inside,
}

/// Everything a step has to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Spec {
    pub(super) step: Step,
    /// The number of the process that wants the cage.
    pub(super) house: i32,
    /// The number of the keeper, once there is one.
    pub(super) keeper: i32,
    pub(super) level: Level,
    pub(super) lay: Lay,
    pub(super) tmp: String,
    pub(super) own: Vec<String>,
    pub(super) bubblewrap: Option<String>,
    pub(super) canary: String,
    pub(super) closed: Vec<String>,
    pub(super) nonce: String,
    /// The first line on stdout says where the program runs.
    pub(super) announce: bool,
    /// The first line on stdin is for the keeper.
    pub(super) secrets: bool,
}

impl Spec {
    pub(super) fn word(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(super) fn read(word: &str) -> Result<Spec, String> {
        serde_json::from_str(word).map_err(|error| format!("the sandbox's orders cannot be read: {error}"))
    }
}

/// The first line of an agent.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Announcement {
    pub(super) caged: Caged,
}

/// Where it runs.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Caged {
    pub(super) nonce: String,
    pub(super) level: Level,
    /// No signal of what runs inside reaches anybody outside.
    pub(super) signals: bool,
}
