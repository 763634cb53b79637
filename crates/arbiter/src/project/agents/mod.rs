//! The agents in three layers: built in, then the user's files, then the project's. A file with the name of an earlier agent
//! replaces it whole. All faults are reported at once, with file and line; a project's agents count only if the user trusts
//! the project.

mod fields;
mod folder;
mod read;
mod schema;
mod validate;
mod watch;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use mind::conductor::Agent;
use mind::conductor::agent_files::FILES;

pub use folder::{AgentFile, AgentFiles, read_folder};
pub use watch::{AgentsLook, AgentsWatch};

use crate::project::config::{ConfigError, ConfigErrors, ConfigPlace};
use read::AgentDraft;

/// Where the project keeps its agents, below its root.
pub const PROJECT_FOLDER: &str = ".arbiter/agents";

/// Where an agent comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentOrigin {
    /// It came with the program.
    BuiltIn,
    /// The user's own file.
    User(PathBuf),
    /// The project's file.
    Project(PathBuf),
}

impl fmt::Display for AgentOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentOrigin::BuiltIn => f.write_str("built in"),
            AgentOrigin::User(file) => write!(f, "user file {}", file.display()),
            AgentOrigin::Project(file) => write!(f, "project file {}", file.display()),
        }
    }
}

/// Every agent that counts, and every one that waits for trust.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Agents {
    /// The agents that count: built-in ones in their order, then the others.
    pub agents: Vec<Agent>,
    /// Where each of them comes from, in the same order.
    pub origins: Vec<AgentOrigin>,
    /// The agents of a project that is not trusted.
    pub waiting: Vec<(Agent, AgentOrigin)>,
}

/// The files and settings that agents are read from.
#[derive(Debug, Clone, Copy)]
pub struct AgentSources<'a> {
    /// The user's own files.
    pub user: &'a AgentFiles,
    pub project: &'a AgentFiles,
    /// Whether the user trusts the project.
    pub counts: bool,
    /// The providers that may be chosen.
    pub providers: &'a [&'a str],
    /// The agent that works first, and the file and line that say so; none for the built-in default.
    pub default: (&'a str, Option<&'a ConfigPlace>),
    /// The first agent that an untrusted project names.
    pub waiting: Option<(&'a str, &'a ConfigPlace)>,
}

impl Agents {
    /// Reads all of them.
    pub fn load(sources: &AgentSources<'_>) -> Result<Agents, ConfigErrors> {
        let (agents, faults) = Agents::read(sources);
        ConfigErrors::from_faults(faults).map_or(Ok(agents), Err)
    }

    /// Every fault, and the agents that could be read.
    pub(crate) fn read(sources: &AgentSources<'_>) -> (Agents, Vec<ConfigError>) {
        let mut pile = Pile { providers: sources.providers, ..Pile::default() };
        for (name, text) in FILES {
            pile.add(&Path::new("built-in agents").join(name), text.as_bytes(), &AgentOrigin::BuiltIn);
        }
        pile.layer(sources.user, AgentOrigin::User);
        let before = pile.drafts.len();
        pile.layer(sources.project, AgentOrigin::Project);
        let Pile { drafts, mut faults, lost, .. } = pile;
        let (own, brought) = drafts.split_at(before);
        let all = stack(own.iter().chain(brought));
        let wished = sources.waiting.map_or(sources.default, |(name, place)| (name, Some(place)));
        validate::validate(&all, &lost, wished, &mut faults);
        let counted = if sources.counts { all } else { stack(own.iter()) };
        if !sources.counts && (!brought.is_empty() || sources.waiting.is_some()) {
            // Without the project's agents, a transition may lead nowhere.
            validate::validate(&counted, &lost, sources.default, &mut faults);
        }
        let mut told = HashSet::new();
        faults.retain(|fault| told.insert(fault.to_string()));
        // Faults of the user's files first, each file from top to bottom.
        let is_brought = |file: &Path| file.starts_with(&sources.project.folder);
        faults.sort_by_cached_key(|fault| {
            let (file, line, column) = fault.whereabouts();
            (is_brought(file), file.to_path_buf(), line, column)
        });
        let waiting = if sources.counts { &[] } else { brought };
        let agents = Agents {
            agents: counted.iter().map(|draft| draft.agent.clone()).collect(),
            origins: counted.iter().map(|draft| draft.origin.clone()).collect(),
            waiting: waiting.iter().map(|draft| (draft.agent.clone(), draft.origin.clone())).collect(),
        };
        (agents, faults)
    }

    pub fn each(&self) -> impl Iterator<Item = (&Agent, &AgentOrigin)> {
        self.agents.iter().zip(&self.origins)
    }
}

/// The later of two agents with one name takes the earlier one's place.
fn stack<'d>(drafts: impl Iterator<Item = &'d AgentDraft>) -> Vec<&'d AgentDraft> {
    let mut stacked: Vec<&AgentDraft> = Vec::new();
    for draft in drafts {
        match stacked.iter_mut().find(|below| below.agent.name == draft.agent.name) {
            Some(below) => *below = draft,
            None => stacked.push(draft),
        }
    }
    stacked
}

/// What was read so far.
#[derive(Default)]
struct Pile<'a> {
    providers: &'a [&'a str],
    drafts: Vec<AgentDraft>,
    faults: Vec<ConfigError>,
    /// Names that agents in unreadable files may have.
    lost: HashSet<String>,
}

impl Pile<'_> {
    fn layer(&mut self, sheets: &AgentFiles, origin: impl Fn(PathBuf) -> AgentOrigin) {
        let before = self.drafts.len();
        for sheet in &sheets.files {
            match sheet {
                Ok(sheet) => self.add(&sheet.file, &sheet.bytes, &origin(sheet.file.clone())),
                Err(fault) => self.faults.push(fault.clone()),
            }
        }
        validate::unique(&mut self.drafts, before, &mut self.faults);
    }

    fn add(&mut self, file: &Path, bytes: &[u8], origin: &AgentOrigin) {
        match read::read(file, bytes, origin, self.providers, &mut self.faults) {
            Some(draft) => self.drafts.push(draft),
            None => {
                self.lost.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
    }
}
