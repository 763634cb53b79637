//! A mission that runs in this process: its loop's queue, its watched state, and what its sessions are saying.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mind::actor::Actor;
use mind::event::{HumanAction, HumanEvent};
use mind::{Event, MissionId, State};
use providers::live::LiveTails;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use view::LiveText;
use view::port::FactStream;
use view::refusal::JournalRefusal;

use super::{MissionFiles, MissionPort, Moved, SayError, SayReceipt, Tell, facts, id_of};
use crate::mission::fact_log::MissionJournal;
use crate::mission::mission_loop::MissionSnapshot;
use crate::project::home::MissionPlaces;
use crate::{clock, limits};

/// The way to a mission that runs here.
#[derive(Debug)]
pub struct LocalPort {
    mission: MissionId,
    places: MissionPlaces,
    journal: MissionJournal,
    events: mpsc::Sender<Event>,
    view: watch::Receiver<MissionSnapshot>,
    live: LiveTails,
    actor: Actor,
    began: u64,
    said: AtomicU64,
    runtime: Handle,
}

impl LocalPort {
    /// The way to the mission in `places`, for `actor`: what they say goes to `events`, what they see comes from `view`
    /// and `live`. Followers are served by the runtime in which this is called.
    pub fn open(
        places: MissionPlaces,
        journal: MissionJournal,
        actor: Actor,
        events: mpsc::Sender<Event>,
        view: watch::Receiver<MissionSnapshot>,
        live: LiveTails,
    ) -> LocalPort {
        let (mission, began, runtime) = (id_of(&places.folder), clock::now().0, Handle::current());
        LocalPort {
            mission,
            places,
            journal,
            events,
            view,
            live,
            actor,
            began,
            said: AtomicU64::new(0),
            runtime,
        }
    }
}

impl MissionPort for LocalPort {
    fn mission(&self) -> &MissionId {
        &self.mission
    }

    fn state(&self) -> Result<Arc<State>, JournalRefusal> {
        Ok(Arc::clone(&self.view.borrow().state))
    }

    fn facts(&self) -> Result<FactStream, JournalRefusal> {
        let view = self.view.clone();
        facts::stream(&self.mission, &self.journal, move || view.borrow().head)
    }

    fn live(&self) -> LiveText {
        self.live.snapshot()
    }

    fn is_running(&self) -> bool {
        !self.events.is_closed()
    }

    fn sign(&self, action: HumanAction) -> HumanEvent {
        let number = self.said.fetch_add(1, Ordering::Relaxed) + 1;
        let inbox_id = Arc::from(format!("terminal-{}-{number}", self.began));
        HumanEvent { inbox_id, actor: self.actor.clone(), written: clock::now(), action }
    }

    fn send(&self, event: HumanEvent) -> Result<SayReceipt, SayError> {
        let id = Arc::clone(&event.inbox_id);
        match self.events.try_send(Event::Human(event)) {
            Ok(()) => Ok(SayReceipt::Taken(id)),
            Err(mpsc::error::TrySendError::Full(_)) => Err(SayError::Busy),
            Err(mpsc::error::TrySendError::Closed(_)) => {
                Err(SayError::Stopped { mission: self.mission.clone() })
            }
        }
    }

    /// Ends with the loop. What is being said is told no more often than an eye can follow.
    fn follow(&self, tell: Tell) {
        let (mut view, mut said) = (self.view.clone(), self.live.watch());
        let tell = Arc::new(Mutex::new(tell));
        let told = Arc::clone(&tell);
        let speaking = self.runtime.spawn(async move {
            while said.changed().await.is_ok() && call(&told, Moved::Live) {
                tokio::time::sleep(limits::LIVE_EVERY).await;
            }
        });
        self.runtime.spawn(async move {
            while view.changed().await.is_ok() && call(&tell, Moved::Facts) {}
            speaking.abort();
            // The loop has ended, or the listener wants no more.
            call(&tell, Moved::Running);
        });
    }
}

impl MissionFiles for LocalPort {
    fn places(&self) -> &MissionPlaces {
        &self.places
    }

    fn journal(&self) -> &MissionJournal {
        &self.journal
    }

    fn shown(&self) -> u64 {
        self.view.borrow().head
    }
}

fn call(tell: &Mutex<Tell>, moved: Moved) -> bool {
    tell.lock().unwrap_or_else(PoisonError::into_inner)(moved)
}
