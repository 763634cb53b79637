//! The queue, for followers that show it. One index serves all of them; petitions are read in full when they changed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mind::Timestamp;
use mind::petition::{Petition, PetitionId};

use super::{QueueNews, QueuePage, Tell};
use crate::docket::{Docket, Fault};
use crate::error::DocketError;
use crate::queue_index::QueueIndex;
use crate::waiting_counts::WaitingCounts;

#[derive(Debug, Default)]
pub(super) struct QueueDesk {
    followers: BTreeMap<u64, QueueListener>,
    /// None before it could be read, and while it has no follower.
    board: Option<QueueIndex>,
    /// The first petitions in full.
    read: BTreeMap<PetitionId, Arc<Petition>>,
    /// The trouble that was sent and is not over.
    trouble: Option<String>,
}

#[derive(Debug)]
struct QueueListener {
    shown: usize,
    tell: Tell<QueueNews>,
    told: Option<(Vec<Arc<Petition>>, Vec<Fault>, WaitingCounts)>,
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
        self.board.as_ref().and_then(|board| board.due_after(rung))
    }

    /// A part of the queue as it was read last.
    pub(super) fn page(&self, offset: usize, count: usize) -> QueuePage {
        let Some(board) = &self.board else {
            return QueuePage { offset, petitions: Vec::new(), counts: WaitingCounts::default() };
        };
        QueuePage { offset, petitions: board.page(offset, count), counts: board.counts() }
    }

    fn publish(&mut self, docket: &Docket, looked: Result<(), DocketError>, now: Timestamp) {
        match looked {
            Ok(()) => self.trouble = None,
            // What was read before stands until it can be read again.
            Err(error) => self.complain(error),
        }
        let Some(board) = &mut self.board else { return };
        let changed = board.take_changed();
        let (faults, counts) = (board.faults(), board.counts());
        let shown = self.followers.values().map(|follower| follower.shown).max().unwrap_or(0);
        let mut read = BTreeMap::new();
        let mut petitions = Vec::new();
        for summary in board.page(0, shown) {
            let before = self.read.remove(&summary.id).filter(|_| !changed.contains(&summary.id));
            let petition = match before {
                Some(petition) => petition,
                None => match docket.read(&summary.id, now) {
                    Ok(kept) => Arc::new(kept.petition),
                    Err(_) => continue,
                },
            };
            petitions.push(Arc::clone(&petition));
            read.insert(summary.id, petition);
        }
        self.read = read;
        for follower in self.followers.values_mut() {
            let first = petitions.iter().take(follower.shown).cloned().collect();
            let waiting = (first, faults.clone(), counts);
            if follower.told.as_ref() != Some(&waiting) {
                let (petitions, faults, counts) = waiting.clone();
                follower.told = Some(waiting);
                (follower.tell.0)(QueueNews::Waiting { petitions, faults, counts });
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
