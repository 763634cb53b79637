//! What every command needs: the user's folders, the project and its missions, the configuration, the trust book; and
//! errors of the rooms turned into complaints.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use journal::LogStore;
use mind::MissionId;
use mind::conductor::Agent;
use providers::Provider;
use view::refusal::RefusalCause;
use workspace::WorkspaceError;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::journal_key;
use crate::mission::port::FolderPort;
use crate::project::agents::{AgentSources, Agents, AgentsWatch, read_folder};
use crate::project::config::{Config, ConfigErrors, ConfigTerms};
use crate::project::home::{self, HomeError, MissionPlaces, Project, UserFolders};
use crate::project::project_files::ProjectFiles;
use crate::project::registry::{Registry, RegistryError};
use crate::project::requirements::RequirementsError;
use crate::project::trust::{TrustBook, TrustError};
use crate::terminal::Theme;
use crate::terminal::prefs::TerminalPrefs;
use crate::terminal::screen;
use crate::terminal::sound::Sound;

/// The names of the providers whose sessions can work.
pub fn workers() -> &'static [&'static str] {
    static WORKERS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let works = Provider::ALL.iter().filter(|provider| provider.entry().works);
        works.map(|provider| provider.name()).collect()
    });
    &WORKERS
}

/// What a command knows of the user, the project and the terminal.
#[derive(Debug)]
pub struct CommandContext {
    pub places: UserFolders,
    /// The folder the command was typed in.
    pub here: PathBuf,
    /// The project of that folder: the nearest one with missions, else the folder itself.
    pub project: Project,
    /// How a screen looks here, if one can be shown and is wanted.
    pub theme: Option<Theme>,
    mute: bool,
    /// Read at the first use.
    prefs: OnceLock<TerminalPrefs>,
    /// Found at the first use.
    journals: OnceLock<Arc<dyn LogStore>>,
}

impl CommandContext {
    /// Finds the user's folders and the project of the current folder. `plain` wants lines and no screen, `mute` no sound.
    pub fn find(plain: bool, mute: bool) -> Result<CommandContext, CliError> {
        let places = UserFolders::find(|name| std::env::var_os(name))?;
        let here = std::env::current_dir().map_err(|error| {
            CliError::new(ExitCode::Usage, format!("the current folder cannot be used: {error}"))
                .hint("change to a folder that exists")
        })?;
        let mut with_missions = None;
        for folder in here.ancestors() {
            let missions = folder.join(".arbiter/missions");
            let is_folder = host::files::is_folder(&missions);
            if is_folder.map_err(|error| {
                CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", missions.display()))
            })? {
                with_missions = Some(folder);
                break;
            }
        }
        let project = Project { root: with_missions.unwrap_or(&here).to_path_buf() };
        let theme = screen::theme(plain);
        let (prefs, journals) = (OnceLock::new(), OnceLock::new());
        Ok(CommandContext { places, here, project, theme, mute, prefs, journals })
    }

    /// How the user wants the terminal. A broken file of theirs is no reason to show nothing.
    pub fn prefs(&self) -> TerminalPrefs {
        *self.prefs.get_or_init(|| match self.theme {
            Some(_) => TerminalPrefs::read(&self.places, self.mute, |name| std::env::var_os(name)),
            None => TerminalPrefs::default(),
        })
    }

    /// The same, by a configuration that was read already.
    pub fn manners_by(&self, config: &Config) -> TerminalPrefs {
        TerminalPrefs::of(config, &self.places, self.mute, |name| std::env::var_os(name))
    }

    /// From now on these are the user's manners, unless others are in use already.
    pub fn set_prefs(&self, prefs: TerminalPrefs) {
        let _ = self.prefs.set(prefs);
    }

    /// What is heard of a mission. No sound program is started by this.
    pub fn sound(&self) -> Sound {
        self.prefs().sound(&self.places)
    }

    /// The folder whose configuration a mission would have that is begun in the current folder: the repository's top, if
    /// there is one.
    pub fn root(&self) -> PathBuf {
        let repository = self.here.ancestors().find(|folder| folder.join(".git").exists());
        repository.unwrap_or(&self.project.root).to_path_buf()
    }

    /// Reads the configuration for `project`, which is the user's own tree and never a mission's clone.
    pub fn config(&self, project: &Path) -> Result<Config, CliError> {
        self.config_of(&ProjectFiles::read(project))
    }

    /// The configuration that these papers make, by what the user trusts.
    pub fn config_of(&self, project_files: &ProjectFiles) -> Result<Config, CliError> {
        Ok(Config::load(project_files, &self.terms(project_files)?)?)
    }

    /// The configuration and the agents, or everything that is wrong with both.
    pub fn read_config(&self, project_files: &ProjectFiles) -> Result<(Config, Agents), CliError> {
        let (config, mut faults) = Config::read(project_files, &self.terms(project_files)?);
        let user = self.places.user_agents();
        let user = user.as_deref().map(|folder| read_folder(folder, None)).unwrap_or_default();
        let (agents, more) = Agents::read(&AgentSources {
            user: &user,
            project: &project_files.agents,
            counts: config.standing.counts(),
            providers: workers(),
            default: (&config.default_agent.value, config.default_agent.origin.place()),
            waiting: config.waiting_agent.as_ref().map(|(name, place)| (name.as_str(), place)),
        });
        faults.extend(more);
        match ConfigErrors::from_faults(faults) {
            Some(errors) => Err(errors.into()),
            None => Ok((config, agents)),
        }
    }

    /// The files of the agents that a mission of `project` works with, to be looked at again.
    pub fn shelf(&self, project: &Path, config: &Config, known: Vec<Agent>) -> AgentsWatch {
        let default = &config.default_agent;
        let default = (default.value.clone(), default.origin.place().cloned());
        let (project, user) = (project.to_path_buf(), self.places.user_agents());
        AgentsWatch::open(project, user, self.trust_book(), workers(), default, known)
    }

    fn terms(&self, project_files: &ProjectFiles) -> Result<ConfigTerms<'_>, CliError> {
        Ok(ConfigTerms {
            user_config: self.places.user_config.as_deref(),
            home: self.places.user.as_deref(),
            arbiter_home: &self.places.home,
            providers: workers(),
            standing: self.trust_book().standing(project_files)?,
        })
    }

    /// What the user trusts.
    pub fn trust_book(&self) -> TrustBook {
        TrustBook::new(self.places.trust())
    }

    /// The journals of all missions, to be read.
    pub fn journals(&self) -> Result<Arc<dyn LogStore>, CliError> {
        if let Some(journals) = self.journals.get() {
            return Ok(Arc::clone(journals));
        }
        let journals = journal_key::journals(&self.places)?;
        Ok(Arc::clone(self.journals.get_or_init(|| journals)))
    }

    /// The same, to open a mission in.
    pub fn journals_to_write(&self) -> Result<Arc<dyn LogStore>, CliError> {
        // Not what was found to read: without a key that opens nothing.
        Ok(journal_key::journals_to_write(&self.places)?)
    }

    /// The way to a mission, by its folder.
    pub fn port(&self, places: &MissionPlaces) -> Result<FolderPort, CliError> {
        Ok(FolderPort::at(places.clone(), self.journals()?))
    }

    /// The list of missions of all projects.
    pub fn registry(&self) -> Registry {
        Registry::new(self.places.registry())
    }

    /// The mission a person named, in this project or, by its whole id, in any.
    pub fn named(&self, typed: &str) -> Result<(MissionId, MissionPlaces), CliError> {
        match home::resolve(&self.project.missions()?, typed) {
            Ok(id) => {
                let places = self.project.mission(&id);
                Ok((id, places))
            }
            Err(unknown) => {
                let elsewhere = home::parse_mission_id(typed)
                    .ok()
                    .and_then(|id| self.registry().find(&id).ok().flatten()?.ok());
                match elsewhere {
                    Some(entry) => {
                        let places = Project { root: entry.project }.mission(&entry.id);
                        Ok((entry.id, places))
                    }
                    None => Err(unknown.into()),
                }
            }
        }
    }

    /// This project's missions, the newest first.
    pub fn newest_first(&self) -> Result<Vec<(MissionId, MissionPlaces)>, CliError> {
        let mut missions: Vec<_> =
            self.project.missions()?.into_iter().map(|id| (self.project.mission(&id), id)).collect();
        missions.sort_by_key(|(places, _)| {
            std::cmp::Reverse(std::fs::metadata(places.journal()).and_then(|found| found.modified()).ok())
        });
        Ok(missions.into_iter().map(|(places, id)| (id, places)).collect())
    }
}

/// What our sessions and checks find in their environment, and so does everything they start.
const MARK: &[u8] = b"ARBITER_MARK_";

/// Whether an agent of ours typed the command, and not a person.
pub fn is_agent() -> bool {
    std::env::vars_os().any(|(name, _)| name.as_encoded_bytes().starts_with(MARK))
}

/// Refuses what only a person may do.
pub fn refuse_agents() -> Result<(), CliError> {
    if !is_agent() {
        return Ok(());
    }
    Err(RefusalCause::OnlyPersons.into())
}

fn complain(code: ExitCode, error: &dyn std::error::Error, hint: Option<String>) -> CliError {
    let mut cli_error = CliError::of(code, error);
    cli_error.hint = hint;
    cli_error
}

impl From<HomeError> for CliError {
    fn from(error: HomeError) -> CliError {
        let code = match error {
            HomeError::Disk { .. } | HomeError::Taken { .. } => ExitCode::Failed,
            HomeError::NoHome
            | HomeError::RelativeHome { .. }
            | HomeError::BadMissionId { .. }
            | HomeError::UnknownMission { .. }
            | HomeError::AmbiguousMission { .. } => ExitCode::Usage,
        };
        complain(code, &error, error.hint())
    }
}

impl From<RequirementsError> for CliError {
    fn from(error: RequirementsError) -> CliError {
        CliError::from(&error)
    }
}

impl From<&RequirementsError> for CliError {
    fn from(error: &RequirementsError) -> CliError {
        complain(ExitCode::Usage, error, error.hint())
    }
}

impl From<TrustError> for CliError {
    fn from(error: TrustError) -> CliError {
        complain(ExitCode::Failed, &error, Some(error.hint()))
    }
}

impl From<RegistryError> for CliError {
    fn from(error: RegistryError) -> CliError {
        complain(ExitCode::Failed, &error, error.hint())
    }
}

impl From<WorkspaceError> for CliError {
    fn from(error: WorkspaceError) -> CliError {
        let code = match error {
            WorkspaceError::NoGit
            | WorkspaceError::OldGit { .. }
            | WorkspaceError::RefInTheWay { .. }
            | WorkspaceError::LineBreak { .. }
            | WorkspaceError::NoRepository { .. }
            | WorkspaceError::NoCommit { .. }
            | WorkspaceError::Conflicted { .. }
            | WorkspaceError::TooMuch { .. }
            | WorkspaceError::Engaged { .. }
            | WorkspaceError::InUse { .. }
            | WorkspaceError::Uncommitted { .. }
            | WorkspaceError::EmptyCheck
            | WorkspaceError::ShellCheck { .. } => ExitCode::Usage,
            WorkspaceError::Occupied { .. }
            | WorkspaceError::Bent { .. }
            | WorkspaceError::Clash { .. }
            | WorkspaceError::Nested { .. }
            | WorkspaceError::Git { .. }
            | WorkspaceError::Slow { .. }
            | WorkspaceError::Unheld { .. }
            | WorkspaceError::Unreadable { .. }
            | WorkspaceError::NoRoom { .. }
            | WorkspaceError::Misplaced { .. }
            | WorkspaceError::HalfMoved { .. }
            | WorkspaceError::Unkept { .. }
            | WorkspaceError::Interrupted { .. }
            | WorkspaceError::Disk { .. }
            | WorkspaceError::Ours { .. } => ExitCode::Failed,
        };
        complain(code, &error, error.hint())
    }
}

impl From<ConfigErrors> for CliError {
    fn from(errors: ConfigErrors) -> CliError {
        CliError::new(ExitCode::Usage, errors.to_string())
    }
}
