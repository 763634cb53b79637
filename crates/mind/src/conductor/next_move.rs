//! The moves of a conducted mission (`Decision`), their kinds, and who chose one.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Which of the two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionPoint {
    /// Who works next.
    Select,
    /// What became of the last run.
    Evaluate,
}

/// What is decided. On the wire: `type` plus its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NextMove {
    /// This agent runs next.
    SelectMode {
        mode: Arc<str>,
        reason: Arc<str>,
        /// What it is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        guidance: Option<Arc<str>>,
    },
    /// The same agent, the next step.
    Continue {
        reason: Arc<str>,
    },
    /// The same agent, the same step.
    Retry {
        /// Why; it becomes guidance.
        reason: Arc<str>,
    },
    /// The mission is claimed to be done; the gate decides.
    Complete {
        summary: Arc<str>,
    },
    /// The current step is left out.
    SkipStep {
        reason: Arc<str>,
    },
    Replan {
        reason: Arc<str>,
    },
    /// Only a human can decide.
    AskHuman {
        question: Arc<str>,
        /// Ways to answer.
        #[serde(default)]
        options: Vec<Arc<str>>,
    },
    /// It cannot be done.
    Fail {
        reason: Arc<str>,
    },
}

/// A decision's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MoveKind {
    /// An agent is chosen.
    SelectMode,
    /// The same agent goes on.
    Continue,
    /// The same agent tries again.
    Retry,
    /// The mission is claimed to be done.
    Complete,
    /// A step is left out.
    SkipStep,
    Replan,
    /// The human is asked.
    AskHuman,
    /// It cannot be done.
    Fail,
}

impl MoveKind {
    /// Every kind, in the order in which models are told of them.
    pub const ALL: [MoveKind; 8] = [
        MoveKind::SelectMode,
        MoveKind::Continue,
        MoveKind::Retry,
        MoveKind::Complete,
        MoveKind::SkipStep,
        MoveKind::Replan,
        MoveKind::AskHuman,
        MoveKind::Fail,
    ];

    /// As it stands on the wire.
    pub fn word(self) -> &'static str {
        match self {
            MoveKind::SelectMode => "SELECT_MODE",
            MoveKind::Continue => "CONTINUE",
            MoveKind::Retry => "RETRY",
            MoveKind::Complete => "COMPLETE",
            MoveKind::SkipStep => "SKIP_STEP",
            MoveKind::Replan => "REPLAN",
            MoveKind::AskHuman => "ASK_HUMAN",
            MoveKind::Fail => "FAIL",
        }
    }
}

impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl NextMove {
    pub fn kind(&self) -> MoveKind {
        match self {
            NextMove::SelectMode { .. } => MoveKind::SelectMode,
            NextMove::Continue { .. } => MoveKind::Continue,
            NextMove::Retry { .. } => MoveKind::Retry,
            NextMove::Complete { .. } => MoveKind::Complete,
            NextMove::SkipStep { .. } => MoveKind::SkipStep,
            NextMove::Replan { .. } => MoveKind::Replan,
            NextMove::AskHuman { .. } => MoveKind::AskHuman,
            NextMove::Fail { .. } => MoveKind::Fail,
        }
    }

    /// Its words: the reason, the summary or the question.
    pub fn words(&self) -> &Arc<str> {
        match self {
            NextMove::SelectMode { reason, .. }
            | NextMove::Continue { reason }
            | NextMove::Retry { reason }
            | NextMove::SkipStep { reason }
            | NextMove::Replan { reason }
            | NextMove::Fail { reason } => reason,
            NextMove::Complete { summary } => summary,
            NextMove::AskHuman { question, .. } => question,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveSource {
    /// The rules, without a model call.
    Rules,
    /// An earlier decision of a model about the same input.
    Cache,
    Model,
    /// The fixed order for when no model answers well.
    Fallback,
    /// A human forced it.
    Human,
}

impl fmt::Display for MoveSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveSource::Rules => "rules",
            MoveSource::Cache => "cache",
            MoveSource::Model => "model",
            MoveSource::Fallback => "fallback",
            MoveSource::Human => "human",
        })
    }
}
