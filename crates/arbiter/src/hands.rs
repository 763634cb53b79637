//! The hands perform effects: each goes to the room that can do it. They never wait: what takes time runs beside the
//! loop and comes back as an event, and what cannot be handed over becomes an event too.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mind::event::WorkshopEvent;
use mind::{Address, AgentEvent, Effect, Event, GateId, MessageId, SessionId, State};
use providers::workshop::{self, MissionClone};
use providers::{Handle, Order, Start, rehearsal};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::ground::Ground;
use crate::{last_session, letters, limits, notes, receipts};

/// What the hands work with.
pub struct Hands {
    /// The mission's own folder.
    pub folder: PathBuf,
    /// Where the code comes from and where it is worked on.
    pub ground: Ground,
    /// How rehearsal sessions are started.
    pub rehearsal: rehearsal::Options,
    /// The way back into the loop.
    pub events: mpsc::Sender<Event>,
    /// Whoever plays the human's part in a rehearsal.
    pub understudy: Option<mpsc::Sender<MessageId>>,
    /// The sessions that live, by number.
    pub sessions: BTreeMap<SessionId, (u32, Handle)>,
    /// What runs beside the loop.
    pub errands: JoinSet<()>,
}

impl Hands {
    /// Performs one effect.
    pub fn perform(&mut self, effect: Effect, state: &State) {
        while self.errands.try_join_next().is_some() {}
        match effect {
            Effect::Settle => self.settle(state),
            Effect::Spawn { address, profile, resume } => {
                self.spawn(address, profile, resume);
                last_session::write(&self.ground.project, state);
            }
            Effect::Deliver { address, turn, key, text } => {
                self.order(address, Order::Deliver { turn, key, text });
            }
            Effect::Steer { address, turn, key, text } => {
                self.order(address, Order::Steer { turn, key, text });
            }
            Effect::Warn { address, percent, text } => {
                self.order(address, Order::Warn { percent, text });
            }
            Effect::Interrupt { address, turn } => self.order(address, Order::Interrupt { turn }),
            Effect::End { address } => self.end(address),
            Effect::Survey { gate } => self.survey(gate),
            Effect::Check { gate, index, argv, limit_ms, commit } => {
                self.check(gate, index, argv, Duration::from_millis(limit_ms), commit);
            }
            Effect::FetchBack => self.fetch_back(state, None),
            Effect::Bring { gate, .. } => self.fetch_back(state, Some(gate)),
            Effect::Ask { message } => {
                if let Some(understudy) = &self.understudy {
                    // An understudy that is behind looks at the picture when it catches up.
                    let _ = understudy.try_send(message);
                }
            }
            Effect::Discard { letter } => {
                // A letter that stays is read again, and counts for nothing.
                let _ = letters::discard(&self.folder.join("inbox"), &letter);
            }
            Effect::Note { text } => notes::keep(&self.folder, &text),
            // The loop itself leaves.
            Effect::Leave(_) => {}
        }
    }

    /// Ends every session and waits for what still runs, within a bound.
    pub async fn farewell(mut self) {
        let mut ends = JoinSet::new();
        for (_, (_, handle)) in std::mem::take(&mut self.sessions) {
            ends.spawn(see_off(handle));
        }
        let all = async {
            while ends.join_next().await.is_some() {}
            while self.errands.join_next().await.is_some() {}
        };
        let _ = tokio::time::timeout(limits::FAREWELL, all).await;
    }

    fn spawn(&mut self, address: Address, profile: Arc<mind::session::Profile>, resume: bool) {
        let number = profile.session.0;
        let start = Start {
            address,
            profile,
            resume,
            folder: self.ground.clone.clone(),
            logbook: self.folder.join("sessions").join(format!("{number}.jsonl")),
        };
        let handle = rehearsal::start(&self.rehearsal, start, self.events.clone());
        self.sessions.insert(address.session, (address.incarnation, handle));
    }

    fn order(&mut self, address: Address, order: Order) {
        let session = self.sessions.get_mut(&address.session);
        let handed = match session.filter(|(incarnation, _)| *incarnation == address.incarnation) {
            Some((_, handle)) => handle.try_order(order).map_err(|refused| refused.to_string()),
            None => Err("its process was never started".to_owned()),
        };
        if let Err(why) = handed {
            let why = Arc::from(format!("{address} cannot be reached: {why}"));
            self.tell(Event::Agent(address, AgentEvent::Lost { why }));
        }
    }

    fn end(&mut self, address: Address) {
        if let Some((_, handle)) = self.sessions.remove(&address.session) {
            self.errands.spawn(see_off(handle));
        }
    }

    fn settle(&mut self, state: &State) {
        let Some(charter) = state.charter.clone() else { return };
        let ground = self.ground.clone();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let mission = charter.mission.to_string();
            let settled = async {
                let clone = workshop::prepare(&ground.source, &ground.base, &ground.clone, &mission).await?;
                workshop::put_scroll(&clone.folder, &charter.scroll.text).await?;
                Ok::<MissionClone, workshop::WorkshopError>(clone)
            };
            let event = match settled.await {
                Ok(clone) => WorkshopEvent::Settled {
                    folder: Arc::from(clone.folder.display().to_string()),
                    base: Arc::from(ground.base.as_str()),
                    branch: Arc::from(clone.branch.as_str()),
                },
                Err(error) => broken(&error),
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    fn survey(&mut self, gate: GateId) {
        let folder = self.ground.clone.clone();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let event = match workshop::look(&folder).await {
                Ok(tree) => WorkshopEvent::Surveyed { gate, tree: receipts::tree(tree) },
                Err(error) => broken(&error),
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    fn check(&mut self, gate: GateId, index: u32, argv: Vec<String>, limit: Duration, commit: Arc<str>) {
        let folder = self.ground.clone.clone();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let event = match receipts::run(&folder, argv, limit, &commit).await {
                Ok(receipt) => WorkshopEvent::Checked { gate, index, receipt },
                Err(error) => broken(&error),
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    /// In passing, losing this once does no harm: the next turn's end brings the work over as well. For a claim, the
    /// mind waits for it.
    fn fetch_back(&mut self, state: &State, claim: Option<GateId>) {
        let (Some(charter), Some(settled)) = (&state.charter, &state.settled) else { return };
        let clone = MissionClone {
            folder: self.ground.clone.clone(),
            branch: settled.branch.to_string(),
            mission: charter.mission.to_string(),
            base: self.ground.base.clone(),
        };
        let source = self.ground.source.clone();
        let folder = self.folder.clone();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let event = match (workshop::fetch_back(&source, &clone).await, claim) {
                (Ok(commit), Some(gate)) => WorkshopEvent::Brought { gate, commit: Arc::from(commit) },
                (Err(error), Some(_)) => broken(&error),
                (Ok(_), None) => return,
                (Err(error), None) => {
                    return notes::keep(&folder, &format!("the work could not be fetched back: {error}"));
                }
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    fn tell(&mut self, event: Event) {
        let events = self.events.clone();
        self.errands.spawn(async move {
            let _ = events.send(event).await;
        });
    }
}

/// Ends a session and waits until its process and all its descendants are gone.
async fn see_off(mut handle: Handle) {
    let _ = handle.try_order(Order::End);
    handle.ended().await;
}

fn broken(error: &workshop::WorkshopError) -> WorkshopEvent {
    let hint = error.hint().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    let source = std::error::Error::source(error).map(|s| format!(": {s}")).unwrap_or_default();
    WorkshopEvent::Broken { why: Arc::from(format!("{error}{source}{hint}")) }
}
