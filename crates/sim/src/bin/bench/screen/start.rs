//! From the start of the program until its first frame stands whole.

use std::path::Path;

use sim::Theatre;

use super::{Watcher, part, play};
use crate::figure;

const GOAL: &str = "50 ms";
const TIMES: usize = 11;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let small = play::small(arbiter);
    let id = play::id(&small);
    tell("arbiter replay ID, of a small mission", &small, &["replay", &id]);
    let (theatre, watcher) = play::waiting(arbiter);
    let id = play::id(&theatre);
    tell("arbiter attach ID, to a mission that runs", &theatre, &["attach", &id]);
    watcher.leave();
    tell("arbiter resume ID, of a mission that waits", &theatre, &["resume", &id]);
    let theatre =
        Theatre::with_repository(arbiter, &[("README.md", "a river\n"), ("plan.md", "# A bridge\n")]);
    tell("arbiter, the picker in a small project", &theatre, &[]);
    let theatre = Theatre::new(arbiter);
    tell("arbiter demo", &theatre, &["demo"]);
}

fn tell(what: &str, theatre: &Theatre, words: &[&str]) {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let mut watcher = Watcher::sit(theatre, words);
        let Some(time) = watcher.sees_frame() else {
            return figure(&format!("first frame: {what}"), "skipped".to_owned(), "no frame came");
        };
        times.push(time);
        watcher.leave();
    }
    let best = times.iter().copied().fold(f64::MAX, f64::min);
    let told = format!("{:.1} ms (best {best:.1})", part(&times, 0.5));
    figure(&format!("first frame: {what}"), told, GOAL);
}
