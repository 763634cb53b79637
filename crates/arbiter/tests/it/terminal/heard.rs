//! What is heard of a mission is what happens now: never what has happened, and nothing of the past.

use sim::{Opening, Theatre, Window};

use super::{awaits_words, leaves, rehearsing, says, talk};
use crate::sound::hall::Hall;
use crate::{theatre, wait_until};

/// A machine with a player that writes down what it plays.
fn hall() -> (Hall, String) {
    let hall = Hall::new();
    hall.player("pw-play", "sleep 0.05");
    let path = hall.machine();
    (hall, path)
}

fn window<'a>(theatre: &'a Theatre, path: &'a str) -> Opening<'a> {
    Window::of(theatre).without("CI").with("PATH", path)
}

#[test]
fn a_mission_is_heard_while_it_happens_and_never_again() {
    let theatre = theatre();
    let (hall, path) = hall();
    let mut demo = window(&theatre, &path).runs(&["demo"]);
    demo.waits("until it is over", |rows| {
        hall.assert_one_of_each();
        rows.iter().any(|row| row.contains("It is over: q leaves"))
    });
    wait_until("its last word is heard", || hall.starts().contains(&"pw-play done".to_owned()));
    demo.types("q");
    assert_eq!(demo.ends_with(), 0, "{}", demo.screen());
    let heard = hall.starts();
    assert!(heard.contains(&"pw-play summon".to_owned()), "{heard:?}");
    assert!(!heard.contains(&"pw-play theme".to_owned()), "{heard:?}");
    let mut replay = window(&theatre, &path).runs(&["replay", &theatre.mission_id()]);
    replay.sees("space play");
    replay.types("m");
    replay.sees("a replay is silent");
    replay.types(&">".repeat(60));
    replay.sees("fact 61 of");
    replay.types(" ");
    replay.sees("fact 70 of");
    replay.types("q");
    assert_eq!(replay.ends_with(), 0, "{}", replay.screen());
    let mut beside = window(&theatre, &path).runs(&["attach", &theatre.mission_id()]);
    beside.sees("It is over: q leaves");
    beside.types("q");
    assert_eq!(beside.ends_with(), 0, "{}", beside.screen());
    assert_eq!(hall.starts(), heard);
}

#[test]
fn whoever_comes_back_hears_what_happens_from_then_on() {
    let theatre = rehearsing(super::bridge());
    let mut first = Window::of(&theatre).rehearses(&[]);
    first.sees("Shall it begin?");
    leaves(&mut first);
    let (hall, path) = hall();
    let mut again = window(&theatre, &path).runs(&["resume"]);
    again.sees("Shall it begin?");
    again.sees("1 decision waits");
    assert_eq!(hall.starts(), [""; 0], "it was asked before");
    says(&again, "yes");
    wait_until("somebody is heard to come", || hall.starts().contains(&"pw-play summon".to_owned()));
    leaves(&mut again);
}

#[test]
fn m_turns_sound_on_and_off() {
    let theatre = rehearsing(talk());
    let (hall, path) = hall();
    let mut muted = window(&theatre, &path).rehearses(&["--mute"]);
    awaits_words(&muted, "Speak, and I listen.");
    muted.key("Esc");
    muted.sees("NORMAL");
    for told in ["sound on", "sound off", "sound on"] {
        muted.types("m");
        muted.sees(told);
    }
    leaves(&mut muted);
    assert_eq!(hall.starts(), [""; 0], "nothing happened meanwhile");
}
