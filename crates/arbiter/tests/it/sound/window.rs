//! The binary at a real terminal, with players of the test's own first on its PATH.
#![cfg(target_os = "linux")]

use std::fs;

use rustix::process::Signal;
use sim::{Opening, Theatre, Window};

use super::hall::Hall;
use super::{GOOD, HANGS, PLAYS};
use crate::{BINARY, wait_until};

const TITLE: &str = "THAT WHICH SHALL COME TO BE";

/// A person who has never been here, at a machine with these players.
struct House {
    hall: Hall,
    theatre: Theatre,
    path: String,
}

impl House {
    fn new(player: &str) -> House {
        let hall = Hall::new();
        hall.player("pw-play", player);
        let path = hall.machine();
        let theatre = Theatre::with_repository(BINARY, &[("README.md", "# The ferry\n\nIt crosses.\n")]);
        House { hall, theatre: theatre.with_idle_agent().before_the_ceremony(), path }
    }

    fn window(&self) -> Opening<'_> {
        Window::of(&self.theatre).without("CI").with("PATH", &self.path)
    }

    fn assert_silent(&self, window: &Window) {
        wait_until("it is silent", || self.hall.alive().is_empty() && !plays(window));
    }
}

/// It has a thread that plays.
fn plays(window: &Window) -> bool {
    let tasks = fs::read_dir(format!("/proc/{}/task", window.id())).expect("threads");
    let names = tasks.flatten().map(|task| fs::read_to_string(task.path().join("comm")).unwrap_or_default());
    names.into_iter().any(|name| name == "sound\n")
}

#[test]
fn music_plays_in_the_ceremony_until_m_or_the_end() {
    let house = House::new(HANGS);
    let mut window = house.window().runs(&[]);
    window.sees(TITLE);
    wait_until("the music plays", || house.hall.starts() == ["pw-play theme"]);
    window.types("m");
    window.sees("sound off");
    house.assert_silent(&window);
    window.types("m");
    window.sees("sound on");
    wait_until("the music is back", || house.hall.starts() == ["pw-play theme", "pw-play theme"]);
    window.types("q");
    window.ends();
    wait_until("nobody is left", || house.hall.alive().is_empty());
}

#[test]
fn whoever_says_mute_hears_nothing_until_they_press_m() {
    let house = House::new(HANGS);
    let mut window = house.window().runs(&["--mute"]);
    window.sees(TITLE);
    window.key("Enter");
    window.sees("Who comes?");
    window.key("Right");
    assert!(!plays(&window) && house.hall.starts().is_empty());
    window.types("m");
    window.sees("sound on");
    wait_until("the music plays", || house.hall.starts() == ["pw-play theme"]);
    window.key("Ctrl+C");
    window.ends();
    wait_until("nobody is left", || house.hall.alive().is_empty());
}

#[test]
fn in_ci_and_over_ssh_nothing_is_heard() {
    for (name, value) in [("CI", "true"), ("SSH_CONNECTION", "10.0.0.1 50000 10.0.0.2 22")] {
        let house = House::new(GOOD);
        let window = house.window().with(name, value).runs(&[]);
        window.sees(TITLE);
        window.key("Enter");
        window.sees("Who comes?");
        assert!(!plays(&window) && house.hall.starts().is_empty(), "{name}");
    }
}

#[test]
fn a_player_that_fails_is_tried_once_and_told() {
    let house = House::new("exit 1");
    let window = house.window().runs(&[]);
    window.sees(TITLE);
    wait_until("it was tried", || house.hall.starts().len() == 1);
    house.assert_silent(&window);
    window.types("m");
    window.sees("no sound: pw-play fails (exit code 1)");
    window.key("Enter");
    window.sees("Who comes?");
    for key in ["Right", "Right", "Left", "Down"] {
        window.key(key);
    }
    window.key("Enter");
    window.sees("any other key");
    assert!(!plays(&window));
    assert_eq!(house.hall.starts(), ["pw-play theme"]);
}

#[test]
fn whoever_is_stopped_is_silent_and_is_heard_again_when_they_come_back() {
    let house = House::new(HANGS);
    let shell = house.window().with("PS1", "prompt% ");
    let mut window = shell.runs_program(&["bash", "--norc", "--noprofile", "-i"]);
    window.sees("prompt%");
    window.types(&format!("{}\r", house.theatre.binary().display()));
    window.sees(TITLE);
    wait_until("the music plays", || house.hall.alive().len() == 2);
    window.key("Ctrl+Z");
    window.sees("Stopped");
    wait_until("it is silent", || house.hall.alive().is_empty());
    window.types("fg\r");
    wait_until("the music plays again", || house.hall.starts() == ["pw-play theme", "pw-play theme"]);
    window.key("Ctrl+C");
    window.sees("no mission was begun");
    wait_until("nobody is left", || house.hall.alive().is_empty());
    window.types("exit\r");
    window.ends();
}

#[test]
fn whoever_says_m_before_the_mission_says_it_of_the_mission_too() {
    let house = House::new(PLAYS);
    for (flags, told, again) in [(&[][..], "sound off", "sound on"), (&["--mute"], "sound on", "sound off")] {
        let mut window = house.window().runs(flags);
        window.sees(TITLE);
        window.types("m");
        window.sees(told);
        window.key("Enter");
        window.sees("Who comes?");
        window.key("Enter");
        window.sees("any other key");
        window.types("x");
        window.sees("Begin without a file");
        window.sees("It crosses.");
        window.key("Enter");
        window.sees("Add that folder to .gitignore?");
        window.types("n");
        window.sees("The Arbiter ponders.");
        window.key("Esc");
        window.sees("NORMAL");
        window.types("m");
        window.sees(again);
        window.key("Ctrl+C");
        window.sees("Leave? The mission stops");
        window.key("Ctrl+C");
        window.ends();
        fs::remove_file(house.theatre.character()).expect("it was remembered");
        fs::remove_dir_all(house.theatre.project().join(".arbiter")).expect("there was a mission");
    }
    wait_until("nobody is left", || house.hall.alive().is_empty());
}

#[test]
fn whatever_ends_the_ceremony_ends_the_music() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let house = House::new(HANGS);
        let mut window = house.window().runs(&[]);
        window.sees(TITLE);
        wait_until("the music plays", || house.hall.alive().len() == 2);
        window.signals(signal);
        window.ends();
        wait_until("nobody is left", || house.hall.alive().is_empty());
    }
}
