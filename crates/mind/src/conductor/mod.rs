//! The conductor: a machine that selects an agent, runs it in a fresh session and evaluates what it did. Rules decide
//! first, then a model, then a fixed order; the machine itself decides nothing about the work.

pub mod agent;
pub mod agent_files;
pub mod answer;
pub mod brief;
pub mod cache;
pub mod choice;
pub mod errors;
pub mod execution;
pub mod fact;
pub mod fallback;
pub mod input;
pub mod legal;
pub mod limits;
mod machine;
pub mod memory;
pub mod move_record;
pub mod next_move;
pub mod plan;
pub mod reading;
pub mod render;
pub mod replay;
pub mod rules;
mod show;
pub mod state;
pub mod texts;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use agent::Agent;
pub use execution::{Execution, RunStatus};
pub use fact::ConductorFact;
pub use memory::Note;
pub use move_record::MoveRecord;
pub use next_move::{DecisionPoint, MoveKind, MoveSource, NextMove};
pub use plan::Plan;
pub use state::{ConductorState, Phase};

pub use crate::mission_limits::Limits;
use crate::session::CloneTree;
use move_record::ModelReply;

/// How a mission is conducted. It is part of the charter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conducting {
    /// The agent that works first, and when no other fits.
    pub default_agent: Arc<str>,
    /// How far it may go.
    #[serde(default)]
    pub limits: Limits,
    /// Which model decides where rules do not; without one the fallback does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decider: Option<Decider>,
    /// Providers in the order in which they are tried; the seat's own if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<String>,
    /// When the keeper of notes works.
    #[serde(default)]
    pub keeping: NoteKeeping,
    /// Only a plan is wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
}

/// The model that decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decider {
    /// Who answers: `api`, `claude`, `rehearsal`.
    pub provider: Arc<str>,
    /// The model; the provider's own default if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<Arc<str>>,
    /// Tokens of a decision.
    pub max_tokens: u32,
    /// In thousandths; the model's own if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_milli: Option<u32>,
    /// Whether equal inputs are decided once.
    #[serde(default)]
    pub cache: bool,
}

/// When the keeper of notes works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKeeping {
    Off,
    /// Once, before the mission's end.
    #[default]
    End,
    /// After every run.
    Each,
}

/// What happens to a conducted mission from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ConductorEvent {
    /// A model answered, or could not.
    Answered {
        /// The number of the decision.
        number: u32,
        /// Which asking of it.
        attempt: u32,
        answer: ModelReply,
    },
    /// A call that was needed no more has ended. It decides nothing, and used this.
    Dropped { number: u32, attempt: u32, tokens: u64, cost_microusd: u64 },
    /// What a run needs was looked up.
    Prepared {
        run: u32,
        /// The agents, if their files changed.
        agents: Option<Vec<Agent>>,
        /// The notes, if their files changed.
        notes: Option<Vec<Note>>,
        /// What is wrong with the files: the earlier agents stay.
        faults: Vec<Arc<str>>,
        tree: Option<CloneTree>,
    },
    /// What a run changed.
    Inspected {
        run: u32,
        tree: Option<CloneTree>,
        /// Files that differ from before.
        files: Vec<Arc<str>>,
    },
    /// What a run changed cannot be read because of the machine, however often it was tried.
    Hindered { run: u32, why: Arc<str> },
}

impl ConductorEvent {
    /// What a model call used, in tokens and millionths of a dollar; none if it told nothing, or was no call.
    pub(crate) fn used(&self) -> Option<(u64, u64)> {
        let (tokens, cost_microusd) = match self {
            ConductorEvent::Answered { answer, .. } => {
                (answer.tokens.map_or(0, |tokens| tokens.total), answer.cost_microusd)
            }
            ConductorEvent::Dropped { tokens, cost_microusd, .. } => (*tokens, *cost_microusd),
            ConductorEvent::Prepared { .. }
            | ConductorEvent::Inspected { .. }
            | ConductorEvent::Hindered { .. } => (0, 0),
        };
        (tokens > 0 || cost_microusd > 0).then_some((tokens, cost_microusd))
    }
}
