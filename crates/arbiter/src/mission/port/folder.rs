//! A mission by its folder: a letter into its inbox, its journal to read, and, while another process runs it, that
//! process's socket for what is being said and for "the journal moved". Without a socket the files are watched.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use journal::LogStore;
use mind::actor::{Actor, Door};
use mind::event::{HumanAction, HumanEvent};
use mind::{MissionId, State};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use view::LiveText;
use view::port::FactStream;
use view::refusal::JournalRefusal;

use super::inbox::{self, InboxError, InboxMessage};
use super::socket::{self, Connection};
use super::wire::ToFollower;
use super::{MissionFiles, MissionPort, Moved, SayError, SayReceipt, Tell, facts, id_of};
use crate::mission::fact_log::{FactLog, MissionJournal};
use crate::mission::refusal::journal_refusal;
use crate::project::home::MissionPlaces;
use crate::{clock, limits, terminal};

/// The way to a mission by its folder.
#[derive(Debug, Clone)]
pub struct FolderPort {
    mission: MissionId,
    places: MissionPlaces,
    journal: MissionJournal,
    actor: Actor,
    live: Arc<Mutex<LiveText>>,
}

impl FolderPort {
    /// The way to the mission in `places`, whose journal `store` keeps, for the person at this terminal.
    pub fn at(places: MissionPlaces, store: Arc<dyn LogStore>) -> FolderPort {
        let (mission, actor) = (id_of(&places.folder), terminal::person(Door::Terminal));
        let journal = MissionJournal::new(store, places.journal());
        FolderPort { mission, places, journal, actor, live: Arc::default() }
    }

    /// The same through another door.
    #[must_use]
    pub fn through(self, door: Door) -> FolderPort {
        FolderPort { actor: terminal::person(door), ..self }
    }

    /// The same for a person whom a door knows.
    #[must_use]
    pub fn as_person(self, actor: Actor) -> FolderPort {
        FolderPort { actor, ..self }
    }

    /// Waits a moment for what was said to become a fact, and says what became of it. What a mission that is over can
    /// never hear is taken back.
    pub fn await_taken(&self, receipt: SayReceipt) -> Result<SayReceipt, SayError> {
        let (SayReceipt::Taken(id) | SayReceipt::Written(id) | SayReceipt::Waits(id)) = receipt;
        let file = inbox::file_of(&self.places.inbox(), &id)?;
        let began = Instant::now();
        let (tell, told) = sync_channel(1);
        let _watcher = watcher(&self.places.inbox(), move || _ = tell.try_send(()));
        let mut running = self.is_running();
        while running
            && host::files::is_there(&file).unwrap_or(true)
            && began.elapsed() < limits::LETTER_PATIENCE
        {
            let _ = told.recv_timeout(limits::LETTER_LOOK);
            running = self.is_running();
        }
        let state = self.state()?;
        if state.received.contains(&id) {
            return Ok(SayReceipt::Taken(id));
        }
        if state.ended.is_some() {
            inbox::discard(&self.places.inbox(), &id)?;
            return Err(SayError::Over { mission: self.mission.clone() });
        }
        Ok(if running { SayReceipt::Written(id) } else { SayReceipt::Waits(id) })
    }

    fn lock(&self) -> MutexGuard<'_, LiveText> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MissionPort for FolderPort {
    fn mission(&self) -> &MissionId {
        &self.mission
    }

    fn state(&self) -> Result<Arc<State>, JournalRefusal> {
        let state = FactLog::peek(&self.journal).map(Arc::new);
        state.map_err(|error| journal_refusal(&error, &self.mission))
    }

    fn facts(&self) -> Result<FactStream, JournalRefusal> {
        facts::stream(&self.mission, &self.journal, || u64::MAX)
    }

    fn live(&self) -> LiveText {
        self.lock().clone()
    }

    fn is_running(&self) -> bool {
        self.journal.holder().is_some()
    }

    fn sign(&self, action: HumanAction) -> HumanEvent {
        let now = clock::now();
        let inbox_id = inbox::new_letter_id(now, host::dice());
        HumanEvent { inbox_id, actor: self.actor.clone(), written: now, action }
    }

    fn send(&self, event: HumanEvent) -> Result<SayReceipt, SayError> {
        let mark = self.places.discarded();
        if host::files::is_there(&mark).map_err(|source| InboxError::Disk { path: mark, source })? {
            return Err(SayError::Discarded);
        }
        let HumanEvent { inbox_id: id, actor, written, action } = event;
        let letter = InboxMessage { id: Arc::clone(&id), actor, written_at: written, action };
        inbox::write_message(&self.places.inbox(), &letter)?;
        if !self.is_running() {
            return Ok(SayReceipt::Waits(id));
        }
        // Where the system tells of no new files, the mission hears it by this.
        socket::ring(&self.places.folder);
        Ok(SayReceipt::Written(id))
    }

    fn follow(&self, tell: Tell) {
        let port = self.clone();
        let name = "port".to_owned();
        // Without a thread nothing new is told; the mission goes on all the same.
        let _ = std::thread::Builder::new().name(name).spawn(move || PortFollower::new(port, tell).run());
    }
}

impl MissionFiles for FolderPort {
    fn places(&self) -> &MissionPlaces {
        &self.places
    }

    fn journal(&self) -> &MissionJournal {
        &self.journal
    }

    fn shown(&self) -> u64 {
        u64::MAX
    }
}

/// Follows a mission by its folder: by the socket while there is one, else by its files.
struct PortFollower {
    port: FolderPort,
    tell: Tell,
    running: bool,
    /// How long the journal was at the last look.
    length: u64,
}

/// The follower's owner wants to hear no more.
struct ToldEnough;

impl PortFollower {
    fn new(port: FolderPort, tell: Tell) -> PortFollower {
        PortFollower { running: port.is_running(), length: 0, port, tell }
    }

    fn run(mut self) {
        while let Ok(connection) = self.watch()
            && self.listen(connection).is_ok()
        {}
    }

    /// Hears the process that runs the mission, until it is gone.
    fn listen(&mut self, mut connection: Connection) -> Result<(), ToldEnough> {
        // What happened before the first word is seen now.
        self.look()?;
        loop {
            match connection.next(limits::SWEEP_EVERY) {
                Ok(Some(ToFollower::Head { .. })) => self.tell(Moved::Facts)?,
                Ok(Some(ToFollower::Live(delta))) => {
                    delta.apply(&mut self.port.lock());
                    self.tell(Moved::Live)?;
                }
                Ok(Some(ToFollower::Hello { .. } | ToFollower::Unknown)) => {}
                Ok(None) => self.look()?,
                Err(_) => break,
            }
        }
        self.port.lock().clear();
        self.tell(Moved::Live)?;
        // A process that leaves lets go of the journal a moment later.
        std::thread::sleep(limits::GATHER);
        self.look()
    }

    /// Watches the files until the process that runs the mission can be heard.
    fn watch(&mut self) -> Result<Connection, ToldEnough> {
        if let Some(connection) = socket::connect(&self.port.places.folder) {
            return Ok(connection);
        }
        let (tell, told) = sync_channel(1);
        let _watcher = watcher(&self.port.places.folder, move || _ = tell.try_send(()));
        loop {
            self.look()?;
            if self.running
                && let Some(connection) = socket::connect(&self.port.places.folder)
            {
                return Ok(connection);
            }
            let _ = told.recv_timeout(limits::SWEEP_EVERY);
            // A burst of changes is one look.
            std::thread::sleep(limits::GATHER);
        }
    }

    /// Tells what can be seen of the files.
    fn look(&mut self) -> Result<(), ToldEnough> {
        let journal = std::fs::metadata(self.port.places.journal());
        let length = journal.map_or(self.length, |journal| journal.len());
        if length != self.length {
            self.length = length;
            self.tell(Moved::Facts)?;
        }
        let running = self.port.is_running();
        if running != self.running {
            self.running = running;
            self.tell(Moved::Running)?;
        }
        Ok(())
    }

    fn tell(&mut self, moved: Moved) -> Result<(), ToldEnough> {
        if (self.tell)(moved) { Ok(()) } else { Err(ToldEnough) }
    }
}

/// Calls `changed` when something in `folder` was written; none where the system tells nothing.
pub(super) fn watcher(folder: &Path, changed: impl Fn() + Send + 'static) -> Option<RecommendedWatcher> {
    let hear = move |event: notify::Result<notify::Event>| {
        // A reader changes nothing.
        if !event.is_ok_and(|event| event.kind.is_access()) {
            changed();
        }
    };
    let mut watcher = notify::recommended_watcher(hear).ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}
