//! Measures a screen on which nothing moves: time on a processor, and memory.

use std::path::Path;
use std::time::Duration;

use super::{Watcher, play};
use crate::figure;
use crate::live::processes;

const IDLE_TIME: Duration = Duration::from_secs(10);
/// Before that, so that it has come to rest: what was just said stands on the scene for up to five seconds.
const SETTLE_TIME: Duration = Duration::from_secs(6);
const IDLE_GOAL: &str = "0.3 %";
/// How much memory a screen may take.
pub const MEMORY_GOAL: &str = "25 MB";

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let (theatre, mut house) = play::waiting(arbiter);
    idle("a mission that waits", &mut house);
    memory("a small mission at its question", &house);
    let id = theatre.mission_id();
    let mut beside = Watcher::sit(&theatre, &["attach", &id]);
    beside.sees_frame();
    idle("the same, attached", &mut beside);
    beside.leave();
    house.leave();
    theatre.assert_nobody_left();

    let theatre = play::small(arbiter);
    let mut replay = Watcher::sit(&theatre, &["replay", &theatre.mission_id()]);
    replay.sees_frame();
    idle("a replay", &mut replay);
    memory("a replay of a small mission", &replay);
    replay.leave();
}

/// Lets it come to rest, and prints what it costs to be looked at.
pub fn idle(what: &str, watcher: &mut Watcher) {
    watcher.reads_for(SETTLE_TIME);
    let before = processes::used(watcher.pid());
    let bytes: usize = watcher.reads_for(IDLE_TIME).iter().map(|(_, bytes)| bytes).sum();
    let share = processes::used(watcher.pid()).since(&before);
    let percent = share.nanoseconds as f64 / IDLE_TIME.as_nanos() as f64 * 100.0;
    figure(&format!("idle 10 s: {what}, CPU of one core"), format!("{percent:.3} %"), IDLE_GOAL);
    let wakes = share.awoken as f64 / IDLE_TIME.as_secs_f64();
    figure("  ... wake-ups a second, and bytes in all", format!("{wakes:.1}, {bytes}"), "-, 0");
}

/// Prints the memory a program holds, and the most it ever held.
pub fn memory(what: &str, watcher: &Watcher) {
    let (now, peak) = (processes::megabytes(watcher.pid()), processes::peak_megabytes(watcher.pid()));
    figure(&format!("memory (RSS): {what}"), format!("{now:.1} MB (peak {peak:.1})"), MEMORY_GOAL);
}
