//! All decisions at a glance.

use std::sync::Arc;

use mind::actor::{Actor, Door};
use mind::petition::{AnswerChoice, ClosedPetition, PetitionChange, PetitionEnd};
use view::review::{counts, review};

use crate::petitions::{after, begun, told};

#[test]
fn it_tells_what_is_answered_skipped_open_and_late() {
    let mut petition = begun();
    petition.closed = Some(ClosedPetition { end: PetitionEnd::Withdrawn, at: after(5), why: None });
    let (decision, digest) = (Arc::from("regions"), Arc::from(""));
    let late = PetitionChange::Late {
        decision,
        choice: AnswerChoice::Answer(Arc::from("eu")),
        digest,
        instead_of: None,
    };
    petition.apply(&late, &Actor::human(Door::Web, "bob"), after(8));
    assert_eq!(counts(&petition), "2 answered, 1 skipped, 1 open, 1 late");
    insta::assert_snapshot!(told(&review(&petition, after(10))));
}
