//! The law of the replay: what a journal shows is what the live screen showed. The scene is left out of it here: what it
//! shows goes with the clock for a few seconds after each fact, and a replay holds the clock still.

use sim::{Theatre, Window};

use super::{awaits_words, bridge, leaves, rehearsing, says, talk, talking};

const BARE: &str = "scene: off\n";

/// What must be the same: all but the input, the keys below it, and the time that went by.
pub(super) fn frame(rows: &[String]) -> Vec<String> {
    let upper = &rows[..rows.len().saturating_sub(2)];
    let timeless = |row: &String| {
        let words = row.split(' ').filter(|word| !is_clock(word) && !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    };
    upper.iter().map(timeless).collect()
}

/// Minutes and seconds, or hours too.
fn is_clock(word: &str) -> bool {
    word.contains(':')
        && word.split(':').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A replay at its last fact.
fn replayed(theatre: &Theatre, size: (u16, u16)) -> Window {
    let window = Window::of(theatre).sized(size.0, size.1).runs(&["replay", &theatre.mission_id()]);
    window.sees("REPLAY");
    let last = theatre.entries(&theatre.mission()).len();
    window.key("End");
    window.sees(&format!("fact {last} of {last}"));
    window
}

/// Both show the same in the end.
fn agree(live: &Window, replay: &Window) {
    replay.waits(&format!("to show what is live:\n{}\n", live.screen()), |rows| {
        frame(rows) == frame(&live.rows())
    });
}

#[test]
fn a_replay_at_the_last_fact_is_what_is_live() {
    let theatre = rehearsing(talk()).with_config(BARE);
    let mut live = talking(&theatre);
    agree(&live, &replayed(&theatre, (80, 24)));
    says(&live, "a bridge over the river");
    awaits_words(&live, "That was the first.");
    live.sees("(heard)");
    agree(&live, &replayed(&theatre, (80, 24)));
    live.resizes(160, 50);
    live.waits("until it fits", |rows| super::is_framed(rows, 160, 50));
    agree(&live, &replayed(&theatre, (160, 50)));
    leaves(&mut live);
}

#[test]
fn a_replay_shows_questions_work_and_the_end_as_they_were() {
    let theatre = rehearsing(bridge()).with_config(BARE);
    let mut live = Window::of(&theatre).sized(140, 40).rehearses(&[]);
    live.sees("1 decision waits");
    agree(&live, &replayed(&theatre, (140, 40)));
    says(&live, "yes");
    live.sees("asks (q1)");
    agree(&live, &replayed(&theatre, (140, 40)));
    says(&live, "/yes q1 mission");
    live.sees("It is over: q leaves");
    agree(&live, &replayed(&theatre, (140, 40)));
    live.types("q");
    assert_eq!(live.ends_with(), 0, "{}", live.screen());
}

#[test]
fn time_is_walked_through_in_both_directions_and_plays() {
    let theatre = rehearsing(talk());
    let mut live = talking(&theatre);
    leaves(&mut live);
    let last = theatre.entries(&theatre.mission()).len();
    let mut replay = Window::of(&theatre).runs(&["replay", &theatre.mission_id()]);
    replay.sees(&format!("fact 1 of {last}"));
    assert!(!replay.screen().contains("Speak, and I listen."), "{}", replay.screen());
    replay.types(">");
    replay.sees(&format!("fact 2 of {last}"));
    replay.types(">>");
    replay.sees(&format!("fact 4 of {last}"));
    replay.types("<");
    replay.sees(&format!("fact 3 of {last}"));
    replay.types(" ");
    replay.sees(&format!("fact {last} of {last}"));
    replay.sees("Speak, and I listen.");
    replay.key("Home");
    replay.sees(&format!("fact 1 of {last}"));
    replay.sees_no("Speak, and I listen.");
    replay.types("q");
    assert_eq!(replay.ends_with(), 0, "{}", replay.screen());
    assert_eq!(replay.left_behind(), [""; 0]);
}

#[test]
fn the_past_of_a_living_mission_is_a_key_away_and_so_is_the_present() {
    let theatre = rehearsing(talk());
    let mut live = talking(&theatre);
    let now = frame(&live.rows());
    live.key("Esc");
    live.sees("NORMAL");
    live.types("<");
    live.sees("PAST");
    for _ in 0..200 {
        live.types("<");
    }
    live.sees("fact 1 of");
    live.sees_no("Speak, and I listen.");
    live.key("Esc");
    live.sees("NORMAL");
    live.waits("until it is now again", |rows| frame(rows) == now);
    leaves(&mut live);
}

#[test]
fn nobody_is_spoken_to_in_a_replay() {
    let theatre = rehearsing(talk());
    let mut live = talking(&theatre);
    leaves(&mut live);
    let before = theatre.entries(&theatre.mission());
    let mut replay = replayed(&theatre, (80, 24));
    replay.types("i");
    replay.sees("this is a replay: nothing can be sent");
    replay.key("Ctrl+C");
    assert_eq!(replay.ends_with(), 0);
    assert_eq!(theatre.entries(&theatre.mission()), before);
}
