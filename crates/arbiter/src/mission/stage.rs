//! Puts a mission on the stage: opens its journal, wakes it, and joins the rooms around its loop until it rests.
//! A new mission and a resumed one take the same way: to open is to write a journal, to run is to wake it.

mod ending;
mod opened;
mod running;
mod watchers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use journal::LogStore;
use providers::api::ApiOptions;
use providers::claude;
use sandbox::Site;
use tokio::sync::Notify;

use crate::complaint::{Code, Complaint};
use crate::mission::hands::conducting;
use crate::mission::port::intake;
use crate::terminal::console::Style;
use crate::terminal::sound::Sound;
use crate::terminal::{Manner, Theme, signals};
use opened::OpenedMission;
use running::JoinedMission;
use watchers::Watchers;

/// How a mission is shown and who is there.
#[derive(Debug, Clone, Copy)]
pub struct Audience {
    /// Text or JSON.
    pub style: Style,
    /// Somebody can type.
    pub typing: bool,
    /// The mission is new: its journal is printed from the first entry.
    pub from_start: bool,
    /// How the screen looks; lines are printed if none.
    pub theme: Option<Theme>,
    /// How the person wants it.
    pub manner: Manner,
}

impl Audience {
    /// Lines for people are printed.
    pub fn prints(&self) -> bool {
        self.style == Style::Text && self.theme.is_none()
    }
}

/// What a mission is run with.
pub struct Means {
    /// Where its journal is kept.
    pub journals: Arc<dyn LogStore>,
    /// Where the actors of a rehearsal keep their conversations.
    pub store: PathBuf,
    /// How sessions of Claude Code are started; none if it is not on this machine.
    pub claude: Option<claude::Options>,
    /// How models are spoken to directly.
    pub api: ApiOptions,
    /// What holds agents, checks and git.
    pub hold: Arc<Site>,
    /// Where questions wait for somebody who is not at the terminal.
    pub docket: Docket,
    /// How long somebody at the terminal may touch nothing before they are away.
    pub away_after: Duration,
    /// What a conducted mission needs besides.
    pub conducting: conducting::Means,
    /// What is heard of it.
    pub sound: Sound,
}

/// Runs the mission in `folder` until it rests.
pub async fn perform(folder: PathBuf, means: Means, audience: Audience) -> Result<Code, Complaint> {
    let opened = OpenedMission::open(folder, &means.journals)?;
    let JoinedMission { house, stopped, running, sound } = JoinedMission::join(opened, means, audience);
    signals::watch(running.stop.clone(), running.view.clone(), running.mission.clone());
    running.begin().await;
    let inbox_bell = Arc::new(Notify::new());
    let _served = running.serve(&inbox_bell);
    let watchers = Watchers::admit(&running, sound)?;
    tokio::spawn(intake::take_in(running.places.clone(), running.events.clone(), inbox_bell));

    // A task of its own, so that a defect in it still ends with the id line and a clear word.
    let ended = tokio::spawn(house.run(stopped)).await;
    let last = running.view.borrow().clone();
    let parted = watchers.part(last.state.ended.is_some(), &running).await;
    ending::tell(&running, ended, &last.state, parted)
}
