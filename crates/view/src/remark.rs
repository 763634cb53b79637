//! A remark: what a fact means to a person, in one sentence and what belongs below it. It says how it is meant and whom it
//! is about; signs, colours and indents are the door's.

use mind::petition::PetitionId;
use mind::{MessageId, PermissionId, SessionId};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    pub kind: RemarkKind,
    pub subject: RemarkSubject,
    pub text: String,
    /// What belongs below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<RemarkDetail>,
}

/// How a remark is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// A session or a check is at work.
    Work,
    /// Something to know.
    Notice,
    Good,
    /// A claim or an act was turned back, or the mission was cancelled.
    Setback,
    /// It needs attention.
    Trouble,
    /// The mission is done.
    Done,
}

/// Whom or what a remark is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkSubject {
    /// The mission as a whole.
    Mission,
    Session(SessionId),
    Message(MessageId),
    Permission(PermissionId),
    Petition(PetitionId),
    /// The claim of completion and its checks.
    Gate,
    /// The plan, the agents and the moves of a conducted mission.
    Conductor,
}

/// What stands below a remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkDetail {
    /// One of several.
    Item(String),
    /// One of several, in order.
    Numbered(u32, String),
    /// Something by the way.
    Aside(String),
}

impl Remark {
    /// A remark of one sentence.
    #[must_use]
    pub fn new(kind: RemarkKind, subject: RemarkSubject, text: impl Into<String>) -> Remark {
        Remark { kind, subject, text: text.into(), details: Vec::new() }
    }
}
