//! The conductor's state: phase, agents, plan, history, limits used, objections, the run and the model call in flight. It
//! changes only by facts; what grows is a persistent collection, and sums are kept, so that no move walks the history.

use std::sync::Arc;

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::agent::{Agent, AgentDuty};
use super::execution::{ErrorContext, Execution, RunError, RunStatus};
use super::memory::Note;
use super::move_record::{MoveAttempt, MoveRecord, RawReply};
use super::next_move::NextMove;
use super::plan::Plan;
use crate::id::{MessageId, SessionId, Timestamp};
use crate::session::CloneTree;

/// A conducted mission, beside its sessions.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ConductorState {
    pub phase: Phase,
    /// The agents as they were last read.
    pub agents: Arc<[Agent]>,
    /// Notes of earlier missions and of this one.
    pub notes: Vector<Arc<Note>>,
    pub plan: Option<Arc<Plan>>,
    /// Earlier versions of it.
    pub plans: Vector<Arc<Plan>>,
    /// Every run that counts, in order; the n-th has sequence number n.
    pub history: Vector<Arc<Execution>>,
    /// The sequence numbers of the last failures, at most as many as an input shows.
    pub failed: Vector<u32>,
    /// How each agent did.
    pub form: OrdMap<Arc<str>, AgentTrackRecord>,
    /// Iterations that were begun.
    pub iterations: u32,
    /// Failures in a row.
    pub failures: u32,
    /// Tries again, by agent and step.
    pub retries: OrdMap<(Arc<str>, Option<u32>), u32>,
    /// The sum of the durations of all runs that ended.
    pub busy_ms: u64,
    /// Tokens of all runs and decisions, if any were told.
    pub tokens: Option<u64>,
    /// What decisions cost, in millionths of a dollar.
    pub cost_microusd: u64,
    /// The last error, until the next success.
    pub last_error: Option<Arc<ErrorContext>>,
    /// Verdicts that object and were not taken back, by agent.
    pub objections: OrdMap<Arc<str>, Arc<Objection>>,
    pub decisions: Vector<Arc<MoveRecord>>,
    /// What a model is being asked.
    pub asking: Option<Arc<MoveAttempt>>,
    /// What it said so far, and was asked again for.
    pub replies: Vector<Arc<RawReply>>,
    /// Calls for this decision that failed in passing.
    pub call_failures: u32,
    /// When the next try is, while it recovers.
    pub wakes_at: Option<Timestamp>,
    /// What the next agent is told.
    pub guidance: Vector<Arc<str>>,
    /// The run that is prepared or at work.
    pub run: Option<Arc<Run>>,
    /// Runs that were begun, of every kind.
    pub runs: u32,
    /// The decision that is being carried out.
    pub decided: Option<Arc<NextMove>>,
    /// The human's answer to it, until a model has decided with it or an agent works.
    pub answer: Option<MessageId>,
    /// The question that the human was asked.
    pub question: Option<MessageId>,
    /// The report of a claim that is on its way.
    pub claim: Option<Arc<str>>,
    /// Why the last claim was turned back, until an agent works again.
    pub turned_back: Option<Arc<str>>,
    /// The commit that a verifier passed.
    pub verified: Option<Arc<str>>,
    /// The iteration after which the keeper of notes last worked.
    pub kept_after: Option<u32>,
    /// How often a provider's route was given up.
    pub route: u32,
}

/// The phase of a conducted mission. Pauses and ends are not phases: the mission's state holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing has begun.
    #[default]
    Idle,
    /// The next agent is being chosen.
    Selecting,
    /// An agent is about to be started.
    Preparing,
    /// An agent works.
    Executing,
    /// The move after a run is being chosen.
    Evaluating,
    /// It waits for a moment that is known.
    Recovering,
    /// It waits for a human.
    AwaitingHuman,
    /// A claim stands before the gate.
    Completing,
}

/// How an agent did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AgentTrackRecord {
    /// Runs that it began.
    pub runs: u32,
    /// Runs that succeeded.
    pub successes: u32,
    /// Runs that failed or took too long.
    pub failures: u32,
    pub last_success: Option<Timestamp>,
    pub last_failure: Option<Timestamp>,
    /// Runs in a row since its last success.
    pub since_success: u32,
    /// The sum of the runs in a row up to and including each success.
    pub runs_to_success: u32,
}

/// A verdict that objects.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Objection {
    pub verdict: Arc<str>,
    /// What is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issues: Vec<Arc<str>>,
    /// The step that it was about, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
}

/// One run of an agent, from its preparation to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Its number among all runs, from 1.
    pub number: u32,
    pub kind: RunKind,
    pub agent: Arc<str>,
    /// Its iteration; that of the last one for runs that do not count.
    pub iteration: u32,
    /// The step it works on, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// It mends what others found wrong; they judge the step again before it is done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mends: bool,
    /// The clone before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<CloneTree>,
    /// Its session, once it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub began_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Timestamp>,
    /// How it ended, as far as the session told; what changed in the clone is being looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Arc<RunEnding>>,
}

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// The mission's work: it counts as an iteration.
    #[default]
    Work,
    /// Notes for later missions.
    Keep,
    /// A verdict on a claim, where no check is configured.
    Verify,
}

/// How a run's session ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEnding {
    pub status: RunStatus,
    /// What it said, in a few words.
    pub summary: Arc<str>,
    /// All of it, bounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Arc<str>>,
    /// The typed output.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "crate::canonical::store_option"
    )]
    pub output: Option<Arc<serde_json::Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Arc<RunError>>,
}

impl ConductorState {
    /// The agent of this name, exactly.
    pub fn agent(&self, name: &str) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.name.as_ref() == name)
    }

    /// The agent that has this part.
    pub fn with_part(&self, part: AgentDuty) -> Option<&Agent> {
        self.agents.iter().find(|agent| agent.part == Some(part))
    }

    /// Who may be chosen: not internal, and with iterations left.
    pub fn eligible(&self) -> impl Iterator<Item = &Agent> {
        self.agents.iter().filter(|agent| self.is_eligible(agent))
    }

    /// It may be chosen.
    pub fn is_eligible(&self, agent: &Agent) -> bool {
        !agent.internal && !self.is_used_up(agent)
    }

    /// It has had its iterations.
    pub fn is_used_up(&self, agent: &Agent) -> bool {
        let runs = self.form.get(&agent.name).map_or(0, |form| form.runs);
        agent.limits.max_iterations.is_some_and(|most| runs >= most)
    }

    /// Who worked last among those that do the work themselves and may do so again.
    pub fn last_writer(&self) -> Option<&Agent> {
        let recent = self.history.iter().rev().take(super::limits::LOOK_BACK_MAX);
        let mut agents = recent.filter_map(|run| self.agent(&run.agent));
        agents.find(|agent| agent.writes() && self.is_eligible(agent))
    }

    /// How often this agent has tried this step again.
    pub fn retries_of(&self, agent: &str, step: Option<u32>) -> u32 {
        self.retries.get(&(Arc::from(agent), step)).copied().unwrap_or(0)
    }

    /// The last run that counts.
    pub fn last(&self) -> Option<&Arc<Execution>> {
        self.history.last()
    }
}
