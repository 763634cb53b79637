//! Runs a mission: opens its journal, starts its loop, and joins the rooms around it until it ends or is stopped.
//! A new mission and a resumed one take the same path: to open is to write a journal, to run is to start from one.

mod ending;
mod opened;
mod running;
mod watchers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use journal::LogStore;
use mind::mission_limits::Limits;
use providers::api::ApiOptions;
use providers::claude;
use sandbox::SandboxFactory;
use tokio::sync::Notify;

use crate::cli_error::{CliError, ExitCode};
use crate::mission::effect_runner::conducting;
use crate::mission::port::intake;
use crate::mission::repo_location::RepoLocation;
use crate::mission::{lost_clone, opening};
use crate::project::home::Project;
use crate::terminal::console::Style;
use crate::terminal::sound::Sound;
use crate::terminal::{Manner, Theme, console, signals};
use opened::OpenedMission;
use running::JoinedMission;
use watchers::Watchers;

/// How a mission is shown, and whether a person can type.
#[derive(Debug, Clone, Copy)]
pub struct Presentation {
    pub style: Style,
    /// A person can type.
    pub typing: bool,
    /// The journal is printed from the first entry, because the mission is new.
    pub from_start: bool,
    /// The screen's theme; without one, lines are printed.
    pub theme: Option<Theme>,
    /// The person's settings of the screen.
    pub manner: Manner,
}

impl Presentation {
    /// Whether lines for people are printed.
    pub fn prints(&self) -> bool {
        self.style == Style::Text && self.theme.is_none()
    }
}

pub struct MissionDeps {
    pub journals: Arc<dyn LogStore>,
    /// Where the actors of a rehearsal keep their conversations.
    pub store: PathBuf,
    /// How sessions of Claude Code are started; none if it is not installed.
    pub claude: Option<claude::ClaudeOptions>,
    pub api: ApiOptions,
    /// Makes the sandboxes of agents, checks and git.
    pub hold: Arc<SandboxFactory>,
    /// Where questions wait for a person who is not at the terminal.
    pub docket: Docket,
    /// After how long without a key the person counts as away.
    pub away_after: Duration,
    /// The limits that a resumed mission goes on with; a new one has them in its charter.
    pub limits: Option<Limits>,
    pub conducting: conducting::ConductorDeps,
    pub sound: Sound,
}

/// Runs the mission in `folder` until it ends or is stopped.
pub async fn run(folder: PathBuf, means: MissionDeps, audience: Presentation) -> Result<ExitCode, CliError> {
    let opened = OpenedMission::open(folder, &means.journals)?;
    hide_from_git(&opened.location);
    let clone = lost_clone::rebuild(&opened.state, &opened.location).await?;
    let JoinedMission { mission_loop, stopped, running, sound } =
        JoinedMission::join(opened, means, audience);
    signals::watch(running.stop.clone(), running.view.clone(), running.mission.clone());
    running.mend_clone().await;
    running.begin(clone).await;
    let inbox_bell = Arc::new(Notify::new());
    let _served = running.serve(&inbox_bell);
    let watchers = Watchers::admit(&running, sound)?;
    tokio::spawn(intake::take_in(running.places.clone(), running.events.clone(), inbox_bell));

    // A task of its own: after a panic in it, the session ids and an error message are still printed.
    let ended = tokio::spawn(mission_loop.run(stopped)).await;
    let last = running.view.borrow().clone();
    let parted = watchers.part(last.state.ended.is_some(), &running).await;
    ending::tell(&running, ended, &last.state, parted)
}

/// Hides the mission from git, if that failed when it was opened, or was undone.
fn hide_from_git(location: &RepoLocation) {
    let project = Project { root: location.project.clone() };
    if let Err(error) = opening::hide_from_git(&project) {
        let path = opening::ignore_file(&project);
        console::remark(format!(
            "note: {} cannot be written ({error}): `git status` shows our files until the mission goes on next time",
            path.display()
        ));
    }
}
