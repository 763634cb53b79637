//! The feed of a docket: one thread for all followers in this process. It listens to the storage, gathers changes that
//! come together, reads the changed files and sends typed news: what became of a followed petition, and what waits in
//! the queue. A follower's callback must not block: a thread passes the news to its channel, a task to its runtime's.

mod ears;
mod petitions;
mod queue;
mod worker;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use mind::Timestamp;
use mind::petition::{Petition, PetitionId};

use crate::docket::{Docket, Fault, StoredPetition, Summary};
use crate::error::DocketError;
use crate::waiting_counts::WaitingCounts;

/// A followed docket. It is watched as long as one of these, or one of its followers, exists.
#[derive(Debug, Clone)]
pub struct DocketFeed {
    line: Arc<FeedLine>,
}

/// News of a followed petition.
#[derive(Debug, Clone)]
pub struct PetitionNews {
    pub id: PetitionId,
    pub became: Became,
}

/// What became of a petition.
#[derive(Debug, Clone)]
pub enum Became {
    /// The petition stands so now.
    Stands {
        kept: Arc<StoredPetition>,
        /// How many of its ledger lines the follower knew before.
        known: usize,
    },
    /// The file cannot be read at the moment: a person may be editing it.
    Unreadable { why: Arc<str> },
    /// Its file was removed. It is followed no longer.
    Gone {
        /// The petition was open when it was last read.
        was_open: bool,
    },
    /// The docket cannot be read. The feed tries again.
    Trouble(Arc<DocketError>),
}

/// News of the queue.
#[derive(Debug, Clone)]
pub enum QueueNews {
    /// The queue as it stands now.
    Waiting {
        /// The first petitions, in the order in which they should be answered.
        petitions: Vec<Arc<Petition>>,
        /// Files that are no petitions.
        faults: Vec<Fault>,
        /// How many wait in all, shown or not.
        counts: WaitingCounts,
    },
    /// The docket cannot be read. The feed tries again.
    Trouble(Arc<DocketError>),
}

/// A part of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuePage {
    /// The place of the first of them in the queue.
    pub offset: usize,
    pub petitions: Vec<Summary>,
    /// How many wait in all.
    pub counts: WaitingCounts,
}

/// Follows petitions by id, until it is dropped.
#[derive(Debug)]
pub struct PetitionFollower {
    number: u64,
    line: Arc<FeedLine>,
}

/// Follows the queue, until it is dropped.
#[derive(Debug)]
pub struct QueueFollower {
    number: u64,
    line: Arc<FeedLine>,
}

impl DocketFeed {
    /// The feed that this process has of the docket already, or a new one. `now` tells the time.
    pub(crate) fn of(docket: &Docket, now: fn() -> Timestamp) -> Result<DocketFeed, DocketError> {
        static FEEDS: Mutex<Vec<(Docket, Weak<FeedLine>)>> = Mutex::new(Vec::new());
        let mut feeds = FEEDS.lock().unwrap_or_else(PoisonError::into_inner);
        feeds.retain(|(_, line)| line.strong_count() > 0);
        let known =
            feeds.iter().find(|(known, _)| known.is_same(docket)).and_then(|(_, line)| line.upgrade());
        if let Some(line) = known {
            return Ok(DocketFeed { line });
        }
        let (orders, inbox) = channel();
        let line = Arc::new(FeedLine { orders: orders.clone(), followers: AtomicU64::new(0) });
        let worker = worker::Worker::new(docket.clone(), now, orders);
        let thread = thread::Builder::new().name("docket-feed".to_owned());
        thread.spawn(move || worker.run(&inbox)).map_err(DocketError::disk(docket.folder()))?;
        feeds.push((docket.clone(), Arc::downgrade(&line)));
        Ok(DocketFeed { line })
    }

    /// The number of this feed, which tells it from others. For tests.
    #[doc(hidden)]
    pub fn identity(&self) -> *const () {
        Arc::as_ptr(&self.line).cast()
    }

    /// Calls `tell` with the news of the petitions that the returned follower names.
    pub fn petitions(&self, tell: impl FnMut(PetitionNews) + Send + 'static) -> PetitionFollower {
        let number = self.line.number();
        self.line.send(FeedOrder::HearPetitions(number, Tell(Box::new(tell))));
        PetitionFollower { number, line: Arc::clone(&self.line) }
    }

    /// Calls `tell` with the queue, now and whenever it changes: the first `shown` petitions in full.
    pub fn queue(&self, shown: usize, tell: impl FnMut(QueueNews) + Send + 'static) -> QueueFollower {
        let number = self.line.number();
        self.line.send(FeedOrder::HearQueue(number, shown, Tell(Box::new(tell))));
        QueueFollower { number, line: Arc::clone(&self.line) }
    }
}

impl PetitionFollower {
    /// Follows a petition whose state the caller knows: every difference from it is sent.
    pub fn follow(&self, kept: StoredPetition) {
        let id = kept.petition.id.clone();
        self.line.send(FeedOrder::Follow(self.number, id, Some(Arc::new(kept))));
    }

    /// Follows a petition whose state the caller does not know: how it stands is sent first.
    pub fn follow_unseen(&self, id: PetitionId) {
        self.line.send(FeedOrder::Follow(self.number, id, None));
    }

    /// Nothing more of this petition is sent, but for what is on its way.
    pub fn unfollow(&self, id: PetitionId) {
        self.line.send(FeedOrder::Unfollow(self.number, id));
    }
}

impl QueueFollower {
    /// Calls `tell` with a part of the queue as it was read last. Nothing is read for it; while the queue cannot be read,
    /// the page is empty.
    pub fn page(&self, offset: usize, count: usize, tell: impl FnMut(QueuePage) + Send + 'static) {
        self.line.send(FeedOrder::Page(offset, count, Tell(Box::new(tell))));
    }
}

impl Drop for PetitionFollower {
    fn drop(&mut self) {
        self.line.send(FeedOrder::Leave(self.number));
    }
}

impl Drop for QueueFollower {
    fn drop(&mut self) {
        self.line.send(FeedOrder::Leave(self.number));
    }
}

/// The sender to the feed's thread. The thread ends when the last sender is dropped.
#[derive(Debug)]
struct FeedLine {
    orders: Sender<FeedOrder>,
    followers: AtomicU64,
}

impl FeedLine {
    fn number(&self) -> u64 {
        self.followers.fetch_add(1, Ordering::Relaxed)
    }

    fn send(&self, order: FeedOrder) {
        // The thread ends only after this line did.
        let _ = self.orders.send(order);
    }
}

impl Drop for FeedLine {
    fn drop(&mut self) {
        self.send(FeedOrder::Stop);
    }
}

/// The callback of a follower.
struct Tell<N>(Box<dyn FnMut(N) + Send>);

impl<N> fmt::Debug for Tell<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tell")
    }
}

/// What the feed's thread receives.
#[derive(Debug)]
enum FeedOrder {
    /// Files of these names were written, moved or removed.
    Names(Vec<String>),
    /// The system lost events: any file may have changed.
    Lost,
    HearPetitions(u64, Tell<PetitionNews>),
    Follow(u64, PetitionId, Option<Arc<StoredPetition>>),
    Unfollow(u64, PetitionId),
    HearQueue(u64, usize, Tell<QueueNews>),
    Page(usize, usize, Tell<QueuePage>),
    Leave(u64),
    Stop,
}
