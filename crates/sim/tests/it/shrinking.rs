//! A world that breaks a law becomes a play that is short, breaks the law again, and keeps every other law.

use std::panic::catch_unwind;
use std::sync::LazyLock;

use mind::session::Role;
use mind::{Event, State};
use sim::world::{Failure, Fault, Law, Plan, Play, again, again_under, run_seed, shrink};

/// Nothing is wrong with this, but it takes a whole story to get there.
fn nobody_pauses_over_a_verifier(state: &State, _: &Event) {
    let verifies = state.worker().is_some_and(|worker| worker.profile.role == Role::Verifier);
    assert!(!(verifies && state.paused), "a pause over a verifier");
}

const LAW: Law = nobody_pauses_over_a_verifier;

static FAILING: LazyLock<Failure> = LazyLock::new(|| {
    let mut worlds = (0..400).map(|seed| run_seed(&Plan { seed, law: Some(LAW), ..Plan::default() }));
    let failure = worlds.find_map(Result::err).expect("no world breaks the law");
    shrink(*failure)
});

static PLAY: LazyLock<Play> =
    LazyLock::new(|| Play::of(&FAILING).expect("the mind alone does not break the law"));

#[test]
fn a_failing_world_becomes_a_short_play_that_fails_again() {
    let (failure, play) = (&*FAILING, &*PLAY);
    assert!(play.law.starts_with("a pause over a verifier"), "{}", play.law);
    assert!(play.told.len() < failure.told.len(), "nothing was taken away");
    assert!(play.told.len() <= 30, "{} events:\n{}", play.told.len(), play.lines());
    assert!(matches!(play.told[0].event, Event::Opened(_)));

    let lines = play.lines();
    let broken = catch_unwind(|| again_under(&lines, Some(LAW))).expect_err("it does not fail again");
    assert_eq!(broken.downcast_ref::<&str>(), Some(&"a pause over a verifier"));
    again(&lines);
}

#[test]
fn no_event_of_a_play_can_be_left_out() {
    for left_out in 1..PLAY.told.len() {
        let mut fewer = PLAY.clone();
        fewer.told.remove(left_out);
        again_under(&fewer.lines(), Some(LAW));
    }
}

#[test]
fn a_play_is_printed_as_a_test() {
    let play = &*PLAY;
    let test = play.test();
    assert!(test.contains(&format!("#[test]\nfn world_{}_keeps_its_law() {{", play.seed)), "{test}");
    let (_, rest) = test.split_once("sim::world::again(\n        r#\"\n").expect("it does not call `again`");
    let (lines, _) = rest.split_once("\"#,\n    );\n}\n").expect("the lines do not end");
    assert_eq!(lines, play.lines());
}

#[test]
fn what_takes_more_than_a_mind_is_no_play() {
    let mut failure = FAILING.clone();
    failure.law = "facts are lost that an honest sync confirmed".to_owned();
    assert!(Play::of(&failure).is_none());
}

#[test]
fn what_a_world_told_its_mind_leads_to_where_the_world_is() {
    // The world compares, at its end, whatever fell and was lost on the way.
    for seed in 0..60 {
        let ran = run_seed(&Plan { seed, told: true, ..Plan::default() });
        assert!(ran.is_ok(), "seed {seed}: {}", ran.unwrap_err().law);
    }
}

#[test]
fn a_sound_world_told_again_keeps_every_law() {
    // A law that is broken by the end alone shows the whole story up to it.
    fn nothing_ends(state: &State, _: &Event) {
        assert!(state.ended.is_none(), "it ended");
    }
    for seed in 0..30 {
        let ran = run_seed(&Plan { seed, told: true, law: Some(nothing_ends), ..Plan::default() });
        let failure = ran.expect_err("it does not end");
        assert_eq!(failure.law, "it ended", "seed {seed}");
        let whole = Play { seed, law: failure.law.clone(), told: failure.told.clone() };
        again(&whole.lines());
        // And so does any part of it: a law that a shorter story breaks is broken, not only out of place.
        for part in 2..7 {
            let mut some = whole.clone();
            let mut at = 0;
            some.told.retain(|_| {
                at += 1;
                at == 1 || at * 7 % part != 1
            });
            again(&some.lines());
        }
    }
}

#[test]
fn faults_of_the_pipe_and_of_the_journal_fire() {
    let mut left = vec![Fault::DiesInLine, Fault::Garbled, Fault::DamagedBytes, Fault::StaleWriter];
    left.push(Fault::SecondWriter);
    for seed in 0..1_000 {
        if let Ok(outcome) = run_seed(&Plan { seed, ..Plan::default() }) {
            left.retain(|fault| !outcome.tally.contains_key(fault));
        }
        if left.is_empty() {
            return;
        }
    }
    panic!("never fired: {left:?}");
}
