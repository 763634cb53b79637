//! The machine: phases, and what moves it from one to the next.

use std::sync::Arc;

use super::ConductorEvent;
use crate::council::Work;
use crate::event::TurnEnd;
use crate::session::Session;
use crate::talk::Actor;

impl Work {
    /// After every event: a conducted mission goes as far as it can by itself.
    pub(crate) fn conduct(&mut self) {}

    /// Something that a conducted mission waited for.
    pub(crate) fn conductor_told(&mut self, event: ConductorEvent) {
        self.note(format!("{event:?}"));
    }

    /// An agent's turn is over.
    pub(crate) fn agent_rested(&mut self, session: &Session, end: TurnEnd) {
        self.note(format!("{} {end:?}", session.address()));
    }

    /// A human lets an agent run next.
    pub(crate) fn force_agent(&mut self, _by: Actor, agent: &Arc<str>) {
        self.remark(&format!("{agent}"));
    }

    /// A human leaves the current step out.
    pub(crate) fn skip_step(&mut self, _by: Actor) {
        self.remark("");
    }

    /// A human lets the last agent try again.
    pub(crate) fn retry_run(&mut self, _by: Actor) {
        self.remark("");
    }
}
