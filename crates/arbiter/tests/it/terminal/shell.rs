//! Under a shell with job control: Ctrl+Z gives the shell its terminal, `fg` brings the whole screen back.

use rustix::process::Signal;
use sim::{Theatre, Window};

use super::{awaits_words, is_framed, rehearsing, says, talk};

/// A shell that says only its prompt.
fn shell(theatre: &Theatre) -> Window {
    let window =
        Window::of(theatre).with("PS1", "prompt% ").runs_program(&["bash", "--norc", "--noprofile", "-i"]);
    window.sees("prompt%");
    window
}

/// Waits until the shell says for the n-th time that it stopped something, and listens.
fn prompts(window: &Window, count: usize) {
    window.waits("until the shell listens", |rows| {
        let stopped = rows.iter().filter(|row| row.contains("Stopped")).count();
        stopped == count && is_listening(rows)
    });
}

fn listens(window: &Window) {
    window.waits("until the shell listens", is_listening);
}

fn is_listening(rows: &[String]) -> bool {
    rows.iter().rfind(|row| !row.is_empty()).is_some_and(|row| row == "prompt%")
}

/// Runs a command in the shell.
fn commands(window: &Window, line: &str) {
    window.types(line);
    window.key("Enter");
}

/// The mission hears the person again; then both the screen and the shell are left.
fn goes_on_and_leaves(window: &mut Window) {
    says(window, "and go on");
    awaits_words(window, "That was the first.");
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.key("Ctrl+C");
    window.sees("hint: `arbiter resume");
    listens(window);
    commands(window, "exit");
    window.ends();
}

#[test]
fn ctrl_z_gives_the_shell_its_terminal_and_fg_brings_the_screen_back() {
    let theatre = rehearsing(talk());
    let mut window = shell(&theatre);
    let before = window.left_behind();
    commands(&window, &theatre.rehearsal_line());
    awaits_words(&window, "Speak, and I listen.");
    window.types("kept meanwhile");
    window.sees("> kept meanwhile");
    for round in 1..=3 {
        window.key("Ctrl+Z");
        prompts(&window, round);
        assert!(!window.is_covered(), "the shell's own page is back: {}", window.screen());
        commands(&window, &format!("echo round-$((10 * {round}))"));
        window.sees(&format!("round-{}", 10 * round));
        window.waits("until the shell has its terminal back", |_| window.left_behind() == before);
        commands(&window, "fg");
        window.waits("until the screen is whole again", |rows| {
            is_framed(rows, 80, 24) && rows.iter().any(|row| row.contains("> kept meanwhile"))
        });
        assert!(window.is_covered());
        awaits_words(&window, "Speak, and I listen.");
    }
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.key("Ctrl+C");
    window.sees("hint: `arbiter resume");
    listens(&window);
    commands(&window, "echo code-$?");
    window.sees("code-4");
    window.waits("until the shell has its terminal back", |_| window.left_behind() == before);
    commands(&window, "exit");
    window.ends();
    assert_eq!(super::said(&theatre), ["kept meanwhile"]);
    theatre.assert_nobody_left();
}

#[test]
fn whoever_is_stopped_without_being_asked_comes_back_whole_too() {
    let theatre = rehearsing(talk());
    let mut window = shell(&theatre);
    commands(&window, &theatre.rehearsal_line());
    awaits_words(&window, "Speak, and I listen.");
    for signal in [Signal::STOP, Signal::TSTP] {
        window.signals_front(signal);
        window.sees("prompt%");
        commands(&window, "fg");
        window.waits("until the screen is whole again", |rows| is_framed(rows, 80, 24));
        window.sees_no("prompt%");
    }
    goes_on_and_leaves(&mut window);
    assert_eq!(super::said(&theatre), ["and go on"]);
}

#[test]
fn a_window_that_changed_its_size_meanwhile_is_filled() {
    let theatre = rehearsing(talk());
    let mut window = shell(&theatre);
    commands(&window, &theatre.rehearsal_line());
    awaits_words(&window, "Speak, and I listen.");
    window.key("Ctrl+Z");
    prompts(&window, 1);
    window.resizes(100, 30);
    commands(&window, "fg");
    window.waits("until the screen fills the window", |rows| is_framed(rows, 100, 30));
    goes_on_and_leaves(&mut window);
    theatre.assert_nobody_left();
}
