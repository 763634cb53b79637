//! A move of the conductor in words: what it chose, by whom, why, and what came of it. Agents' files and journals write
//! identifiers (`SELECT_MODE`, `someFailures`, `onSuccess of planner`); people read none of them.

use std::sync::Arc;

use mind::actor::Actor;
use mind::conductor::agent::verdict_in_words;
use mind::conductor::execution::RunStatus;
use mind::conductor::{ConductorState, DecisionPoint, MoveRecord, MoveSource, NextMove};
use serde::Serialize;

use crate::actor::{actor_words, token_words};
use crate::amount::counted;
use crate::clean::clean;
use crate::conducted::brief;
use crate::when;

/// Signs of a reason that are told.
const TEXT_CHARS_MAX: usize = 2_000;

/// One move; programs get the fields above `by`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveView {
    /// Counted from 1.
    pub number: u32,
    pub call: DecisionPoint,
    pub iteration: u32,
    pub decision: NextMove,
    pub source: MoveSource,
    pub cause: Option<Arc<str>>,
    /// "developer tries again".
    pub words: String,
    /// "by rules", "by the model", "by ada, in the terminal".
    #[serde(skip)]
    pub by: String,
    /// The reason, whole.
    #[serde(skip)]
    pub reason: String,
    /// The reason, on one line.
    #[serde(skip)]
    pub why: String,
    /// Which rule it was, or why the model was not heard.
    #[serde(skip)]
    pub because: Option<String>,
    /// "before iteration 3".
    #[serde(skip)]
    pub when: String,
    /// How often the model was asked, and how long it took.
    #[serde(skip)]
    pub asked: Option<String>,
    /// What was wrong with answers of the model that could not be used, each answer.
    #[serde(skip)]
    pub misread: Vec<String>,
    /// How the run that followed ended.
    #[serde(skip)]
    pub outcome: Option<String>,
}

impl MoveView {
    #[must_use]
    pub fn of(record: &MoveRecord, conductor: &ConductorState) -> MoveView {
        let chosen = Chosen {
            decision: &record.decision,
            source: record.source,
            cause: record.cause.as_deref(),
            call: record.call,
            iteration: record.iteration,
        };
        let faults = record.replies.iter().filter(|reply| !reply.faults.is_empty());
        MoveView {
            number: record.number,
            call: record.call,
            iteration: record.iteration,
            decision: record.decision.clone(),
            source: record.source,
            cause: record.cause.clone(),
            words: chosen.words(conductor),
            by: chosen.by(),
            reason: chosen.reason(),
            why: chosen.why(),
            because: chosen.because(),
            when: when_words(record.call, record.iteration),
            asked: asked(record),
            misread: faults.map(|reply| one_line(&reply.faults.join("; "))).collect(),
            outcome: outcome(record, conductor),
        }
    }
}

/// What was chosen in one call: a move as it was made, or as it would be made again.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    pub decision: &'a NextMove,
    pub source: MoveSource,
    pub cause: Option<&'a str>,
    pub call: DecisionPoint,
    pub iteration: u32,
}

impl Chosen<'_> {
    /// What was chosen: "developer tries again".
    #[must_use]
    pub fn words(&self, conductor: &ConductorState) -> String {
        let last = || last_agent(self.call, self.iteration, conductor);
        match self.decision {
            NextMove::SelectMode { mode, .. } => format!("{mode} works next"),
            NextMove::Continue { .. } => match last() {
                Some(agent) => format!("{agent} goes on"),
                None => "it goes on".to_owned(),
            },
            NextMove::Retry { .. } => match last() {
                Some(agent) => format!("{agent} tries again"),
                None => "it is tried again".to_owned(),
            },
            NextMove::Complete { .. } => "completion is claimed".to_owned(),
            NextMove::SkipStep { .. } => "the step is skipped".to_owned(),
            NextMove::Replan { .. } => "a new plan is made".to_owned(),
            NextMove::AskHuman { .. } => "you are asked".to_owned(),
            NextMove::Fail { .. } => "the mission is given up".to_owned(),
        }
    }

    /// Who chose it. A person is named.
    #[must_use]
    pub fn by(&self) -> String {
        let person = self.cause.filter(|_| self.source == MoveSource::Human).and_then(Actor::parse);
        person
            .map_or_else(|| chosen_by(self.source).to_owned(), |actor| format!("by {}", actor_words(&actor)))
    }

    /// The reason on one line.
    #[must_use]
    pub fn why(&self) -> String {
        one_line(&self.reason())
    }

    /// The reason. A model's words stay as they are; what rules wrote is translated.
    #[must_use]
    pub fn reason(&self) -> String {
        let written = self.decision.words();
        match self.source {
            MoveSource::Model | MoveSource::Cache => written.to_string(),
            MoveSource::Rules | MoveSource::Fallback | MoveSource::Human => reason_words(written),
        }
    }

    /// Which rule it was, or why the model was not heard. Who a person is stands in `by`.
    #[must_use]
    pub fn because(&self) -> Option<String> {
        match self.source {
            MoveSource::Human => None,
            MoveSource::Rules | MoveSource::Cache | MoveSource::Model | MoveSource::Fallback => {
                self.cause.map(cause_words)
            }
        }
    }
}

/// Who chose a move.
#[must_use]
pub fn chosen_by(source: MoveSource) -> &'static str {
    match source {
        MoveSource::Rules => "by rules",
        MoveSource::Cache => "by an earlier answer of the model",
        MoveSource::Model => "by the model",
        MoveSource::Fallback => "by the fixed order",
        MoveSource::Human => "by a person",
    }
}

/// When a move was made: "before iteration 3".
#[must_use]
pub fn when_words(call: DecisionPoint, iteration: u32) -> String {
    match call {
        DecisionPoint::Select => format!("before iteration {iteration}"),
        DecisionPoint::Evaluate => format!("after iteration {iteration}"),
    }
}

/// What a model is asked in a call.
#[must_use]
pub fn call_words(call: DecisionPoint) -> &'static str {
    match call {
        DecisionPoint::Select => "who works next",
        DecisionPoint::Evaluate => "how to go on",
    }
}

/// How a run ended.
#[must_use]
pub fn run_words(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Success => "success",
        RunStatus::Failure => "failure",
        RunStatus::Timeout => "took too long",
        RunStatus::Cancelled => "was stopped",
    }
}

/// A cause as it is stored, in words: rules have short names, and a fixed order joins its own to what went before.
#[must_use]
pub fn cause_words(stored: &str) -> String {
    let parts: Vec<String> = stored.split("; ").map(one_cause).collect();
    one_line(&parts.join("; "))
}

fn one_cause(stored: &str) -> String {
    if let Some(agent) = stored.strip_prefix("onSuccess of ") {
        return format!("this follows a success of {agent}");
    }
    if let Some(agent) = stored.strip_prefix("onFailure of ") {
        return format!("this follows a failure of {agent}");
    }
    if let Some((said, agent)) = stored.strip_prefix("verdict ").and_then(|rest| rest.rsplit_once(" of ")) {
        return format!("the verdict of {agent}: {}", verdict_in_words(said));
    }
    match stored {
        "limit" => "a limit was reached",
        "failures in a row" => "too many runs in a row failed",
        "the plan names it" => "the plan names this agent",
        "the step suggests it" => "the step suggests this agent",
        "dry run" => "only a plan is wanted",
        "first pick" => "this agent is configured to begin",
        "tries are used up" => "the tries of the last agent are used up",
        "nobody else can try" => "no other agent can try",
        "an objection stands for ever" => "the agent that objects cannot look again",
        "no plan" => "there is no plan",
        "no agent" => "no agent is left that may work",
        "the default agent" => "no other rule applies",
        "a verdict without a transition" => "no rule says what follows this verdict",
        "decided before" => "the model decided the same input before",
        "the question cannot be put" => "the model call cannot be made",
        "the question cannot be put again" => "the model call cannot be made again",
        other => other,
    }
    .to_owned()
}

/// A reason that rules or a person's command wrote: verdicts and actors in it are translated.
fn reason_words(written: &str) -> String {
    if written.starts_with("onSuccess of ") || written.starts_with("onFailure of ") {
        return one_cause(written);
    }
    for by in ["skipped by ", "forced by "] {
        if let Some(token) = written.strip_prefix(by) {
            return format!("{by}{}", token_words(token));
        }
    }
    match written.split_once(" said ") {
        Some((agent, rest)) if !agent.contains(char::is_whitespace) => {
            let end = rest.find(|sign: char| sign == ',' || sign.is_whitespace()).unwrap_or(rest.len());
            let (said, rest) = rest.split_at(end);
            format!("{agent} said: {}{rest}", verdict_in_words(said))
        }
        Some(_) | None => written.to_owned(),
    }
}

/// The agent that ran last before a move.
fn last_agent(call: DecisionPoint, iteration: u32, conductor: &ConductorState) -> Option<Arc<str>> {
    let newest = match call {
        DecisionPoint::Select => iteration.saturating_sub(1),
        DecisionPoint::Evaluate => iteration,
    };
    let last = conductor.history.iter().rev().find(|execution| execution.iteration <= newest);
    last.map(|execution| execution.agent.clone())
}

fn asked(record: &MoveRecord) -> Option<String> {
    let took: u64 = record.replies.iter().map(|reply| reply.latency_ms).sum();
    match record.replies.len() {
        0 => None,
        1 => Some(format!("asked once, {}", when::took(took))),
        count => Some(format!("asked {}, {}", counted(count, "time"), when::took(took))),
    }
}

fn outcome(record: &MoveRecord, conductor: &ConductorState) -> Option<String> {
    let next = match record.call {
        DecisionPoint::Select => record.iteration,
        DecisionPoint::Evaluate => record.iteration.saturating_add(1),
    };
    let run = conductor.history.iter().rev().find(|execution| execution.iteration == next)?;
    Some(format!("{}: {}", clean(&run.agent), run_words(run.status)))
}

fn one_line(text: &str) -> String {
    clean(&brief(text, TEXT_CHARS_MAX)).into_owned()
}
