//! Whom a mission waits for: the program, a session or the human. It always waits for one of them, until it is over.
//! `view/status` puts it into words.

use crate::id::SessionId;
use crate::session::Session;
use crate::state::State;

/// Whom the mission waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitingOn {
    /// The program itself owes the next step.
    Program(ProgramStep),
    /// A session with a turn in flight.
    Session(SessionId),
    /// The human: a question waits, or the mission is paused.
    Human,
    /// The mission is over: nothing is waited for.
    Over,
}

/// What the program owes a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramStep {
    /// The mission stopped by itself and wants a new start.
    Restart,
    Opening,
    Clone,
    Checks,
    /// A conducted mission: the next move, by rules or a model.
    Move,
    /// A conducted mission: an agent's run is being prepared.
    Run,
    /// A conducted mission: its model is tried again later.
    ModelRetry,
    /// A conducted mission: what a run changed is being looked at.
    Inspection,
}

impl State {
    /// Whom the mission waits for now.
    pub fn waiting_on(&self) -> WaitingOn {
        if self.ended.is_some() {
            return WaitingOn::Over;
        }
        if self.halted.is_some() || self.reopened {
            return WaitingOn::Program(ProgramStep::Restart);
        }
        if self.charter.is_none() {
            return WaitingOn::Program(ProgramStep::Opening);
        }
        if self.clone_place.is_none() {
            return WaitingOn::Program(ProgramStep::Clone);
        }
        let busy = |session: &&Session| session.turns.current.is_some();
        let at_work = [self.arbiter(), self.worker(), self.active_agent()].into_iter().flatten().find(busy);
        if let Some(session) = at_work {
            if session.awaits_person() {
                return WaitingOn::Human;
            }
            return WaitingOn::Session(session.profile.session);
        }
        if self.gate.is_some() {
            return WaitingOn::Program(ProgramStep::Checks);
        }
        if let Some(step) = self.conductor_step().filter(|_| !self.paused) {
            return WaitingOn::Program(step);
        }
        WaitingOn::Human
    }

    /// No turn runs, no person was asked, and yet the mission is not over: a defect of the mind.
    pub fn is_stuck(&self) -> bool {
        let asked =
            self.live_sessions().any(Session::awaits_person) || self.open_petitions().next().is_some();
        self.waiting_on() == WaitingOn::Human && self.question.is_none() && !asked && !self.paused
    }
}
