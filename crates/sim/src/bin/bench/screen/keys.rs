//! Measures how soon a key is answered in a mission of sixty thousand messages.

use std::path::Path;

use super::watcher::Answer;
use super::{Watcher, part, play, rest, spread};
use crate::figure;

const GOAL: &str = "16 ms p99";
/// How often each key is pressed.
const TIMES: usize = 50;
const UP: &str = "\x15";
const DOWN: &str = "\x04";
const ESCAPE: &str = "\x1b";
/// The last fact, in a replay.
const END: &str = "\x1b[F";

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let (theatre, facts) = play::long(arbiter);
    let what = format!("{} messages, {facts} facts", play::MESSAGES);
    let id = theatre.mission_id();

    let mut watcher = Watcher::sit(&theatre, &["attach", &id]);
    let first = watcher.sees_frame().expect("a frame");
    watcher.waits_until_quiet();
    let loaded = watcher.age();
    figure(&format!("{what}: attach, first frame"), format!("{:.2} s", first / 1000.0), "-");
    figure("  ... until it is read whole, within 0.4 s", format!("{:.2} s", loaded / 1000.0), "-");
    rest::memory(&what, &watcher);
    let letters: Vec<Answer> =
        "the quick brown fox ".repeat(5).chars().filter_map(|sign| watcher.asks(&sign.to_string())).collect();
    print_times("attach, letters in INSERT", &letters);
    watcher.asks(ESCAPE);
    print_times("attach, j k g G ^d ^u", &moves(&mut watcher));
    searches(&mut watcher);
    watcher.leave();

    let mut watcher = Watcher::sit(&theatre, &["replay", &id]);
    let first = watcher.sees_frame().expect("a frame");
    watcher.waits_until_quiet();
    let loaded = watcher.age();
    figure(&format!("{what}: replay, first frame"), format!("{:.2} s", first / 1000.0), "-");
    figure("  ... until it is read whole, within 0.4 s", format!("{:.2} s", loaded / 1000.0), "-");
    watcher.asks(END);
    watcher.waits_until_quiet();
    print_times("replay, at the end, j k g G ^d ^u", &moves(&mut watcher));
    print_times("replay, back in time, <", &presses(&mut watcher, "<"));
    rest::memory("the same as a replay", &watcher);
    watcher.leave();
}

/// Three hundred keys, all of which move something.
fn moves(watcher: &mut Watcher) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (from, key) in [("G", "k"), ("g", "j"), ("G", UP), ("g", DOWN)] {
        watcher.asks(from);
        answers.extend(presses(watcher, key));
    }
    for _ in 0..TIMES {
        answers.extend(["G", "g"].into_iter().filter_map(|key| watcher.asks(key)));
    }
    watcher.asks("G");
    answers
}

fn presses(watcher: &mut Watcher, key: &str) -> Vec<Answer> {
    (0..TIMES).filter_map(|_| watcher.asks(key)).collect()
}

/// What is in every message, in some, and in none. Each is searched for once: what was found last is remembered.
const NEEDLES: [(&str, [&str; 5]); 3] = [
    ("in every message", ["midnight", "tokens", "rotation", "callers", "forty-eight"]),
    ("in some", ["(99", "(98", "(97", "(96", "(95"]),
    ("nowhere", ["zebra", "giraffe", "okapi", "gnu", "quagga"]),
];

fn searches(watcher: &mut Watcher) {
    for (what, needles) in NEEDLES {
        let (mut enters, mut nexts) = (Vec::new(), Vec::new());
        for needle in needles {
            watcher.asks("G");
            watcher.asks("/");
            watcher.types(needle);
            watcher.reads_for(std::time::Duration::from_millis(150));
            enters.extend(watcher.asks("\r"));
            nexts.extend((0..TIMES / needles.len()).filter_map(|_| watcher.asks("n")));
        }
        print_times(&format!("attach, / and Enter, {what}"), &enters);
        print_times(&format!("attach, n, {what}"), &nexts);
    }
}

fn print_times(what: &str, answers: &[Answer]) {
    let whole: Vec<f64> = answers.iter().map(|answer| answer.whole).collect();
    let first: Vec<f64> = answers.iter().map(|answer| answer.first).collect();
    figure(&format!("key to frame: {what} ({})", answers.len()), spread(&whole), GOAL);
    figure(
        "  ... to its first byte; the slowest frame",
        format!("{:.1} ms; {:.1} ms", part(&first, 0.5), part(&whole, 1.0)),
        "-",
    );
}
