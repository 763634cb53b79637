//! The link between a mission and the docket: pushes the mission's petitions, withdraws those it does not need any more,
//! and reports answers as events. One thread does it all, in the order of the effects, so that nothing is withdrawn before
//! it is asked. The docket keeps the truth: after a crash, or an error, the same pushes lead to the same answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use docket::ledger::LedgerLine;
use docket::{Became, Docket, DocketError, PetitionFollower, PetitionNews, StoredPetition};
use mind::Event;
use mind::actor::Actor;
use mind::event::DocketEvent;
use mind::petition::{Answered, PetitionChange, PetitionDraft, PetitionId, PetitionRefusal};
use tokio::sync::{mpsc, oneshot};

use crate::{clock, limits};

/// The mission's side of the docket.
#[derive(Debug)]
pub struct DocketLink {
    orders: Sender<Order>,
    crossed: oneshot::Receiver<()>,
}

#[derive(Debug)]
enum Order {
    Push(PetitionId, Arc<PetitionDraft>),
    Withdraw(PetitionId, Arc<str>),
    /// A petition changed.
    News(PetitionNews),
    /// No more orders come.
    Close,
}

impl DocketLink {
    /// Starts the thread. Changes of the mission's petitions are sent to `events`.
    pub fn open(docket: Docket, events: mpsc::Sender<Event>) -> DocketLink {
        let (orders, inbox) = channel();
        let (done, crossed) = oneshot::channel();
        let news = orders.clone();
        std::thread::spawn(move || {
            let mut worker = DocketWorker { docket, events, news, following: None, owed: BTreeMap::new() };
            worker.work(&inbox);
            drop(worker);
            let _ = done.send(());
        });
        DocketLink { orders, crossed }
    }

    pub fn push(&self, id: PetitionId, draft: Arc<PetitionDraft>) {
        let _ = self.orders.send(Order::Push(id, draft));
    }

    /// Withdraws a petition that the mission does not need any more.
    pub fn withdraw(&self, id: PetitionId, why: Arc<str>) {
        let _ = self.orders.send(Order::Withdraw(id, why));
    }

    /// Waits until every push and withdrawal is done.
    pub async fn close(self) {
        let _ = self.orders.send(Order::Close);
        let _ = self.crossed.await;
    }
}

/// The actor that the ledger names as the asker of a mission's petitions.
fn asker() -> Actor {
    Actor::Agent(Arc::from("arbiter"))
}

/// The thread's own state.
struct DocketWorker {
    docket: Docket,
    events: mpsc::Sender<Event>,
    news: Sender<Order>,
    /// Opened with the first petition: most missions ask nothing.
    following: Option<PetitionFollower>,
    /// What the docket could not take yet, at most one thing for a petition.
    owed: BTreeMap<PetitionId, Owed>,
}

#[derive(Debug, Clone)]
enum Owed {
    Push { draft: Arc<PetitionDraft>, tries: u32 },
    Withdrawal { why: Arc<str> },
}

impl DocketWorker {
    fn work(&mut self, orders: &Receiver<Order>) {
        loop {
            match self.next(orders) {
                Ok(Order::Push(id, draft)) => self.push(id, draft, 0),
                Ok(Order::Withdraw(id, why)) => self.withdraw(id, &why),
                Ok(Order::News(news)) => self.hear(&news),
                Err(RecvTimeoutError::Timeout) => self.do_what_is_owed(),
                Ok(Order::Close) | Err(RecvTimeoutError::Disconnected) => {
                    return self.do_what_is_owed();
                }
            }
        }
    }

    /// Waits for the next order, or until what is owed is due again.
    fn next(&self, orders: &Receiver<Order>) -> Result<Order, RecvTimeoutError> {
        let is_new =
            |owed: &Owed| matches!(owed, Owed::Push { tries, .. } if *tries < limits::DOCKET_TRIES_QUIET);
        match self.owed.is_empty() {
            true => orders.recv().map_err(RecvTimeoutError::from),
            false if self.owed.values().any(is_new) => orders.recv_timeout(limits::DOCKET_RETRY_FIRST),
            false => orders.recv_timeout(limits::DOCKET_RETRY),
        }
    }

    fn push(&mut self, id: PetitionId, draft: Arc<PetitionDraft>, tries: u32) {
        self.owed.remove(&id);
        // The mission itself knows what it asked before. To the docket each of its petitions is a new one, even if two ask
        // the same, or an Orchestrator of another mission used the same key.
        let keyed = PetitionDraft { key: Some(Arc::clone(&id.0)), ..(*draft).clone() };
        let pushed = self.docket.push(&keyed, id.clone(), &asker(), clock::now());
        match pushed.map(|pushed| pushed.kept).or_else(DocketError::recorded) {
            Ok(kept) => self.is_asked(kept, draft),
            Err(error) => self.look_again(id, draft, tries, &error),
        }
    }

    /// It stands in the docket: the mission is told what became of it, now and later.
    fn is_asked(&mut self, kept: StoredPetition, draft: Arc<PetitionDraft>) {
        self.tell_of(&kept, 0);
        let id = kept.petition.id.clone();
        if !self.follow(kept) {
            self.owed.insert(id, Owed::Push { draft, tries: limits::DOCKET_TRIES_QUIET });
        }
    }

    /// A push failed. What the ledger has was asked, whatever the error; what it does not have and the docket refuses is
    /// given up; everything else is tried again under the same id, because an unknown is no "no".
    fn look_again(&mut self, id: PetitionId, draft: Arc<PetitionDraft>, tries: u32, error: &DocketError) {
        let why: Arc<str> = Arc::from(error.to_string());
        match self.docket.is_recorded(&id, clock::now()) {
            Ok(true) => match self.docket.read(&id, clock::now()) {
                Ok(kept) if kept.records.first().is_some_and(|asked| asked.by == asker()) => {
                    return self.is_asked(kept, draft);
                }
                Ok(_) => return self.tell(&id, DocketEvent::Unasked { why }),
                Err(DocketError::Gone { .. }) => return self.tell(&id, file_removed()),
                // It may be repaired, and is heard of then.
                Err(DocketError::Malformed { .. }) if self.follow_unseen(&id) => return,
                Err(_) => {}
            },
            Ok(false) if !is_passing(error) => return self.tell(&id, DocketEvent::Unasked { why }),
            Ok(false) | Err(_) => {}
        }
        let tries = tries + 1;
        if tries == limits::DOCKET_TRIES_QUIET {
            self.tell(&id, DocketEvent::Delayed { why });
        }
        self.owed.insert(id, Owed::Push { draft, tries });
    }

    /// Follows a petition's changes from now on. False if that is not possible now.
    fn follow(&mut self, kept: StoredPetition) -> bool {
        self.follower().map(|following| following.follow(kept)).is_some()
    }

    fn follow_unseen(&mut self, id: &PetitionId) -> bool {
        self.follower().map(|following| following.follow_unseen(id.clone())).is_some()
    }

    fn follower(&mut self) -> Option<&PetitionFollower> {
        if self.following.is_none() {
            let news = self.news.clone();
            let feed = self.docket.feed(clock::now).ok();
            self.following = feed.map(|feed| feed.petitions(move |one| drop(news.send(Order::News(one)))));
        }
        self.following.as_ref()
    }

    fn withdraw(&mut self, id: PetitionId, why: &Arc<str>) {
        self.owed.remove(&id);
        let withdrawn = self.docket.withdraw(&id, why, &asker(), clock::now());
        match withdrawn.or_else(DocketError::recorded) {
            Ok(kept) => drop(self.follow(kept)),
            // It was closed by another process, or before a crash of ours: the mission still hears its answers.
            Err(DocketError::Refused { refusal: PetitionRefusal::Closed(_), .. }) => {
                match self.docket.read(&id, clock::now()) {
                    Ok(kept) => {
                        // The mission wanted it closed and need not hear that it is.
                        let closed = kept.records.iter().position(is_withdrawn_or_expired);
                        self.tell_of(&kept, closed.map_or(0, |at| at + 1));
                        self.follow(kept);
                    }
                    Err(DocketError::Unknown { .. } | DocketError::Gone { .. }) => {}
                    Err(_) => self.owe_withdrawal(id, why),
                }
            }
            // It was never asked, or its file was removed.
            Err(DocketError::Unknown { .. } | DocketError::Gone { .. }) => {}
            // Tried again later; if the program ends before, at the next start of the mission.
            Err(_) => self.owe_withdrawal(id, why),
        }
    }

    fn owe_withdrawal(&mut self, id: PetitionId, why: &Arc<str>) {
        self.owed.insert(id, Owed::Withdrawal { why: Arc::clone(why) });
    }

    fn do_what_is_owed(&mut self) {
        for (id, owed) in self.owed.clone() {
            match owed {
                Owed::Push { draft, tries } => self.push(id, draft, tries),
                Owed::Withdrawal { why } => self.withdraw(id, &why),
            }
        }
    }

    fn hear(&mut self, news: &PetitionNews) {
        match &news.became {
            Became::Stands { kept, known } => self.tell_of(kept, *known),
            Became::Gone { was_open: true } => {
                self.tell(&news.id, file_removed());
            }
            // A file that cannot be read now may be repaired.
            Became::Gone { was_open: false } | Became::Unreadable { .. } | Became::Trouble(_) => {}
        }
    }

    /// Sends the mission the events of the petition's records after the first `known`.
    fn tell_of(&self, kept: &StoredPetition, known: usize) {
        let id = &kept.petition.id;
        for (at, record) in kept.records.iter().enumerate().skip(known) {
            match &record.change {
                PetitionChange::Submitted => self.tell(id, DocketEvent::Decided { answers: answers(kept) }),
                // The mission ordered this withdrawal itself.
                PetitionChange::Withdrawn { .. } if known > 0 && record.by == asker() => {}
                PetitionChange::Withdrawn { why } => self.tell(id, closed("it was withdrawn", why)),
                PetitionChange::Expired { why } => self.tell(id, closed("it has expired", why)),
                PetitionChange::Late { .. } => {
                    if let Some(late) = first_late(&kept.records, at) {
                        self.tell(id, DocketEvent::Late(late));
                    }
                }
                PetitionChange::Asked
                | PetitionChange::Answered { .. }
                | PetitionChange::Changed { .. }
                | PetitionChange::Assigned { .. } => {}
            }
        }
    }

    fn tell(&self, id: &PetitionId, event: DocketEvent) {
        // A mission loop that has ended hears of it when the mission is resumed.
        let _ = self.events.blocking_send(Event::Docket(id.clone(), event));
    }
}

fn file_removed() -> DocketEvent {
    DocketEvent::Closed { why: Arc::from("its file was removed") }
}

/// Whether the same push may succeed later.
fn is_passing(error: &DocketError) -> bool {
    match error {
        DocketError::Disk { .. }
        | DocketError::Held(_)
        | DocketError::Damaged { .. }
        | DocketError::Recorded { .. } => true,
        DocketError::Unknown { .. }
        | DocketError::Ambiguous { .. }
        | DocketError::Gone { .. }
        | DocketError::Malformed { .. }
        | DocketError::Refused { .. }
        | DocketError::NotYours { .. }
        | DocketError::Taken { .. } => false,
    }
}

fn closed(end: &str, why: &str) -> DocketEvent {
    let why = if why.is_empty() { end.to_owned() } else { format!("{end}: {why}") };
    DocketEvent::Closed { why: Arc::from(why) }
}

fn is_withdrawn_or_expired(record: &LedgerLine) -> bool {
    matches!(record.change, PetitionChange::Withdrawn { .. } | PetitionChange::Expired { .. })
}

/// The valid answer of each decision, as the ledger has it: a file can name any author, the ledger proves it.
fn answers(kept: &StoredPetition) -> Vec<Answered> {
    let of = |decision: &Arc<str>| {
        kept.records.iter().rev().find_map(|record| match &record.change {
            PetitionChange::Answered { decision: id, choice, digest, .. }
            | PetitionChange::Changed { decision: id, choice, digest, .. }
                if id == decision =>
            {
                let by = actor(&record.by)?;
                let (decision, choice, digest) = (id.clone(), choice.clone(), digest.clone());
                Some(Answered { decision, choice, by, at: record.at, digest })
            }
            PetitionChange::Answered { .. }
            | PetitionChange::Changed { .. }
            | PetitionChange::Asked
            | PetitionChange::Late { .. }
            | PetitionChange::Assigned { .. }
            | PetitionChange::Submitted
            | PetitionChange::Withdrawn { .. }
            | PetitionChange::Expired { .. } => None,
        })
    };
    kept.petition.decisions.iter().filter_map(|decision| of(&decision.id)).collect()
}

/// The late answer of a record, if it is the first for its decision.
fn first_late(records: &[LedgerLine], at: usize) -> Option<Answered> {
    let late = |record: &LedgerLine| match &record.change {
        PetitionChange::Late { decision, choice, digest, .. } => {
            let by = actor(&record.by)?;
            let (decision, choice, digest) = (decision.clone(), choice.clone(), digest.clone());
            Some(Answered { decision, choice, by, at: record.at, digest })
        }
        PetitionChange::Asked
        | PetitionChange::Answered { .. }
        | PetitionChange::Changed { .. }
        | PetitionChange::Assigned { .. }
        | PetitionChange::Submitted
        | PetitionChange::Withdrawn { .. }
        | PetitionChange::Expired { .. } => None,
    };
    let answer = late(records.get(at)?)?;
    let is_first = !records.iter().take(at).filter_map(late).any(|before| before.decision == answer.decision);
    is_first.then_some(answer)
}

fn actor(by: &Actor) -> Option<Actor> {
    match by {
        Actor::Human { .. } | Actor::Policy(_) => Some(by.clone()),
        // An agent's answer never counts as a person's.
        Actor::Agent(_) => None,
    }
}

#[cfg(test)]
mod tests;
