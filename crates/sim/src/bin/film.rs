//! Plays the demo in a real terminal, at a person's pace, and prints what the terminal was told as a recording for asciinema
//! (asciicast, version 2). `cargo xtask film` keeps it as docs/demo.cast.

use std::path::Path;
use std::time::{Duration, Instant};

use arbiter::mission::fact_log::FactLog;
use serde_json::{Value, json};
use sim::{Theatre, Window};

/// Columns and rows: wide enough for the scene beside the conversation, and small enough to be read in a document.
const SIZE: (u16, u16) = (152, 42);
/// How long the mission may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// So long the end is looked at.
const CURTAIN: Duration = Duration::from_secs(6);
/// How often one looks whether it has come.
const GLANCE: Duration = Duration::from_millis(100);

fn main() -> std::io::Result<()> {
    let Some(arbiter) = std::env::args_os().nth(1) else {
        eprintln!("error: which binary?\nhint: run `cargo xtask film`");
        std::process::exit(2);
    };
    print!("{}", film(&std::path::absolute(arbiter)?));
    Ok(())
}

/// The recording of a whole mission.
fn film(arbiter: &Path) -> String {
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
    cast(without_home(&String::from_utf8_lossy(&bytes), &home).as_bytes(), &came)
}

fn has_ended(theatre: &Theatre) -> bool {
    let journal = theatre.missions().first().map(|mission| theatre.journal_of(mission));
    journal.and_then(|journal| FactLog::peek(&journal).ok()).is_some_and(|state| state.ended.is_some())
}

/// The same with `~` for the home, whose path only tells whose machine it was. Blanks after the words that follow it keep
/// the columns, and the length.
fn without_home(told: &str, home: &str) -> String {
    let mut parts = told.split(home);
    let mut without = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (words, rest) = part.split_at(part.find('\x1b').unwrap_or(part.len()));
        without += &format!("~{words}{}{rest}", " ".repeat(home.len() - 1));
    }
    without
}

/// A line about the recording, then a line for each piece: when it came, and its text. A character that two pieces share
/// comes with the second.
fn cast(bytes: &[u8], came: &[(Instant, usize)]) -> String {
    let mut cast = format!("{}\n", json!({ "version": 2, "width": SIZE.0, "height": SIZE.1 }));
    let mut from = 0;
    for (at, end) in came {
        let piece = &bytes[from..*end];
        let whole = str::from_utf8(piece).map_or_else(|error| error.valid_up_to(), str::len);
        let seconds = at.duration_since(came[0].0).as_secs_f64();
        let text = Value::from(String::from_utf8_lossy(&piece[..whole]));
        cast += &format!("[{seconds:.3}, \"o\", {text}]\n");
        from += whole;
    }
    cast
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_has_its_time_and_whole_characters() {
        let began = Instant::now();
        let came = [(0, 2), (1_500, 4)].map(|(at, end)| (began + Duration::from_millis(at), end));
        let lines = "[0.000, \"o\", \"a\"]\n[1.500, \"o\", \"é\\u001b\"]\n";
        assert_eq!(cast("aé\x1b".as_bytes(), &came).split_once('\n').unwrap().1, lines);
    }

    #[test]
    fn a_home_is_not_told_and_the_columns_stay() {
        let told = "\x1b[5;4H= clone /t/x/home/a/b\x1b[6;4H= /t/x/home";
        let without = without_home(told, "/t/x/home");
        assert_eq!(without, "\x1b[5;4H= clone ~/a/b        \x1b[6;4H= ~        ");
        assert_eq!(without.len(), told.len());
    }
}
