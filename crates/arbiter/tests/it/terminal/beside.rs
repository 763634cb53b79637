//! A second window on a mission that runs in the first.

use std::fs;

use sim::Window;

use super::{awaits_words, leaves, rehearsing, said, says, talk, talking};

#[test]
fn a_second_window_sees_the_same_and_is_heard() {
    let theatre = rehearsing(talk());
    let mut first = talking(&theatre);
    let mut second = Window::of(&theatre).runs(&["attach"]);
    awaits_words(&second, "Speak, and I listen.");
    says(&second, "from beside");
    for window in [&first, &second] {
        awaits_words(window, "That was the first.");
        window.sees("from beside");
        window.sees("(heard)");
    }
    // What differs is who types where, and the time.
    first.waits("until both show the same", |rows| {
        super::again::frame(rows) == super::again::frame(&second.rows())
    });
    second.key("Ctrl+C");
    assert_eq!(second.ends_with(), 0, "{}", second.screen());
    assert_eq!(second.left_behind(), [""; 0]);
    says(&first, "from here");
    awaits_words(&first, "That was the second.");
    leaves(&mut first);
    assert_eq!(said(&theatre), ["from beside", "from here"]);
    theatre.assert_nobody_left();
}

#[test]
fn a_signal_or_a_closed_window_ends_only_the_watching() {
    let theatre = rehearsing(talk());
    let mut first = talking(&theatre);
    let mut second = Window::of(&theatre).runs(&["attach", &theatre.mission_id()]);
    awaits_words(&second, "Speak, and I listen.");
    second.signals(rustix::process::Signal::TERM);
    second.ends();
    assert_eq!(second.left_behind(), [""; 0]);
    let mut third = Window::of(&theatre).runs(&["attach", &theatre.mission_id()]);
    awaits_words(&third, "Speak, and I listen.");
    third.closes();
    third.ends();
    says(&first, "still here");
    awaits_words(&first, "That was the first.");
    leaves(&mut first);
}

#[test]
fn whoever_watches_sees_the_house_leave_and_may_stay() {
    let theatre = rehearsing(talk());
    let mut first = talking(&theatre);
    let mut second = Window::of(&theatre).runs(&["attach"]);
    awaits_words(&second, "Speak, and I listen.");
    leaves(&mut first);
    says(&second, "anybody there?");
    second.sees("no process runs this mission");
    second.key("Ctrl+C");
    assert_eq!(second.ends_with(), 0, "{}", second.screen());
    let mut window = Window::of(&theatre).runs(&["resume"]);
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    assert_eq!(said(&theatre), ["anybody there?"]);
}

/// Each turn takes two seconds to say.
fn slow_talk() -> String {
    let slowly = |name: &str| format!("{name} goes first.{} {name} ends.", " Then more.".repeat(5));
    let [alpha, beta, gamma] = ["Alpha", "Beta", "Gamma"].map(slowly);
    sim::talk(&["Speak, and I listen.", &alpha, &beta, &gamma])
}

#[test]
fn a_second_window_sees_words_before_they_are_facts() {
    let theatre = rehearsing(slow_talk());
    let mut first = Window::of(&theatre).rehearses(&["--pace", "human"]);
    awaits_words(&first, "Speak, and I listen.");
    let mut second = Window::of(&theatre).runs(&["attach"]);
    awaits_words(&second, "Speak, and I listen.");
    let journal = || fs::read_to_string(theatre.mission().join("journal.jsonl")).expect("a journal");
    let mut early = false;
    // On a busy machine one look may come too late.
    for word in ["Alpha", "Beta", "Gamma"] {
        says(&second, "go on");
        second.sees(&format!("{word} goes first."));
        early |= !journal().contains(word);
        awaits_words(&second, &format!("{word} ends."));
        assert!(journal().contains(word));
    }
    assert!(early, "nothing was seen before it was a fact");
    second.key("Ctrl+C");
    assert_eq!(second.ends_with(), 0, "{}", second.screen());
    leaves(&mut first);
}
