//! The hands perform effects: each goes to the room that can do it. They never wait: what takes time runs beside the
//! loop and comes back as an event, and what cannot be handed over becomes an event too.

pub mod conducting;
mod quarters;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mind::event::WorkshopEvent;
use mind::lay::Level;
use mind::policy::Policy;
use mind::{Address, AgentEvent, Effect, Event, GateId, MessageId, SessionId, State};
use providers::cage::{Housing, Site};
use providers::live::Tails;
use providers::workshop::{self, MissionClone, Stand, WorkshopError};
use providers::{Handle, Order, api, claude, rehearsal};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};

use crate::bridge::Bridge;
use crate::ground::Ground;
use crate::{last_session, letters, limits, notes, receipts};

/// The provider whose processes are held.
const CLAUDE: &str = "claude";

/// What the hands work with.
pub struct Hands {
    /// The mission's own folder.
    pub folder: PathBuf,
    /// Where the code comes from and where it is worked on.
    pub ground: Ground,
    /// How rehearsal sessions are started.
    pub rehearsal: rehearsal::Options,
    /// How sessions of Claude Code are started; none if it is not on this machine.
    pub claude: Option<claude::Options>,
    /// How models are spoken to directly; none if nobody set that up.
    pub api: Option<api::Options>,
    /// What runs, what asks.
    pub policy: Policy,
    /// What holds agents, checks and git.
    pub hold: Arc<Site>,
    /// The cages of each provider's sessions, once the clone stands.
    pub housing: BTreeMap<String, Housing>,
    /// The way back into the loop.
    pub events: mpsc::Sender<Event>,
    /// What the sessions are saying right now, for screens; no part of the state.
    pub live: Tails,
    /// The way to the docket.
    pub bridge: Bridge,
    /// Whoever plays the human's part in a rehearsal.
    pub understudy: Option<mpsc::Sender<MessageId>>,
    /// The sessions that live, by number.
    pub sessions: BTreeMap<SessionId, (u32, Handle)>,
    /// What runs beside the loop.
    pub errands: JoinSet<()>,
    /// Who waits for whom.
    pub turns: Turns,
    /// What a conducted mission needs besides.
    pub conducting: conducting::Means,
}

/// Keeps apart what must not happen at once.
#[derive(Debug)]
pub struct Turns {
    mission: Arc<str>,
    /// How many processes are still on their way out: until then nobody else may work in the clone or judge it.
    leaving: watch::Sender<usize>,
    /// Two fetches into the source would fight for the lock of the same ref.
    fetching: Arc<Mutex<()>>,
    /// One check at a time stands in the proof folder.
    proving: Arc<Mutex<()>>,
    checks: BTreeMap<GateId, AbortHandle>,
}

impl Turns {
    /// Ends what an earlier house of this mission left running; then ours may begin.
    pub fn begin(mission: &str) -> Turns {
        workshop::strike_leftovers(mission);
        Turns {
            mission: Arc::from(mission),
            leaving: watch::Sender::new(0),
            fetching: Arc::default(),
            proving: Arc::default(),
            checks: BTreeMap::new(),
        }
    }
}

impl Hands {
    /// Performs one effect.
    pub fn perform(&mut self, effect: Effect, state: &State) {
        while self.errands.try_join_next().is_some() {}
        match effect {
            Effect::Settle => self.settle(state),
            Effect::Spawn { address, profile, resume, spoke } => {
                self.spawn(address, profile, resume, spoke);
                last_session::write(&self.ground.project, state);
            }
            Effect::Deliver { address, turn, key, text, again } => {
                self.order(address, Order::Deliver { turn, key, text, again });
            }
            Effect::Steer { address, turn, key, text } => {
                self.order(address, Order::Steer { turn, key, text });
            }
            Effect::Warn { address, percent, text } => {
                self.order(address, Order::Warn { percent, text });
            }
            Effect::Permit { address, call, allowed, why } => {
                self.order(address, Order::Permit { call, allowed, why });
            }
            // Doors show what waits for an answer; the picture tells them.
            Effect::Consult { .. } => {}
            Effect::Petition { petition, draft } => self.bridge.push(petition, draft),
            Effect::Withdraw { petition, why } => self.bridge.withdraw(petition, why),
            Effect::Reply { address, call, told, refused } => {
                self.order(address, Order::Reply { call, told, refused });
            }
            Effect::Interrupt { address, turn } => self.order(address, Order::Interrupt { turn }),
            Effect::End { address } => self.see_off(address.session),
            Effect::Survey { gate } => self.survey(gate),
            Effect::Check { gate, index, argv, limit_ms, commit } => {
                self.check(gate, index, argv, Duration::from_millis(limit_ms), commit);
            }
            Effect::FetchBack => self.fetch_back(),
            Effect::Bring { gate, .. } => self.bring(gate),
            Effect::Abandon { gate } => {
                // Dropped, a check ends its command and every descendant.
                if let Some(check) = self.turns.checks.remove(&gate) {
                    check.abort();
                }
            }
            Effect::Ask { message } => {
                if let Some(understudy) = &self.understudy {
                    // An understudy that is behind looks at the picture when it catches up.
                    let _ = understudy.try_send(message);
                }
            }
            Effect::Decide { number, attempt, question } => self.decide(number, attempt, question),
            Effect::Dismiss { number } => self.dismiss(number),
            Effect::Prepare { run } => self.prepare(run),
            Effect::Inspect { run, before } => self.inspect(run, before),
            Effect::Remember { note } => self.remember(note),
            Effect::Discard { letter } => {
                // A letter that stays is read again, and counts for nothing.
                let _ = letters::discard(&self.folder.join("inbox"), &letter);
            }
            Effect::Note { text } => notes::keep(&self.folder, &text),
            // The loop itself leaves.
            Effect::Leave(_) => {}
        }
    }

    /// Ends every session and every check, and waits for what still runs, within a bound.
    pub async fn farewell(mut self) {
        // A mission that goes on later runs it again.
        self.turns.checks.values().for_each(AbortHandle::abort);
        self.conducting.asked.values().for_each(|(_, call)| call.abort());
        let mut ends = JoinSet::new();
        for (_, (_, handle)) in std::mem::take(&mut self.sessions) {
            ends.spawn(see_off(handle));
        }
        let all = async {
            while ends.join_next().await.is_some() {}
            while self.errands.join_next().await.is_some() {}
            self.bridge.close().await;
        };
        let _ = tokio::time::timeout(limits::FAREWELL, all).await;
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

    /// Ends a session. Its process takes a moment to go; whoever must not meet it waits for that.
    fn see_off(&mut self, session: SessionId) {
        if let Some((_, handle)) = self.sessions.remove(&session) {
            let leaving = Leaving::count(&self.turns.leaving);
            self.errands.spawn(async move {
                see_off(handle).await;
                drop(leaving);
            });
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
                Ok::<MissionClone, WorkshopError>(clone)
            };
            let event = match settled.await {
                Ok(clone) => WorkshopEvent::Settled {
                    folder: Arc::from(clone.folder.display().to_string()),
                    base: Arc::from(ground.base.as_str()),
                    branch: Arc::from(clone.branch.as_str()),
                },
                Err(error) => WorkshopEvent::Broken { why: explain(&error) },
            };
            let _ = events.send(Event::Workshop(event)).await;
        });
    }

    fn survey(&mut self, gate: GateId) {
        let (folder, cage) = (self.ground.clone.clone(), self.git_cage());
        self.judge(gate, async move {
            let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
            let tree = receipts::tree(workshop::look_from(&folder, cage.as_ref()).await?);
            Ok(WorkshopEvent::Surveyed { gate, tree })
        });
    }

    fn bring(&mut self, gate: GateId) {
        let (ground, mission) = (self.ground.clone(), Arc::clone(&self.turns.mission));
        let (fetching, cage) = (Arc::clone(&self.turns.fetching), self.git_cage());
        self.judge(gate, async move {
            let _turn = fetching.lock().await;
            let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
            let commit = workshop::fetch_back(&ground.source, &ground.clone, &mission, cage.as_ref()).await?;
            Ok(WorkshopEvent::Brought { gate, commit: Arc::from(commit) })
        });
    }

    fn check(&mut self, gate: GateId, index: u32, argv: Vec<String>, limit: Duration, commit: Arc<str>) {
        let stand = Stand {
            source: self.ground.source.clone(),
            folder: workshop::proof_folder(&self.ground.clone),
            mission: self.turns.mission.to_string(),
            commit: commit.to_string(),
            site: (self.hold.level != Level::Off).then(|| Arc::clone(&self.hold)),
        };
        let proving = Arc::clone(&self.turns.proving);
        let check = self.judge(gate, async move {
            let _turn = proving.lock().await;
            let receipt = receipts::run(&stand, argv, limit).await?;
            Ok(WorkshopEvent::Checked { gate, index, receipt })
        });
        self.turns.checks.retain(|_, check| !check.is_finished());
        self.turns.checks.insert(gate, check);
    }

    /// Does a part of what a claim needs, when nobody works in the clone any more. What fails speaks against the claim
    /// and not against the mission.
    fn judge(
        &mut self,
        gate: GateId,
        part: impl Future<Output = Result<WorkshopEvent, WorkshopError>> + Send + 'static,
    ) -> AbortHandle {
        let mut leaving = self.turns.leaving.subscribe();
        let events = self.events.clone();
        self.errands.spawn(async move {
            let _ = leaving.wait_for(|leaving| *leaving == 0).await;
            let event =
                part.await.unwrap_or_else(|error| WorkshopEvent::Unfit { gate, why: explain(&error) });
            let _ = events.send(Event::Workshop(event)).await;
        })
    }

    /// In passing; losing this once does no harm: the next turn's end brings the work over as well.
    fn fetch_back(&mut self) {
        let (ground, mission) = (self.ground.clone(), Arc::clone(&self.turns.mission));
        let (fetching, cage) = (Arc::clone(&self.turns.fetching), self.git_cage());
        let folder = self.folder.clone();
        self.errands.spawn(async move {
            let _turn = fetching.lock().await;
            let brought = async {
                let cage = cage.map_err(|why| WorkshopError::Unheld { why })?;
                workshop::fetch_back(&ground.source, &ground.clone, &mission, cage.as_ref()).await
            };
            if let Err(error) = brought.await {
                notes::keep(&folder, &format!("the work could not be fetched back: {error}"));
            }
        });
    }

    /// In the order of telling, as long as the inbox has room: the first word about a lost session says why.
    fn tell(&mut self, event: Event) {
        if let Err(mpsc::error::TrySendError::Full(event)) = self.events.try_send(event) {
            let events = self.events.clone();
            self.errands.spawn(async move {
                let _ = events.send(event).await;
            });
        }
    }
}

/// Ends a session and waits until its process and all its descendants are gone.
async fn see_off(mut handle: Handle) {
    let _ = handle.try_order(Order::End);
    handle.ended().await;
}

/// Counts one who is on the way out, until it is dropped.
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

fn explain(error: &WorkshopError) -> Arc<str> {
    let hint = error.hint().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
    let source = std::error::Error::source(error).map(|s| format!(": {s}")).unwrap_or_default();
    Arc::from(format!("{error}{source}{hint}"))
}

#[cfg(test)]
mod tests;
