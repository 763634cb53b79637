//! The bridge between a mission and the docket: what the mission asks is pushed, what it needs no more is withdrawn, and
//! what became of its petitions comes back as events. One thread does it all, in the order of the effects, so that
//! nothing is withdrawn before it is asked. The docket keeps the truth: after a fall the same pushes lead to the same answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use docket::{Docket, DocketError, Kept, Watch};
use mind::Event;
use mind::event::DocketEvent;
use mind::petition::{Answered, By, Change, Draft, End, PetitionId, Refusal};
use mind::talk::Actor;
use tokio::sync::{mpsc, oneshot};

use crate::clock;

/// The mission's side of the docket.
#[derive(Debug)]
pub struct Bridge {
    orders: Sender<Order>,
    crossed: oneshot::Receiver<()>,
}

#[derive(Debug)]
enum Order {
    Push(PetitionId, Arc<Draft>),
    Withdraw(PetitionId, Arc<str>),
    /// Something in the docket may have changed.
    Look,
    /// That was all.
    Close,
}

impl Bridge {
    /// Opens it. What becomes of petitions is told to `events`.
    pub fn open(docket: Docket, events: mpsc::Sender<Event>) -> Bridge {
        let (orders, inbox) = channel();
        let (done, crossed) = oneshot::channel();
        let hints = orders.clone();
        std::thread::spawn(move || {
            let (known, owed) = (BTreeMap::new(), BTreeMap::new());
            let mut keeper = Keeper { docket, events, hints, watch: None, known, owed };
            keeper.keep(&inbox);
            drop(keeper);
            let _ = done.send(());
        });
        Bridge { orders, crossed }
    }

    /// Asks.
    pub fn push(&self, id: PetitionId, draft: Arc<Draft>) {
        let _ = self.orders.send(Order::Push(id, draft));
    }

    /// It is needed no more.
    pub fn withdraw(&self, id: PetitionId, why: Arc<str>) {
        let _ = self.orders.send(Order::Withdraw(id, why));
    }

    /// Waits until everything that was ordered is done.
    pub async fn close(self) {
        let _ = self.orders.send(Order::Close);
        let _ = self.crossed.await;
    }
}

/// Who asks in a mission's name.
const ASKER: &str = "arbiter";

/// Keeps the petitions of one mission.
struct Keeper {
    docket: Docket,
    events: mpsc::Sender<Event>,
    hints: Sender<Order>,
    /// From the first petition on: most missions ask nothing.
    watch: Option<Watch>,
    /// Those that were asked, and how far each has come.
    known: BTreeMap<PetitionId, Standing>,
    /// Those that could not be withdrawn yet, and why they are.
    owed: BTreeMap<PetitionId, Arc<str>>,
}

/// How far a petition has come, as the mission knows.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    /// It waits.
    Open,
    /// It is closed without answers; late ones are told once each.
    Closed {
        /// To these decisions late answers were told.
        late: Vec<Arc<str>>,
    },
}

impl Keeper {
    fn keep(&mut self, orders: &Receiver<Order>) {
        loop {
            match self.next(orders) {
                Some(Order::Push(id, draft)) => self.push(id, &draft),
                Some(Order::Withdraw(id, why)) => self.withdraw(id, &why),
                Some(Order::Look) => {
                    self.withdraw_what_is_owed();
                    self.look_at_all();
                }
                Some(Order::Close) | None => return self.withdraw_what_is_owed(),
            }
        }
    }

    /// The next order; where nobody tells of changes, time is one.
    fn next(&self, orders: &Receiver<Order>) -> Option<Order> {
        if self.watch.is_some() || self.known.is_empty() && self.owed.is_empty() {
            return orders.recv().ok();
        }
        match orders.recv_timeout(docket::limits::SWEEP_EVERY) {
            Ok(order) => Some(order),
            Err(RecvTimeoutError::Timeout) => Some(Order::Look),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    fn push(&mut self, id: PetitionId, draft: &Draft) {
        let by = By::Agent(Arc::from(ASKER));
        // The mission knows what it asked before; to the docket each of its petitions is one of its own, even if two ask the
        // same, or an Orchestrator of another mission used the same key.
        let draft = Draft { key: Some(Arc::clone(&id.0)), ..draft.clone() };
        match self.docket.push(&draft, id.clone(), &by, clock::now()) {
            Ok(pushed) => {
                self.watch();
                self.known.insert(id.clone(), Standing::Open);
                self.tell_of(&id, &pushed.kept);
            }
            Err(error) => {
                let why = Arc::from(error.to_string());
                self.tell(id, DocketEvent::Unasked { why });
            }
        }
    }

    fn watch(&mut self) {
        if self.watch.is_none() {
            let hints = self.hints.clone();
            self.watch = self.docket.watch(move |_| drop(hints.send(Order::Look))).ok();
        }
    }

    fn withdraw(&mut self, id: PetitionId, why: &Arc<str>) {
        let by = By::Agent(Arc::from(ASKER));
        self.owed.remove(&id);
        match self.docket.withdraw(&id, why, &by, clock::now()) {
            Ok(_) => drop(self.known.insert(id, Standing::Closed { late: Vec::new() })),
            // Somebody was faster, or it was closed before we fell: what was said to it is heard all the same.
            Err(DocketError::Refused { refusal: Refusal::Closed(_), .. }) => {
                self.watch();
                self.known.insert(id.clone(), Standing::Closed { late: Vec::new() });
                self.look_at(&id);
            }
            // It was never asked, or somebody removed it.
            Err(DocketError::Unknown { .. } | DocketError::Gone { .. }) => drop(self.known.remove(&id)),
            // It is tried again; if we end before it could be done, at the next start of the mission.
            Err(_) => drop(self.owed.insert(id, Arc::clone(why))),
        }
    }

    fn withdraw_what_is_owed(&mut self) {
        for (id, why) in std::mem::take(&mut self.owed) {
            self.withdraw(id, &why);
        }
    }

    fn look_at_all(&mut self) {
        let ids: Vec<PetitionId> = self.known.keys().cloned().collect();
        ids.iter().for_each(|id| self.look_at(id));
    }

    fn look_at(&mut self, id: &PetitionId) {
        match self.docket.look(id, clock::now()) {
            Ok(kept) => self.tell_of(id, &kept),
            Err(DocketError::Gone { .. } | DocketError::Unknown { .. }) => {
                if self.known.remove(id) == Some(Standing::Open) {
                    self.tell(id.clone(), DocketEvent::Closed { why: Arc::from("its file was removed") });
                }
            }
            // A file that cannot be read now may be mended.
            Err(_) => {}
        }
    }

    fn tell_of(&mut self, id: &PetitionId, kept: &Kept) {
        let Some(closed) = &kept.petition.closed else { return };
        match (self.known.get_mut(id), closed.end) {
            (None, _) => {}
            (Some(_), End::Completed) => {
                self.known.remove(id);
                self.tell(id.clone(), DocketEvent::Decided { answers: answers(kept) });
            }
            (Some(standing @ Standing::Open), End::Withdrawn | End::Expired) => {
                *standing = Standing::Closed { late: Vec::new() };
                let end = match closed.end {
                    End::Expired => "it has expired",
                    End::Withdrawn | End::Completed => "it was withdrawn",
                };
                let why = closed.why.as_ref().filter(|why| !why.is_empty());
                let why = why.map_or(end.to_owned(), |why| format!("{end}: {why}"));
                self.tell(id.clone(), DocketEvent::Closed { why: Arc::from(why) });
                self.tell_of(id, kept);
            }
            (Some(Standing::Closed { late }), End::Withdrawn | End::Expired) => {
                let new: Vec<Answered> = late_answers(kept)
                    .into_iter()
                    .filter(|answer| !late.contains(&answer.decision))
                    .collect();
                late.extend(new.iter().map(|answer| answer.decision.clone()));
                for answer in new {
                    self.tell(id.clone(), DocketEvent::Late(answer));
                }
            }
        }
    }

    fn tell(&self, id: PetitionId, event: DocketEvent) {
        // A house that has gone hears of it when it starts again.
        let _ = self.events.blocking_send(Event::Docket(id, event));
    }
}

/// The answer that stands for each decision, as the ledger has it: the file says who, the ledger proves it.
fn answers(kept: &Kept) -> Vec<Answered> {
    let of = |decision: &Arc<str>| {
        kept.records.iter().rev().find_map(|record| match &record.change {
            Change::Answered { decision: id, choice, digest }
            | Change::Changed { decision: id, choice, digest }
                if id == decision =>
            {
                let by = actor(&record.by)?;
                let (decision, choice, digest) = (id.clone(), choice.clone(), digest.clone());
                Some(Answered { decision, choice, by, at: record.at, digest })
            }
            Change::Answered { .. }
            | Change::Changed { .. }
            | Change::Asked
            | Change::Late { .. }
            | Change::Submitted
            | Change::Withdrawn { .. }
            | Change::Expired { .. } => None,
        })
    };
    kept.petition.decisions.iter().filter_map(|decision| of(&decision.id)).collect()
}

fn late_answers(kept: &Kept) -> Vec<Answered> {
    let late = kept.records.iter().filter_map(|record| match &record.change {
        Change::Late { decision, choice, digest } => {
            let by = actor(&record.by)?;
            let (decision, choice, digest) = (decision.clone(), choice.clone(), digest.clone());
            Some(Answered { decision, choice, by, at: record.at, digest })
        }
        Change::Asked
        | Change::Answered { .. }
        | Change::Changed { .. }
        | Change::Submitted
        | Change::Withdrawn { .. }
        | Change::Expired { .. } => None,
    });
    late.collect()
}

fn actor(by: &By) -> Option<Actor> {
    match by {
        By::Actor(actor) => Some(actor.clone()),
        // No agent answers for a person.
        By::Agent(_) => None,
    }
}

#[cfg(test)]
mod tests;
