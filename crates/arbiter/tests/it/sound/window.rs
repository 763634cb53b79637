//! The binary at a real terminal, with players of the test's own first on its PATH.
#![cfg(target_os = "linux")]

use std::fs;

use rustix::process::Signal;
use sim::{Opening, Theatre, Window};

use super::hall::Hall;
use super::{GOOD, HANGS};
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
        let path = format!("{}:{}", hall.path().display(), std::env::var("PATH").unwrap_or_default());
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

#[test]
fn a_mission_is_heard_one_sound_at_a_time_and_without_music() {
    let house = House::new(GOOD);
    let mut window = house.window().runs(&["demo"]);
    wait_until("somebody is summoned, and the end is heard", || {
        house.hall.assert_one_of_each();
        let starts = house.hall.starts();
        starts.iter().any(|start| start == "pw-play summon")
            && starts.iter().any(|start| start == "pw-play done")
    });
    assert!(!house.hall.starts().contains(&"pw-play theme".to_owned()));
    window.key("Ctrl+C");
    window.ends();
    wait_until("nobody is left", || house.hall.alive().is_empty());
}
