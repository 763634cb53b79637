//! The provider `claude`: one long-lived Claude Code process per session, which speaks a stream of JSON lines.
//!
//! [`wire`] has the lines, [`conversation`] is the pure machine that knows what they mean, [`launch`] starts a process.
//! What was observed of it, and what changed since, is in [`versions`].

mod ask;
pub mod conversation;
mod error_map;
pub(crate) mod fields;
pub mod files;
mod incoming;
pub mod launch;
mod live_text;
pub mod mcp;
pub mod needs;
pub mod program;
mod tasks;
mod transcript;
pub(crate) mod usage;
pub mod versions;
pub mod wire;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use mind::charter::Capabilities;
use mind::effect::SessionCommand;
use mind::sandbox_needs::SandboxNeeds;
use mind::session::Role;
use mind::{AgentEvent, Timestamp};
use tokio::sync::mpsc;

use crate::driver::drive;
use crate::launch::{Launcher, ProgramCall};
use crate::protocol::{DriverAction, Protocol};
use crate::provider::Answering;
use crate::registry::ProviderEntry;
use crate::{Handle, ModelRequest, NoteSink, ProviderOptions, SessionProvider, SessionStart};

use conversation::{Conversation, ConversationSetup};
use files::ClaudeFiles;
use launch::ClaudeLaunch;

/// This provider's row of the registry.
pub const ENTRY: ProviderEntry = ProviderEntry {
    name: "claude",
    capabilities: Capabilities { steers: true, typed: true },
    works: true,
    plays_script: false,
    answers_by_process: true,
    is_real: true,
    resumes_by_hand: Some("claude --resume"),
    leavings: &files::LEAVINGS,
    open,
};

/// How Claude Code is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeOptions {
    pub program: PathBuf,
    pub settings: Settings,
    /// How a session gives the result of a turn.
    pub routing: Routing,
    /// Variables set beside the inherited ones and those that a session needs; these go before both.
    pub env: Vec<(String, String)>,
}

/// Whose settings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settings {
    /// Arbiter's settings alone: no hooks, servers, agents or memory of the user or the project.
    #[default]
    Isolated,
    /// The settings of the user and the project too.
    Project,
}

/// How a session gives the result of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routing {
    /// By a typed output.
    #[default]
    Typed,
    /// By tools that Arbiter hosts.
    Tools,
}

/// Claude Code for one mission.
#[derive(Debug, Clone)]
pub struct Claude {
    options: ClaudeOptions,
    notes: NoteSink,
    /// Its own files in the mission's sandbox, once they were made.
    files: Arc<Mutex<Option<ClaudeFiles>>>,
}

fn open(options: &ProviderOptions) -> Result<Arc<dyn SessionProvider>, String> {
    match &options.claude {
        Some(own) => Ok(Arc::new(Claude::new(own.clone(), options.notes.clone()))),
        None => Err("Claude Code was not found on this machine; `arbiter doctor` says more".to_owned()),
    }
}

impl Claude {
    /// Opens the provider with these options.
    #[must_use]
    pub fn new(options: ClaudeOptions, notes: NoteSink) -> Claude {
        Claude { options, notes, files: Arc::default() }
    }

    fn session(&self, start: &SessionStart) -> Session {
        let options = &self.options;
        let cast = ClaudeLaunch::load_or_save(&launch::place(&start.logbook), || {
            ClaudeLaunch::new(&start.profile, &start.mission, options.settings, options.routing)
        });
        let (initialize, window) =
            cast.as_ref().map(|cast| (cast.initialize.clone(), cast.window)).unwrap_or_default();
        let part = ConversationSetup {
            role: start.profile.role,
            // An agent has one typed answer, and no tools to answer by.
            by_tools: options.routing == Routing::Tools && start.profile.role != Role::Agent,
            incarnation: start.incarnation,
            initialize,
            spoke: start.spoke,
            gauge: start.gauge.clone(),
            judge: start.judge.clone(),
        };
        let mut conversation = Conversation::new(part, window);
        if start.budgeted {
            conversation.watch_usage();
        }
        Session { claude: self.clone(), start: start.clone(), cast, conversation }
    }

    /// The program call in `folder`. In a sandbox the environment is the sandbox's, and the target of a link can be
    /// seen there but perhaps not the link.
    fn call<'a>(
        &self,
        launcher: &dyn Launcher,
        folder: &Path,
        words: impl IntoIterator<Item = &'a str>,
    ) -> ProgramCall {
        let program = &self.options.program;
        let (program, set) = match launcher.is_sandboxed() {
            true => (std::fs::canonicalize(program).unwrap_or_else(|_| program.clone()), [].as_slice()),
            false => (program.clone(), self.options.env.as_slice()),
        };
        ProgramCall {
            program: program.into_os_string(),
            args: words.into_iter().map(OsString::from).collect(),
            folder: folder.to_path_buf(),
            env: set.iter().map(|(name, value)| (name.into(), value.into())).collect(),
        }
    }

    /// Every process begins with the login that the user has now: it may have been mended since the last one.
    fn lend_login(&self) {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(Err(error)) = files.map(|files| files.lend_login()) {
            self.notes.take(format!("your Claude login cannot be handed to a session: {error}"));
        }
    }

    /// A login that a process renewed makes the user's own invalid.
    fn return_login(&self) {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(Err(error)) = files.map(|files| files.return_login()) {
            self.notes.take(format!(
                "a renewed Claude login could not be kept, so yours may be void: {error} (hint: run `claude` to log in again)"
            ));
        }
    }
}

impl SessionProvider for Claude {
    fn sandbox_needs(
        &self,
        place: &Path,
        clone: &Path,
        mission: &str,
    ) -> Result<Option<SandboxNeeds>, String> {
        let (needs, files) = needs::sandbox_needs(&self.options, place, clone, mission)?;
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = Some(files);
        Ok(Some(needs))
    }

    fn start(&self, start: SessionStart, events: mpsc::Sender<AgentEvent>) -> Handle {
        let session = self.session(&start);
        Handle::spawn(|controls| drive(session, start, events, controls))
    }

    fn answer(&self, call: ModelRequest) -> Answering {
        let claude = self.clone();
        Box::pin(async move { ask::ask(&claude, &call).await })
    }
}

/// A session's side of the protocol: the conversation, and how its process is started.
struct Session {
    claude: Claude,
    start: SessionStart,
    cast: Result<ClaudeLaunch, String>,
    conversation: Conversation,
}

impl Session {
    /// Whether the conversation on the disk holds this message of an earlier process. What the program itself makes of
    /// an id that it has seen differs between its versions.
    fn is_kept(&self, key: &str, heard: Option<&Arc<str>>) -> bool {
        let files = self.claude.files.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let homes = transcript::homes(
            launch::home(&self.claude.options.env),
            files.as_ref().map(|own| own.config.as_path()),
        );
        let kept = transcript::load(&homes, &self.start.profile.key);
        kept.is_some_and(|kept| transcript::holds(&kept, key, heard.map(|text| &**text)))
    }
}

impl Protocol for Session {
    fn command(&mut self, resume: bool) -> Result<ProgramCall, String> {
        self.claude.lend_login();
        let cast = self.cast.as_ref().map_err(String::clone)?;
        let key = &self.start.profile.key;
        let conversation = if resume { ["--resume", key] } else { ["--session-id", key] };
        let words = cast.argv.iter().map(String::as_str).chain(conversation);
        let mut call = self.claude.call(&*self.start.launcher, &self.start.folder, words);
        call.env.extend(cast.env.iter().map(|(name, value)| (name.into(), value.into())));
        Ok(call)
    }

    fn ended(&mut self) {
        self.claude.return_login();
    }

    fn greet(&mut self, now: Timestamp) -> Vec<DriverAction> {
        let list = self.cast.as_ref().ok().and_then(|cast| cast.env.get(launch::TASK_LIST));
        if let (Some(home), Some(list)) = (launch::home(&self.claude.options.env), list) {
            self.conversation.take_up_tasks(&home.join("tasks").join(list));
        }
        self.conversation.greet(now)
    }

    fn obey(&mut self, order: SessionCommand, _now: Timestamp) -> Vec<DriverAction> {
        if let SessionCommand::Deliver { key, text, again: Some(again), .. } = &order
            && !self.conversation.was_spoken_to()
            && self.is_kept(key, again.held.then_some(text))
        {
            self.conversation.holds(key);
        }
        self.conversation.obey(order)
    }

    fn hear(&mut self, line: &str, now: Timestamp) -> Vec<DriverAction> {
        let deeds = self.conversation.hear(line, now);
        for deed in &deeds {
            if let DriverAction::Anew { resume } = deed {
                self.conversation.begin_anew(*resume);
            }
        }
        deeds
    }

    fn due(&self) -> Option<Timestamp> {
        self.conversation.due()
    }

    fn ring(&mut self, now: Timestamp) -> Vec<DriverAction> {
        self.conversation.ring(now)
    }

    fn part(&mut self) -> Vec<DriverAction> {
        self.conversation.part()
    }

    fn is_busy(&self) -> bool {
        self.conversation.is_busy()
    }

    fn closed(&mut self, last_word: &str) -> Option<bool> {
        if self.conversation.ready {
            // The process had its conversation: its last words are about something else.
            return None;
        }
        // Arbiter died before it could record that the conversation has begun, or after it was told to resume one.
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

    fn is_login(&self, word: &str) -> bool {
        error_map::is_login(word)
    }
}
