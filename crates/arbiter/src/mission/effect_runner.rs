//! The effect runner: performs each effect by the room that can do it. It never waits: slow work runs beside the mission
//! loop and comes back as an event, and an effect that cannot be performed becomes an event too.

pub mod clone_view;
pub mod conducting;
pub mod disk;
pub mod disk_delay;
pub mod late_usage;
pub mod launcher;
mod machine_fault;
pub mod sandboxes;
mod spawn;
pub mod tool_judge;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mind::access::SandboxLevel;
use mind::effect::{ConductorEffect, DocketEffect, MissionEffect, SessionCommand, WorkspaceEffect};
use mind::event::WorkspaceEvent;
use mind::policy::Policy;
use mind::{Address, AgentEvent, Effect, Event, GateId, SessionId, State};
use providers::Providers;
use providers::live::LiveTails;
use sandbox::SandboxFactory;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use workspace::{ProofCheckout, WorkspaceError};

use crate::limits;
use crate::mission::clone_setup;
use crate::mission::docket_link::DocketLink;
use crate::mission::repo_location::RepoLocation;
use crate::mission::{last_session, receipts};
use clone_view::CloneView;
use disk::{DiskQueue, DiskThread, DiskWrite};
use late_usage::LateUsage;
use machine_fault::outlast;
use sandboxes::SessionSandboxes;
use spawn::LiveSession;

pub struct EffectRunner {
    /// The mission's folder, below `.arbiter/missions`.
    pub folder: PathBuf,
    pub location: RepoLocation,
    pub providers: Providers,
    pub policy: Policy,
    /// Makes the sandboxes of agents, checks and git.
    pub hold: Arc<SandboxFactory>,
    /// The sandboxes of sessions and of git, once the clone stands.
    pub sandboxes: Arc<SessionSandboxes>,
    /// The clone as it was last seen.
    pub clone_view: Arc<CloneView>,
    pub disk: DiskQueue,
    pub disk_thread: DiskThread,
    /// The mission loop's inbox.
    pub events: mpsc::Sender<Event>,
    /// What is told of usage when the loop's inbox is closed.
    pub late_usage: LateUsage,
    /// The sessions' text while they write it, for screens; no part of the state.
    pub live: LiveTails,
    pub bridge: DocketLink,
    /// The live sessions.
    pub sessions: BTreeMap<SessionId, LiveSession>,
    /// Tasks that run beside the loop.
    pub errands: JoinSet<()>,
    pub turns: Interlocks,
    pub conducting: conducting::ConductorDeps,
}

/// Keeps apart what must not happen at once.
#[derive(Debug)]
pub struct Interlocks {
    mission: Arc<str>,
    /// How many processes are still ending. While one is, no other may work in the clone or check it.
    leaving: watch::Sender<usize>,
    /// One fetch at a time: two would fight for the lock of the same ref of the source.
    fetching: Arc<Mutex<()>>,
    /// One check at a time uses the proof folder.
    proving: Arc<Mutex<()>>,
    checks: BTreeMap<GateId, AbortHandle>,
}

impl Interlocks {
    /// Ends processes that an earlier run of this mission left behind.
    pub fn begin(mission: &str) -> Interlocks {
        sandbox::strike_leftovers(mission);
        Interlocks {
            mission: Arc::from(mission),
            leaving: watch::Sender::new(0),
            fetching: Arc::default(),
            proving: Arc::default(),
            checks: BTreeMap::new(),
        }
    }
}

impl EffectRunner {
    pub fn perform(&mut self, effect: Effect, state: &State) {
        while self.errands.try_join_next().is_some() {}
        match effect {
            Effect::Spawn(spawn) => {
                self.spawn(spawn);
                self.disk.write(DiskWrite::LastSession(last_session::line(state)));
            }
            Effect::Session(address, SessionCommand::End) => self.see_off(address.session),
            Effect::Session(address, command) => self.command(address, command),
            Effect::Workspace(effect) => self.work(effect, state),
            Effect::Docket(petition, DocketEffect::Push { draft }) => self.bridge.push(petition, draft),
            Effect::Docket(petition, DocketEffect::Withdraw { why }) => self.bridge.withdraw(petition, why),
            Effect::Conductor(effect) => self.assist(effect),
            Effect::Mission(MissionEffect::RemoveFromInbox { inbox_id }) => {
                self.disk.write(DiskWrite::Discard(inbox_id));
            }
            Effect::Mission(MissionEffect::Note { text }) => self.disk.note(text),
            // The mission loop does this itself.
            Effect::Mission(MissionEffect::Leave(_)) => {}
        }
    }

    fn work(&mut self, effect: WorkspaceEffect, state: &State) {
        match effect {
            WorkspaceEffect::PrepareClone => self.prepare_clone(state),
            WorkspaceEffect::Survey { gate } => self.survey(gate),
            WorkspaceEffect::Check { gate, index, argv, limit_ms, commit } => {
                self.check(gate, index, argv, Duration::from_millis(limit_ms), commit);
            }
            WorkspaceEffect::FetchBack => self.fetch_back(),
            WorkspaceEffect::Bring { gate, .. } => self.bring(gate),
            WorkspaceEffect::Abandon { gate } => {
                // Dropping a check ends its command and every descendant.
                if let Some(check) = self.turns.checks.remove(&gate) {
                    check.abort();
                }
            }
        }
    }

    fn assist(&mut self, effect: ConductorEffect) {
        match effect {
            ConductorEffect::CallModel { number, attempt, question } => {
                self.decide(number, attempt, question);
            }
            ConductorEffect::DropCall { number } => self.dismiss(number),
            ConductorEffect::PrepareRun { run } => self.prepare(run),
            ConductorEffect::InspectRun { run, before } => self.inspect(run, before),
            ConductorEffect::Remember { note } => self.remember(note),
        }
    }

    /// Ends every session, every check and every model call, and waits for the rest up to a limit. Returns what they told
    /// of their usage meanwhile.
    pub async fn farewell(mut self) -> Vec<Event> {
        // A resumed mission runs the check again.
        self.turns.checks.values().for_each(AbortHandle::abort);
        let late_usage = self.late_usage.clone();
        self.conducting.asked.values().for_each(|(_, call)| call.drop_answer());
        let mut ends = JoinSet::new();
        for (_, session) in std::mem::take(&mut self.sessions) {
            ends.spawn(session.end());
        }
        let all = async {
            while ends.join_next().await.is_some() {}
            while self.errands.join_next().await.is_some() {}
            self.bridge.close().await;
            // Each of them holds a sender to the disk thread, which ends when the last one is dropped.
            drop((self.disk, self.clone_view, self.sandboxes, self.providers));
            self.disk_thread.finish().await;
        };
        let _ = tokio::time::timeout(limits::FAREWELL, all).await;
        late_usage.take()
    }

    fn command(&mut self, address: Address, command: SessionCommand) {
        let session = self.sessions.get(&address.session);
        let handed = match session.filter(|session| session.incarnation == address.incarnation) {
            Some(session) => session.command(command).map_err(|refused| refused.to_string()),
            None => Err("its process was never started".to_owned()),
        };
        if let Err(why) = handed {
            let why = Arc::from(format!("{address} cannot be reached: {why}"));
            self.tell(Event::Agent(address, AgentEvent::Lost { why }));
        }
    }

    /// Ends a session. Its process takes a moment to end; `Interlocks::leaving` counts it until then.
    fn see_off(&mut self, session: SessionId) {
        if let Some(session) = self.sessions.remove(&session) {
            let leaving = Leaving::count(&self.turns.leaving);
            self.errands.spawn(async move {
                session.end().await;
                drop(leaving);
            });
        }
    }

    fn prepare_clone(&mut self, state: &State) {
        let Some(charter) = state.charter.clone() else { return };
        let (location, clone_view) = (self.location.clone(), Arc::clone(&self.clone_view));
        let (events, disk) = (self.events.clone(), self.disk.clone());
        self.errands.spawn(async move {
            let event = match clone_setup::set_up(&location, &charter).await {
                Ok(clone) => {
                    clone.mended.iter().for_each(|mended| disk.note(format!("the clone: {mended}")));
                    WorkspaceEvent::Settled {
                        folder: Arc::from(clone.folder.display().to_string()),
                        base: Arc::from(location.base.as_str()),
                        branch: Arc::from(clone.branch.as_str()),
                    }
                }
                Err(error) => WorkspaceEvent::Broken { why: explain(&error) },
            };
            let stands = matches!(event, WorkspaceEvent::Settled { .. });
            let _ = events.send(Event::Workshop(event)).await;
            if stands {
                // No session works in the clone yet, so this look also serves the first session that rests without a change.
                clone_view.is_brought(&location.base);
                let _ = clone_view.observe().await;
            }
        });
    }

    fn survey(&mut self, gate: GateId) {
        let clone_view = Arc::clone(&self.clone_view);
        self.judge(gate, move || {
            let clone_view = Arc::clone(&clone_view);
            async move { Ok(WorkspaceEvent::Surveyed { gate, tree: clone_view.observe().await? }) }
        });
    }

    fn bring(&mut self, gate: GateId) {
        let fetch = self.fetch();
        self.judge(gate, move || {
            let fetch = fetch.clone();
            async move {
                let commit = fetch.run().await?;
                Ok(WorkspaceEvent::Brought { gate, commit: Arc::from(commit) })
            }
        });
    }

    fn check(&mut self, gate: GateId, index: u32, argv: Vec<String>, limit: Duration, commit: Arc<str>) {
        let stand = ProofCheckout {
            source: self.location.source.clone(),
            folder: workspace::proof_folder(&self.location.clone),
            mission: self.turns.mission.to_string(),
            commit: commit.to_string(),
            site: (self.hold.level != SandboxLevel::Off).then(|| Arc::clone(&self.hold)),
        };
        let proving = Arc::clone(&self.turns.proving);
        let check = self.judge(gate, move || {
            let (stand, argv, proving) = (stand.clone(), argv.clone(), Arc::clone(&proving));
            async move {
                let _turn = proving.lock().await;
                let receipt = receipts::run(&stand, argv, limit).await?;
                Ok(WorkspaceEvent::Checked { gate, index, receipt })
            }
        });
        self.turns.checks.retain(|_, check| !check.is_finished());
        self.turns.checks.insert(gate, check);
    }

    /// Does one part of a claim's check, once no session works in the clone any more. A failure counts against the claim,
    /// unless it is the machine's.
    fn judge<Part>(&mut self, gate: GateId, part: impl Fn() -> Part + Send + 'static) -> AbortHandle
    where
        Part: Future<Output = Result<WorkspaceEvent, WorkspaceError>> + Send,
    {
        let mut leaving = self.turns.leaving.subscribe();
        let (events, disk) = (self.events.clone(), self.disk.clone());
        self.errands.spawn(async move {
            let _ = leaving.wait_for(|leaving| *leaving == 0).await;
            let event = match outlast(&disk, part).await {
                Ok(event) => event,
                Err(error) if error.is_machine_fault() => {
                    WorkspaceEvent::Hindered { gate, why: explain(&error) }
                }
                Err(error) => WorkspaceEvent::Unfit { gate, why: explain(&error) },
            };
            let _ = events.send(Event::Workshop(event)).await;
        })
    }

    fn fetch(&self) -> WorkFetch {
        WorkFetch {
            location: self.location.clone(),
            mission: Arc::clone(&self.turns.mission),
            fetching: Arc::clone(&self.turns.fetching),
            clone_view: Arc::clone(&self.clone_view),
        }
    }

    /// Fetches the clone's work into the source. A failure does no harm: the next turn's end fetches again.
    fn fetch_back(&mut self) {
        let (fetch, disk) = (self.fetch(), self.disk.clone());
        self.errands.spawn(async move {
            if let Err(error) = fetch.run_if_ahead().await {
                disk.note(format!("the work could not be fetched back: {error}"));
            }
        });
    }

    /// Sends an event to the loop, in order as long as the inbox has room: the first one about a lost session says why.
    fn tell(&mut self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(event)) = self.events.try_send(event) {
            let events = self.events.clone();
            self.errands.spawn(async move {
                let _ = events.send(event).await;
            });
        }
    }
}

/// Fetches the clone's work into the source.
#[derive(Clone)]
struct WorkFetch {
    location: RepoLocation,
    mission: Arc<str>,
    fetching: Arc<Mutex<()>>,
    clone_view: Arc<CloneView>,
}

impl WorkFetch {
    async fn run(&self) -> Result<String, WorkspaceError> {
        let _turn = self.fetching.lock().await;
        self.fetch().await
    }

    async fn run_if_ahead(&self) -> Result<(), WorkspaceError> {
        let _turn = self.fetching.lock().await;
        if self.clone_view.is_ahead().await? {
            self.fetch().await?;
        }
        Ok(())
    }

    async fn fetch(&self) -> Result<String, WorkspaceError> {
        let sandbox = self.clone_view.sandbox().await?;
        let RepoLocation { source, clone, .. } = &self.location;
        let commit = workspace::fetch_back(source, clone, &self.mission, sandbox.as_ref()).await?;
        self.clone_view.is_brought(&commit);
        Ok(commit)
    }
}

/// Counts one process that is ending, until it is dropped.
struct Leaving(watch::Sender<usize>);

impl Leaving {
    fn count(leaving: &watch::Sender<usize>) -> Leaving {
        leaving.send_modify(|count| *count += 1);
        Leaving(leaving.clone())
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

fn explain(error: &WorkspaceError) -> Arc<str> {
    let hint = error.hint().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    let source = std::error::Error::source(error).map(|s| format!(": {s}")).unwrap_or_default();
    Arc::from(format!("{error}{source}{hint}"))
}
