//! The feed's thread: it waits for a change in the storage, a follower's order or a deadline, and then refreshes the
//! followed petitions and the queue.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use mind::Timestamp;

use super::FeedOrder;
use super::ears::FeedEars;
use super::petitions::PetitionDesk;
use super::queue::QueueDesk;
use crate::docket::Docket;
use crate::limits;

pub(super) struct Worker {
    docket: Docket,
    now: fn() -> Timestamp,
    orders: Sender<FeedOrder>,
    ears: FeedEars,
    petitions: PetitionDesk,
    queue: QueueDesk,
    swept: Instant,
    /// Deadlines up to this moment were handled.
    rung: Timestamp,
}

impl Worker {
    pub(super) fn new(docket: Docket, now: fn() -> Timestamp, orders: Sender<FeedOrder>) -> Worker {
        let (petitions, queue) = (PetitionDesk::default(), QueueDesk::default());
        let rung = Timestamp(0);
        Worker {
            docket,
            now,
            orders,
            ears: FeedEars::default(),
            petitions,
            queue,
            swept: Instant::now(),
            rung,
        }
    }

    pub(super) fn run(mut self, inbox: &Receiver<FeedOrder>) {
        let mut gathered = BTreeSet::new();
        let mut since: Option<Instant> = None;
        self.ears.open(&self.docket, &self.orders);
        loop {
            let wait = match since {
                Some(since) => limits::GATHER.saturating_sub(since.elapsed()),
                None => self.until_sweep(),
            };
            let mut next = match inbox.recv_timeout(wait) {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            while let Some(order) = next {
                match order {
                    FeedOrder::Stop => return,
                    FeedOrder::Names(names) => {
                        if !names.is_empty() {
                            since.get_or_insert_with(Instant::now);
                        }
                        gathered.extend(names);
                    }
                    FeedOrder::Lost => self.sweep(),
                    order @ (FeedOrder::HearPetitions(..)
                    | FeedOrder::Follow(..)
                    | FeedOrder::Unfollow(..)
                    | FeedOrder::HearQueue(..)
                    | FeedOrder::Page(..)
                    | FeedOrder::Leave(_)) => self.take(order),
                }
                next = inbox.try_recv().ok();
            }
            if since.is_some_and(|since| since.elapsed() >= limits::GATHER) {
                // Of very many a part at a time: what followers order meanwhile does not wait for all of them.
                let rest = gathered.iter().nth(limits::GATHERED_MAX).cloned();
                let rest = rest.map(|first: String| gathered.split_off(&first)).unwrap_or_default();
                let names = std::mem::replace(&mut gathered, rest);
                if gathered.is_empty() {
                    since = None;
                }
                self.petitions.touch(&self.docket, &names, (self.now)());
                self.queue.touch(&self.docket, names, (self.now)());
            }
            if self.until_sweep() == Duration::ZERO {
                self.sweep();
            }
        }
    }

    fn take(&mut self, order: FeedOrder) {
        // A new follower may have made the folders.
        self.ears.open(&self.docket, &self.orders);
        match order {
            FeedOrder::HearPetitions(number, tell) => self.petitions.hear(number, tell),
            FeedOrder::Follow(number, id, kept) => {
                self.petitions.follow(&self.docket, number, id, kept, (self.now)());
            }
            FeedOrder::Unfollow(number, id) => self.petitions.unfollow(number, &id),
            FeedOrder::HearQueue(number, shown, tell) => {
                self.queue.hear(&self.docket, number, shown, tell, (self.now)());
            }
            FeedOrder::Page(offset, count, mut tell) => (tell.0)(self.queue.page(offset, count)),
            FeedOrder::Leave(number) => {
                self.petitions.leave(number);
                self.queue.leave(number);
            }
            FeedOrder::Names(_) | FeedOrder::Lost | FeedOrder::Stop => {}
        }
    }

    fn sweep(&mut self) {
        self.swept = Instant::now();
        self.rung = (self.now)();
        self.ears.open(&self.docket, &self.orders);
        self.petitions.sweep(&self.docket, self.rung);
        self.queue.sweep(&self.docket, self.rung);
    }

    /// The time until the next sweep: because the last one is long ago, or because a deadline passes.
    fn until_sweep(&self) -> Duration {
        let sweep = self.ears.sweep_every().saturating_sub(self.swept.elapsed());
        let due = self.petitions.due(self.rung).into_iter().chain(self.queue.due(self.rung)).min();
        match due {
            Some(due) => sweep.min(Duration::from_millis(due.0.saturating_sub((self.now)().0))),
            None => sweep,
        }
    }
}
