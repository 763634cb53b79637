//! Joins the rooms around a mission's loop: the effect runner, the port through which this process reaches the mission, and
//! the socket through which other processes follow it.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use docket::Docket;
use mind::Event;
use mind::actor::Door;
use mind::charter::WhenAway;
use mind::event::WorkspaceEvent;
use mind::mission_limits::Limits;
use providers::live::LiveTails;
use providers::{NoteSink, ProviderOptions, Providers, rehearsal};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use workspace::CloneLock;

use super::opened::OpenedMission;
use super::{MissionDeps, Presentation};
use crate::mission::clone_setup;
use crate::mission::docket_link::DocketLink;
use crate::mission::effect_runner::clone_view::CloneView;
use crate::mission::effect_runner::disk::DiskQueue;
use crate::mission::effect_runner::late_usage::LateUsage;
use crate::mission::effect_runner::sandboxes::SessionSandboxes;
use crate::mission::effect_runner::{EffectRunner, Interlocks};
use crate::mission::lost_clone::CloneState;
use crate::mission::mission_loop::{MissionLoop, MissionSnapshot};
use crate::mission::port::{LocalPort, MissionFiles, socket};
use crate::mission::repo_location::{RehearsalPace, RepoLocation};
use crate::project::home::MissionPlaces;
use crate::terminal::console;
use crate::terminal::presence::HumanPresence;
use crate::terminal::sound::Sound;
use crate::{limits, terminal};

/// A mission before its loop runs.
pub(super) struct JoinedMission {
    pub(super) mission_loop: MissionLoop,
    /// Set when the loop should stop.
    pub(super) stopped: watch::Receiver<bool>,
    pub(super) running: RunningMission,
    pub(super) sound: Sound,
}

/// A running mission as its screen, prompt and ending know it.
pub(super) struct RunningMission {
    pub(super) mission: String,
    pub(super) places: MissionPlaces,
    pub(super) location: RepoLocation,
    pub(super) events: mpsc::Sender<Event>,
    pub(super) view: watch::Receiver<MissionSnapshot>,
    pub(super) stop: watch::Sender<bool>,
    pub(super) port: Arc<dyn MissionFiles>,
    pub(super) presence: HumanPresence,
    pub(super) docket: Docket,
    pub(super) audience: Presentation,
    /// The human's lines of a rehearsal.
    pub(super) lines: Vec<String>,
    /// Remarks of providers, printed when the screen is gone.
    pub(super) remarks: Remarks,
    live: LiveTails,
    away_after: Duration,
    limits: Option<Limits>,
    _clone_lock: CloneLock,
}

/// Remarks that wait for the end of the run: a reader of the output may be slow, and a session's task must not wait for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Remarks(Arc<Mutex<Vec<String>>>);

impl Remarks {
    fn add(&self, remark: String) {
        let mut remarks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if remarks.len() < limits::END_REMARKS_MAX && !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl JoinedMission {
    /// Joins the rooms. The loop does not run yet.
    pub(super) fn join(opened: OpenedMission, means: MissionDeps, audience: Presentation) -> JoinedMission {
        let (events, inbox) = mpsc::channel(limits::INBOX_MAX);
        let (mission, live) = (opened.mission(), LiveTails::default());
        let (docket, away_after, limits_now) = (means.docket.clone(), means.away_after, means.limits);
        let remarks = Remarks::default();
        let (runner, sound) = effect_runner(&opened, means, events.clone(), live.clone(), remarks.clone());
        let OpenedMission { places, journal, fact_log, state, location, clone_lock, lines, .. } = opened;
        let (mission_loop, view) = MissionLoop::new(fact_log, state, inbox, runner);
        let port: Arc<dyn MissionFiles> = Arc::new(LocalPort::open(
            places.clone(),
            journal,
            terminal::person(Door::Terminal),
            events.clone(),
            view.clone(),
            live.clone(),
        ));
        let (stop, stopped) = watch::channel(false);
        let presence = HumanPresence::begin();
        let running = RunningMission {
            mission,
            places,
            location,
            events,
            view,
            stop,
            port,
            presence,
            docket,
            audience,
            lines,
            remarks,
            live,
            away_after,
            limits: limits_now,
            _clone_lock: clone_lock,
        };
        JoinedMission { mission_loop, stopped, running, sound }
    }
}

impl RunningMission {
    /// Mends what a death left in the clone, before any session works there. What cannot be mended, the mission will meet.
    pub(super) async fn mend_clone(&self) {
        if self.view.borrow().state.clone_place.is_none() || !self.location.clone.try_exists().unwrap_or(true)
        {
            return;
        }
        let RepoLocation { source, clone, .. } = &self.location;
        match workspace::mend_clone(source, clone, &self.mission).await {
            Ok(mended) => {
                mended.iter().for_each(|line| console::remark(format!("note: in the clone: {line}")))
            }
            Err(error) => console::remark(format!("note: the clone could not be looked over: {error}")),
        }
        if let Err(error) = clone_setup::keep_leavings_out(clone) {
            console::remark(format!("note: what agents leave in the clone may be in its commits: {error}"));
        }
    }

    /// Tells the mission that it was started and whether a person is there. This is the first event in the inbox.
    pub(super) async fn begin(&self, clone: CloneState) {
        let (unattended, away) = {
            let state = &self.view.borrow().state;
            (state.unattended, state.charter.as_ref().map(|charter| charter.away))
        };
        let typing = self.audience.typing;
        if let Some(limits) = self.limits {
            let _ = self.events.send(Event::LimitsSet(limits)).await;
        }
        let _ = self.events.send(Event::Started).await;
        // A terminal is open, or it is not: a person who is away from one will be back.
        if typing || !unattended {
            let _ = self.events.send(Event::Attended(typing)).await;
        }
        if let CloneState::Rebuilt { commit } = clone {
            let rebuilt = WorkspaceEvent::Rebuilt { commit: Arc::from(commit) };
            let _ = self.events.send(Event::Workshop(rebuilt)).await;
        }
        if typing && away == Some(WhenAway::Petition) {
            tokio::spawn(self.presence.clone().watch(self.away_after, self.events.clone()));
        }
    }

    /// Lets other processes follow the mission until the returned value is dropped. `inbox` is notified when
    /// they leave a message.
    pub(super) fn serve(&self, inbox: &Arc<Notify>) -> io::Result<socket::SocketServer> {
        let sources = socket::SocketSources {
            view: self.view.clone(),
            live: self.live.clone(),
            inbox: Arc::clone(inbox),
        };
        socket::serve(&self.places.folder, sources).inspect_err(|error| {
            console::remark(format!("note: `arbiter attach` shows no live text of this mission: {error}"));
        })
    }

    /// The folder whose files a person can name with `@`.
    pub(super) fn files(&self) -> PathBuf {
        if self.location.scratch { self.location.source.clone() } else { self.location.project.clone() }
    }
}

fn effect_runner(
    opened: &OpenedMission,
    means: MissionDeps,
    events: mpsc::Sender<Event>,
    live: LiveTails,
    remarks: Remarks,
) -> (EffectRunner, Sound) {
    let MissionDeps { store, claude, api, hold, docket, conducting, sound, .. } = means;
    let (folder, location) = (opened.places.folder.clone(), opened.location.clone());
    let rehearsal = rehearsal::RehearsalOptions {
        argv: vec![own_program(), "__actor".into()],
        script: opened.script.clone(),
        store,
        pace: match location.pace {
            RehearsalPace::Fast => rehearsal::Pace::Fast,
            RehearsalPace::Human => rehearsal::Pace::Human,
        },
    };
    let (disk, disk_thread) = DiskQueue::open(folder.clone(), location.project.clone());
    let notes = NoteSink::new({
        let disk = disk.clone();
        move |remark: String| {
            disk.note(remark.clone());
            remarks.add(remark);
        }
    });
    let providers = Providers::open(&ProviderOptions { claude, api, rehearsal, notes });
    let sandboxes =
        Arc::new(SessionSandboxes::new(Arc::clone(&hold), location.clone.clone(), providers.clone()));
    let policy = opened.state.charter.as_ref().map(|charter| charter.policy.clone()).unwrap_or_default();
    let runner = EffectRunner {
        folder,
        providers,
        policy,
        hold,
        clone_view: Arc::new(CloneView::new(location.clone.clone(), Arc::clone(&sandboxes))),
        sandboxes,
        disk,
        disk_thread,
        location,
        bridge: DocketLink::open(docket, events.clone()),
        events,
        late_usage: LateUsage::default(),
        live,
        sessions: BTreeMap::new(),
        errands: JoinSet::new(),
        turns: Interlocks::begin(&opened.mission()),
        conducting,
    };
    (runner, sound)
}

fn own_program() -> std::ffi::OsString {
    std::env::current_exe().map_or_else(|_| "arbiter".into(), Into::into)
}
