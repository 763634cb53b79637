//! A remark: what a fact means to a person, in one sentence and what belongs below it. It says how it is meant and whom it
//! is about; signs, colours and indents are the door's.

use mind::petition::PetitionId;
use mind::{MessageId, PermissionId, SessionId};
use serde::Serialize;

/// One remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// How it is meant.
    pub kind: RemarkKind,
    /// Whom or what it is about.
    pub subject: RemarkSubject,
    /// The sentence.
    pub text: String,
    /// What belongs below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<RemarkDetail>,
}

/// How a remark is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// Somebody is at work.
    Work,
    /// Something to know.
    Notice,
    /// Something good.
    Good,
    /// It went another way than somebody wanted: turned back, called off.
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
    /// A session.
    Session(SessionId),
    /// Something said.
    Message(MessageId),
    /// A tool that needs a yes.
    Permission(PermissionId),
    /// A petition in the docket.
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
