//! Notes that outlive a mission: what was learned of a project. Which are told to whom, and which are new, is decided here.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// What it is about, in one line.
    pub title: Arc<str>,
    /// When it is worth reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_to_use: Option<Arc<str>>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Arc<str>>,
    /// How much it matters.
    #[serde(default)]
    pub importance: Importance,
    /// When it was learned, as it is written: a day or a moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovered_at: Option<Arc<str>>,
    /// Who learned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovered_by: Option<Arc<str>>,
    /// The note itself.
    pub text: Arc<str>,
}

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Importance {
    /// Good to know.
    Low,
    /// Worth knowing.
    #[default]
    Medium,
    /// Whoever does not know it fails.
    High,
}

/// The notes that matter for a text, best first, within `chars` signs.
pub fn relevant<'a>(
    _notes: impl Iterator<Item = &'a Arc<Note>>,
    _text: &str,
    _chars: usize,
) -> Vec<&'a Arc<Note>> {
    Vec::new()
}

/// Whether a note says something that these do not.
pub fn is_new<'a>(_notes: impl Iterator<Item = &'a Arc<Note>>, _note: &Note) -> bool {
    true
}
