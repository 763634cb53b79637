//! Measures how much is written to the terminal while agents work: the demo at a human pace, until it is over.

use std::path::Path;
use std::time::{Duration, Instant};

use sim::Theatre;

use super::{Watcher, play, rest};
use crate::figure;
use crate::live::processes;

const SECOND: Duration = Duration::from_secs(1);

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let theatre = Theatre::new(arbiter);
    let mut watcher = Watcher::sit(&theatre, &["demo", "--pace", "human"]);
    if watcher.sees_frame().is_none() {
        return figure("bytes to the terminal", "skipped".to_owned(), "no frame came");
    }
    measure_bytes("bytes to the terminal while agents work, a second", &theatre, &mut watcher);
    watcher.reads_for(SECOND);
    rest::memory("the demo, after its end", &watcher);
    watcher.leave();
    theatre.assert_nobody_left();
}

/// Reads what a mission shows until it is over, and prints how much that was.
pub fn measure_bytes(what: &str, theatre: &Theatre, watcher: &mut Watcher) {
    // The rest of the first frame.
    watcher.reads_for(Duration::from_millis(50));
    let (began, before) = (Instant::now(), processes::used(watcher.pid()));
    let pieces = play::until(theatre, watcher, |state| state.ended.is_some());
    let time = began.elapsed();
    let share = processes::used(watcher.pid()).since(&before);
    let bytes: usize = pieces.iter().map(|(_, bytes)| bytes).sum();
    let mean = bytes as f64 / time.as_secs_f64() / 1000.0;
    figure(what, format!("{mean:.1} kB"), "20 kB");
    figure("  ... the most in any one second", format!("{:.1} kB", most(&pieces) as f64 / 1000.0), "-");
    let percent = share.nanoseconds as f64 / time.as_nanos() as f64 * 100.0;
    figure("  ... CPU meanwhile, of one core, without the actors", format!("{percent:.1} %"), "-");
}

/// The most that came within one second, wherever it begins.
fn most(pieces: &[(Instant, usize)]) -> usize {
    let mut most = 0;
    let mut sum = 0;
    let mut first = 0;
    for (at, bytes) in pieces {
        sum += bytes;
        while at.duration_since(pieces[first].0) > SECOND {
            sum -= pieces[first].1;
            first += 1;
        }
        most = most.max(sum);
    }
    most
}
