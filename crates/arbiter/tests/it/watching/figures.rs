//! How long a journal takes to be read and how much memory it needs: measurements, to be run alone, in release, with
//! `--ignored --nocapture`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use arbiter::watching::feed::Feed;
use journal::{Journal, Reader};
use mind::{Entry, State};
use sim::LongMission;
use tui::story::Story;

use super::feed::Dice;

/// Tells the child process which journal to read.
const JOURNAL: &str = "FEED_JOURNAL";

/// How much memory this process holds, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a figure");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A journal of at least `count` facts, in batches as the house writes them, and how many facts and messages it has.
fn long_journal(path: &Path, count: u64) -> (u64, usize) {
    let mut mission = LongMission::new();
    let mut journal = Journal::create(path, "long").expect("a journal");
    while journal.head() < count {
        let event = mission.next_event();
        let bodies: Vec<String> =
            mission.advance(event).iter().map(|entry| serde_json::to_string(entry).expect("json")).collect();
        if !bodies.is_empty() {
            journal.append(journal.head(), &bodies).expect("appended");
        }
    }
    journal.sync().expect("synced");
    (journal.head(), mission.state.talk.len())
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect("a number"))
}

#[test]
#[ignore = "a measurement"]
fn a_long_journal() {
    if let Some(path) = std::env::var_os(JOURNAL) {
        return measure(&PathBuf::from(path));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let (facts, messages) = long_journal(&path, number("FACTS", 200_000));
    let bytes = std::fs::metadata(&path).expect("a file").len();
    println!("{facts} facts, {messages} messages, {} MiB", bytes >> 20);
    // In a process of its own, so that what the writer used does not count.
    let mut again = std::process::Command::new(std::env::current_exe().expect("this program"));
    again.args(["watching::figures::a_long_journal", "--exact", "--ignored", "--nocapture"]);
    assert!(again.env(JOURNAL, &path).status().expect("it runs").success());
}

fn measure(path: &Path) {
    let before = resident();
    let began = Instant::now();
    let spacing = number("SPACING", arbiter::watching::limits::CHECKPOINT_SPACING);
    let mut feed = Feed::with_checkpoints(path, spacing, 512).expect("a feed");
    let mut next = 50_000;
    while feed.read(1000).expect("read") > 0 {
        if feed.head() >= next {
            next += 50_000;
            let grown = (resident() - before) >> 10;
            println!("{} facts: {:?}, {grown} MiB more", feed.head(), began.elapsed());
        }
    }
    println!("all {}: {:?}, {} MiB more", feed.head(), began.elapsed(), (resident() - before) >> 10);
    looks(&mut feed);
    parts(path);
}

/// What it takes to look at the past.
fn looks(feed: &mut Feed) {
    let mut dice = Dice(17);
    let mut looks: Vec<_> = (0..1000)
        .map(|_| {
            let seq = dice.below(feed.head() + 1);
            let began = Instant::now();
            feed.at(seq).expect("a past");
            began.elapsed()
        })
        .collect();
    looks.sort();
    println!("a look: median {:?}, 99 of 100 {:?}, worst {:?}", looks[500], looks[990], looks[999]);
    let middle = feed.head() / 2;
    for (what, step) in [("on", 1i64), ("back", -1)] {
        let began = Instant::now();
        for turn in 0..1000i64 {
            feed.at(middle.saturating_add_signed(turn * step)).expect("a past");
        }
        println!("a step {what}: {:?}", began.elapsed() / 1000);
    }
}

/// Where the time goes.
fn parts(path: &Path) {
    let began = Instant::now();
    let mut bodies = Vec::new();
    let mut reader = Reader::open(path).expect("a reader");
    while let Some(batch) = reader.next_batch().expect("a batch") {
        bodies.extend(batch.bodies);
    }
    println!("lines and checksums: {:?}", began.elapsed());
    let began = Instant::now();
    let entries: Vec<Entry> =
        bodies.iter().map(|body| serde_json::from_str(body).expect("an entry")).collect();
    println!("serde: {:?}", began.elapsed());
    let began = Instant::now();
    let mut state = State::default();
    entries.iter().for_each(|entry| state.apply(entry));
    println!("apply: {:?}", began.elapsed());
    let began = Instant::now();
    let mut state = State::default();
    for entry in &entries {
        let before = state.clone();
        state.apply(entry);
        drop(before);
    }
    println!("apply with the state before kept: {:?}", began.elapsed());
    let began = Instant::now();
    let mut state = State::default();
    let mut story = Story::default();
    for (entry, seq) in entries.iter().zip(1..) {
        let before = state.clone();
        state.apply(entry);
        story.tell(seq, entry, &before, &state);
    }
    println!("the same with the story: {:?}, {} items", began.elapsed(), story.until(u64::MAX).len());
}
