//! The agents: ours, under the user's, under the project's. A file of the same agent's name replaces the whole agent. All
//! faults are told at once, with file and line; what a project brings counts only if the user trusts it.

mod fields;
mod folder;
mod read;
mod schema;
mod shelf;
mod validate;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use mind::conductor::Agent;
use mind::conductor::agent_files::FILES;

pub use folder::{Sheet, Sheets, read_folder};
pub use shelf::{Look, Shelf};

use crate::project::config::{ConfigError, ConfigErrors, Place};
use read::Draft;

/// Where the project keeps its agents, below its root.
pub const PROJECT_FOLDER: &str = ".arbiter/agents";

/// Who an agent comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It came with the program.
    BuiltIn,
    /// The user's own file.
    User(PathBuf),
    /// The project's file.
    Project(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn => f.write_str("built in"),
            Origin::User(file) => write!(f, "user file {}", file.display()),
            Origin::Project(file) => write!(f, "project file {}", file.display()),
        }
    }
}

/// Every agent that counts, and every one that would.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Agents {
    /// Those that count: ours in their order, then the others.
    pub agents: Vec<Agent>,
    /// Who each of them comes from.
    pub origins: Vec<Origin>,
    /// Those of a project that is not trusted.
    pub waiting: Vec<(Agent, Origin)>,
}

/// What agents are made of.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The user's own files.
    pub user: &'a Sheets,
    /// The project's.
    pub project: &'a Sheets,
    /// Whether the user trusts the project.
    pub counts: bool,
    /// The providers that may be chosen.
    pub providers: &'a [&'a str],
    /// Who works first, and where that is said; nobody says it of ours.
    pub default: (&'a str, Option<&'a Place>),
    /// The same as a project says it that is not trusted.
    pub waiting: Option<(&'a str, &'a Place)>,
}

impl Agents {
    /// Reads all of them.
    pub fn load(sources: &Sources<'_>) -> Result<Agents, ConfigErrors> {
        let (agents, faults) = Agents::look(sources);
        ConfigErrors::from_faults(faults).map_or(Ok(agents), Err)
    }

    /// The same with every fault, and what could be read all the same.
    pub(crate) fn look(sources: &Sources<'_>) -> (Agents, Vec<ConfigError>) {
        let mut pile = Pile { providers: sources.providers, ..Pile::default() };
        for (name, text) in FILES {
            pile.add(&Path::new("built-in agents").join(name), text.as_bytes(), &Origin::BuiltIn);
        }
        pile.layer(sources.user, Origin::User);
        let before = pile.drafts.len();
        pile.layer(sources.project, Origin::Project);
        let Pile { drafts, mut faults, lost, .. } = pile;
        let (own, brought) = drafts.split_at(before);
        let all = stack(own.iter().chain(brought));
        let wished = sources.waiting.map_or(sources.default, |(name, place)| (name, Some(place)));
        validate::validate(&all, &lost, wished, &mut faults);
        let counted = if sources.counts { all } else { stack(own.iter()) };
        if !sources.counts && (!brought.is_empty() || sources.waiting.is_some()) {
            // Without the project's agents something may lead nowhere.
            validate::validate(&counted, &lost, sources.default, &mut faults);
        }
        let mut told = HashSet::new();
        faults.retain(|fault| told.insert(fault.to_string()));
        // The user's files first, each from top to bottom.
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

    /// Each with who it comes from.
    pub fn each(&self) -> impl Iterator<Item = (&Agent, &Origin)> {
        self.agents.iter().zip(&self.origins)
    }
}

/// The later of two agents of one name stands where the earlier stood.
fn stack<'d>(drafts: impl Iterator<Item = &'d Draft>) -> Vec<&'d Draft> {
    let mut stacked: Vec<&Draft> = Vec::new();
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
    drafts: Vec<Draft>,
    faults: Vec<ConfigError>,
    /// Names that files of which nothing could be read may have had.
    lost: HashSet<String>,
}

impl Pile<'_> {
    fn layer(&mut self, sheets: &Sheets, origin: impl Fn(PathBuf) -> Origin) {
        let before = self.drafts.len();
        for sheet in &sheets.files {
            match sheet {
                Ok(sheet) => self.add(&sheet.file, &sheet.bytes, &origin(sheet.file.clone())),
                Err(fault) => self.faults.push(fault.clone()),
            }
        }
        validate::unique(&mut self.drafts, before, &mut self.faults);
    }

    fn add(&mut self, file: &Path, bytes: &[u8], origin: &Origin) {
        match read::read(file, bytes, origin, self.providers, &mut self.faults) {
            Some(draft) => self.drafts.push(draft),
            None => {
                self.lost.extend(file.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
        }
    }
}
