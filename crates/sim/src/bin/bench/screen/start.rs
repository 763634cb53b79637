//! Measures the time from the start of the program until its first frame stands whole.

use std::path::Path;

use sim::Theatre;

use super::{Watcher, part, play};
use crate::figure;

const GOAL: &str = "50 ms";
const TIMES: usize = 11;
/// What the missions are called.
const TITLE: &str = "The lantern";

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let small = play::small(arbiter);
    let id = small.mission_id();
    measure_start("arbiter replay ID, of a small mission", &small, &["replay", &id], TITLE);
    let (theatre, watcher) = play::waiting(arbiter);
    let id = theatre.mission_id();
    measure_start("arbiter attach ID, to a mission that runs", &theatre, &["attach", &id], TITLE);
    watcher.leave();
    measure_start("arbiter resume ID, of a mission that waits", &theatre, &["resume", &id], TITLE);
    let theatre =
        Theatre::with_repository(arbiter, &[("README.md", "a river\n"), ("plan.md", "# A bridge\n")])
            .with_idle_agent();
    measure_start("arbiter --quick, the picker in a small project", &theatre, &["--quick"], "plan.md");
    let theatre = Theatre::new(arbiter);
    measure_start("arbiter demo", &theatre, &["demo"], TITLE);
}

/// What is on the page when it shows what it is about, and not only that it will.
fn measure_start(what: &str, theatre: &Theatre, words: &[&str], sign: &str) {
    let (mut frames, mut signs) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let mut watcher = Watcher::sit(theatre, words);
        let Some((frame, told)) = watcher.sees_frame_and(sign) else {
            return figure(&format!("first frame: {what}"), "skipped".to_owned(), "no frame came");
        };
        frames.push(frame);
        signs.push(told);
        watcher.leave();
    }
    figure(&format!("first frame: {what}"), middle(&frames), GOAL);
    figure(&format!("  ... with {sign:?} on it"), middle(&signs), "-");
}

fn middle(times: &[f64]) -> String {
    let best = times.iter().copied().fold(f64::MAX, f64::min);
    format!("{:.1} ms (best {best:.1})", part(times, 0.5))
}
