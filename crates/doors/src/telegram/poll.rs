//! The plain loop that takes updates: ask, write down, hand to the desk, ask for the next ones, which lets the server forget
//! these. What is not on disk is not confirmed, so an update outlives the end of this process at any step.

mod course;
mod sift;
mod strangers;

use std::collections::BTreeSet;
use std::time::Duration;

use mind::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};

use self::course::{PollCourse, Polled};
use self::sift::{Sifted, sift};
use self::strangers::without_words;
use super::health::HealthFile;
use super::log::Durability;
use super::memory::DoorMemory;
use super::wire::{ApiTrouble, BotClient, TakenUpdate, UserId};
use super::{DoorLogger, TelegramError};
use crate::limits::POLL_HASTY;

/// The loop, and all that it works with.
pub struct Poll {
    pub client: BotClient,
    pub memory: DoorMemory,
    /// Where updates go, in order and each once in the life of this process. When it is full, no more are asked for.
    pub desk: mpsc::Sender<TakenUpdate>,
    pub health: HealthFile,
    /// Whose words are kept.
    pub people: BTreeSet<UserId>,
    pub log: DoorLogger,
    /// How long the server waits for a first update.
    pub long: Duration,
    pub now: fn() -> Timestamp,
    pub dice: fn() -> u64,
}

impl Poll {
    /// Takes updates until `stop` says so, or the desk is gone, or the token is refused for good. What was taken before
    /// and is not handled goes to the desk first.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) -> Result<(), TelegramError> {
        let mut course = PollCourse::default();
        let before = self.memory.read(|state| state.waiting.clone());
        if !self.hand_over(before.into(), &mut stop).await {
            return Ok(());
        }
        loop {
            let (polled, fresh) = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => return Ok(()),
                polled = self.poll(course.count()) => polled,
            };
            let verdict = course.after(&polled, (self.dice)());
            if let Some(bot) = self.memory.bot() {
                self.health.named(bot.to_owned());
            }
            self.health.tell(course.trouble().map(str::to_owned), (self.now)());
            if let Some(note) = verdict.note {
                (self.log)(note);
            }
            if verdict.is_over {
                return Err(TelegramError::TokenRefused { why: ApiTrouble::Unauthorized.to_string() });
            }
            if !self.hand_over(fresh, &mut stop).await {
                return Ok(());
            }
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => return Ok(()),
                () = sleep(verdict.wait) => {}
            }
        }
    }

    /// Asks once, and writes down what came. If this is dropped in the middle, what came is on disk or still at the
    /// server.
    async fn poll(&mut self, count: usize) -> (Polled, Vec<TakenUpdate>) {
        let next = self.memory.read(|state| state.next_update);
        let began = Instant::now();
        let came = match self.client.get_updates(next, count, self.long, self.now).await {
            Ok(came) => came,
            Err(trouble) => return (Polled::Failed(trouble), Vec::new()),
        };
        self.health.polled((self.now)());
        let kept = |taken| without_words(taken, |user| self.people.contains(&user));
        let Sifted { fresh, facts, is_stale } = sift(came.into_iter().map(kept).collect(), next);
        if is_stale {
            return (Polled::Stale, Vec::new());
        }
        if fresh.is_empty() {
            let is_hasty = began.elapsed() < POLL_HASTY;
            return (if is_hasty { Polled::Hasty } else { Polled::Quiet }, Vec::new());
        }
        let memory = self.memory.clone();
        let kept = tokio::task::spawn_blocking(move || memory.keep(&facts, Durability::Synced)).await;
        match kept {
            Ok(Ok(())) => (Polled::Fresh, fresh),
            Ok(Err(error)) => (Polled::NotKept(error.to_string()), Vec::new()),
            Err(_) => (Polled::NotKept("the updates could not be written down".to_owned()), Vec::new()),
        }
    }

    /// Whether the desk took them all, before it was time to stop.
    async fn hand_over(&self, updates: Vec<TakenUpdate>, stop: &mut watch::Receiver<bool>) -> bool {
        for update in updates {
            let taken = tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => false,
                sent = self.desk.send(update) => sent.is_ok(),
            };
            if !taken {
                return false;
            }
        }
        true
    }
}
