//! Decides what an event means, for council and conductor.
//!
//! [`State::decide`] only routes. Each file below owns one kind of event that council and conductor share; what only one of
//! them knows stands in its own folder. All of them write through [`StepBuilder`], which applies each fact to a cheap copy
//! at once, so that later rules of the same step see it.

mod closing;
mod docket;
mod gate;
mod human;
mod life;
mod permission;
mod post;
mod reading;
mod step_builder;
mod trouble;

pub(crate) use closing::AT_LIMIT;
pub(crate) use reading::warning_text;
pub use step_builder::StepBuilder;
pub(crate) use trouble::WATCHDOG;

use std::sync::Arc;

use crate::effect::MissionEffect;
use crate::event::{AgentEvent, Event, TurnEnd, WorkspaceEvent};
use crate::fact::{HaltCause, LifeFact, MissionFact, SessionFact, ToolFact, TurnFact};
use crate::id::{Address, Timestamp};
use crate::limits;
use crate::session::{Role, Session};
use crate::state::{State, Step};

impl State {
    /// Decides what `event` means. It borrows the state, so it cannot change it.
    pub fn decide(&self, event: Event, now: Timestamp) -> Step {
        let mut work = StepBuilder::new(self, now);
        match event {
            Event::Opened(charter) => work.open(*charter),
            Event::Started => work.start_again(),
            // Nothing is done with them before the sessions have their processes again.
            Event::LimitsSet(limits) => {
                work.set_limits(limits);
                return work.into_step();
            }
            Event::Human(human) => work.hear(human),
            Event::Agent(address, agent) => work.observe(address, agent),
            Event::Workshop(workshop) => work.inspect(workshop),
            Event::Alarm => work.ring(),
            Event::Attended(attended) => work.attend(attended),
            Event::Docket(petition, event) => work.docket_told(petition, event),
            Event::Conductor(event) => work.conductor_told(event),
        }
        work.watch_mission();
        work.watch_agent_limits();
        work.conduct();
        work.post_round();
        work.update_petitions();
        work.into_step()
    }
}

impl StepBuilder {
    fn observe(&mut self, address: Address, event: AgentEvent) {
        let Some(session) = self.state.sessions.get(&address.session).cloned() else {
            return self.note(format!("{address} is unknown: {event:?}"));
        };
        // It was paid for, also what a session tells on its way out.
        if let AgentEvent::Spent { report, input, output, cost_microusd } = &event
            && address.incarnation <= session.incarnation
        {
            return self.book_usage(&session, report, (*input, *output), *cost_microusd);
        }
        if !session.live || session.incarnation != address.incarnation {
            return self.note(format!("{address} is no more: {event:?}"));
        }
        if self.state.ended.is_some() {
            return self.note(format!("the mission is over; {address}: {event:?}"));
        }
        let id = address.session;
        let session = self.catch_up(session, &event);
        match event {
            AgentEvent::Heard(turn) => self.prompt_heard(&session, turn),
            AgentEvent::ToolStarted { call, name, detail } => {
                let detail = Arc::from(limits::cut(&detail, limits::TOOL_DETAIL_CHARS_MAX));
                self.session(id, SessionFact::Tool(ToolFact::Started { call, name, detail }));
                self.watch_limits(&session);
            }
            AgentEvent::ToolEnded { call, ok } => {
                self.session(id, SessionFact::Tool(ToolFact::Ended { call, ok }))
            }
            AgentEvent::Gauged(gauge) => {
                self.read_gauge(&session, gauge);
                self.watch_limits(&session);
            }
            AgentEvent::Warned { percent } => self.warning_heard(&session, percent),
            AgentEvent::Tasks(tasks) => self.read_tasks(&session, tasks),
            // It is booked above; this is of a life that never was.
            AgentEvent::Spent { .. } => self.note(format!("{address} is unknown: {event:?}")),
            AgentEvent::Rested { turn, end, tree } => {
                if session.turns.current.as_ref().map(|t| t.id) != Some(turn) {
                    return self.note(format!("{address} rests from {turn}, which is not in flight"));
                }
                let interrupted = end == TurnEnd::Interrupted;
                self.session(id, SessionFact::Turn(TurnFact::Rested { turn, interrupted, tree }));
                match (session.profile.role, end) {
                    (Role::Arbiter, TurnEnd::Spoke { output, text }) if session.leaves_testament() => {
                        let testament = crate::council::manager::plain_text(output.as_ref(), &text);
                        self.succeed(&session, Some(&testament));
                    }
                    (Role::Arbiter, TurnEnd::Spoke { output, text }) => {
                        self.manager_spoke(id, output, &text);
                    }
                    (Role::Arbiter, TurnEnd::Interrupted) => self.manager_interrupted(id),
                    (Role::Agent, end) => self.agent_rested(&session, end),
                    (Role::Orchestrator | Role::Verifier, TurnEnd::Spoke { output, text }) => {
                        let by = session.turns.current.as_ref().and_then(|turn| turn.interrupted_by.clone());
                        self.worker_spoke(id, output, &text, by);
                    }
                    (Role::Orchestrator | Role::Verifier, TurnEnd::Interrupted) => {
                        self.worker_stopped(
                            id,
                            session.turns.current.as_ref().and_then(|turn| turn.interrupted_by.clone()),
                        );
                    }
                }
            }
            AgentEvent::Stirred => self.session(id, SessionFact::Life(LifeFact::SignOfLife)),
            AgentEvent::Housed(level) => self.session(id, SessionFact::Life(LifeFact::Sandboxed(level))),
            AgentEvent::Remarked(text) => self.remark_once(&text),
            AgentEvent::ProgramVersion(version) => {
                let version = Arc::from(limits::cut(&version, limits::VERSION_CHARS_MAX));
                self.session(id, SessionFact::Life(LifeFact::ProgramVersion(version)));
            }
            AgentEvent::Asks { call, request } => self.asks(&session, call, request),
            AgentEvent::Denied { tool, what, why } => {
                let what = Arc::from(limits::cut(&what, limits::TOOL_DETAIL_CHARS_MAX));
                let why = Arc::from(limits::cut(&why, limits::ANSWER_CHARS_MAX));
                self.session(id, SessionFact::Tool(ToolFact::Denied { tool, what, why }));
            }
            AgentEvent::Unasks { call } => self.unasks(&session, &call),
            AgentEvent::Pleads { call, plea } => self.plead(&session, call, plea),
            AgentEvent::AwaitsHuman(waits) => {
                self.session(id, SessionFact::Life(LifeFact::AwaitsHuman(waits)))
            }
            AgentEvent::Failed { turn, failure } => self.turn_failed(&session, turn, failure),
            AgentEvent::Lost { why } => self.died(&session, why),
            AgentEvent::Unstarted { why } => self.unstarted(&session, why),
            AgentEvent::LoggedOut { why } => self.logged_out(&session, why),
        }
    }

    /// In a pause a steered text that missed its turn is not given again, but the session may go on with it by itself.
    fn catch_up(&mut self, session: Arc<Session>, event: &AgentEvent) -> Arc<Session> {
        let (AgentEvent::Heard(turn) | AgentEvent::Rested { turn, .. }) = event else { return session };
        let steered = session.turns.steered.iter().any(|steer| steer.id == *turn);
        if session.turns.current.is_some() || !steered {
            return session;
        }
        let id = session.profile.session;
        self.session(id, SessionFact::Turn(TurnFact::InterjectionBecameTurn { turn: *turn }));
        self.state.sessions.get(&id).cloned().unwrap_or(session)
    }

    fn inspect(&mut self, event: WorkspaceEvent) {
        if self.state.ended.is_some() {
            return self.note(format!("the mission is over: {event:?}"));
        }
        match event {
            WorkspaceEvent::Settled { folder, base, branch } => {
                self.begin_in_clone(folder, base, branch);
            }
            WorkspaceEvent::Rebuilt { commit } => self.go_on_in_new_clone(commit),
            WorkspaceEvent::Surveyed { gate, tree } => self.claim_surveyed(gate, tree),
            WorkspaceEvent::Checked { gate, index, receipt } => {
                self.claim_checked(gate, index, receipt);
            }
            WorkspaceEvent::Brought { gate, commit } => self.claim_brought(gate, &commit),
            WorkspaceEvent::Unfit { gate, why } => self.claim_unfit(gate, &why),
            WorkspaceEvent::Hindered { gate, why } => self.claim_hindered(gate, why),
            WorkspaceEvent::Broken { why } => self.halt(HaltCause::Workspace, why),
        }
    }
}

impl StepBuilder {
    /// Stops the mission loop: something outside failed for good. The next start goes on from the journal.
    pub(crate) fn halt(&mut self, cause: HaltCause, why: Arc<str>) {
        if self.state.halted.is_some() {
            return self.note(format!("halted already; also: {why}"));
        }
        self.mission(MissionFact::Halted { why, cause });
        let leave = match cause {
            HaltCause::Provider => crate::effect::Leave::ProviderFailed,
            HaltCause::Workspace => crate::effect::Leave::WorkshopFailed,
        };
        self.effect(crate::effect::Effect::Mission(MissionEffect::Leave(leave)));
    }
}
