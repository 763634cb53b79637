//! The moves of a conducted mission (`Decision`), their kinds, and who chose one.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Which of the two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Who works next.
    Select,
    /// What became of the last run.
    Evaluate,
}

/// What is decided. On the wire: `type` plus its fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
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
pub enum Kind {
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

impl Kind {
    /// Every kind, in the order in which models are told of them.
    pub const ALL: [Kind; 8] = [
        Kind::SelectMode,
        Kind::Continue,
        Kind::Retry,
        Kind::Complete,
        Kind::SkipStep,
        Kind::Replan,
        Kind::AskHuman,
        Kind::Fail,
    ];

    /// As it stands on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Kind::SelectMode => "SELECT_MODE",
            Kind::Continue => "CONTINUE",
            Kind::Retry => "RETRY",
            Kind::Complete => "COMPLETE",
            Kind::SkipStep => "SKIP_STEP",
            Kind::Replan => "REPLAN",
            Kind::AskHuman => "ASK_HUMAN",
            Kind::Fail => "FAIL",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Decision {
    pub fn kind(&self) -> Kind {
        match self {
            Decision::SelectMode { .. } => Kind::SelectMode,
            Decision::Continue { .. } => Kind::Continue,
            Decision::Retry { .. } => Kind::Retry,
            Decision::Complete { .. } => Kind::Complete,
            Decision::SkipStep { .. } => Kind::SkipStep,
            Decision::Replan { .. } => Kind::Replan,
            Decision::AskHuman { .. } => Kind::AskHuman,
            Decision::Fail { .. } => Kind::Fail,
        }
    }

    /// Its words: the reason, the summary or the question.
    pub fn words(&self) -> &Arc<str> {
        match self {
            Decision::SelectMode { reason, .. }
            | Decision::Continue { reason }
            | Decision::Retry { reason }
            | Decision::SkipStep { reason }
            | Decision::Replan { reason }
            | Decision::Fail { reason } => reason,
            Decision::Complete { summary } => summary,
            Decision::AskHuman { question, .. } => question,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
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

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Rules => "rules",
            Source::Cache => "cache",
            Source::Model => "model",
            Source::Fallback => "fallback",
            Source::Human => "human",
        })
    }
}
