//! The one loop: take what is ready as one batch, append, sync once, perform, show. What a batch comes to is the mind's
//! round; this adds the disk and the time.
//!
//! What is not synced did not happen: no effect and no picture before the sync.

use std::sync::Arc;
use std::time::Duration;

use mind::effect::Leave;
use mind::{Event, LoopMode, Round, State, Timestamp};
use tokio::sync::{mpsc, watch};

use crate::clock;
use crate::mission::chronicle::{Chronicle, ChronicleError};
use crate::mission::die_at::{DieAt, Moment};
use crate::mission::hands::Hands;
use crate::mission::standstill::Standstill;

/// What every picture is drawn from.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The state, synced.
    pub state: Arc<State>,
    /// How many entries it is made of.
    pub head: u64,
}

/// One mission: one state, one journal, one loop, one lock.
pub struct House {
    chronicle: Chronicle,
    state: State,
    inbox: mpsc::Receiver<Event>,
    hands: Hands,
    picture: watch::Sender<Picture>,
}

/// Returns when the time has come; never if there is none.
async fn ring_at(deadline: Option<Timestamp>) {
    match deadline {
        Some(deadline) => {
            let left_ms = deadline.0.saturating_sub(clock::now().0);
            tokio::time::sleep(Duration::from_millis(left_ms)).await;
        }
        None => std::future::pending().await,
    }
}

impl House {
    /// Brings together what a mission needs.
    pub fn new(
        chronicle: Chronicle,
        state: State,
        inbox: mpsc::Receiver<Event>,
        hands: Hands,
    ) -> (House, watch::Receiver<Picture>) {
        let first = Picture { state: Arc::new(state.clone()), head: chronicle.head() };
        let (picture, view) = watch::channel(first);
        (House { chronicle, state, inbox, hands, picture }, view)
    }

    /// Runs until the mission lets go, or until `stop` is raised: then the mission rests and can be resumed.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Result<Option<Leave>, ChronicleError> {
        let mut die_at = DieAt::from_environment();
        let mut standstill = Standstill::from_environment();
        let mut events = Vec::new();
        let mut mode = LoopMode::Running;
        let mut leave = None;
        let ended = loop {
            standstill.before_batch(|| (events.len() + self.inbox.len(), *stop.borrow())).await;
            self.gather(&mut events, &mut mode, &mut stop).await;
            if events.is_empty() && mode == LoopMode::Stopping {
                break Ok(());
            }
            match self.take(&mut events, mode, &mut die_at) {
                Ok(None) => {}
                Ok(wanted) => {
                    // What was said meanwhile was taken from its sender, and is heard before we go.
                    leave = leave.or(wanted);
                    mode = LoopMode::Stopping;
                }
                Err(error) => break Err(error),
            }
        };
        self.inbox.close();
        self.hands.farewell().await;
        ended.map(|()| leave)
    }

    /// Waits until something happened or is due, and takes all that is ready; how much of it makes a batch is the round's
    /// to say. What a round left over is ready already.
    async fn gather(
        &mut self,
        events: &mut Vec<Event>,
        mode: &mut LoopMode,
        stop: &mut watch::Receiver<bool>,
    ) {
        if *mode == LoopMode::Running {
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => *mode = LoopMode::Stopping,
                () = std::future::ready(()), if !events.is_empty() => {}
                happened = self.inbox.recv() => match happened {
                    Some(event) => events.push(event),
                    // With the last sender gone, nothing can happen any more.
                    None => *mode = LoopMode::Stopping,
                },
                () = ring_at(self.state.deadline()) => {}
            }
        }
        if *mode == LoopMode::Stopping {
            // Nothing more comes in; what is on its way in already comes first.
            self.inbox.close();
            while let Some(event) = self.inbox.recv().await {
                events.push(event);
            }
            return;
        }
        // Counted once, and never more than the inbox holds: a flood of events waits there, and those who send it.
        let room = self.inbox.max_capacity().saturating_sub(events.len());
        for _ in 0..self.inbox.len().min(room) {
            events.extend(self.inbox.try_recv());
        }
    }

    /// Takes one batch: decide, append, sync, perform, show.
    fn take(
        &mut self,
        events: &mut Vec<Event>,
        mode: LoopMode,
        die_at: &mut DieAt,
    ) -> Result<Option<Leave>, ChronicleError> {
        let Round { entries, effects, leave } = self.state.round(events, mode, clock::now(), &mut ());
        die_at.begin(&entries);
        if !entries.is_empty() {
            self.chronicle.append(&entries)?;
        }
        die_at.reached(Moment::BeforeSync);
        self.chronicle.sync()?;
        die_at.reached(Moment::AfterSync);
        for effect in effects {
            self.hands.perform(effect, &self.state);
        }
        die_at.reached(Moment::AfterEffects);
        let state = Arc::new(self.state.clone());
        self.picture.send_replace(Picture { state, head: self.chronicle.head() });
        Ok(leave)
    }
}
