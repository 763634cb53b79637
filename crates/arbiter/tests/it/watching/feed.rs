//! Following a journal, and looking at its past.

use std::sync::Arc;

use arbiter::mission::fact_log::{FactLog, FactLogError, MissionJournal};
use arbiter::terminal::watching::journal_view::JournalView;
use journal::{FileStore, Journal, JournalError, JournalKey};
use mind::play::Stage;
use mind::{Entry, State, Timestamp};
use tempfile::TempDir;
use view::story::Story;

/// A course of a mission with nearly everything in it.
const COURSE: &[&str] = &[
    "at work",
    "orchestrator tool Read src/lib.rs",
    "orchestrator tool ok",
    "orchestrator gauge 142000/200000",
    "orchestrator asks rm -rf build",
    "human yes q1",
    "orchestrator tasks [x] one | [ ] two",
    "human: how far is it?",
    "arbiter address_human: Half of it.",
    "restart",
    "handed off",
    "judged",
    "claimed",
    "surveyed c2",
    "check pass",
];

/// Numbers that look random and are the same every time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// What a play leaves in the journal: the course, with `tools` tools at its work.
fn played(tools: usize) -> Vec<Entry> {
    let mut stage = Stage::new();
    for (number, line) in COURSE.iter().enumerate() {
        stage.set_up(line);
        if number == 0 {
            for tool in 0..tools {
                stage.set_up(&format!("orchestrator tool Edit src/part{tool}.rs"));
                stage.set_up("orchestrator tool ok");
            }
        }
    }
    stage.entries
}

const KEY: [u8; JournalKey::BYTES] = [7; JournalKey::BYTES];

fn fresh() -> (TempDir, MissionJournal) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    (folder, MissionJournal::new(Arc::new(FileStore::new(JournalKey::new(&KEY))), path))
}

/// A journal of these entries, all in one batch.
fn written(entries: &[Entry]) -> (TempDir, MissionJournal) {
    let (folder, path) = fresh();
    FactLog::create(&path, "m", entries).expect("written");
    (folder, path)
}

fn append(journal: &MissionJournal, entries: &[Entry]) {
    let (mut fact_log, ..) = FactLog::open(journal).expect("opened");
    fact_log.append(entries).expect("appended");
    fact_log.sync().expect("synced");
}

/// The state after each number of facts.
fn sums(entries: &[Entry]) -> Vec<State> {
    let mut state = State::default();
    let mut all = vec![state.clone()];
    for entry in entries {
        state.apply(entry);
        all.push(state.clone());
    }
    all
}

fn told(entries: &[Entry]) -> Story {
    let mut story = Story::default();
    let sums = sums(entries);
    for (at, entry) in entries.iter().enumerate() {
        story.tell(at as u64 + 1, entry, &sums[at], &sums[at + 1]);
    }
    story
}

fn assert_past(feed: &mut JournalView, seq: u64, sums: &[State], entries: &[Entry]) {
    let (state, time) = feed.at(seq).expect("a past");
    assert_eq!(*state, sums[seq as usize], "after {seq} facts");
    assert_eq!(time, entries[seq.max(1) as usize - 1].at, "the time of fact {seq}");
}

#[test]
fn every_past_is_the_sum_of_its_facts_while_the_journal_grows() {
    let entries = played(60);
    assert!(entries.len() > 150, "a play of some length");
    let sums = sums(&entries);
    for (seed, spacing, most) in [(3, 7, 4), (5, 1, 8), (7, 16, 512), (11, 256, 512)] {
        let mut dice = Dice(seed);
        let (_folder, path) = written(&entries[..1]);
        let mut feed = JournalView::with_checkpoints(&path, spacing, most).expect("a feed");
        let mut written = 1;
        while written < entries.len() {
            let scale = 1 << dice.below(6);
            let size = (1 + dice.below(scale) as usize).min(entries.len() - written);
            append(&path, &entries[written..written + size]);
            written += size;
            // Sometimes it falls behind.
            feed.read(dice.below(40) as usize).expect("read");
            for _ in 0..4 {
                let seq = dice.below(feed.head() + 1);
                assert_past(&mut feed, seq, &sums, &entries);
            }
            assert_eq!(*feed.state(), sums[feed.head() as usize]);
        }
        while feed.read(9).expect("read") > 0 {}
        let head = feed.head();
        assert_eq!(head, entries.len() as u64);
        // Every one, in an order without order, then forwards, then backwards.
        let step = (1..=head).find(|step| step * 3 > head && gcd(*step, head + 1) == 1).expect("a step");
        for turn in 0..=head {
            assert_past(&mut feed, turn * step % (head + 1), &sums, &entries);
        }
        for seq in (0..=head).chain((0..=head).rev()) {
            assert_past(&mut feed, seq, &sums, &entries);
        }
        assert_eq!(feed.newest(), entries.last().expect("an entry").at);
        assert_eq!(feed.story().until(head), told(&entries).until(head));
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn a_feed_reads_no_more_than_it_is_told() {
    let entries = played(5);
    let (_folder, path) = written(&entries);
    let mut feed = JournalView::open(&path).expect("a feed");
    assert_eq!((feed.head(), feed.newest()), (0, Timestamp(0)));
    assert_eq!(feed.read(0).expect("read"), 0);
    assert_eq!(feed.read(10).expect("read"), 10);
    assert_eq!(feed.head(), 10);
    assert_eq!(feed.read(usize::MAX).expect("read"), entries.len() - 10);
    assert_eq!(feed.read(10).expect("read"), 0);
    append(&path, &entries[..0]);
    assert_eq!(feed.read(10).expect("read"), 0);
}

#[test]
fn more_facts_than_there_are_is_the_present() {
    let entries = played(0);
    let (_folder, path) = written(&entries);
    let mut feed = JournalView::open(&path).expect("a feed");
    feed.read(5).expect("read");
    let (state, time) = feed.at(u64::MAX).expect("the present");
    assert_eq!((&*state, time), (feed.state(), feed.newest()));
}

#[test]
fn an_unknown_fact_stops_the_feed_where_it_is_named() {
    let entries = played(0);
    let (_folder, path) = written(&entries[..4]);
    let mut opened = Journal::open(path.path(), &JournalKey::new(&KEY)).expect("opened");
    opened.journal.append(4, &[r#"{"at":1,"fact":{"weather":"fine"}}"#]).expect("appended");
    drop(opened);
    let mut feed = JournalView::open(&path).expect("a feed");
    for _ in 0..2 {
        assert!(matches!(feed.read(9), Err(FactLogError::Unknown { seq: 5, .. })));
        assert_eq!(feed.head(), 4);
    }
    assert_past(&mut feed, 3, &sums(&entries), &entries);
}

#[test]
fn a_past_that_has_vanished_is_damage() {
    let entries = played(20);
    let (_folder, path) = written(&entries[..9]);
    append(&path, &entries[9..]);
    let mut feed = JournalView::open(&path).expect("a feed");
    feed.read(usize::MAX).expect("read");
    let file = std::fs::read(path.path()).expect("a file");
    std::fs::write(path.path(), &file[..file.len() / 2]).expect("cut");
    for _ in 0..2 {
        let past = feed.at(feed.head() - 1);
        assert!(matches!(past, Err(FactLogError::Journal(JournalError::Damaged { .. }))));
    }
    assert_past(&mut feed, 5, &sums(&entries), &entries);
}
