//! One run of an agent as the history keeps it, and what went wrong in it. Errors are classified when they happen.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::id::Timestamp;

/// One run of an agent. Field names on the wire are camelCase; only `duration_ms` is not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Execution {
    /// Its place in the history, from 1.
    pub seq: u32,
    pub agent: Arc<str>,
    pub iteration: u32,
    pub status: RunStatus,
    /// How long it took; none while it runs.
    #[serde(rename = "duration_ms")]
    pub duration_ms: Option<u64>,
    pub output: RunOutput,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Arc<RunError>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<RunTokens>,
    pub started_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<Timestamp>,
    /// The step it worked on, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Its typed verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Arc<str>>,
    /// What it found wrong with the work of others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Arc<str>>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It did what it was for.
    Success,
    /// It did not.
    Failure,
    /// It took too long and was ended.
    Timeout,
    /// A human ended it. It counts neither as success nor as failure.
    Cancelled,
}

impl RunStatus {
    /// It counts as a failure.
    pub fn failed(self) -> bool {
        matches!(self, RunStatus::Failure | RunStatus::Timeout)
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOutput {
    /// In a few words.
    pub summary: Arc<str>,
    /// All of it, bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Arc<str>>,
    /// Files that changed: by tool calls and the clone's diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_modified: Option<Vec<Arc<str>>>,
}

/// What a run took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunTokens {
    pub input: u64,
    pub output: u64,
    pub total: u64,
}

/// What went wrong in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunError {
    pub message: Arc<str>,
    pub category: ErrorCategory,
    /// In which step, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Arc<str>>,
    /// What can be done about it, best first.
    pub recovery_options: Vec<RecoveryOption>,
}

/// Of which kind an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCategory {
    /// A tool did not do what it was asked.
    ToolFailure,
    /// The provider: overload, limits, connection, login.
    ProviderError,
    /// What was said has not the form it must have.
    ValidationError,
    /// It was not allowed.
    PermissionError,
    /// It took too long.
    Timeout,
    Unknown,
}

/// One thing that can be done about an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecoveryOption {
    pub action: Recovery,
    pub description: Arc<str>,
    /// Why it may help.
    pub reason: Arc<str>,
}

/// What can be done about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    Retry,
    /// Without the step.
    Skip,
    /// With another agent.
    Fallback,
    /// Not at all.
    Abort,
    /// A human decides.
    AskHuman,
}

/// The last error, until the next success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorContext {
    /// Who failed: an agent's name, or arbiter, provider, config.
    pub agent: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Arc<str>>,
    /// In which step, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_step: Option<u32>,
    /// What was tried.
    pub attempted: Arc<str>,
    pub message: Arc<str>,
    pub category: ErrorCategory,
    /// What can be done about it, best first.
    pub recovery_options: Vec<RecoveryOption>,
    pub timestamp: Timestamp,
    /// What else is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<ErrorDetails>,
}

/// What else is known of an error.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// Files it had to do with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_accessed: Option<Vec<Arc<str>>>,
    /// The command that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_executed: Option<Arc<str>>,
    /// Signs that went in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_size: Option<u64>,
    /// Signs that came out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_size: Option<u64>,
}
