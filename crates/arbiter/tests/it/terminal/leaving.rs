//! Ways to leave, and to come back.

use std::fs;
use std::io::Write;

use rustix::process::Signal;
use sim::Window;

use super::{awaits_words, leaves, rehearsing, said, says, talk, talking};

#[test]
fn whoever_is_asked_and_says_no_stays() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    window.types("half a sen");
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.types("n");
    window.sees_no("Leave?");
    window.types("tence");
    window.sees("> half a sentence");
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    assert_eq!(said(&theatre), ["half a sentence"]);
}

#[test]
fn whoever_says_yes_leaves_and_goes_on_later() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    says(&window, "remember this");
    awaits_words(&window, "That was the first.");
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.types("y");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    let mut window = Window::of(&theatre).runs(&["resume", &theatre.mission_id()]);
    awaits_words(&window, "That was the first.");
    window.sees("remember this");
    says(&window, "and this");
    awaits_words(&window, "That was the second.");
    leaves(&mut window);
    assert_eq!(said(&theatre), ["remember this", "and this"]);
    theatre.assert_nobody_left();
}

#[test]
fn a_typed_quit_asks_as_well() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    says(&window, "/quit");
    window.sees("Leave? The mission stops");
    window.types("y");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
}

#[test]
fn a_polite_signal_brings_the_house_to_rest() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let theatre = rehearsing(talk());
        let mut window = talking(&theatre);
        window.signals(signal);
        assert_eq!(window.ends_with(), 4, "{signal:?}: {}", window.screen());
        assert_eq!(window.left_behind(), [""; 0], "{signal:?}");
        assert!(window.screen().contains("arbiter resume"), "{signal:?}: {}", window.screen());
        theatre.assert_nobody_left();
        goes_on(&theatre);
    }
}

#[test]
fn a_closed_window_brings_the_house_to_rest() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    window.closes();
    assert_eq!(window.ends_with(), 4);
    theatre.assert_nobody_left();
    goes_on(&theatre);
}

#[test]
fn a_killed_house_leaves_a_terminal_to_reset_and_a_mission_to_resume() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    says(&window, "before the end");
    awaits_words(&window, "That was the first.");
    window.signals(Signal::KILL);
    assert_eq!(window.ends().code(), None);
    // The dead give nothing back; a person types `reset`.
    assert!(!window.is_restored());
    goes_on(&theatre);
    assert_eq!(said(&theatre), ["before the end"]);
    theatre.assert_nobody_left();
}

/// The mission can be resumed, and waits for words as before.
fn goes_on(theatre: &sim::Theatre) {
    let mut window = Window::of(theatre).runs(&["resume"]);
    awaits_words(&window, "Speak, and I listen.");
    leaves(&mut window);
}

#[test]
fn a_journal_that_cannot_be_read_any_more_is_named_and_nothing_runs_on_unseen() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    let journal = theatre.mission().join("journal.jsonl");
    let mut file = fs::OpenOptions::new().append(true).open(journal).expect("a journal");
    file.write_all(b"garbage\n").expect("it can be written");
    window.types("and now?\r");
    assert_eq!(window.ends_with(), 1, "{}", window.screen());
    assert!(window.is_restored());
    assert!(window.screen().contains("damaged"), "{}", window.screen());
    theatre.assert_nobody_left();
}
