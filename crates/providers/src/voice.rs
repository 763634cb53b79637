//! How a provider's protocol is spoken. A voice is pure: orders and lines go in, deeds come out, and the driver does
//! them; so a whole conversation can be played in a test without a process.

use mind::{AgentEvent, Timestamp};

use crate::launch::ProgramCall;
use mind::effect::SessionCommand;

/// What a voice wants done.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// Say this line to the process.
    Write(String),
    /// Tell the house.
    Tell(AgentEvent),
    /// Keep a remark in the logbook.
    Note(String),
    /// Show it, and forget it: it is no news.
    Live(Live),
    /// It is of no use as it is: end it, and tell why.
    GiveUp(String),
    /// The process cannot be what it was started as: start another, which takes up the conversation or begins one.
    Anew {
        /// It takes it up.
        resume: bool,
    },
}

/// Words while they come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Live {
    /// A little more of them.
    Text(String),
    /// What was said so far no longer stands.
    Clear,
}

/// One session's side of a protocol.
pub trait Voice: Send + 'static {
    /// How its process is started.
    fn command(&mut self, resume: bool) -> Result<ProgramCall, String>;

    /// What is said as soon as the process runs.
    fn greet(&mut self, now: Timestamp) -> Vec<Deed>;

    /// The house wants something. `End` never comes here.
    fn obey(&mut self, order: SessionCommand, now: Timestamp) -> Vec<Deed>;

    /// The process wrote a line. No deed at all means a line that is only a sign of life.
    fn hear(&mut self, line: &str, now: Timestamp) -> Vec<Deed>;

    /// When it must be rung without anybody's doing.
    fn due(&self) -> Option<Timestamp>;

    /// That time has come.
    fn ring(&mut self, now: Timestamp) -> Vec<Deed>;

    /// The session shall end: what is said before its input is closed.
    fn part(&mut self) -> Vec<Deed>;

    /// It is worth waiting for: something it was asked to stop has not stopped yet.
    fn is_busy(&self) -> bool;

    /// Its process is gone, with all that it started.
    fn ended(&mut self) {}

    /// The process left by itself, with this last word. If that was a misunderstanding, says whether the next one takes
    /// the conversation up.
    fn closed(&mut self, last_word: &str) -> Option<bool>;
}
