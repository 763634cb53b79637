//! Claude Code: one long-lived process per session, spoken to over its stream of JSON lines.
//!
//! [`wire`] is what is said, [`conversation`] the pure machine that knows what it means, [`cast`] how a process is
//! started. The facts behind it were observed on version 2.1.197.

mod ask;
pub mod cast;
pub mod conversation;
pub(crate) mod fields;
pub mod files;
pub mod guard;
mod hearing;
pub mod mcp;
pub(crate) mod meter;
pub mod needs;
pub mod program;
mod tasks;
mod trouble;
pub mod wire;
mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::session::Role;
use mind::{AgentEvent, Timestamp};
use tokio::process::Command;
use tokio::sync::mpsc;

use crate::driver::drive;
use crate::voice::{Deed, Voice};
use crate::{Handle, Start};
use mind::effect::SessionCommand;
use sandbox::{Housing, Purpose};

pub use ask::{Place, ask};
use cast::Cast;
use conversation::{Conversation, Part};
use files::ClaudeFiles;
use guard::Guard;

/// How Claude Code is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The program.
    pub program: PathBuf,
    /// Whose settings count.
    pub settings: Settings,
    /// How a session says what its turn comes to.
    pub routing: Routing,
    /// What is set in its environment beside what it inherits and what a session needs; it has the last word.
    pub env: Vec<(String, String)>,
}

/// Whose settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settings {
    /// Ours alone: no hooks, servers, agents or memory of the user or the project.
    #[default]
    Isolated,
    /// Those of the user and the project too.
    Project,
}

/// How a session says what its turn comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routing {
    /// By a typed output.
    #[default]
    Typed,
    /// By tools that we host.
    Tools,
}

/// Starts a session. What becomes of it arrives as events; also that it could not be started.
pub fn start(options: &Options, start: Start, events: mpsc::Sender<AgentEvent>) -> Handle {
    let cast = Cast::keep(&cast::place(&start.logbook), || {
        Cast::new(&start.profile, &start.mission, options.settings, options.routing)
    });
    let (initialize, window) =
        cast.as_ref().map(|cast| (cast.initialize.clone(), cast.window)).unwrap_or_default();
    let part = Part {
        role: start.profile.role,
        // An agent has one typed answer, and no tools to speak by.
        by_tools: options.routing == Routing::Tools && start.profile.role != Role::Agent,
        incarnation: start.incarnation,
        initialize,
        spoke: start.spoke,
        guard: Guard::new(Arc::clone(&start.trust), start.profile.role)
            .playing(start.profile.casting.clone()),
    };
    let conversation = Conversation::new(part, window);
    let session = Session { options: options.clone(), start: start.clone(), cast, conversation };
    Handle::spawn(|reins| drive(session, start, events, reins))
}

/// The program in `folder`, in its cage if there is one.
fn command<'a>(
    options: &Options,
    housing: Option<&Housing>,
    folder: &Path,
    words: impl IntoIterator<Item = &'a str>,
) -> Command {
    let program = options.program.as_os_str();
    match housing {
        Some(housing) => {
            let purpose = Purpose::Agent { secrets: housing.secrets.is_some() };
            // What it is a link to can be seen inside; the link itself may not.
            let program = std::fs::canonicalize(program).unwrap_or_else(|_| program.into());
            Command::from(housing.cage.command(program.as_os_str(), words, folder, purpose))
        }
        None => {
            let mut command = Command::new(program);
            command.args(words).current_dir(folder);
            command.envs(options.env.iter().map(|(name, value)| (name, value)));
            command
        }
    }
}

/// A login that a process renewed makes the user's own void.
fn return_login(files: Option<&ClaudeFiles>) {
    if let Some(Err(error)) = files.map(|files| files.return_login()) {
        eprintln!("note: a renewed login could not be kept: {error}");
    }
}

/// A session's voice: the conversation, and how its process is started.
struct Session {
    options: Options,
    start: Start,
    cast: Result<Cast, String>,
    conversation: Conversation,
}

impl Voice for Session {
    fn command(&mut self, resume: bool) -> Result<Command, String> {
        let cast = self.cast.as_ref().map_err(String::clone)?;
        let key = &self.start.profile.key;
        let conversation = if resume { ["--resume", key] } else { ["--session-id", key] };
        let words = cast.argv.iter().map(String::as_str).chain(conversation);
        let mut command = command(&self.options, self.housing(), &self.start.folder, words);
        command.envs(&cast.env);
        Ok(command)
    }

    fn housing(&self) -> Option<&Housing> {
        self.start.trust.housing.as_ref()
    }

    fn ended(&mut self) {
        return_login(self.start.trust.claude_files.as_ref());
    }

    fn greet(&mut self, now: Timestamp) -> Vec<Deed> {
        let list = self.cast.as_ref().ok().and_then(|cast| cast.env.get(cast::TASK_LIST));
        if let (Some(home), Some(list)) = (cast::home(&self.options.env), list) {
            self.conversation.take_up_tasks(&home.join("tasks").join(list));
        }
        self.conversation.greet(now)
    }

    fn obey(&mut self, order: SessionCommand, _now: Timestamp) -> Vec<Deed> {
        self.conversation.obey(order)
    }

    fn hear(&mut self, line: &str, now: Timestamp) -> Vec<Deed> {
        let deeds = self.conversation.hear(line, now);
        for deed in &deeds {
            if let Deed::Anew { resume } = deed {
                self.conversation.begin_anew(*resume);
            }
        }
        deeds
    }

    fn due(&self) -> Option<Timestamp> {
        self.conversation.due()
    }

    fn ring(&mut self, now: Timestamp) -> Vec<Deed> {
        self.conversation.ring(now)
    }

    fn part(&mut self) -> Vec<Deed> {
        self.conversation.part()
    }

    fn is_busy(&self) -> bool {
        self.conversation.is_busy()
    }

    fn closed(&mut self, last_word: &str) -> Option<bool> {
        if self.conversation.ready {
            // It had its conversation: whatever it says as it leaves is about something else.
            return None;
        }
        // The house fell before it could write that the conversation has begun, or after it was told to take one up.
        let resume = if last_word.contains("already in use") {
            true
        } else if last_word.contains("No conversation found") && !self.start.spoke {
            false
        } else {
            return None;
        };
        self.conversation.begin_anew(resume);
        Some(resume)
    }
}
