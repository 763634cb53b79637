//! Facts of a conducted mission, and how they change where the conductor stands.

use std::sync::Arc;

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

use super::agent::{Agent, AgentDuty};
use super::execution::{ErrorContext, Execution, RunStatus};
use super::limits;
use super::memory::Note;
use super::move_record::{MoveAttempt, MoveRecord, RawReply};
use super::next_move::{DecisionPoint, NextMove};
use super::plan::{Plan, PlanStatus, StepStatus};
use super::state::{ConductorState, Objection, Phase, Run, RunEnding, RunKind};
use crate::actor::Actor;
use crate::id::{MessageId, SessionId, Timestamp};
use crate::session::CloneTree;

/// About a conducted mission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConductorFact {
    /// The agents are these from now on: their files were read anew.
    Agents(Vec<Agent>),
    /// The notes that there are, as they were read.
    Notes(Vec<Note>),
    /// The next move is to choose an agent.
    Selecting,
    /// A model is asked.
    ModelAsked(Box<MoveAttempt>),
    /// It answered, and is asked again.
    ReplyMisread(RawReply),
    /// The model could not be reached; the next call is at `until`.
    Unavailable { why: Arc<str>, until: Timestamp },
    /// What a call took that led to no decision by itself.
    Spent {
        tokens: u64,
        /// In millionths of a dollar.
        cost_microusd: u64,
    },
    /// It is decided.
    Decided(Box<MoveRecord>),
    /// The next agent is told this.
    Guided(Arc<str>),
    /// A run is prepared.
    RunPrepared(Box<Run>),
    /// Its session begins; the guidance is in its prompt.
    RunBegan {
        session: SessionId,
        /// The clone before it.
        before: Option<CloneTree>,
        deadline: Option<Timestamp>,
    },
    /// Its session is over; what it changed is looked at.
    RunEnding(Box<RunEnding>),
    /// The run is over and stands in the history.
    RunEnded {
        /// As the history keeps it; none for runs that do not count.
        execution: Option<Box<Execution>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Box<ErrorContext>>,
        /// Its verdict objects, or no longer does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        objection: Option<Objection>,
    },
    /// The plan is this from now on.
    Planned(Box<Plan>),
    /// A step is this far from now on.
    Step {
        /// Which, from 0.
        index: u32,
        status: StepStatus,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Arc<str>>,
        /// What came of it, or what went wrong.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<Arc<str>>,
    },
    /// The human is asked.
    AskedHuman { message: MessageId },
    /// A model has decided with the human's answer before it.
    AnswerUsed { message: MessageId },
    /// The work is claimed to be done; the claim goes to the gate.
    Claimed { summary: Arc<str> },
    /// The claim was turned back: the mission goes on.
    TurnedBack { why: Arc<str> },
    /// A verifier passed this commit, or did not.
    Verified {
        /// The commit; none if it did not pass.
        commit: Option<Arc<str>>,
    },
    /// A note for later missions.
    Remembered(Note),
    /// A human did something to the course.
    Steered {
        by: Actor,
        /// What, in words.
        what: Arc<str>,
    },
    /// The provider is given up for the next one on the route.
    Rerouted { provider: Arc<str> },
}

impl ConductorState {
    /// How a fact changes where the conductor stands.
    pub(crate) fn apply(&mut self, fact: &ConductorFact, at: Timestamp) {
        match fact {
            ConductorFact::Agents(agents) => self.agents = agents.iter().cloned().collect(),
            ConductorFact::Notes(notes) => self.notes = notes.iter().cloned().map(Arc::new).collect(),
            ConductorFact::Selecting => {
                self.phase = Phase::Selecting;
                self.question = None;
                self.run = None;
                self.claim = None;
            }
            ConductorFact::ModelAsked(asking) => {
                if self.asking.as_ref().is_none_or(|before| before.number != asking.number) {
                    self.replies = Vector::new();
                    self.call_failures = 0;
                }
                self.phase = phase_of(asking.call);
                self.wakes_at = None;
                self.asking = Some(Arc::new(asking.as_ref().clone()));
            }
            ConductorFact::ReplyMisread(reply) => self.replies.push_back(Arc::new(reply.clone())),
            ConductorFact::Unavailable { until, .. } => {
                self.phase = Phase::Recovering;
                self.wakes_at = Some(*until);
                self.call_failures += 1;
            }
            ConductorFact::Spent { tokens, cost_microusd } => self.spend(*tokens, *cost_microusd),
            ConductorFact::Decided(record) => self.take_decision(record),
            ConductorFact::Guided(text) => self.guidance.push_back(text.clone()),
            ConductorFact::RunPrepared(run) => {
                self.phase = Phase::Preparing;
                self.runs = run.number;
                self.run = Some(Arc::new(run.as_ref().clone()));
                self.question = None;
                self.wakes_at = None;
            }
            ConductorFact::RunBegan { session, before, deadline } => self.begin(*session, before, *deadline),
            ConductorFact::RunEnding(ending) => {
                let ending = Arc::new(ending.as_ref().clone());
                self.change_run(|run| run.ending = Some(ending));
            }
            ConductorFact::RunEnded { execution, error, objection } => {
                self.end(execution.as_deref(), error.as_deref(), objection.as_ref(), at);
            }
            ConductorFact::Planned(plan) => {
                self.plans.extend(self.plan.take());
                // Steps have other places now: tries begin anew, and what was objected to is the work as a whole.
                self.retries = OrdMap::new();
                let whole =
                    |objection: &Arc<Objection>| Objection { step: None, ..objection.as_ref().clone() };
                self.objections = self
                    .objections
                    .iter()
                    .map(|(name, said)| (name.clone(), Arc::new(whole(said))))
                    .collect();
                self.plan = Some(Arc::new(plan.as_ref().clone()));
            }
            ConductorFact::Step { index, status, by, words } => {
                self.change_step(*index, *status, by.as_ref(), words.as_ref(), at);
            }
            ConductorFact::AskedHuman { message } => {
                self.phase = Phase::AwaitingHuman;
                self.question = Some(*message);
            }
            ConductorFact::AnswerUsed { .. } => self.answer = None,
            ConductorFact::Claimed { summary } => {
                self.phase = Phase::Completing;
                self.claim = Some(summary.clone());
            }
            ConductorFact::TurnedBack { why } => {
                self.turned_back = Some(why.clone());
                self.phase = Phase::Selecting;
                self.claim = None;
                self.run = None;
            }
            ConductorFact::Verified { commit } => self.verified = commit.clone(),
            ConductorFact::Remembered(note) => {
                self.notes.push_back(Arc::new(note.clone()));
            }
            ConductorFact::Steered { .. } => {}
            ConductorFact::Rerouted { .. } => self.route += 1,
        }
    }

    fn take_decision(&mut self, record: &MoveRecord) {
        self.asking = None;
        self.replies = Vector::new();
        self.call_failures = 0;
        self.wakes_at = None;
        let last = self.history.last().map(|last| (last.agent.clone(), last.step));
        if let (NextMove::Retry { .. }, Some(key)) = (&record.decision, last) {
            *self.retries.entry(key).or_insert(0) += 1;
        }
        self.decided = Some(Arc::new(record.decision.clone()));
        self.decisions.push_back(Arc::new(record.clone()));
    }

    fn begin(&mut self, session: SessionId, before: &Option<CloneTree>, deadline: Option<Timestamp>) {
        self.phase = Phase::Executing;
        self.change_run(|run| {
            run.session = Some(session);
            run.before = before.clone();
            run.deadline = deadline;
        });
        let Some(run) = self.run.clone() else { return };
        match run.kind {
            RunKind::Work => {
                self.guidance = Vector::new();
                self.answer = None;
                self.iterations = run.iteration;
                self.turned_back = None;
                self.verified = None;
                self.claim = None;
                self.form.entry(run.agent.clone()).or_default().runs += 1;
                let plans =
                    self.agent(&run.agent).is_some_and(|agent| agent.part == Some(AgentDuty::Planner));
                if let Some(plan) = self.plan.as_mut().filter(|_| plans) {
                    Arc::make_mut(plan).status = PlanStatus::Replanning;
                }
            }
            RunKind::Keep => self.kept_after = Some(self.iterations),
            RunKind::Verify => {}
        }
    }

    fn end(
        &mut self,
        execution: Option<&Execution>,
        error: Option<&ErrorContext>,
        objection: Option<&Objection>,
        at: Timestamp,
    ) {
        self.run = None;
        // What was done for a claim goes on with the claim.
        self.phase = if self.claim.is_some() { Phase::Completing } else { Phase::Evaluating };
        let Some(execution) = execution else { return };
        // Another plan, if one was made, comes after this.
        if let Some(plan) = self.plan.as_mut().filter(|plan| plan.status == PlanStatus::Replanning) {
            let plan = Arc::make_mut(plan);
            plan.status = plan.reached();
        }
        self.busy_ms = self.busy_ms.saturating_add(execution.duration_ms.unwrap_or(0));
        if let Some(tokens) = execution.tokens {
            self.spend(tokens.total, 0);
        }
        let mut form = self.form.get(&execution.agent).copied().unwrap_or_default();
        match execution.status {
            RunStatus::Success => {
                form.successes += 1;
                form.runs_to_success += form.since_success + 1;
                form.since_success = 0;
                form.last_success = Some(at);
                self.failures = 0;
                self.last_error = None;
            }
            RunStatus::Failure | RunStatus::Timeout => {
                form.failures += 1;
                form.since_success += 1;
                form.last_failure = Some(at);
                self.failures += 1;
                self.failed.push_back(execution.seq);
                if self.failed.len() > limits::FAILURES_SHOWN {
                    self.failed.pop_front();
                }
            }
            RunStatus::Cancelled => {}
        }
        self.form.insert(execution.agent.clone(), form);
        if let Some(error) = error {
            self.last_error = Some(Arc::new(error.clone()));
        }
        match objection {
            Some(objection) => {
                self.objections.insert(execution.agent.clone(), Arc::new(objection.clone()));
            }
            // Only another word of its own takes an objection back.
            None if execution.verdict.is_some() && execution.status == RunStatus::Success => {
                self.objections.remove(&execution.agent);
            }
            None => {}
        }
        self.history.push_back(Arc::new(execution.clone()));
    }

    fn change_run(&mut self, change: impl FnOnce(&mut Run)) {
        if let Some(run) = &mut self.run {
            change(Arc::make_mut(run));
        }
    }

    fn change_step(
        &mut self,
        index: u32,
        status: StepStatus,
        by: Option<&Arc<str>>,
        words: Option<&Arc<str>>,
        at: Timestamp,
    ) {
        let Some(plan) = self.plan.as_mut().map(Arc::make_mut) else { return };
        plan.updated_at = at;
        if let Some(step) = plan.steps.get_mut(index as usize) {
            step.status = status;
            if let Some(by) = by {
                step.executed_by = Some(by.clone());
            }
            match status {
                StepStatus::Pending => step.completed_at = None,
                StepStatus::InProgress => {
                    step.started_at.get_or_insert(at);
                    step.error = None;
                }
                StepStatus::Complete | StepStatus::Skipped => {
                    step.completed_at = Some(at);
                    step.output = words.cloned();
                }
                StepStatus::Failed => step.error = words.cloned(),
            }
        }
        // A step that failed stays the current one until something is decided about it.
        let next = match status {
            StepStatus::Failed => Some(index),
            StepStatus::Pending | StepStatus::InProgress | StepStatus::Complete | StepStatus::Skipped => {
                plan.next().map(|step| step.index)
            }
        };
        plan.current_step_index = next.unwrap_or(plan.steps.len() as u32);
        plan.status = plan.reached();
    }

    /// The mission has failed, and its plan with it.
    pub(crate) fn give_up(&mut self) {
        if let Some(plan) = self.plan.as_mut().filter(|plan| !plan.is_done()) {
            Arc::make_mut(plan).status = PlanStatus::Failed;
        }
    }

    /// The mission goes on after all, and its plan with it.
    pub(crate) fn take_heart(&mut self) {
        if let Some(plan) = self.plan.as_mut().filter(|plan| plan.status == PlanStatus::Failed) {
            let plan = Arc::make_mut(plan);
            plan.status = plan.reached();
        }
    }

    fn spend(&mut self, tokens: u64, cost_microusd: u64) {
        if tokens > 0 || self.tokens.is_some() {
            self.tokens = Some(self.tokens.unwrap_or(0).saturating_add(tokens));
        }
        self.cost_microusd = self.cost_microusd.saturating_add(cost_microusd);
    }
}

fn phase_of(call: DecisionPoint) -> Phase {
    match call {
        DecisionPoint::Select => Phase::Selecting,
        DecisionPoint::Evaluate => Phase::Evaluating,
    }
}
