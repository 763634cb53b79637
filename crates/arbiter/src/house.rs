//! The one loop: take what is ready as one batch, decide, append, apply, sync once, perform, show.
//!
//! What is not synced did not happen: no effect and no picture before the sync.

use std::sync::Arc;
use std::time::Duration;

use mind::effect::Leave;
use mind::{Effect, Entry, Event, State, Timestamp};
use tokio::sync::{mpsc, watch};

use crate::chronicle::{Chronicle, ChronicleError};
use crate::die_at::{DieAt, Moment};
use crate::hands::Hands;
use crate::{clock, limits};

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

    /// Runs until the mission lets go, or until `stop` is raised: then the mission rests and can be resumed. What
    /// was said before the stop is heard, but nothing new is begun for it.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Result<Option<Leave>, ChronicleError> {
        let mut die_at = DieAt::from_environment();
        let mut events = Vec::with_capacity(limits::BATCH_MAX);
        let mut leave = None;
        let mut stopping = false;
        while leave.is_none() {
            if stopping {
                while events.len() < limits::BATCH_MAX
                    && let Ok(event) = self.inbox.try_recv()
                {
                    events.push(event);
                }
            } else {
                tokio::select! {
                    biased;
                    _ = stop.wait_for(|stop| *stop) => {
                        stopping = true;
                        self.inbox.close();
                        continue;
                    }
                    _ = self.inbox.recv_many(&mut events, limits::BATCH_MAX) => {}
                    () = ring_at(self.state.deadline()) => events.push(Event::Alarm),
                }
            }
            if events.is_empty() {
                break;
            }
            leave = self.take(&mut events, stopping, &mut die_at)?;
        }
        // Whoever would still tell us something must not wait for us.
        self.inbox.close();
        self.hands.farewell().await;
        Ok(leave)
    }

    /// Takes one batch: decide, append, sync, perform, show.
    fn take(
        &mut self,
        events: &mut Vec<Event>,
        stopping: bool,
        die_at: &mut DieAt,
    ) -> Result<Option<Leave>, ChronicleError> {
        let effects = self.decide(events)?;
        die_at.reached(Moment::BeforeSync);
        self.chronicle.sync()?;
        die_at.reached(Moment::AfterSync);
        let leave =
            effects.iter().find_map(|effect| if let Effect::Leave(why) = effect { Some(*why) } else { None });
        let leave = leave.filter(|_| !stopping || self.state.ended.is_some());
        for effect in effects {
            // Whoever only stops leaves the rest to the next start; a mission that is over has none.
            if !stopping || leave.is_some() || is_record(&effect) {
                self.hands.perform(effect, &self.state);
            }
        }
        die_at.reached(Moment::AfterEffects);
        let state = Arc::new(self.state.clone());
        self.picture.send_replace(Picture { state, head: self.chronicle.head() });
        Ok(leave)
    }

    /// Decides the whole batch and appends its facts; nothing is synced yet.
    fn decide(&mut self, events: &mut Vec<Event>) -> Result<Vec<Effect>, ChronicleError> {
        let now = clock::now();
        // A person's words come before whatever else is ready, so that no end passes them by.
        events.sort_by_key(precedence);
        let mut entries = Vec::new();
        let mut effects = Vec::new();
        for event in events.drain(..) {
            let step = self.state.decide(event, now);
            for fact in step.facts {
                let entry = Entry { at: now, fact };
                self.state.apply(&entry);
                entries.push(entry);
            }
            effects.extend(step.effects);
        }
        if !entries.is_empty() {
            self.chronicle.append(&entries)?;
        }
        Ok(effects)
    }
}

fn precedence(event: &Event) -> u8 {
    match event {
        Event::Opened(_) | Event::Started | Event::Attended(_) | Event::Docket(..) => 0,
        Event::Human(_) => 1,
        Event::Agent(..) | Event::Workshop(_) | Event::Conductor(_) | Event::Alarm => 2,
    }
}

/// It tidies up what is on the disk already, and begins nothing.
fn is_record(effect: &Effect) -> bool {
    matches!(effect, Effect::Discard { .. } | Effect::Note { .. })
}
