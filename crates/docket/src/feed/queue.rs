//! The queue, for followers that show it. One index serves all of them; petitions are read in full when they changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{Petition, PetitionId};

use super::{QueueNews, Tell};
use crate::docket::{Docket, Fault};
use crate::error::DocketError;
use crate::queue_index::QueueIndex;

#[derive(Debug, Default)]
pub(super) struct QueueDesk {
    followers: BTreeMap<u64, QueueListener>,
    /// None before it could be read, and while it has no follower.
    board: Option<QueueIndex>,
    /// The first petitions in full.
    read: BTreeMap<PetitionId, Arc<Petition>>,
    waiting: (Vec<Arc<Petition>>, Vec<Fault>),
    due: BTreeSet<Timestamp>,
    /// The trouble that was sent and is not over.
    trouble: Option<String>,
}

#[derive(Debug)]
struct QueueListener {
    shown: usize,
    tell: Tell<QueueNews>,
    told: Option<(Vec<Arc<Petition>>, Vec<Fault>)>,
}

impl QueueDesk {
    pub(super) fn hear(
        &mut self,
        docket: &Docket,
        number: u64,
        shown: usize,
        tell: Tell<QueueNews>,
        now: Timestamp,
    ) {
        self.followers.insert(number, QueueListener { shown, tell, told: None });
        self.trouble = None;
        self.sweep(docket, now);
    }

    pub(super) fn leave(&mut self, number: u64) {
        self.followers.remove(&number);
        if self.followers.is_empty() {
            *self = QueueDesk::default();
        }
    }

    /// Rereads these files.
    pub(super) fn touch(&mut self, docket: &Docket, names: BTreeSet<String>, now: Timestamp) {
        match &mut self.board {
            Some(board) => {
                let looked = board.touch(docket, names, now);
                self.publish(docket, looked, now);
            }
            None => self.sweep(docket, now),
        }
    }

    /// Rereads every file.
    pub(super) fn sweep(&mut self, docket: &Docket, now: Timestamp) {
        if self.followers.is_empty() {
            return;
        }
        let looked = match &mut self.board {
            Some(board) => board.refresh(docket, now),
            None => docket.board(now).map(|board| self.board = Some(board)),
        };
        self.publish(docket, looked, now);
    }

    /// When a deadline changes the queue next, after `rung`.
    pub(super) fn due(&self, rung: Timestamp) -> Option<Timestamp> {
        self.due.range(Timestamp(rung.0 + 1)..).next().copied()
    }

    fn publish(&mut self, docket: &Docket, looked: Result<(), DocketError>, now: Timestamp) {
        match looked {
            Ok(()) => self.trouble = None,
            // What was read before stands until it can be read again.
            Err(error) => self.complain(error),
        }
        let Some(board) = &mut self.board else { return };
        let changed = board.take_changed();
        let queue = board.queue();
        let shown = self.followers.values().map(|follower| follower.shown).max().unwrap_or(0);
        let mut read = BTreeMap::new();
        let mut petitions = Vec::new();
        for summary in queue.petitions.iter().take(shown) {
            let before = self.read.remove(&summary.id).filter(|_| !changed.contains(&summary.id));
            let petition = match before {
                Some(petition) => petition,
                None => match docket.read(&summary.id, now) {
                    Ok(kept) => Arc::new(kept.petition),
                    Err(_) => continue,
                },
            };
            petitions.push(Arc::clone(&petition));
            read.insert(summary.id.clone(), petition);
        }
        self.read = read;
        self.due = queue.petitions.iter().filter_map(|summary| summary.due_at).collect();
        self.waiting = (petitions, queue.faults);
        for follower in self.followers.values_mut() {
            let (petitions, faults) = &self.waiting;
            let first = petitions.iter().take(follower.shown).cloned().collect();
            let waiting = (first, faults.clone());
            if follower.told.as_ref() != Some(&waiting) {
                let (petitions, faults) = waiting.clone();
                follower.told = Some(waiting);
                (follower.tell.0)(QueueNews::Waiting { petitions, faults });
            }
        }
    }

    fn complain(&mut self, error: DocketError) {
        let text = error.to_string();
        if self.trouble.as_ref() == Some(&text) {
            return;
        }
        self.trouble = Some(text);
        let error = Arc::new(error);
        for follower in self.followers.values_mut() {
            (follower.tell.0)(QueueNews::Trouble(Arc::clone(&error)));
        }
    }
}
