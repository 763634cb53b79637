//! Whether a council gets anywhere: what has happened since the last change of tree, tasks, checks, verdict or human words.
//! Repeated text is no sign of standing still, and new text is none of progress: only state counts.

use std::sync::Arc;

use crate::actor::Actor;
use crate::fact::{
    DocketFact, Fact, GateFact, LifeFact, PermissionFact, SessionFact, TalkFact, TurnFact, WorkFact,
};
use crate::session::{CloneTree, Role};
use crate::state::ClonePlace;
use crate::talk::{CheckStatus, Listener, MessageKind, Speaker, Verdict};

/// What a mission has done since something last changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// Turns that began since.
    pub turns: u32,
    /// Words of the Arbiter to an Orchestrator since.
    pub exchanges: u32,
    /// Orchestrators in a row, verifiers too, whose session ended without a change.
    pub fruitless: u32,
    /// Orchestrators that were summoned in all; verifiers do not count.
    pub summoned: u32,
    /// Something changed since the last Orchestrator was summoned.
    moved: bool,
    /// The tree as it was last seen.
    tree: Option<Arc<str>>,
    verdict: Option<(Verdict, Option<Arc<str>>)>,
    check: Option<(Vec<String>, Arc<str>, CheckStatus)>,
}

impl Progress {
    /// Takes note of a fact. `role` is that of the session it is about.
    pub(crate) fn notice(&mut self, fact: &Fact, role: Option<Role>, clone: Option<&ClonePlace>) {
        match fact {
            Fact::Talk(TalkFact::Said { from: Speaker::Human(Actor::Human { .. }), .. }) => self.moved(),
            Fact::Talk(TalkFact::Said {
                from: Speaker::Arbiter,
                to: Listener::Orchestrator(_),
                kind: MessageKind::Plain | MessageKind::Unformed,
                ..
            }) => self.exchanges += 1,
            Fact::Gate(_, GateFact::Receipt { receipt, .. }) => {
                let seen = (receipt.argv.clone(), receipt.commit.clone(), receipt.status.clone());
                if self.check.as_ref() != Some(&seen) {
                    self.check = Some(seen);
                    self.moved();
                }
            }
            Fact::Docket(_, DocketFact::Decided { answers }) => {
                if answers.iter().any(|answer| matches!(answer.by, Actor::Human { .. })) {
                    self.moved();
                }
            }
            Fact::Session(_, fact) => self.notice_session(fact, role, clone),
            Fact::Mission(_) | Fact::Talk(_) | Fact::Gate(..) | Fact::Docket(..) | Fact::Conductor(_) => {}
        }
    }

    fn notice_session(&mut self, fact: &SessionFact, role: Option<Role>, clone: Option<&ClonePlace>) {
        let is_worker = matches!(role, Some(Role::Orchestrator | Role::Verifier));
        match fact {
            SessionFact::Life(LifeFact::Summoned(profile)) => match profile.role {
                Role::Orchestrator => {
                    self.summoned += 1;
                    self.moved = false;
                }
                Role::Verifier => self.moved = false,
                Role::Arbiter | Role::Agent => {}
            },
            SessionFact::Life(LifeFact::Released) if is_worker && !self.moved => self.fruitless += 1,
            SessionFact::Turn(TurnFact::Prompted { .. } | TurnFact::InterjectionBecameTurn { .. }) => {
                self.turns += 1;
            }
            SessionFact::Turn(TurnFact::Rested { tree: Some(tree), .. }) => self.look(tree, clone),
            SessionFact::Work(WorkFact::Tasks(_)) => self.moved(),
            SessionFact::Work(WorkFact::Judged { verdict, commit, .. }) => {
                let seen = (*verdict, commit.clone());
                if self.verdict.as_ref() != Some(&seen) {
                    self.verdict = Some(seen);
                    self.moved();
                }
            }
            SessionFact::Permission(PermissionFact::Answered { by: Actor::Human { .. }, .. }) => self.moved(),
            SessionFact::Life(_)
            | SessionFact::Turn(_)
            | SessionFact::Tool(_)
            | SessionFact::Permission(_)
            | SessionFact::Context(_)
            | SessionFact::Work(_) => {}
        }
    }

    /// The first look is compared with the commit that the clone was made from.
    fn look(&mut self, tree: &CloneTree, clone: Option<&ClonePlace>) {
        let changed = match &self.tree {
            Some(seen) => *seen != tree.fingerprint,
            None => tree.dirty || clone.is_none_or(|clone| clone.base != tree.commit),
        };
        if changed || self.tree.is_none() {
            self.tree = Some(tree.fingerprint.clone());
        }
        if changed {
            self.moved();
        }
    }

    fn moved(&mut self) {
        (self.turns, self.exchanges, self.fruitless) = (0, 0, 0);
        self.moved = true;
    }
}
