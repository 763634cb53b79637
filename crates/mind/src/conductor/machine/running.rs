//! A run of an agent: prepared, begun in a fresh session, and ended by its answer, its limits, a fault or a human.

use std::sync::Arc;

use serde_json::Value;

use super::super::agent::Agent;
use super::super::choice::{self, Goal};
use super::super::execution::{ErrorCategory, RunError, RunStatus};
use super::super::fact::ConductorFact;
use super::super::memory::Note;
use super::super::plan::{Plan, PlanStep, StepStatus, shown};
use super::super::state::{ConductorState, Run, RunEnding, RunKind};
use super::super::{answer, brief, errors, limits};
use crate::actor::Actor;
use crate::charter::ProviderChoice;
use crate::council::OVERFLOW;
use crate::decide::{AT_LIMIT, StepBuilder, WATCHDOG};
use crate::effect::{ConductorEffect, Effect, SessionCommand, WorkspaceEffect};
use crate::event::TurnEnd;
use crate::fact::{ContextFact, LifeFact, SessionFact, TurnFact};
use crate::id::Timestamp;
use crate::limits::cut;
use crate::prompt;
use crate::session::{CloneTree, QueuedMessage, Role, Session};

/// Why a run ends whose agent has no room left.
const FULL: &str = "its context was full before the work was done";

impl StepBuilder {
    /// The next run: of this agent, in this step or in the one that is due.
    pub(super) fn prepare(&mut self, name: &Arc<str>, step: Option<u32>) {
        if self.is_exhausted() {
            return;
        }
        let conductor = self.conductor();
        let dry = self.conducting().is_some_and(|conducting| conducting.dry_run);
        let wanted = if dry { choice::planner(&conductor) } else { conductor.agent(name) };
        let Some(agent) = wanted.cloned() else {
            if dry {
                return self.fail("a dry run needs an agent that plans, and none can be chosen");
            }
            self.remark(&format!("There is no agent {name} any more: the next agent is chosen again."));
            return self.conductor_fact(ConductorFact::Selecting);
        };
        if conductor.is_used_up(&agent) {
            return self.instead_of(&agent);
        }
        self.reopen_failed_steps();
        let conductor = self.conductor();
        let plan = conductor.plan.as_deref();
        let (step, mends) = match step {
            Some(index) => {
                let step = plan.and_then(|plan| plan.step(index));
                (Some(index), step.is_some_and(|step| share(&conductor, &agent, step).1))
            }
            None => plan.and_then(Plan::next).map_or((None, false), |step| share(&conductor, &agent, step)),
        };
        if let Some(step) = step.filter(|_| !mends) {
            let over = plan.and_then(|plan| plan.step(step)).is_some_and(|step| step.status.is_over());
            if over {
                // It was taken for done, and is tried again.
                self.step_is(step, StepStatus::Pending, None, None);
            }
        }
        let run = Run {
            number: conductor.runs + 1,
            kind: RunKind::Work,
            agent: agent.name.clone(),
            iteration: conductor.iterations + 1,
            step,
            mends,
            before: None,
            session: None,
            began_at: self.now(),
            deadline: None,
            ending: None,
        };
        self.begin_preparing(run);
    }

    /// The agent for the next step: the same one, or the one that the plan names if this one does not take such steps.
    pub(super) fn who_goes_on(&self, agent: &Arc<str>) -> Arc<str> {
        let conductor = self.conductor();
        let (Some(same), Some(step)) =
            (conductor.agent(agent), conductor.plan.as_ref().and_then(|plan| plan.next()))
        else {
            return agent.clone();
        };
        let takes = share(&conductor, same, step).0.is_some();
        let named = step.suggested_agent.as_ref().filter(|_| !takes);
        let named =
            named.and_then(|name| conductor.eligible().find(|other| other.name.eq_ignore_ascii_case(name)));
        named.map_or_else(|| agent.clone(), |other| other.name.clone())
    }

    /// A run that does not count: notes, or a verdict on a claim.
    pub(super) fn prepare_aside(&mut self, kind: RunKind, agent: &Agent) {
        if self.is_spent() {
            return;
        }
        let conductor = self.conductor();
        let run = Run {
            number: conductor.runs + 1,
            kind,
            agent: agent.name.clone(),
            iteration: conductor.iterations,
            step: None,
            mends: false,
            before: None,
            session: None,
            began_at: self.now(),
            deadline: None,
            ending: None,
        };
        self.begin_preparing(run);
    }

    fn begin_preparing(&mut self, run: Run) {
        let number = run.number;
        self.conductor_fact(ConductorFact::RunPrepared(Box::new(run)));
        if self.state.clone_place.is_some() {
            self.effect(Effect::Conductor(ConductorEffect::PrepareRun { run: number }));
        }
    }

    /// An agent has used its iterations: the one that its file names comes instead.
    fn instead_of(&mut self, agent: &Agent) {
        let conductor = self.conductor();
        self.remark(&format!("{} has used all its runs.", agent.name));
        match choice::follow(&conductor, &agent.transitions.on_max_iterations) {
            Some(Goal::Agent(other)) => {
                self.guide(&format!("{} has used all its runs; you go on in its place.", agent.name));
                self.prepare(&other.name, None);
            }
            Some(Goal::Complete) => self.claim(&format!("{} has used all its runs.", agent.name)),
            None => self.conductor_fact(ConductorFact::Selecting),
        }
    }

    fn reopen_failed_steps(&mut self) {
        let Some(plan) = self.conductor().plan else { return };
        for step in plan.steps.iter().filter(|step| step.status == StepStatus::Failed) {
            self.step_is(step.index, StepStatus::Pending, None, None);
        }
    }

    pub(super) fn step_is(
        &mut self,
        index: u32,
        status: StepStatus,
        by: Option<&Arc<str>>,
        words: Option<Arc<str>>,
    ) {
        self.conductor_fact(ConductorFact::Step { index, status, by: by.cloned(), words });
    }

    /// The agents' files and the notes, as they were read just now.
    pub(super) fn take_news(
        &mut self,
        agents: Option<Vec<Agent>>,
        notes: Option<Vec<Note>>,
        faults: &[Arc<str>],
    ) {
        if let Some(agents) = agents {
            let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_ref()).collect();
            self.remark(&format!("The agents' files changed and were read again: {}.", names.join(", ")));
            self.conductor_fact(ConductorFact::Agents(agents));
            self.call_with_new_agents();
        }
        for fault in faults {
            self.remark(&format!(
                "The agents' files changed but cannot be used, so the agents stay as they were: {fault}"
            ));
        }
        if let Some(notes) = notes {
            self.conductor_fact(ConductorFact::Notes(notes));
        }
    }

    /// What the run needs is there: its session begins.
    pub(super) fn begin_run(&mut self, tree: Option<CloneTree>) {
        let (Some(charter), Some(conducting)) = (self.charter(), self.conducting()) else { return };
        let conductor = self.conductor();
        let Some(run) = conductor.run.clone() else { return };
        let run = Run { before: tree.clone(), ..run.as_ref().clone() };
        let Some(agent) = conductor.agent(&run.agent).cloned() else {
            self.remark(&format!(
                "There is no agent {} any more: the next agent is chosen again.",
                run.agent
            ));
            return self.conductor_fact(ConductorFact::Selecting);
        };
        let seat = seat(&agent, &conducting.routes, conductor.route, &charter.seats.orchestrator);
        let plays = |session: &&Arc<Session>| {
            session.profile.role == Role::Agent && *session.profile.agent() == agent.name
        };
        let number = self.state.sessions.values().filter(plays).count() as u32 + 1;
        let text = brief::brief(&self.state, &run, &agent, self.now());
        let session = self.begin_cast(Role::Agent, number, seat, Some(agent.cast()));
        let timeout_ms = agent.limits.timeout_ms.unwrap_or(limits::RUN_MS_DEFAULT);
        let deadline = Some(Timestamp(self.now().0.saturating_add(timeout_ms)));
        self.conductor_fact(ConductorFact::RunBegan { session, before: tree, deadline });
        if let Some(step) = run.step {
            let by = Some(&run.agent).filter(|_| !run.mends);
            self.step_is(step, StepStatus::InProgress, by, None);
        }
        self.post(session, QueuedMessage::Notice(text));
        if run.kind == RunKind::Work {
            // What the human said and no agent has heard.
            for message in self.state.unheard.clone() {
                self.post(session, QueuedMessage::Words(message));
            }
        }
    }

    /// The run of this session, while it is at work.
    pub(crate) fn run_of(&self, session: &Session) -> Option<Arc<Run>> {
        let run = self.state.conductor.as_ref()?.run.clone()?;
        (run.session == Some(session.profile.session) && run.ending.is_none()).then_some(run)
    }

    /// An agent's turn is over.
    pub(crate) fn agent_rested(&mut self, session: &Session, end: TurnEnd) {
        let Some(run) = self.run_of(session) else {
            return self.note(format!("{} plays in no run", session.address()));
        };
        let stopped_by = session.turns.current.as_ref().and_then(|turn| turn.interrupted_by.clone());
        match (end, stopped_by) {
            (_, Some(by @ Actor::Human { .. })) => self.stopped(&run, &by),
            (TurnEnd::Spoke { output, text }, _) => self.agent_spoke(session, &run, output, &text),
            (TurnEnd::Interrupted, Some(Actor::Policy(name))) if name.as_ref() == OVERFLOW => {
                self.conclude(session);
            }
            (TurnEnd::Interrupted, Some(Actor::Policy(name))) if name.as_ref() == AT_LIMIT => {
                if !self.ask_at_limit(session, "agent-limit.md") {
                    self.overran("the mission has reached a limit");
                }
            }
            (TurnEnd::Interrupted, Some(Actor::Policy(name))) if name.as_ref() == WATCHDOG => {
                self.overran("it fell silent and was stopped");
            }
            (TurnEnd::Interrupted, by) => {
                let by = by.map_or_else(String::new, |by| format!(" by {}", by.in_words()));
                self.run_failed(ErrorCategory::Unknown, true, &format!("it was stopped{by}"));
            }
        }
    }

    fn agent_spoke(&mut self, session: &Session, run: &Run, output: Option<Value>, text: &str) {
        let id = session.profile.session;
        let conductor = self.conductor();
        let Some(agent) = conductor.agent(&run.agent) else {
            return self.run_failed(ErrorCategory::Unknown, false, "its agent no longer exists");
        };
        match answer::read(agent, output.as_ref(), text) {
            Ok(answer) => {
                let status = match (answer.success, session.context.overflowed) {
                    (true, _) => RunStatus::Success,
                    // It did not fail: there was no room for the rest.
                    (false, true) => RunStatus::Timeout,
                    (false, false) => RunStatus::Failure,
                };
                let error = (!answer.success).then(|| {
                    let message = answer.failure.clone().unwrap_or_else(|| answer.summary.clone());
                    let (category, message) = match session.context.overflowed {
                        true => (ErrorCategory::Timeout, Arc::from(format!("{FULL}: {message}"))),
                        false => (errors::by_words(&message), message),
                    };
                    Arc::new(self.error(category, true, &message))
                });
                let full = output.as_ref().map_or_else(|| text.to_owned(), ToString::to_string);
                self.end_session(RunEnding {
                    status,
                    summary: answer.summary,
                    full: Some(Arc::from(cut(&full, limits::KEPT_CHARS_MAX))),
                    output: output.map(Arc::new),
                    error,
                });
            }
            Err(faults) if session.turns.malformed < crate::limits::MALFORMED_ASKS_MAX => {
                let Some(charter) = self.charter() else { return };
                let named = faults.join("; ");
                self.session(id, SessionFact::Turn(TurnFact::Malformed { faults }));
                let setting = prompt::PromptContext::default();
                let again = prompt::render_with(&charter, "malformed.md", &setting, &[("faults", &named)]);
                self.post(id, QueuedMessage::Notice(again));
            }
            Err(faults) => {
                let why = format!("its answer cannot be read: {}", faults.join("; "));
                self.run_failed(ErrorCategory::ValidationError, true, &why);
            }
        }
    }

    /// Its context is full: it says what it has, and nothing more.
    fn conclude(&mut self, session: &Session) {
        let id = session.profile.session;
        if session.context.handoff_asked {
            return self.overran(FULL);
        }
        self.session(id, SessionFact::Context(ContextFact::HandoffAsked));
        self.post(id, QueuedMessage::Notice(self.handoff_now(session)));
    }

    /// There was not even room for its report.
    pub(crate) fn ran_over(&mut self, session: &Session, why: &str) {
        match self.run_of(session) {
            Some(_) => self.overran(&format!("{FULL}, and it could not report ({why})")),
            None => self.note(format!("{} plays in no run: {why}", session.address())),
        }
    }

    /// A tool began, or the context grew: it may be one too many.
    pub(crate) fn watch_limits(&mut self, session: &Session) {
        let Some(run) = self.run_of(session) else { return };
        let conductor = self.conductor();
        let Some(agent) = conductor.agent(&run.agent) else { return };
        let Some(session) = self.state.sessions.get(&session.profile.session).cloned() else { return };
        let passed = agent.limits.calls_passed(session.tool_use.calls);
        if let Some(why) = passed.or_else(|| agent.limits.tokens_passed(&session)) {
            self.overran(&why);
        }
    }

    /// The run took too long, or too much.
    pub(crate) fn overran(&mut self, why: &str) {
        let error = Arc::new(self.error(ErrorCategory::Timeout, true, why));
        let summary = Arc::from(why);
        self.end_session(RunEnding {
            status: RunStatus::Timeout,
            summary,
            full: None,
            output: None,
            error: Some(error),
        });
    }

    /// The run failed without an answer of its agent.
    pub(crate) fn run_failed(&mut self, category: ErrorCategory, retryable: bool, why: &str) {
        let error = Arc::new(self.error(category, retryable, why));
        let summary = Arc::from(cut(why, limits::WORDS_CHARS_MAX));
        self.end_session(RunEnding {
            status: RunStatus::Failure,
            summary,
            full: None,
            output: None,
            error: Some(error),
        });
    }

    fn stopped(&mut self, run: &Run, by: &Actor) {
        let summary = Arc::from(format!("{} was stopped by {}", run.agent, by.in_words()));
        self.end_session(RunEnding {
            status: RunStatus::Cancelled,
            summary,
            full: None,
            output: None,
            error: None,
        });
    }

    /// The session is closed, and what it changed is looked at.
    pub(super) fn end_session(&mut self, ending: RunEnding) {
        let Some(run) = self.conductor().run else { return };
        self.conductor_fact(ConductorFact::RunEnding(Box::new(ending)));
        let session = run.session.and_then(|id| self.state.sessions.get(&id).cloned());
        if let Some(session) = session.filter(|session| session.live) {
            let address = session.address();
            self.session(address.session, SessionFact::Life(LifeFact::Released));
            self.effect(Effect::Session(address, SessionCommand::End));
        }
        self.effect(Effect::Workspace(WorkspaceEffect::FetchBack));
        self.effect(Effect::Conductor(ConductorEffect::InspectRun {
            run: run.number,
            before: run.before.clone(),
        }));
    }

    /// What went wrong, and what can be done about it.
    pub(super) fn error(&self, category: ErrorCategory, retryable: bool, message: &str) -> RunError {
        let conductor = self.conductor();
        let limits_of = self.state.limits().unwrap_or_default();
        let run = conductor.run.as_deref();
        let step = run.and_then(|run| run.step);
        let others = run.is_some_and(|run| conductor.eligible().any(|agent| agent.name != run.agent));
        let circumstances = errors::Circumstances {
            retryable,
            in_step: step.is_some(),
            others,
            at_limit: conductor.failures + 1 >= limits_of.max_failures,
            wait_ms: None,
        };
        let session = run.and_then(|run| run.session).and_then(|id| self.state.sessions.get(&id));
        let tool = session.and_then(|session| session.tool_use.running.last()).map(|tool| tool.name.clone());
        RunError {
            message: Arc::from(cut(message, limits::WORDS_CHARS_MAX)),
            category,
            step: step.map(shown),
            tool,
            recovery_options: errors::recovery(category, &circumstances),
        }
    }
}

/// The step that an agent takes on, and whether it only mends what others found wrong with it.
fn share(conductor: &ConductorState, agent: &Agent, step: &PlanStep) -> (Option<u32>, bool) {
    let suggested = step.suggested_agent.as_ref();
    let is_its_own = suggested.is_some_and(|name| name.eq_ignore_ascii_case(&agent.name));
    let judges = |name: &Arc<str>| conductor.agent(name).is_some_and(Agent::bears_verdicts);
    let takes = is_its_own || !(agent.bears_verdicts() || suggested.is_some_and(judges));
    if takes && agent.part.is_none() {
        return (Some(step.index), false);
    }
    let objected = conductor.objections.values().any(|objection| objection.step == Some(step.index));
    if objected && !agent.bears_verdicts() && agent.part.is_none() {
        return (Some(step.index), true);
    }
    (None, false)
}

/// What the agent's session is made of: its own provider, else the mission's route, else the mission's seat.
fn seat(agent: &Agent, routes: &[String], route: u32, default: &ProviderChoice) -> ProviderChoice {
    let own = &agent.provider;
    let on_route =
        |routes: &[String]| routes.get((route as usize).min(routes.len().saturating_sub(1))).cloned();
    match on_route(&own.routes).or_else(|| on_route(routes)).filter(|_| own.name.is_none()) {
        Some(provider) if provider != default.provider => {
            ProviderChoice { model: own.model.clone(), provider }
        }
        Some(_) | None => agent.seat(default),
    }
}
