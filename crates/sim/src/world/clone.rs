//! The workspace of a world: the mission's clone as a counter of commits, and the answers to what a claim needs.

use std::sync::Arc;

use mind::effect::WorkspaceEffect;
use mind::session::CloneTree;
use mind::talk::{CheckStatus, Receipt};
use mind::{Event, GateId, WorkspaceEvent};

use super::fault::Fault;
use super::{Happening, World};

/// The clone, and how much is left to be done in it.
#[derive(Debug, Clone)]
pub(super) struct Workplace {
    pub(super) commits: u64,
    pub(super) dirty: bool,
    /// Units of work until everything is done.
    pub(super) left: u64,
}

impl Workplace {
    pub(super) fn commit(&self) -> Arc<str> {
        Arc::from(format!("c{}", self.commits))
    }

    pub(super) fn tree(&self) -> CloneTree {
        let fingerprint = Arc::from(format!("f{}{}", self.commits, if self.dirty { "+" } else { "" }));
        CloneTree { commit: self.commit(), dirty: self.dirty, fingerprint }
    }

    /// Nothing is left to be done, and all of it is committed.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && !self.dirty
    }
}

impl World {
    /// Answers an effect that is the workspace's.
    pub(super) fn workspace(&mut self, effect: &WorkspaceEffect) {
        let after = self.dice.between(20, 20_000);
        match effect {
            WorkspaceEffect::PrepareClone => self.prepare_clone(after),
            WorkspaceEffect::Abandon { gate } => self.abandon(*gate),
            WorkspaceEffect::FetchBack => {}
            WorkspaceEffect::Survey { gate }
            | WorkspaceEffect::Bring { gate, .. }
            | WorkspaceEffect::Check { gate, .. } => {
                let Some(event) = self.answer(effect) else { return };
                self.later(after, Happening::Gate(self.life, *gate, Box::new(event.clone())));
                if self.strikes(Fault::GateTwice, 4) {
                    self.later(after + 1, Happening::Gate(self.life, *gate, Box::new(event)));
                }
            }
        }
    }

    fn prepare_clone(&mut self, after: u64) {
        let event = if self.strikes(Fault::NotSettled, 6) {
            WorkspaceEvent::Broken { why: Arc::from("no room for a clone") }
        } else {
            WorkspaceEvent::Settled {
                folder: Arc::from("clone"),
                base: Arc::from("c0"),
                branch: Arc::from("arbiter/world"),
            }
        };
        self.later(after, Happening::Gate(self.life, GateId(0), Box::new(Event::Workshop(event))));
    }

    fn answer(&mut self, effect: &WorkspaceEffect) -> Option<Event> {
        if let WorkspaceEffect::Survey { gate }
        | WorkspaceEffect::Bring { gate, .. }
        | WorkspaceEffect::Check { gate, .. } = effect
            && self.strikes(Fault::Hindered, 8)
        {
            let why = Arc::from("the disk is full");
            return Some(Event::Workshop(WorkspaceEvent::Hindered { gate: *gate, why }));
        }
        let event = match effect {
            WorkspaceEffect::Survey { gate } => {
                if self.strikes(Fault::Unfit, 4) {
                    WorkspaceEvent::Unfit { gate: *gate, why: Arc::from("no branch") }
                } else {
                    WorkspaceEvent::Surveyed { gate: *gate, tree: self.place.tree() }
                }
            }
            WorkspaceEffect::Bring { gate, commit } => {
                let commit =
                    if self.strikes(Fault::MovedOn, 4) { Arc::from("c9999") } else { commit.clone() };
                WorkspaceEvent::Brought { gate: *gate, commit }
            }
            WorkspaceEffect::Check { gate, index, argv, limit_ms, commit } => {
                let status = if self.strikes(Fault::CheckTimesOut, 5) {
                    CheckStatus::TimedOut
                } else if self.place.left > 0 || self.strikes(Fault::CheckFails, 3) {
                    // What a check finds is more work.
                    self.place.left = self.place.left.max(1);
                    CheckStatus::Exited(1)
                } else {
                    CheckStatus::Exited(0)
                };
                let receipt = Receipt {
                    argv: argv.clone(),
                    commit: commit.clone(),
                    status,
                    duration_ms: self.dice.below(*limit_ms),
                    output_digest: Arc::from("0"),
                    output_tail: Arc::from("the end"),
                };
                WorkspaceEvent::Checked { gate: *gate, index: *index, receipt }
            }
            WorkspaceEffect::PrepareClone | WorkspaceEffect::FetchBack | WorkspaceEffect::Abandon { .. } => {
                return None;
            }
        };
        Some(Event::Workshop(event))
    }

    /// The claim is no more: what was on its way for it is not told.
    fn abandon(&mut self, gate: GateId) {
        self.queue.retain(|_, happening| !matches!(happening, Happening::Gate(_, of, _) if *of == gate));
    }
}
