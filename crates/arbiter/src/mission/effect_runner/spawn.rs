//! A session's task: starts the session's process beside the mission loop and sends its events to the inbox. Commands that
//! come before the process runs wait, in order. When a session that works in the clone ends a turn, the clone is read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mind::effect::{SessionCommand, SessionSpawn};
use mind::event::WorkspaceEvent;
use mind::session::{CloneTree, Role};
use mind::{Address, AgentEvent, Event};
use providers::limits::ORDERS_MAX;
use providers::live::LiveTails;
use providers::{Handle, Refused, SessionProvider, SessionStart};
use tokio::sync::{mpsc, oneshot, watch};
use workspace::WorkspaceError;

use super::clone_view::CloneView;
use super::disk::DiskQueue;
use super::late_usage::LateUsage;
use super::launcher::{ProcessPlace, SessionLauncher};
use super::machine_fault::outlast;
use super::sandboxes::SessionSandboxes;
use super::{EffectRunner, explain, tool_judge};
use crate::limits;

/// A session that runs or is being started.
pub struct LiveSession {
    pub incarnation: u32,
    slot: Arc<Mutex<Slot>>,
    /// Resolves when its process is gone and its last events are sent.
    gone: oneshot::Receiver<()>,
}

/// How far the start of a session has come.
enum Slot {
    /// Its process is being started; these commands wait.
    Starting(Vec<SessionCommand>),
    Running(Handle),
    /// The session was ended, or could not be started.
    Over,
}

impl LiveSession {
    /// Sends a command, without waiting.
    pub fn command(&self, command: SessionCommand) -> Result<(), Refused> {
        match &mut *lock(&self.slot) {
            Slot::Starting(waiting) if waiting.len() >= ORDERS_MAX => Err(Refused::Full),
            Slot::Starting(waiting) => {
                waiting.push(command);
                Ok(())
            }
            Slot::Running(handle) => handle.try_order(command),
            Slot::Over => Err(Refused::Gone),
        }
    }

    /// Ends it, and waits until its process and all its descendants are gone.
    pub async fn end(self) {
        let slot = std::mem::replace(&mut *lock(&self.slot), Slot::Over);
        if let Slot::Running(mut handle) = slot {
            let _ = handle.try_order(SessionCommand::End);
            handle.ended().await;
        }
        let _ = self.gone.await;
    }
}

impl EffectRunner {
    pub(super) fn spawn(&mut self, spawn: SessionSpawn) {
        let SessionSpawn { address, profile, resume, spoke, gauge, budgeted } = spawn;
        // An earlier incarnation that is still running would work at the same time.
        self.see_off(address.session);
        let provider = match self.providers.get(&profile.provider) {
            Ok(provider) => Arc::clone(provider),
            Err(why) => return self.tell(Event::Agent(address, AgentEvent::Lost { why: Arc::from(why) })),
        };
        let slot = Arc::new(Mutex::new(Slot::Starting(Vec::new())));
        let (finished, gone) = oneshot::channel();
        let role = profile.role;
        let logbook = self.folder.join("sessions").join(format!("{}.jsonl", profile.session.0));
        let task = SessionTask {
            provider,
            spawn: SessionSpawn { address, profile, resume, spoke, gauge, budgeted },
            policy: self.policy.clone(),
            mission: Arc::clone(&self.turns.mission),
            folder: self.location.clone.clone(),
            leaving: self.turns.leaving.subscribe(),
            logbook,
            sandboxes: Arc::clone(&self.sandboxes),
            slot: Arc::clone(&slot),
            news: SessionNews {
                address,
                role,
                events: self.events.clone(),
                late_usage: self.late_usage.clone(),
                live: self.live.clone(),
                clone: Arc::clone(&self.clone_view),
                disk: self.disk.clone(),
            },
        };
        self.errands.spawn(async move {
            task.run().await;
            let _ = finished.send(());
        });
        self.sessions.insert(address.session, LiveSession { incarnation: address.incarnation, slot, gone });
    }
}

/// What a session's task needs.
struct SessionTask {
    provider: Arc<dyn SessionProvider>,
    spawn: SessionSpawn,
    policy: mind::policy::Policy,
    mission: Arc<str>,
    folder: PathBuf,
    leaving: watch::Receiver<usize>,
    logbook: PathBuf,
    sandboxes: Arc<SessionSandboxes>,
    slot: Arc<Mutex<Slot>>,
    news: SessionNews,
}

impl SessionTask {
    async fn run(self) {
        let (told, news_come) = mpsc::channel(limits::SESSION_NEWS_MAX);
        let started = match self.sandboxes.place(&self.spawn.profile.provider).await {
            Ok(place) => {
                let start = self.start(place);
                begin(Arc::clone(&self.provider), start, told, &self.slot).await
            }
            Err(why) => Err(why),
        };
        if let Err(why) = started {
            *lock(&self.slot) = Slot::Over;
            return self.news.bring_last(news_come, why).await;
        }
        self.news.relay(news_come).await;
    }

    fn start(&self, place: ProcessPlace) -> SessionStart {
        let SessionSpawn { address, profile, resume, spoke, gauge, budgeted } = self.spawn.clone();
        let lay = place.sandbox().map(|sandbox| sandbox.lay.clone()).unwrap_or_default();
        SessionStart {
            incarnation: address.incarnation,
            life: Arc::from(address.to_string()),
            judge: tool_judge::of(&profile, self.policy.clone(), lay),
            profile,
            resume,
            spoke,
            gauge,
            budgeted,
            mission: Arc::clone(&self.mission),
            folder: self.folder.clone(),
            launcher: Arc::new(SessionLauncher { mission: Arc::clone(&self.mission), place }),
            leaving: self.leaving.clone(),
            logbook: self.logbook.clone(),
            live: self.news.live.of(address.session),
        }
    }
}

/// Starts the process, on a thread that may wait for the disk, and sends it the commands that wait.
async fn begin(
    provider: Arc<dyn SessionProvider>,
    start: SessionStart,
    told: mpsc::Sender<AgentEvent>,
    slot: &Arc<Mutex<Slot>>,
) -> Result<(), String> {
    if matches!(*lock(slot), Slot::Over) {
        return Ok(());
    }
    let life = Arc::clone(&start.life);
    let started = tokio::task::spawn_blocking(move || provider.start(start, told)).await;
    let mut handle = started.map_err(|error| format!("{life} cannot be started: {error}"))?;
    let unwanted = {
        let mut slot = lock(slot);
        match std::mem::replace(&mut *slot, Slot::Over) {
            Slot::Starting(waiting) => {
                for command in waiting {
                    handle.try_order(command).map_err(|why| format!("{life} cannot be reached: {why}"))?;
                }
                *slot = Slot::Running(handle);
                None
            }
            Slot::Running(_) | Slot::Over => Some(handle),
        }
    };
    if let Some(mut handle) = unwanted {
        // The session was ended while its process was being started.
        let _ = handle.try_order(SessionCommand::End);
        handle.ended().await;
    }
    Ok(())
}

/// Sends a session's events to the inbox.
struct SessionNews {
    address: Address,
    role: Role,
    events: mpsc::Sender<Event>,
    late_usage: LateUsage,
    live: LiveTails,
    clone: Arc<CloneView>,
    disk: DiskQueue,
}

impl SessionNews {
    /// Runs until the process is gone.
    async fn relay(&self, mut come: mpsc::Receiver<AgentEvent>) {
        // Whether the clone may have changed since this session last read it: a tool has run, or a turn is under way.
        let (mut has_worked, mut is_busy) = (false, false);
        while let Some(event) = come.recv().await {
            if matches!(event, AgentEvent::ToolStarted { .. } | AgentEvent::ToolEnded { .. }) {
                has_worked = true;
                self.clone.may_have_changed();
            }
            is_busy = is_busy && !ends_a_turn(&event) || matches!(event, AgentEvent::Heard(_));
            match self.with_tree(event, &mut has_worked).await {
                Ok(event) => self.bring(event).await,
                Err(broken) => {
                    let _ = self.events.send(Event::Workshop(broken)).await;
                }
            }
        }
        if has_worked || is_busy {
            self.clone.may_have_changed();
        }
    }

    /// Brings what a session that could not be reached has said last. Its own reason comes before ours.
    async fn bring_last(&self, mut come: mpsc::Receiver<AgentEvent>, why: String) {
        while let Ok(Some(event)) = tokio::time::timeout(limits::FAREWELL, come.recv()).await {
            let is_reason = matches!(
                event,
                AgentEvent::Lost { .. } | AgentEvent::Unstarted { .. } | AgentEvent::LoggedOut { .. }
            );
            self.bring(event).await;
            if is_reason {
                return;
            }
        }
        self.bring(AgentEvent::Lost { why: Arc::from(why) }).await;
    }

    async fn with_tree(
        &self,
        event: AgentEvent,
        has_worked: &mut bool,
    ) -> Result<AgentEvent, WorkspaceEvent> {
        let AgentEvent::Rested { turn, end, tree: None } = event else { return Ok(event) };
        let tree = match self.look(std::mem::take(has_worked)).await {
            Ok(tree) => tree,
            // A verifier judges the commit that stands: without it, its verdict would count for nothing. So its turn is
            // not over, and the next start takes it up again.
            Err(error) if self.role == Role::Verifier && error.is_machine_fault() => {
                return Err(WorkspaceEvent::Broken { why: explain(&error) });
            }
            Err(error) => {
                let address = self.address;
                self.disk.note(format!("{address} ended its turn, and the clone cannot be read: {error}"));
                None
            }
        };
        Ok(AgentEvent::Rested { turn, end, tree })
    }

    /// The clone's state after a turn. The Arbiter does not work in the clone, and an Orchestrator that used no tool has
    /// changed nothing. After a read-only session the clone is read in any case.
    async fn look(&self, has_worked: bool) -> Result<Option<CloneTree>, WorkspaceError> {
        let tree = match self.role {
            Role::Arbiter => return Ok(None),
            Role::Orchestrator if !has_worked => self.clone.tree().await,
            Role::Orchestrator | Role::Agent => self.clone.observe().await,
            Role::Verifier => outlast(&self.disk, || self.clone.observe()).await,
        };
        tree.map(Some)
    }

    async fn bring(&self, event: AgentEvent) {
        let session = self.address.session;
        let ended = ends_a_turn(&event).then(|| self.live.place(session));
        self.late_usage.send(&self.events, Event::Agent(self.address, event)).await;
        // Only once the inbox has the event: until then, the live text is the only copy.
        if let Some(place) = ended {
            self.live.forget(session, place);
        }
    }
}

fn ends_a_turn(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Rested { .. }
            | AgentEvent::Failed { .. }
            | AgentEvent::Lost { .. }
            | AgentEvent::Unstarted { .. }
            | AgentEvent::LoggedOut { .. }
    )
}

fn lock(slot: &Mutex<Slot>) -> MutexGuard<'_, Slot> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
