//! A petition in words: who asks, how far it is, what holds for it.

use jiff::tz::TimeZone;
use mind::actor::{Actor, Door};
use mind::petition::{ClosedPetition, Petition, PetitionEnd};
use view::petition::petition;

use crate::petitions::{after, answer, asked, begun, told};

#[test]
fn it_tells_who_asks_and_what_holds_for_it() {
    insta::assert_snapshot!(told(&petition(&begun(), &TimeZone::UTC, after(10))));
}

#[test]
fn it_stands_somewhere_in_one_phrase() {
    let standing = |asked: &Petition| petition(asked, &TimeZone::UTC, after(10)).standing;
    assert_eq!(standing(&asked()), "open, nothing decided");
    let mut ready = begun();
    assert_eq!(standing(&ready), "open, 3 of 5 decided");
    let ada = Actor::human(Door::Cli, "ada");
    answer(&mut ready, "regions", "eu", &ada, after(5));
    answer(&mut ready, "allow", "no", &ada, after(6));
    assert_eq!(standing(&ready), "all decided, not submitted");
    ready.closed = Some(ClosedPetition { end: PetitionEnd::Completed, at: after(7), why: None });
    assert_eq!(standing(&ready), "submitted 3m ago");
}
