//! The law of a council that stands still: whatever its sessions say, only so many turns begin between two words of a person
//! or trees that the clone never had before. It counts requests in the journal, and knows nothing of what the mind takes
//! for progress.

use std::collections::BTreeSet;
use std::sync::Arc;

use mind::actor::Actor;
use mind::charter::Way;
use mind::fact::{DocketFact, PermissionFact, SessionFact, TalkFact, TurnFact};
use mind::talk::Speaker;
use mind::{Fact, State, limits};

/// How often a tree may be news after it was first seen: by its task lists, verdicts and results of checks, of which a
/// world has only so many.
const NEWS_OF_A_TREE: u32 = 4;

/// Reads the journal of a council.
pub(super) fn turns_without_news_are_bounded(facts: &[Fact], state: &State) {
    if state.way() != Way::Council {
        return;
    }
    let (mut trees, mut turns) = (BTreeSet::new(), 0);
    for fact in facts {
        if is_news(fact, &mut trees) {
            turns = 0;
        }
        if let Fact::Session(
            _,
            SessionFact::Turn(TurnFact::Prompted { .. } | TurnFact::InterjectionBecameTurn { .. }),
        ) = fact
        {
            turns += 1;
            let most = limits::TURNS_WITHOUT_CHANGE_MAX * NEWS_OF_A_TREE;
            assert!(turns <= most, "more than {most} turns without a new tree, and no person was asked");
        }
    }
}

fn is_news(fact: &Fact, trees: &mut BTreeSet<Arc<str>>) -> bool {
    match fact {
        Fact::Talk(TalkFact::Said { from: Speaker::Human(Actor::Human { .. }), .. })
        | Fact::Session(
            _,
            SessionFact::Permission(PermissionFact::Answered { by: Actor::Human { .. }, .. }),
        ) => true,
        Fact::Docket(_, DocketFact::Decided { answers }) => {
            answers.iter().any(|answer| matches!(answer.by, Actor::Human { .. }))
        }
        Fact::Session(_, SessionFact::Turn(TurnFact::Rested { tree: Some(tree), .. })) => {
            trees.insert(tree.fingerprint.clone())
        }
        Fact::Mission(_) | Fact::Talk(_) | Fact::Session(..) | Fact::Gate(..) | Fact::Docket(..) => false,
        Fact::Conductor(_) => false,
    }
}
