//! The screen itself falls over: the terminal is given back, and the mission can be resumed.
#![cfg(feature = "die-at")]

use sim::Window;

use super::{awaits_words, leaves, rehearsing, talk, talking};

#[test]
fn a_panic_of_the_screen_gives_the_terminal_back_and_loses_nothing() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).dying_at("panic-screen").rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    window.key("F12");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    let shown = window.screen();
    assert!(shown.contains("panicked at"), "what happened is told: {shown}");
    assert!(shown.contains(&format!("`arbiter resume {}` continues", theatre.mission_id())), "{shown}");
    theatre.assert_nobody_left();
    let mut window = Window::of(&theatre).runs(&["resume"]);
    awaits_words(&window, "Speak, and I listen.");
    leaves(&mut window);
}

#[test]
fn a_panic_of_a_screen_that_only_watches_ends_only_itself() {
    let theatre = rehearsing(talk());
    let mut first = talking(&theatre);
    let mut second = Window::of(&theatre).dying_at("panic-screen").runs(&["attach"]);
    awaits_words(&second, "Speak, and I listen.");
    second.key("F12");
    assert_eq!(second.ends_with(), 1, "{}", second.screen());
    assert_eq!(second.left_behind(), [""; 0]);
    assert!(second.screen().contains("a defect in arbiter"), "{}", second.screen());
    leaves(&mut first);
}
