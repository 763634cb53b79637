//! The script of a rehearsal: the requirements, the human's lines, and every turn of the actors. docs/rehearsal.md has
//! the format.
//!
//! A script is read whole and checked whole before anything is played: unknown keys and outputs that the council would
//! not accept are errors with a line and a hint.

mod decision;
mod error;
mod mishap;
mod raw;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use mind::session::{Role, Task};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits::SCRIPT_BYTES_MAX;
use crate::rehearsal::wire::FailKind;

pub use decision::{Scripted, ScriptedReply};
use error::Fault;
pub use error::ScriptError;

/// A whole rehearsal.
#[derive(Debug, Clone, PartialEq)]
pub struct RehearsalScript {
    pub title: String,
    /// The requirements, when no file is given.
    pub scroll: String,
    /// The mission's checks, each an argv, unless the configuration has some.
    pub checks: Vec<Vec<String>>,
    /// The first commit of a scratch repository: paths and texts.
    pub files: BTreeMap<String, String>,
    /// The human's answers, in the order of the questions; recorded as `policy:rehearsal`.
    pub human: Vec<String>,
    /// How many tokens the context of each actor holds.
    pub window: u64,
    /// The Arbiter's turns.
    pub arbiter: Vec<ScriptTurn>,
    /// The turns of each Arbiter that takes over in the middle of the mission, one after the other.
    pub heirs: Vec<Vec<ScriptTurn>>,
    /// The turns of Orchestrator I, II, III; a verifier is one of them.
    pub orchestrators: Vec<Vec<ScriptTurn>>,
    /// The runs of each agent of a conducted mission, by its name; each run is a list of turns.
    pub agents: BTreeMap<String, Vec<Vec<ScriptTurn>>>,
    /// The answers to model calls; the first that fits a call answers it.
    pub decisions: Vec<Scripted>,
}

/// One turn of one actor.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptTurn {
    /// The steps of the turn, and the words at its end.
    pub course: Course,
    /// Courses taken instead of the rest, once a warning of at least this percent was heard in this turn.
    pub when_warned: BTreeMap<u8, Course>,
    /// The cost of the turn, in millionths of a dollar.
    pub cost_microusd: u64,
    /// The tokens of the turn.
    pub spent: Option<Spent>,
}

/// Tokens, as a script writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spent {
    #[serde(default)]
    pub input: u64,
    #[serde(default)]
    pub output: u64,
}

/// Steps, and the output at their end.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub does: Vec<ScriptStep>,
    pub says: Value,
}

/// One step of a turn.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptStep {
    /// A tool that is only shown.
    Tool {
        name: String,
        /// What the tool is shown to work on.
        on: String,
    },
    /// Writes a file in the clone.
    Write {
        /// Relative to the clone.
        path: String,
        text: String,
    },
    /// Commits everything in the clone.
    Commit { message: String },
    /// Runs a program in the clone.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// Asks for permission to run a program in the clone, and runs it after a yes.
    Ask {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// Pushes a petition to the docket.
    Push(Value),
    /// Asks the docket for the answers to the petition that was last pushed.
    Await,
    /// Sets the checklist.
    Tasks(Vec<Task>),
    /// Sets how full the context is, in tokens.
    Gauge(u64),
    /// Waits for a warning of at least this percent, but not for ever.
    AwaitWarning(u8),
    /// Waits, in milliseconds; not in fast pace.
    Pause(u64),
    /// A failure on purpose.
    Mishap {
        mishap: Mishap,
        /// Whether it happens each time the step is reached; else only once, also for a process that resumes the turn.
        always: bool,
    },
}

/// A failure on purpose.
#[derive(Debug, Clone, PartialEq)]
pub enum Mishap {
    /// The turn ends in an error.
    Fail {
        kind: FailKind,
        why: String,
        /// How long the limit in the error lasts, in milliseconds.
        after_ms: Option<u64>,
        /// The cost of the turn until then, in millionths of a dollar.
        cost_microusd: u64,
    },
    /// The process neither reads nor writes any more, and has to be killed.
    Hang,
    /// The process exits at once, with this status.
    Die(u8),
    /// So many tool lines at once.
    Flood(u32),
    /// The session waits for a person, or no longer does.
    AwaitsHuman(bool),
    /// The turn ends in an output that cannot be read.
    Malformed,
    /// The end of this turn is reported twice.
    Twice,
    /// A sign of life that means nothing else.
    Stir,
}

impl RehearsalScript {
    /// Reads a script file.
    pub fn load(path: &Path) -> Result<RehearsalScript, ScriptError> {
        RehearsalScript::load_with_text(path).map(|(script, _)| script)
    }

    /// The same, with the text that the file has.
    pub fn load_with_text(path: &Path) -> Result<(RehearsalScript, String), ScriptError> {
        let name = path.display().to_string();
        let bytes = host::files::read(path, SCRIPT_BYTES_MAX).map_err(|source| {
            let (name, is_long) = (name.clone(), source.kind() == io::ErrorKind::FileTooLarge);
            if is_long { ScriptError::TooLong { name } } else { ScriptError::Unreadable { name, source } }
        })?;
        let text = String::from_utf8(bytes).map_err(|error| Fault::of_bytes(&error).named(&name))?;
        let script = RehearsalScript::parse_named(&text, &name)?;
        Ok((script, text))
    }

    /// Reads a script's text.
    pub fn parse(text: &str) -> Result<RehearsalScript, ScriptError> {
        RehearsalScript::parse_named(text, "script")
    }

    fn parse_named(text: &str, name: &str) -> Result<RehearsalScript, ScriptError> {
        raw::read(text).map_err(|fault| fault.named(name))
    }

    /// Every program that its actors run, with or without asking.
    pub fn runs(&self) -> impl Iterator<Item = &Vec<String>> {
        let lists = [&self.arbiter].into_iter().chain(&self.heirs).chain(&self.orchestrators);
        let turns = lists.chain(self.agents.values().flatten()).flatten();
        let courses = turns.flat_map(|turn| [&turn.course].into_iter().chain(turn.when_warned.values()));
        courses.flat_map(|course| &course.does).filter_map(|step| match step {
            ScriptStep::Run { argv } | ScriptStep::Ask { argv } => Some(argv),
            ScriptStep::Tool { .. }
            | ScriptStep::Write { .. }
            | ScriptStep::Commit { .. }
            | ScriptStep::Push(_)
            | ScriptStep::Await
            | ScriptStep::Tasks(_)
            | ScriptStep::Gauge(_)
            | ScriptStep::AwaitWarning(_)
            | ScriptStep::Pause(_)
            | ScriptStep::Mishap { .. } => None,
        })
    }

    /// The turns of one actor: Orchestrators count from 1, successors of the Arbiter too; the first Arbiter is 0. A
    /// part that the script does not have has no turns.
    pub fn part(&self, role: Role, number: u32) -> &[ScriptTurn] {
        let parts = match role {
            Role::Arbiter if number == 0 => return &self.arbiter,
            Role::Arbiter => &self.heirs,
            Role::Orchestrator | Role::Verifier => &self.orchestrators,
            // An agent has a name: see `run`.
            Role::Agent => return &[],
        };
        turns_of(parts, number)
    }

    /// The turns of an agent's run; its runs count from 1.
    pub fn run(&self, agent: &str, number: u32) -> &[ScriptTurn] {
        self.agents.get(agent).map_or(&[], |runs| turns_of(runs, number))
    }
}

fn turns_of(parts: &[Vec<ScriptTurn>], number: u32) -> &[ScriptTurn] {
    let index = (number as usize).checked_sub(1);
    index.and_then(|index| parts.get(index)).map_or(&[], Vec::as_slice)
}

impl ScriptTurn {
    /// The course after a warning of `percent`, if the turn has one for it.
    pub fn branch_at(&self, percent: u8) -> Option<u8> {
        self.when_warned.range(..=percent).next_back().map(|(at, _)| *at)
    }

    /// The course that is being taken.
    pub fn course_at(&self, branch: Option<u8>) -> &Course {
        branch.and_then(|at| self.when_warned.get(&at)).unwrap_or(&self.course)
    }
}
