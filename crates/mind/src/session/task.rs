//! A line of the checklist that sessions of a mission keep, and how far it is.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One line of the quest log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The provider's own id of it.
    pub id: Arc<str>,
    pub title: Arc<str>,
    pub status: TaskStatus,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Pending,
    /// Being worked on.
    InProgress,
    Done,
}

impl TaskStatus {
    /// What stands in its box.
    pub fn mark(self) -> &'static str {
        match self {
            TaskStatus::Pending => " ",
            TaskStatus::InProgress => "~",
            TaskStatus::Done => "x",
        }
    }
}
