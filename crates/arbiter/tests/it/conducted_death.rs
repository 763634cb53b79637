//! Death of a conducted mission at every point: with a plan, a failed run, objections, a reply that cannot be read, a
//! model that is away for a moment, a note and a check. Resumed, it tells the story of an undisturbed run, and its note is
//! there once.

use std::process::Command;

use sim::{DeathWalk, Theatre};

use crate::BINARY;

/// Such a mission has many batches, and each death costs two runs: every so many are walked, and the moments take turns.
const STRIDE: usize = 8;

fn walk() -> DeathWalk {
    let world = || {
        let theatre = Theatre::rehearsing(BINARY, include_str!("conducted/death.yaml"));
        theatre.with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock")
    };
    let begin = |theatre: &Theatre| -> Command {
        theatre.rehearsal(&["--way", "conductor", "--headless", "--pace", "fast"])
    };
    let walk = DeathWalk::new(world, begin);
    assert_eq!(walk.expected.notes.len(), 1, "one note is kept: {:?}", walk.expected.notes);
    // Usage of runs, of a run aside and of model calls is in the books, so a death could double or lose each of them.
    let books = &walk.expected.books;
    assert_eq!(
        (books.cost_microusd, books.tokens),
        (5438, Some(340 + 1290 + 77 + 13 + 53 + 68)),
        "{books:?}"
    );
    assert_eq!((books.sessions.len(), books.calls.len()), (5, 3), "{books:?}");
    walk
}

#[test]
fn a_death_anywhere_in_a_conducted_mission_loses_nothing() {
    let moments = DeathWalk::MOMENTS.into_iter().cycle();
    let points = (3..).step_by(STRIDE).zip(moments).map(|(batch, moment)| format!("{batch}:{moment}"));
    let deaths = walk().walk(points, 1);
    assert!(deaths >= 6, "only {deaths} batches were walked");
}

/// A resumed mission is killed again and again before it may end.
#[test]
fn many_deaths_in_one_conducted_mission_lose_nothing() {
    let moments = DeathWalk::MOMENTS;
    let points = (1..).map(|death| format!("{}:{}", 5 + death % 7, moments[death % 3]));
    let deaths = walk().die_often(points);
    assert!(deaths > 5, "only {deaths} deaths");
}
