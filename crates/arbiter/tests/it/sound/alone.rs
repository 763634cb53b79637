//! What only a process of its own can tell: threads, wakeups, processor time, and leaving at once. Each test runs itself
//! again, alone.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use arbiter::terminal::sound::{SoundLimits, silence};
use tui::decoration::SoundEffect;

use super::hall::Hall;
use super::{GOOD, HANGS, hasty, loops, patient, wait_until};

const ALONE: &str = "ARBITER_TEST_ALONE";

/// True in a process in which only this test runs; otherwise such a process is run, and must be content.
fn is_alone(test: &str) -> bool {
    let name = format!("sound::alone::{test}");
    if std::env::var(ALONE).is_ok_and(|alone| alone == name) {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().expect("we are somewhere"));
    command.args(["--exact", &name, "--nocapture", "--test-threads=1"]).env(ALONE, &name);
    let ran = command.output().expect("it runs");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success() && out.contains("1 passed"),
        "{out}\n{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    false
}

/// The folders of our threads that play.
fn threads() -> Vec<std::path::PathBuf> {
    let tasks = fs::read_dir("/proc/self/task").expect("threads");
    let named = tasks.flatten().map(|task| task.path());
    named.filter(|task| fs::read_to_string(task.join("comm")).is_ok_and(|name| name == "sound\n")).collect()
}

/// How often the thread that plays was woken so far.
fn wakeups() -> u64 {
    let threads = threads();
    let [thread] = threads.as_slice() else { panic!("{} threads play", threads.len()) };
    let status = fs::read_to_string(thread.join("status")).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line.expect("a line").trim().parse().expect("a number")
}

/// Processor time of this process so far, in ticks of ten milliseconds.
fn ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("our numbers");
    let after = stat.rsplit_once(") ").expect("a name").1;
    after.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
}

#[test]
fn without_a_player_there_is_no_thread() {
    if !is_alone("without_a_player_there_is_no_thread") {
        return;
    }
    let hall = Hall::new();
    let mut sound = hall.sound(SoundLimits::default());
    sound.music(true);
    sound.play(SoundEffect::Ask);
    sound.toggle();
    sound.play(SoundEffect::Ask);
    assert!(threads().is_empty());
}

#[test]
fn muted_there_is_neither_thread_nor_process() {
    if !is_alone("muted_there_is_neither_thread_nor_process") {
        return;
    }
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut sound = hall.sound(patient());
    assert!(threads().is_empty(), "nothing was to be heard yet");
    sound.music(true);
    sound.play(SoundEffect::Ask);
    wait_until("both play", || hall.alive().len() == 4);
    assert_eq!(threads().len(), 1);
    assert_eq!(sound.toggle(), "sound off");
    wait_until("all is silent", || hall.alive().is_empty() && threads().is_empty());
    sound.play(SoundEffect::Done);
    sound.music(true);
    assert!(threads().is_empty());
    assert_eq!(sound.toggle(), "sound on");
    wait_until("the music is back", || hall.starts().len() == 3);
    // Off and on and off, faster than anybody can leave: never two at once.
    for _ in 0..20 {
        sound.toggle();
        hall.assert_one_of_each();
    }
    assert!(sound.is_on());
    wait_until("one is left", || {
        hall.assert_one_of_each();
        threads().len() == 1 && hall.alive().len() == 2
    });
    drop(sound);
    wait_until("nobody is left", || hall.alive().is_empty() && threads().is_empty());
}

#[test]
fn a_failed_player_leaves_no_thread() {
    if !is_alone("a_failed_player_leaves_no_thread") {
        return;
    }
    let hall = Hall::new();
    hall.player("paplay", "exit 1");
    let mut sound = hall.sound(hasty());
    sound.music(true);
    wait_until("it failed", || sound.trouble().is_some());
    wait_until("nobody waits", || threads().is_empty());
    sound.music(true);
    sound.play(SoundEffect::Ask);
    assert!(threads().is_empty());
}

#[test]
fn while_nothing_is_to_be_heard_nobody_wakes() {
    if !is_alone("while_nothing_is_to_be_heard_nobody_wakes") {
        return;
    }
    let hall = Hall::new();
    hall.player("paplay", GOOD);
    let mut sound = hall.sound(loops());
    sound.play(SoundEffect::Ask);
    wait_until("it was heard", || hall.starts().len() == 1 && hall.alive().is_empty());
    // The thread may still be on its way to sleep: from some second on, nothing.
    let mut before = wakeups();
    wait_until("a second passes without a wakeup", || {
        std::thread::sleep(Duration::from_secs(1));
        let (now, last) = (wakeups(), before);
        before = now;
        now == last
    });
}

#[test]
fn a_player_that_hangs_costs_nothing() {
    if !is_alone("a_player_that_hangs_costs_nothing") {
        return;
    }
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut sound = hall.sound(patient());
    sound.music(true);
    wait_until("it hangs", || hall.alive().len() == 2);
    let (began, before, woken) = (Instant::now(), ticks(), wakeups());
    std::thread::sleep(Duration::from_secs(1));
    let (spent, woken) = (ticks() - before, wakeups() - woken);
    assert!(spent <= 10, "{spent} ticks in {:?}", began.elapsed());
    assert!(woken <= 5, "{woken} wakeups in {:?}", began.elapsed());
    drop(sound);
    wait_until("nobody is left", || hall.alive().is_empty());
}

#[test]
fn a_program_that_must_leave_at_once_leaves_nobody_behind() {
    if !is_alone("a_program_that_must_leave_at_once_leaves_nobody_behind") {
        return;
    }
    let hall = Hall::new();
    hall.player("paplay", HANGS);
    let mut sound = hall.sound(patient());
    sound.music(true);
    sound.play(SoundEffect::Ask);
    wait_until("both play", || hall.alive().len() == 4);
    silence();
    wait_until("all is silent", || hall.alive().is_empty());
    sound.music(false);
    sound.music(true);
    sound.play(SoundEffect::Ask);
    drop(sound);
    assert_eq!(hall.starts().len(), 2, "nobody is started after it");
}
