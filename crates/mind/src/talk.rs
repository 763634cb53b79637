//! The conversation: messages with speaker and listener, decisions asked in them; and the receipts of checks that prove
//! the mission's end.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::id::{MessageId, Timestamp, roman};

/// One side of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The human, or a policy in the human's place.
    Human(Actor),
    /// The manager session.
    Arbiter,
    /// A worker, by its number over the whole mission.
    Orchestrator(u32),
    /// An agent of a conducted mission, by its name.
    Agent(Arc<str>),
    /// Arbiter the program, not the session.
    House,
}

impl fmt::Display for Speaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speaker::Human(Actor::Human { .. }) => f.write_str("You"),
            Speaker::Human(actor @ (Actor::Policy(_) | Actor::Agent(_))) => write!(f, "You ({actor})"),
            Speaker::Arbiter => f.write_str("Arbiter"),
            Speaker::Orchestrator(number) => write!(f, "Orchestrator {}", roman(*number)),
            Speaker::Agent(name) => f.write_str(name),
            Speaker::House => f.write_str("House"),
        }
    }
}

/// Who a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listener {
    Human,
    /// The manager session.
    Arbiter,
    Orchestrator(u32),
    /// The agent that works.
    Agent,
    /// Shown, without an answer expected.
    Nobody,
}

/// How a message is meant to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageKind {
    /// As it is.
    Plain,
    /// Dimmed: the Arbiter thinks aloud.
    Musing,
    /// A remark of the program.
    Notice,
    /// A claim of completion that has not passed the gate.
    Claim,
    /// The output did not validate; the text is passed on as it came.
    Unformed,
}

/// Where the human's words are on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// Written down; the listener cannot hear yet.
    Queued,
    /// Given to the session.
    Delivered,
    /// Known to have reached the model.
    Heard,
}

/// What the Arbiter wants from the human.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The yes before the first summon.
    Alignment,
}

/// A question with options, as the docket will show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionAsked {
    /// Unique within its message.
    pub id: String,
    pub title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The ways to answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<DecisionOption>,
    /// Whether free text is an answer too.
    #[serde(default)]
    pub allow_custom: bool,
}

/// One way to answer a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionOption {
    /// What is recorded.
    pub key: String,
    /// What is shown.
    pub label: String,
}

/// One message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub id: MessageId,
    /// When it became a fact.
    pub at: Timestamp,
    pub from: Speaker,
    pub to: Listener,
    pub kind: MessageKind,
    pub text: Arc<str>,
    /// What it asks of the human.
    pub asks: Option<Asks>,
    /// Questions with options.
    pub decisions: Vec<DecisionAsked>,
    /// For the human's words: how far they have come.
    pub delivery: Option<Delivery>,
}

/// The record of one check that Arbiter ran itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// What ran: no shell.
    pub argv: Vec<String>,
    pub commit: Arc<str>,
    pub status: CheckStatus,
    pub duration_ms: u64,
    /// SHA-256 of everything it printed.
    pub output_digest: Arc<str>,
    /// The end of what it printed, bounded.
    pub output_tail: Arc<str>,
}

impl Receipt {
    /// Only exit status 0 passes.
    pub fn passed(&self) -> bool {
        self.status == CheckStatus::Exited(0)
    }
}

/// How a check ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// It exited with this status.
    Exited(i32),
    /// A signal ended it.
    Signalled(i32),
    /// It ran into its time limit and was ended.
    TimedOut,
    /// It could not be started, or what it ran on did not hold still.
    Failed(String),
}

impl fmt::Display for CheckStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckStatus::Exited(code) => write!(f, "exit {code}"),
            CheckStatus::Signalled(signal) => write!(f, "signal {signal}"),
            CheckStatus::TimedOut => f.write_str("timed out"),
            CheckStatus::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// What the end of a mission rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// A verifier passed it and every configured check passed when we ran it.
    Proven,
    /// A verifier passed it; no check was configured.
    VerifiedByAgent,
}

/// A verifier's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every requirement is met.
    Pass,
    /// Something is missing or wrong.
    Fail,
}
