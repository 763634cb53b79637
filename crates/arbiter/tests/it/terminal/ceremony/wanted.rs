//! When there is a ceremony and when there is none, and how much of it moves.

use std::fs;

use sim::Window;

use super::super::leaves as leaves_mission;
use super::{CHOICE, FOREST, PICKER, TITLE, enters, leaves, listened_to, newcomer, remembered};

#[test]
fn once_seen_it_is_skipped_and_the_character_stays() {
    let theatre = newcomer();
    let mut window = Window::of(&theatre).runs(&[]);
    enters(&window, "7", "Gardener");
    window.types("x");
    window.sees(PICKER);
    leaves(&mut window, "Esc");
    let mut window = Window::of(&theatre).runs(&[]);
    window.sees(PICKER);
    leaves(&mut window, "Esc");
    let raw = String::from_utf8_lossy(&window.raw()).into_owned();
    assert!(!raw.contains("any key"), "no title was drawn");
    assert_eq!(remembered(&theatre).as_deref(), Some("gardener\n"));
    let theatre = theatre.with_config("ceremony: always\n");
    let mut window = Window::of(&theatre).runs(&[]);
    window.sees(TITLE);
    window.key("Enter");
    window.sees(CHOICE);
    window.sees("[Gardener]");
    leaves(&mut window, "Ctrl+C");
    assert_eq!(remembered(&theatre).as_deref(), Some("gardener\n"), "whoever leaves changes nothing");
}

#[test]
fn whoever_wants_none_has_none() {
    let theatre = newcomer();
    let mut window = Window::of(&theatre).runs(&["--quick"]);
    window.sees(PICKER);
    leaves(&mut window, "Esc");
    let theatre = theatre.with_config("ceremony: never\n");
    let mut window = Window::of(&theatre).runs(&[]);
    window.sees(PICKER);
    leaves(&mut window, "Esc");
    assert_eq!(remembered(&theatre), None, "nothing was seen");
    let ran = theatre.run(&["--plain"]);
    assert!(ran.out.contains("Usage: arbiter"), "{}", ran.out);
    let window = newcomer();
    let mut window = Window::of(&window).runs(&["--plain"]);
    assert_eq!(window.ends_with(), 2, "{}", window.screen());
    assert!(!window.is_covered());
}

#[test]
fn a_file_and_every_command_go_without() {
    let theatre = listened_to();
    let mut window = Window::of(&theatre).runs(&["demo"]);
    window.sees("Orchestrator I");
    leaves_mission(&mut window);
    for begins in ["README.md", "--resume"] {
        let mut window = Window::of(&theatre).runs(&[begins]);
        window.sees("The Arbiter ponders.");
        leaves_mission(&mut window);
    }
    assert_eq!(remembered(&theatre), None);
}

#[test]
fn a_file_of_ones_own_that_is_wrong_stops_no_demo_and_a_character_nobody_knows_stops_nothing() {
    let theatre = newcomer().with_config("motion: sideways\n");
    let mut window = Window::of(&theatre).runs(&["demo"]);
    window.sees("Orchestrator I");
    leaves_mission(&mut window);
    let mut window = Window::of(&theatre).runs(&[]);
    assert_eq!(window.ends_with(), 2, "{}", window.screen());
    assert!(window.screen().contains("known values: full, reduced"), "{}", window.screen());

    let theatre = newcomer();
    fs::write(theatre.character(), "the lamp\n").expect("a file can be written");
    let mut window = Window::of(&theatre).runs(&[]);
    window.sees(PICKER);
    leaves(&mut window, "Esc");
}

#[test]
fn a_home_that_cannot_be_written_costs_the_memory_and_nothing_else() {
    let theatre = newcomer();
    fs::remove_dir_all(theatre.home()).expect("it is there");
    fs::write(theatre.home(), "a file where a folder should be").expect("a file can be written");
    let mut window = Window::of(&theatre).runs(&[]);
    // What cannot be read counts as seen.
    window.sees(PICKER);
    leaves(&mut window, "Esc");
    let theatre = theatre.with_config("ceremony: always\n");
    let mut window = Window::of(&theatre).runs(&[]);
    enters(&window, "6", "Bard");
    window.types("x");
    window.sees(PICKER);
    window.key("Esc");
    assert_eq!(window.ends_with(), 4);
    assert!(window.screen().contains("character could not be written"), "{}", window.screen());
}

#[test]
fn where_nothing_may_move_nothing_is_written_unasked() {
    let (theatre, other) = (newcomer(), newcomer().with_config("motion: reduced\n"));
    let mut alive = Window::of(&theatre).sized(100, 30).runs(&[]);
    let mut still = Window::of(&other).sized(100, 30).runs(&[]);
    let mut asked = Window::of(&theatre).sized(100, 30).with("ARBITER_MOTION", "reduced").runs(&[]);
    for (stage, key) in [(TITLE, "Enter"), (CHOICE, "Enter"), (FOREST, "Ctrl+C")] {
        for window in [&alive, &still, &asked] {
            window.sees(stage);
        }
        rest(&still);
        rest(&asked);
        let (before, unasked) = (alive.raw().len(), (still.raw().len(), asked.raw().len()));
        // As long as the other one needs for a few movements.
        let mut last = before;
        let mut moved = 0;
        alive.waits("until it has moved", |_| {
            let now = alive.raw().len();
            moved += usize::from(now > last);
            last = now;
            moved >= 4
        });
        assert_eq!((still.raw().len(), asked.raw().len()), unasked, "{stage}");
        for window in [&alive, &still, &asked] {
            window.key(key);
        }
    }
    for window in [&mut alive, &mut still, &mut asked] {
        assert_eq!(window.ends_with(), 4, "{}", window.screen());
    }
}

#[test]
fn keys_that_come_together_are_drawn_together() {
    let theatre = newcomer();
    let mut window = Window::of(&theatre).sized(160, 50).with("ARBITER_MOTION", "reduced").runs(&[]);
    window.sees(TITLE);
    window.key("Enter");
    window.sees("[Wanderer]");
    rest(&window);
    let before = window.raw().len();
    window.types("l");
    window.sees("[Knight]");
    rest(&window);
    let one = window.raw().len() - before;
    window.types(&("hl".repeat(200) + "l"));
    window.sees("[Witch]");
    rest(&window);
    let all = window.raw().len() - before - one;
    assert!(all < 100 * one, "{all} bytes for 401 keys, {one} for one");
    leaves(&mut window, "Ctrl+C");
}

/// Waits until what was asked for is all drawn.
fn rest(window: &Window) {
    let mut known = (window.raw().len(), 0);
    window.waits("until it rests", |_| {
        let now = window.raw().len();
        known = if now == known.0 { (now, known.1 + 1) } else { (now, 0) };
        known.1 >= 20
    });
}
