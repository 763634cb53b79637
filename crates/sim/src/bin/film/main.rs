//! Plays the demo at a window, at a person's pace, and prints every frame that was drawn, with its time and its colours.
//! `cargo xtask film` calls it and makes the documents' film of what it prints.

mod reel;

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use arbiter::mission::chronicle::Chronicle;
use sim::{Theatre, Window};

/// Columns and rows: wide enough for the scene beside the conversation, and small enough to be read in a document.
const SIZE: (u16, u16) = (152, 42);
/// How long the mission may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// So long the end is looked at.
const CURTAIN: Duration = Duration::from_secs(6);
/// How often one looks whether it has come.
const GLANCE: Duration = Duration::from_millis(100);

fn main() -> io::Result<()> {
    let Some(arbiter) = std::env::args_os().nth(1) else {
        eprintln!("error: which binary?\nhint: run `cargo xtask film`");
        std::process::exit(2);
    };
    let mut out = io::stdout().lock();
    for frame in film(&std::path::absolute(arbiter)?) {
        out.write_all(frame.to_string().as_bytes())?;
    }
    out.flush()
}

/// Everything that a whole mission shows.
fn film(arbiter: &Path) -> Vec<reel::Frame> {
    let theatre = Theatre::new(arbiter).with_env("CI", "1");
    let opening = Window::of(&theatre).sized(SIZE.0, SIZE.1).with("COLORTERM", "truecolor");
    let mut window = opening.runs(&["demo", "--pace", "human"]);
    let began = Instant::now();
    while !has_ended(&theatre) {
        assert!(began.elapsed() < PATIENCE, "the mission does not end\n{}", window.screen());
        std::thread::sleep(GLANCE);
    }
    std::thread::sleep(CURTAIN);
    // Before the window is closed: what is drawn while the program leaves belongs to no mission.
    let (bytes, came) = (window.raw(), window.came());
    window.closes();
    window.ends();
    theatre.assert_nobody_left();
    let home = theatre.path().join("home").display().to_string();
    let frames = reel::frames(&bytes, &came, SIZE).into_iter();
    frames.map(|frame| frame.without_home(&home)).collect()
}

fn has_ended(theatre: &Theatre) -> bool {
    let journal = theatre.missions().first().map(|mission| theatre.journal_of(mission));
    journal.and_then(|journal| Chronicle::peek(&journal).ok()).is_some_and(|state| state.ended.is_some())
}
