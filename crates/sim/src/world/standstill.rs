//! The law of a council that stands still: only so many turns begin between two changes of tree, tasks, checks, verdict or
//! human words, whatever its sessions say. It is read from the journal alone.

use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::Way;
use mind::fact::{
    DocketFact, GateFact, MissionFact, PermissionFact, SessionFact, TalkFact, TurnFact, WorkFact,
};
use mind::session::CloneTree;
use mind::talk::{CheckStatus, Speaker, Verdict};
use mind::{Fact, State, limits};

/// Turns that begin whatever was bound: the request for a testament, and for a handoff at a limit.
const BESIDE: u32 = 2;

/// What was last seen of each thing that can change.
#[derive(Default)]
struct Seen {
    base: Option<Arc<str>>,
    tree: Option<Arc<str>>,
    verdict: Option<(Verdict, Option<Arc<str>>)>,
    check: Option<(Vec<String>, Arc<str>, CheckStatus)>,
}

/// Reads the journal of a council.
pub(super) fn turns_without_change_are_bounded(facts: &[Fact], state: &State) {
    if state.way() != Way::Council {
        return;
    }
    let (mut seen, mut turns) = (Seen::default(), 0);
    for fact in facts {
        if seen.changes(fact) {
            turns = 0;
        }
        if let Fact::Session(_, SessionFact::Turn(TurnFact::Prompted { .. })) = fact {
            turns += 1;
            let most = limits::TURNS_WITHOUT_CHANGE_MAX + BESIDE;
            assert!(turns <= most, "more than {most} turns without a change, and no person was asked");
        }
    }
}

impl Seen {
    fn changes(&mut self, fact: &Fact) -> bool {
        match fact {
            Fact::Mission(MissionFact::CloneReady { base, .. }) => {
                self.base = Some(base.clone());
                false
            }
            Fact::Talk(TalkFact::Said { from: Speaker::Human(Actor::Human { .. }), .. })
            | Fact::Session(_, SessionFact::Work(WorkFact::Tasks(_)))
            | Fact::Session(
                _,
                SessionFact::Permission(PermissionFact::Answered { by: Actor::Human { .. }, .. }),
            ) => true,
            Fact::Docket(_, DocketFact::Decided { answers }) => {
                answers.iter().any(|answer| matches!(answer.by, Actor::Human { .. }))
            }
            Fact::Gate(_, GateFact::Receipt { receipt, .. }) => {
                let new = (receipt.argv.clone(), receipt.commit.clone(), receipt.status.clone());
                self.check.replace(new.clone()) != Some(new)
            }
            Fact::Session(_, SessionFact::Work(WorkFact::Judged { verdict, commit, .. })) => {
                let new = (*verdict, commit.clone());
                self.verdict.replace(new.clone()) != Some(new)
            }
            Fact::Session(_, SessionFact::Turn(TurnFact::Rested { tree: Some(tree), .. })) => self.sees(tree),
            Fact::Mission(_) | Fact::Talk(_) | Fact::Session(..) | Fact::Gate(..) | Fact::Docket(..) => false,
            Fact::Conductor(_) => false,
        }
    }

    fn sees(&mut self, tree: &CloneTree) -> bool {
        let new = tree.fingerprint.clone();
        match self.tree.replace(new.clone()) {
            Some(before) => before != new,
            None => tree.dirty || self.base.as_ref() != Some(&tree.commit),
        }
    }
}
