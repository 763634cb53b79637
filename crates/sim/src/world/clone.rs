//! The workshop: the mission's clone as a counter of commits, and the answers to what a claim needs.

use std::sync::Arc;

use mind::session::Tree;
use mind::talk::{CheckStatus, Receipt};
use mind::{Effect, Event, GateId, WorkshopEvent};

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

    pub(super) fn tree(&self) -> Tree {
        let fingerprint = Arc::from(format!("f{}{}", self.commits, if self.dirty { "+" } else { "" }));
        Tree { commit: self.commit(), dirty: self.dirty, fingerprint }
    }

    /// Nothing is left to be done, and all of it is committed.
    pub(super) fn is_done(&self) -> bool {
        self.left == 0 && !self.dirty
    }
}

impl World {
    /// Answers an effect that is the workshop's.
    pub(super) fn workshop(&mut self, effect: Effect) {
        let after = self.dice.between(20, 20_000);
        if effect == Effect::Settle {
            return self.settle(after);
        }
        let Some((gate, event)) = self.answer(&effect) else { return };
        self.later(after, Happening::Gate(self.life, gate, Box::new(event.clone())));
        if self.strikes(Fault::GateTwice, 4) {
            self.later(after + 1, Happening::Gate(self.life, gate, Box::new(event)));
        }
    }

    fn settle(&mut self, after: u64) {
        let event = if self.strikes(Fault::NotSettled, 6) {
            WorkshopEvent::Broken { why: Arc::from("no room for a clone") }
        } else {
            WorkshopEvent::Settled {
                folder: Arc::from("clone"),
                base: Arc::from("c0"),
                branch: Arc::from("arbiter/world"),
            }
        };
        self.later(after, Happening::Gate(self.life, GateId(0), Box::new(Event::Workshop(event))));
    }

    fn answer(&mut self, effect: &Effect) -> Option<(GateId, Event)> {
        let (gate, event) = match effect {
            Effect::Survey { gate } => {
                let event = if self.strikes(Fault::Unfit, 4) {
                    WorkshopEvent::Unfit { gate: *gate, why: Arc::from("no branch") }
                } else {
                    WorkshopEvent::Surveyed { gate: *gate, tree: self.place.tree() }
                };
                (*gate, event)
            }
            Effect::Bring { gate, commit } => {
                let commit =
                    if self.strikes(Fault::MovedOn, 4) { Arc::from("c9999") } else { commit.clone() };
                (*gate, WorkshopEvent::Brought { gate: *gate, commit })
            }
            Effect::Check { gate, index, argv, limit_ms, commit } => {
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
                (*gate, WorkshopEvent::Checked { gate: *gate, index: *index, receipt })
            }
            Effect::Settle
            | Effect::Spawn { .. }
            | Effect::Deliver { .. }
            | Effect::Steer { .. }
            | Effect::Warn { .. }
            | Effect::Interrupt { .. }
            | Effect::End { .. }
            | Effect::FetchBack
            | Effect::Decide { .. }
            | Effect::Dismiss { .. }
            | Effect::Prepare { .. }
            | Effect::Inspect { .. }
            | Effect::Remember { .. }
            | Effect::Abandon { .. }
            | Effect::Ask { .. }
            | Effect::Discard { .. }
            | Effect::Note { .. }
            | Effect::Consult { .. }
            | Effect::Petition { .. }
            | Effect::Withdraw { .. }
            | Effect::Reply { .. }
            | Effect::Permit { .. }
            | Effect::Leave(_) => return None,
        };
        Some((gate, Event::Workshop(event)))
    }

    /// The claim is no more: what was on its way for it is not told.
    pub(super) fn abandon(&mut self, gate: GateId) {
        self.queue.retain(|_, happening| !matches!(happening, Happening::Gate(_, of, _) if *of == gate));
    }
}
