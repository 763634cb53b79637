//! The effect runner set up for a test, with what tests seldom care about already chosen; and a mission loop around it.
//! All of it is the product's own code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arbiter::mission::docket_link::DocketLink;
use arbiter::mission::effect_runner::clone_view::CloneView;
use arbiter::mission::effect_runner::conducting::ConductorDeps;
use arbiter::mission::effect_runner::disk::DiskQueue;
use arbiter::mission::effect_runner::disk_delay::DiskDelay;
use arbiter::mission::effect_runner::late_usage::LateUsage;
use arbiter::mission::effect_runner::sandboxes::SessionSandboxes;
use arbiter::mission::effect_runner::{EffectRunner, Interlocks};
use arbiter::mission::fact_log::{FactLog, MissionJournal};
use arbiter::mission::mission_loop::{MissionLoop, MissionSnapshot};
use arbiter::mission::repo_location::{RehearsalPace, RepoLocation};
use docket::Docket;
use mind::policy::Policy;
use mind::{Charter, Entry, Event, State, Timestamp};
use providers::api::ApiOptions;
use providers::live::LiveTails;
use providers::{NoteSink, ProviderOptions, Providers, claude, rehearsal};
use sandbox::SandboxFactory;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

/// What hands are made of.
pub struct RunnerSeed {
    pub mission: String,
    /// Its own folder.
    pub folder: PathBuf,
    /// Where the code comes from and where it is worked on.
    pub location: RepoLocation,
    /// How actors are started.
    pub rehearsal: rehearsal::RehearsalOptions,
    /// How Claude Code is started, if it is there.
    pub claude: Option<claude::ClaudeOptions>,
    /// What holds agents, checks and git.
    pub site: SandboxFactory,
    /// What each small write takes.
    pub writes: DiskDelay,
    /// What each sandbox and each look at the clone takes.
    pub looks: DiskDelay,
    /// What a conducted mission needs besides.
    pub conducting: ConductorDeps,
}

impl RunnerSeed {
    /// Hands of `mission` in `folder`: nothing is held, nothing takes time, there is neither code nor actor.
    #[must_use]
    pub fn new(mission: &str, folder: &Path) -> RunnerSeed {
        RunnerSeed {
            mission: mission.to_owned(),
            folder: folder.to_owned(),
            location: RepoLocation {
                project: folder.to_owned(),
                source: folder.join("source"),
                base: "c0".to_owned(),
                clone: folder.join("clone"),
                scratch: false,
                snapshot: false,
                in_place: false,
                pace: RehearsalPace::Fast,
            },
            rehearsal: rehearsal::RehearsalOptions {
                argv: vec!["/nowhere/actor".into()],
                script: folder.join("rehearsal.yaml"),
                store: folder.join("store"),
                pace: rehearsal::Pace::Fast,
            },
            claude: None,
            site: SandboxFactory::nowhere(),
            writes: DiskDelay::default(),
            looks: DiskDelay::default(),
            conducting: ConductorDeps::default(),
        }
    }

    /// Makes a repository of one file, and the mission's clone of it.
    ///
    /// # Panics
    ///
    /// Where git cannot.
    pub async fn with_clone(mut self) -> RunnerSeed {
        let RepoLocation { source, clone, .. } = &self.location;
        let base = workspace::scratch(source, &[("a.txt", "a\n")]).await.expect("a repository").commit;
        workspace::prepare(source, &base, clone, &self.mission).await.expect("a clone");
        self.location.base = base;
        self
    }

    /// The providers as the hands have them.
    fn providers(&self, disk: &DiskQueue) -> Providers {
        let (rehearsal, api) = (self.rehearsal.clone(), ApiOptions::default());
        let notes = NoteSink::new({
            let disk = disk.clone();
            move |remark| disk.note(remark)
        });
        Providers::open(&ProviderOptions { claude: self.claude.clone(), api, rehearsal, notes })
    }

    /// The hands, whose way back are `events`.
    #[must_use]
    pub fn runner(self, events: &mpsc::Sender<Event>) -> EffectRunner {
        let (folder, project) = (self.folder.clone(), self.location.project.clone());
        let (disk, disk_thread) = DiskQueue::with_delay(folder, project, self.writes.clone());
        let (hold, providers) = (Arc::new(self.site.clone()), self.providers(&disk));
        let clone = self.location.clone.clone();
        let sandboxes = SessionSandboxes::new(Arc::clone(&hold), clone.clone(), providers.clone());
        let sandboxes = Arc::new(sandboxes.with_delay(self.looks));
        EffectRunner {
            clone_view: Arc::new(CloneView::new(clone, Arc::clone(&sandboxes))),
            sandboxes,
            disk,
            disk_thread,
            bridge: DocketLink::open(Docket::at(self.folder.join("queue")), events.clone()),
            policy: Policy::default(),
            hold,
            providers,
            folder: self.folder,
            location: self.location,
            events: events.clone(),
            late_usage: LateUsage::default(),
            live: LiveTails::default(),
            sessions: BTreeMap::new(),
            errands: JoinSet::new(),
            turns: Interlocks::begin(&self.mission),
            conducting: self.conducting,
        }
    }
}

/// A loop that has just opened its mission in `journal`, and what it shows.
///
/// # Panics
///
/// Where the journal cannot be made.
pub fn open_house(
    journal: &MissionJournal,
    charter: Charter,
    runner: EffectRunner,
    inbox: mpsc::Receiver<Event>,
) -> (MissionLoop, watch::Receiver<MissionSnapshot>) {
    let (at, mission) = (Timestamp(1), charter.mission.to_string());
    let step = State::default().decide(Event::Opened(Box::new(charter)), at);
    let entries: Vec<Entry> = step.facts.into_iter().map(|fact| Entry { at, fact }).collect();
    FactLog::create(journal, &mission, &entries).expect("a journal");
    let (fact_log, state, _) = FactLog::open(journal).expect("it opens");
    MissionLoop::new(fact_log, state, inbox, runner)
}
