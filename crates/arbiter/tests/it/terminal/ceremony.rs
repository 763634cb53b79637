//! The ceremony in a real window: title, characters, forest; lost, won, skipped and left; and when there is none.

mod forest;
mod wanted;

use std::fs;

use rustix::process::Signal;
use sim::{Opening, Theatre, Window};

use self::forest::{Goal, walks};
use crate::BINARY;

/// What stands on the title, on the page of characters, in the forest, and where a walk ends.
const TITLE: &str = "THAT WHICH SHALL COME TO BE";
const CHOICE: &str = "Who comes?";
const FOREST: &str = "any other key";
const LOST: &str = "The forest keeps what it is given.";
const ARRIVAL: &str = "So. You have come.";
/// What stands on the page where the requirements are chosen.
const PICKER: &str = "Begin without a file";

/// A project with a scroll, and a person who has never been here.
fn newcomer() -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "# The ferry\n\nIt crosses.\n")]);
    theatre.with_idle_agent().before_the_ceremony()
}

/// The same with an agent that listens.
fn listened_to() -> Theatre {
    super::listened_to().before_the_ceremony()
}

/// A window in which the forest is drawn in letters.
fn lettered(theatre: &Theatre) -> Opening<'_> {
    Window::of(theatre).with("NO_COLOR", "1")
}

/// The title, the choice of this character, and the edge of the forest.
fn enters(window: &Window, number: &str, name: &str) {
    window.sees(TITLE);
    window.key("Enter");
    chooses(window, number, name);
}

fn chooses(window: &Window, number: &str, name: &str) {
    window.sees(CHOICE);
    window.types(number);
    window.sees(&format!("[{name}]"));
    window.key("Enter");
    window.sees(FOREST);
}

/// Who was remembered, if anybody was.
fn remembered(theatre: &Theatre) -> Option<String> {
    fs::read_to_string(theatre.character()).ok()
}

/// Leaves before anything begins.
fn leaves(window: &mut Window, key: &str) {
    match key {
        "q" => window.types(key),
        _ => window.key(key),
    }
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    assert!(window.screen().contains("no mission was begun"), "{}", window.screen());
}

#[test]
fn whoever_is_lost_chooses_again_and_comes_to_the_arbiter_and_to_a_mission() {
    let theatre = listened_to();
    let mut window = lettered(&theatre).runs(&[]);
    enters(&window, "3", "Witch");
    walks(&window, Goal::Lost);
    window.sees(LOST);
    window.sees("Here ends the Witch");
    assert_eq!(remembered(&theatre), None, "nobody has arrived yet");
    window.key("Enter");
    chooses(&window, "4", "Smith");
    walks(&window, Goal::Fire);
    window.sees(ARRIVAL);
    window.key("Enter");
    window.sees(PICKER);
    assert_eq!(remembered(&theatre).as_deref(), Some("smith\n"));
    window.sees("It crosses.");
    window.key("Enter");
    window.sees("Add that folder to .gitignore?");
    window.types("n");
    window.sees("The Arbiter ponders.");
    assert!(window.rows()[0].contains("README.md"), "{}", window.screen());
    assert_eq!(theatre.missions().len(), 1);
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.key("Ctrl+C");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    theatre.assert_nobody_left();
}

#[test]
fn any_other_key_goes_straight_to_the_arbiter() {
    for key in ["Esc", "Enter", "Tab"] {
        let theatre = newcomer();
        let mut window = Window::of(&theatre).runs(&[]);
        enters(&window, "8", "Cat");
        window.key(key);
        window.sees(PICKER);
        assert_eq!(remembered(&theatre).as_deref(), Some("cat\n"));
        leaves(&mut window, "Esc");
    }
}

#[test]
fn the_greeting_goes_on_by_itself() {
    let theatre = newcomer();
    let mut window = lettered(&theatre).runs(&[]);
    enters(&window, "1", "Wanderer");
    walks(&window, Goal::Fire);
    window.sees(ARRIVAL);
    window.sees(PICKER);
    leaves(&mut window, "Ctrl+C");
}

#[test]
fn whoever_leaves_is_not_remembered_and_has_the_terminal_back() {
    let theatre = newcomer();
    for key in ["Ctrl+C", "q"] {
        let mut window = Window::of(&theatre).runs(&[]);
        window.sees(TITLE);
        leaves(&mut window, key);
    }
    let mut window = Window::of(&theatre).runs(&[]);
    window.sees(TITLE);
    window.key("Enter");
    window.sees(CHOICE);
    leaves(&mut window, "Ctrl+C");
    let mut window = Window::of(&theatre).runs(&[]);
    enters(&window, "2", "Knight");
    leaves(&mut window, "Ctrl+C");
    let mut window = lettered(&theatre).runs(&[]);
    enters(&window, "2", "Knight");
    walks(&window, Goal::Lost);
    window.sees(LOST);
    leaves(&mut window, "Ctrl+C");
    assert_eq!(remembered(&theatre), None);
    assert!(!theatre.project().join(".arbiter").exists());
}

#[test]
fn a_signal_and_a_closed_window_end_it() {
    let theatre = newcomer();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut window = Window::of(&theatre).runs(&[]);
        window.sees(TITLE);
        window.signals(signal);
        assert_eq!(window.ends_with(), 4, "{signal:?}: {}", window.screen());
        assert!(window.is_restored(), "{signal:?}");
    }
    // Whether the signal or the end of the window is heard first is a matter of luck.
    for _ in 0..5 {
        let mut window = Window::of(&theatre).runs(&[]);
        enters(&window, "2", "Knight");
        window.closes();
        assert_eq!(window.ends_with(), 4);
    }
    assert_eq!(remembered(&theatre), None);
    theatre.assert_nobody_left();
}

#[test]
fn ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_forest_back() {
    let theatre = newcomer();
    let shell = lettered(&theatre).with("PS1", "prompt% ");
    let mut window = shell.runs_program(&["bash", "--norc", "--noprofile", "-i"]);
    window.sees("prompt%");
    let before = window.left_behind();
    window.types(&format!("{}\r", theatre.binary().display()));
    enters(&window, "2", "Knight");
    let map = forest::Map::read(&window.rows()).expect("a forest");
    window.key("Ctrl+Z");
    window.sees("Stopped");
    window.waits("until the shell has its terminal back", |_| window.left_behind() == before);
    assert!(!window.is_covered(), "{}", window.screen());
    window.types("fg\r");
    window.sees(FOREST);
    assert!(window.is_covered());
    assert_eq!(forest::Map::read(&window.rows()).as_ref(), Some(&map), "nobody walked meanwhile");
    window.key("Ctrl+C");
    window.sees("no mission was begun");
    window.types("exit\r");
    window.ends();
    theatre.assert_nobody_left();
}

#[test]
fn another_size_is_filled() {
    let theatre = newcomer();
    let mut window = Window::of(&theatre).sized(100, 30).with("ARBITER_MOTION", "reduced").runs(&[]);
    for (columns, rows) in [(40, 12), (160, 50), (80, 24)] {
        window.sees(TITLE.split(' ').next_back().unwrap_or(TITLE));
        window.resizes(columns, rows);
        // The keys stand in the lowest line, wherever that is.
        window.waits("until the lowest line is written", |shown| {
            shown.len() == usize::from(rows) && shown[usize::from(rows) - 1].contains("any key")
        });
    }
    leaves(&mut window, "Ctrl+C");
}

#[test]
fn a_small_window_has_all_of_it() {
    let theatre = newcomer();
    for reduced in ["reduced", "full"] {
        let opening = Window::of(&theatre).sized(40, 12).with("ARBITER_MOTION", reduced);
        let mut window = opening.runs(&[]);
        window.sees("COME TO BE");
        window.key("Enter");
        window.sees("[Wanderer]");
        window.types("5");
        window.sees("[Scribe]");
        window.key("Enter");
        window.sees(FOREST);
        window.types("x");
        window.sees(PICKER);
        assert_eq!(remembered(&theatre).as_deref(), Some("scribe\n"));
        leaves(&mut window, "Ctrl+C");
        fs::remove_file(theatre.character()).expect("it is there");
    }
}
