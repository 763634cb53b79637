//! The script's answers to the model calls of a conducted mission.

use serde::Deserialize;
use serde_json::Value;

use super::Spent;
use super::error::Fault;
use super::mishap::span;
use crate::rehearsal::wire::FailKind;

/// An answer, and the calls that it fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Scripted {
    /// The number of the decision; any if none.
    pub number: Option<u32>,
    /// The number of the attempt; any if none.
    pub attempt: Option<u32>,
    pub about: Option<String>,
    pub reply: ScriptedReply,
    /// The tokens of the answer.
    pub spent: Option<Spent>,
}

/// The reply of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptedReply {
    /// A typed output.
    Says(Value),
    /// A plain text.
    Text {
        text: String,
        /// Whether the token limit cut it off.
        cut: bool,
    },
    /// The model cannot be reached, or refuses.
    Fails {
        kind: FailKind,
        why: String,
        /// When the limit in the error ends, in milliseconds from now.
        after_ms: Option<u64>,
    },
    /// The model never answers.
    Hangs,
}

impl Scripted {
    /// Whether this answer fits this attempt of this decision.
    pub fn fits(&self, number: u32, attempt: u32, prompt: &str) -> bool {
        self.number.is_none_or(|own| own == number)
            && self.attempt.is_none_or(|own| own == attempt)
            && self.about.as_ref().is_none_or(|words| prompt.contains(words.as_str()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDecision {
    number: Option<u32>,
    attempt: Option<u32>,
    about: Option<String>,
    says: Option<Value>,
    text: Option<String>,
    #[serde(default)]
    cut: bool,
    fail: Option<FailKind>,
    why: Option<String>,
    after: Option<String>,
    #[serde(default)]
    hang: bool,
    spent: Option<Spent>,
}

const HINT: &str = "a decision has one of {says: {type: CONTINUE, reason: ...}}, {text: ...}, {text: ..., cut: true}, \
                    {fail: transient, why: ...}, {hang: true}";

pub(super) fn read(line: u64, raw: RawDecision) -> Result<Scripted, Fault> {
    let RawDecision { number, attempt, about, says, text, cut, fail, why, after, hang, spent } = raw;
    if cut && text.is_none() {
        return Err(Fault::new(line, "`cut` belongs to `text`", HINT));
    }
    if (why.is_some() && fail.is_none()) || (after.is_some() && fail != Some(FailKind::Limit)) {
        return Err(Fault::new(line, "`why` belongs to `fail`, `after` to `fail: limit`", HINT));
    }
    let after_ms = after.map(|after| span(&after, line)).transpose()?;
    let why = why.unwrap_or_else(|| "it is rehearsed".to_owned());
    let mut replies = Vec::new();
    replies.extend(says.map(ScriptedReply::Says));
    replies.extend(text.map(|text| ScriptedReply::Text { text, cut }));
    replies.extend(fail.map(|kind| ScriptedReply::Fails { kind, why, after_ms }));
    replies.extend(hang.then_some(ScriptedReply::Hangs));
    let mut replies = replies.into_iter();
    match (replies.next(), replies.next()) {
        (Some(reply), None) => Ok(Scripted { number, attempt, about, reply, spent }),
        (None, _) => Err(Fault::new(line, "a decision without an answer", HINT)),
        (Some(_), Some(_)) => Err(Fault::new(line, "two answers in one", HINT)),
    }
}
