//! Chooses the sandbox of a mission's agents, checks and git: at every start again, by what this machine offers and the
//! configuration says. A mission of real agents does not start without a sandbox, unless the user's own file says
//! `sandbox.level: off`.

use std::path::PathBuf;
use std::sync::Arc;

use docket::Docket;
use mind::access::SandboxLevel;
use mind::charter::RoleProviders;
use mind::{Charter, MissionId};
use providers::Provider;
use sandbox::SandboxSurvey;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::port;
use crate::mission::repo_location::RepoLocation;
use crate::project::config::{Config, SandboxWanted};
use crate::project::home::UserFolders;

/// The sandbox's settings.
#[derive(Debug, Clone, Default)]
pub struct SandboxTerms {
    level: SandboxWanted,
    write: Vec<PathBuf>,
    hide: Vec<PathBuf>,
    names: Vec<String>,
    /// The docket's folder, hidden from agents: a process that could write there could answer for a person.
    docket: Option<PathBuf>,
}

impl SandboxTerms {
    pub fn of(config: &Config) -> SandboxTerms {
        SandboxTerms {
            level: config.sandbox_level.value,
            write: config.sandbox_write.value.clone(),
            hide: config.sandbox_hide.value.clone(),
            names: config.sandbox_environment.value.clone(),
            docket: Some(config.docket_dir.value.clone()),
        }
    }

    /// The level of the sandbox on this machine. Without any level, a mission with agents that are not our own is refused.
    pub fn level(&self, survey: &SandboxSurvey, are_agents_real: bool) -> Result<SandboxLevel, CliError> {
        match (self.level, survey.best()) {
            (SandboxWanted::Off, _) => Ok(SandboxLevel::Off),
            (SandboxWanted::Auto, Some(level)) => Ok(level),
            (SandboxWanted::Auto, None) if !are_agents_real => Ok(SandboxLevel::Off),
            (SandboxWanted::Auto, None) => Err(CliError::new(
                ExitCode::Provider,
                format!("no sandbox works on this machine: {survey}"),
            )
            .hint(format!(
                "{}; or let agents run without a sandbox: write `sandbox: off` into your own configuration",
                survey.hint().unwrap_or_default()
            ))),
        }
    }

    /// The factory of one mission's sandboxes.
    pub fn site(
        self,
        survey: SandboxSurvey,
        level: SandboxLevel,
        places: &UserFolders,
        mission: &MissionId,
        location: &RepoLocation,
    ) -> sandbox::SandboxFactory {
        let own = std::env::current_exe().map_or_else(|_| "arbiter".into(), Into::into);
        let mut ours = vec![places.home.clone(), places.journal_key(), places.state.clone()];
        ours.extend(places.user_config.as_ref().and_then(|file| file.parent()).map(PathBuf::from));
        // A process that could connect there would read what other sessions write.
        ours.extend(port::runtime::folders());
        if let Some(dir) = self.docket {
            ours.push(Docket::at(dir.clone()).ledger_file());
            ours.push(dir);
        }
        let mut hide = self.hide;
        if location.project != location.source {
            hide.push(location.project.clone());
        }
        sandbox::SandboxFactory {
            level,
            survey,
            mission: mission.to_string(),
            home: places.user.clone().unwrap_or_else(|| "/nonexistent".into()),
            project: location.source.clone(),
            place: places.cage_of(mission),
            ours,
            own: vec![own, "__cage".into()],
            write: self.write,
            hide,
            names: self.names,
        }
    }
}

/// The factory of sandboxes for a mission that is about to start.
pub fn choose_sandbox(
    terms: SandboxTerms,
    are_agents_real: bool,
    places: &UserFolders,
    mission: &MissionId,
    location: &RepoLocation,
) -> Result<Arc<sandbox::SandboxFactory>, CliError> {
    let survey = sandbox::survey();
    let level = terms.level(&survey, are_agents_real)?;
    Ok(Arc::new(terms.site(survey, level, places, mission, location)))
}

/// Whether the mission may start an agent that is not our own: for a role, by an agent's file, or to choose moves.
pub fn has_real_agents(charter: &Charter) -> bool {
    let RoleProviders { arbiter, orchestrator, verifier, .. } = &charter.seats;
    let seats = [arbiter, orchestrator, verifier].map(|seat| &*seat.provider);
    let agents = charter.agents.iter().filter_map(|agent| agent.provider.name.as_deref());
    let decider = charter.conducting.as_ref().and_then(|conducting| conducting.decider.as_ref());
    let decider = decider.map(|decider| &*decider.provider);
    let mut names = seats.into_iter().chain(agents).chain(decider);
    names.any(|name| Provider::named(name).is_ok_and(|provider| provider.entry().is_real))
}
