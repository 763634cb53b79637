//! The trait of a provider's protocol. An implementation is pure: orders and lines go in, actions come out, and the
//! driver performs them; so a whole conversation can be played in a test without a process.

use mind::{AgentEvent, Timestamp};

use crate::launch::ProgramCall;
use mind::effect::SessionCommand;

/// An action for the driver.
#[derive(Debug, Clone, PartialEq)]
pub enum DriverAction {
    /// Write this line to the process.
    Write(String),
    /// Send this event to the mission loop.
    Tell(AgentEvent),
    /// Write a remark to the logbook.
    Note(String),
    /// Change the live text; it is no event.
    Live(Live),
    /// The process is of no use: end it, for this reason.
    GiveUp(String),
    /// The process cannot be what it was started as: start another, which resumes the conversation or begins one.
    Anew {
        /// Whether it resumes the conversation.
        resume: bool,
    },
}

/// A change of the live text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Live {
    Text(String),
    /// The words so far are void.
    Clear,
}

/// One session's side of a protocol.
pub trait Protocol: Send + 'static {
    /// The call that starts its process.
    fn command(&mut self, resume: bool) -> Result<ProgramCall, String>;

    /// The actions as soon as the process runs.
    fn greet(&mut self, now: Timestamp) -> Vec<DriverAction>;

    /// Handles an order of the mission loop. `End` never comes here.
    fn obey(&mut self, order: SessionCommand, now: Timestamp) -> Vec<DriverAction>;

    /// Handles a line of the process. No action at all means a line that is only a sign of life.
    fn hear(&mut self, line: &str, now: Timestamp) -> Vec<DriverAction>;

    /// When `ring` must be called, if nothing happens before.
    fn due(&self) -> Option<Timestamp>;

    /// That time has come.
    fn ring(&mut self, now: Timestamp) -> Vec<DriverAction>;

    /// The session is to end: the actions before its input is closed.
    fn part(&mut self) -> Vec<DriverAction>;

    /// Whether to wait before closing: something that was asked to stop has not stopped yet.
    fn is_busy(&self) -> bool;

    /// The process is gone, with everything that it started.
    fn ended(&mut self) {}

    /// The process left by itself, with this last line. If that was a misunderstanding, returns whether the next
    /// process resumes the conversation.
    fn closed(&mut self, last_word: &str) -> Option<bool>;

    /// Whether a line that the process left behind tells that it has no login.
    fn is_login(&self, _word: &str) -> bool {
        false
    }
}
