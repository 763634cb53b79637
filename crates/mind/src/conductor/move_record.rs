//! The record of a move: everything it rests on, so that it can be chosen again offline; and the model call that led to it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::execution::RunTokens;
use super::next_move::{DecisionPoint, MoveKind, MoveSource, NextMove};
use crate::id::Timestamp;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRecord {
    /// Its number, from 1.
    pub number: u32,
    pub call: DecisionPoint,
    /// The iteration that is about to run, or the one that just ran.
    pub iteration: u32,
    /// What was known: the call's input.
    #[serde(serialize_with = "crate::canonical::store")]
    pub input: Arc<Value>,
    /// What could be decided.
    pub legal: Vec<MoveKind>,
    /// The digest of the prompt, if a model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Arc<str>>,
    /// What the model said, each time it was asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<RawReply>,
    pub decision: NextMove,
    pub source: MoveSource,
    /// Which rule, or why it fell back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Arc<str>>,
}

/// What a model said to one asking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RawReply {
    /// As it came, bounded; the typed output as JSON if there was one.
    pub raw: Arc<str>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Arc<str>>,
    pub latency_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<RunTokens>,
}

/// A decision that a model is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveAttempt {
    /// The number of the decision.
    pub number: u32,
    pub call: DecisionPoint,
    /// How often it was asked, from 1: with each the question is another one for the provider.
    pub attempt: u32,
    /// What is known.
    #[serde(serialize_with = "crate::canonical::store")]
    pub input: Arc<Value>,
    pub legal: Vec<MoveKind>,
    /// The digest of the prompt.
    pub prompt: Arc<str>,
    /// Ask for a shorter answer: the last one was cut off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shorter: bool,
}

/// A model's answer, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    pub end: ReplyEnd,
    pub latency_ms: u64,
    pub tokens: Option<RunTokens>,
    /// What it cost, in millionths of a dollar.
    pub cost_microusd: u64,
}

/// How a model's answer ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ReplyEnd {
    /// It said this.
    Said {
        /// The typed output, if the provider has such.
        output: Option<Value>,
        text: Arc<str>,
        /// It was cut off by the token limit.
        cut: bool,
    },
    /// Connection, overload, a server's error, a limit: trying again helps.
    Unavailable {
        why: Arc<str>,
        /// When, if the provider named a time.
        until: Option<Timestamp>,
    },
    /// Login, configuration, or a request that will never be answered.
    Refused { why: Arc<str> },
}

/// A question to a model: everything that goes over the wire.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelCall {
    /// Who answers: `api`, `claude`, `rehearsal`.
    pub provider: Arc<str>,
    /// The model; the provider's own default if none.
    pub model: Option<Arc<str>>,
    /// Tokens of the answer.
    pub max_tokens: u32,
    /// In thousandths; the model's own if none.
    pub temperature_milli: Option<u32>,
    pub system: Arc<str>,
    pub prompt: Arc<str>,
    /// What the answer must look like.
    pub schema: Arc<Value>,
}
