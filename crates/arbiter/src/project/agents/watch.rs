//! Reads the agents' files again between two runs of a mission, if they changed; trust is checked again too. If a file has
//! faults, the earlier agents stay, and the faults are reported once.

use std::path::PathBuf;
use std::sync::Arc;

use mind::conductor::Agent;
use mind::digest::Digest;

use super::{AgentFiles, AgentSources, Agents, read_folder};
use crate::project::config::{ConfigError, ConfigPlace};
use crate::project::project_files::ProjectFiles;
use crate::project::trust::TrustBook;

/// Checks whether the agents changed: none if not, else the new agents or the faults of their files.
pub type AgentsLook = Box<dyn FnMut() -> Option<Result<Vec<Agent>, Vec<Arc<str>>>> + Send>;

/// The files' folders, and what was read from them last.
#[derive(Debug)]
pub struct AgentsWatch {
    /// The project: the user's own tree, never a mission's clone.
    project: PathBuf,
    user: Option<PathBuf>,
    book: TrustBook,
    providers: &'static [&'static str],
    default: (String, Option<ConfigPlace>),
    known: Vec<Agent>,
    /// The project's agents counted at the last look.
    counted: bool,
    seen: Option<String>,
}

impl AgentsWatch {
    /// The files of `project` and of the folder `user`. The mission works with `known` now; `default` works first.
    #[must_use]
    pub fn open(
        project: PathBuf,
        user: Option<PathBuf>,
        book: TrustBook,
        providers: &'static [&'static str],
        default: (String, Option<ConfigPlace>),
        known: Vec<Agent>,
    ) -> AgentsWatch {
        let project_files = ProjectFiles::read(&project);
        let counted = project_files.agents.readable().next().is_some()
            && book.standing(&project_files).is_ok_and(crate::project::trust::Standing::counts);
        AgentsWatch { project, user, book, providers, default, known, counted, seen: None }
    }

    /// Reads the files: none if they say what was known already.
    pub fn read_changed(&mut self) -> Option<Result<Vec<Agent>, Vec<Arc<str>>>> {
        let project_files = ProjectFiles::read(&self.project);
        let user = self.user.as_deref().map(|folder| read_folder(folder, None)).unwrap_or_default();
        let counts = self.book.standing(&project_files).is_ok_and(crate::project::trust::Standing::counts);
        let seen = stamp(&[&user, &project_files.agents], counts);
        if self.seen.as_ref() == Some(&seen) {
            return None;
        }
        self.seen = Some(seen);
        let (agents, faults) = Agents::read(&AgentSources {
            user: &user,
            project: &project_files.agents,
            counts,
            providers: self.providers,
            default: (&self.default.0, self.default.1.as_ref()),
            waiting: None,
        });
        let of_project = |agent: &Agent| agents.waiting.iter().any(|(waiting, _)| waiting == agent);
        if !agents.waiting.is_empty() && (self.counted || self.known.iter().any(of_project)) {
            let text = "the project's agents, or what is beside them, changed since you trusted them: the earlier agents \
                        stay (hint: `arbiter trust` shows them and asks you)";
            return Some(Err(vec![Arc::from(text)]));
        }
        if !faults.is_empty() {
            return Some(Err(faults.iter().map(told).collect()));
        }
        self.counted = counts && project_files.agents.readable().next().is_some();
        if agents.agents == self.known {
            return None;
        }
        self.known = agents.agents;
        Some(Ok(self.known.clone()))
    }

    /// [`Shelf::look`] as a function, for the effect runner, which knows nothing of files.
    #[must_use]
    pub fn into_look(mut self) -> AgentsLook {
        Box::new(move || self.read_changed())
    }
}

/// A fault in one line.
fn told(fault: &ConfigError) -> Arc<str> {
    match fault.hint() {
        Some(hint) => format!("{fault} (hint: {hint})").into(),
        None => fault.to_string().into(),
    }
}

/// A digest of the files.
fn stamp(folders: &[&AgentFiles], counts: bool) -> String {
    let mut digest = Digest::default();
    let mut add = |bytes: &[u8]| digest.add_part(bytes);
    add(&[u8::from(counts)]);
    for sheets in folders {
        add(b"folder");
        for sheet in &sheets.files {
            match sheet {
                Ok(sheet) => {
                    add(sheet.name.as_bytes());
                    add(&sheet.bytes);
                }
                Err(fault) => add(fault.to_string().as_bytes()),
            }
        }
    }
    digest.hex()
}
