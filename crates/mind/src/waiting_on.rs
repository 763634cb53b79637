//! Whom a mission waits for: the mission loop, a session or the human. It always waits for one of them, until it is over.

use crate::id::SessionId;
use crate::session::Session;
use crate::state::State;

/// Whom the mission waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitingOn {
    /// The mission loop: clone, checks, a new start.
    House(&'static str),
    /// A session with a turn in flight.
    Session(SessionId),
    /// The human: a question waits, or the mission is paused.
    Human,
    /// The mission is over.
    Nobody,
}

impl State {
    /// Whom the mission waits for now.
    pub fn owner(&self) -> WaitingOn {
        if self.ended.is_some() {
            return WaitingOn::Nobody;
        }
        if self.halted.is_some() {
            return WaitingOn::House("to be started again");
        }
        if self.charter.is_none() {
            return WaitingOn::House("to be opened");
        }
        if self.clone_place.is_none() {
            return WaitingOn::House("the clone");
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
            return WaitingOn::House("the checks");
        }
        if let Some(what) = self.awaits_house().filter(|_| !self.paused) {
            return WaitingOn::House(what);
        }
        WaitingOn::Human
    }

    /// No turn runs, no person was asked, and yet the mission is not over: a defect of the mind.
    pub fn is_stuck(&self) -> bool {
        let asked =
            self.live_sessions().any(Session::awaits_person) || self.open_petitions().next().is_some();
        self.owner() == WaitingOn::Human && self.question.is_none() && !asked && !self.paused
    }
}
