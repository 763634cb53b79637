//! The journal on a real disk: durable facts per second, and how long it takes to open a long one again.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arbiter::mission::fact_log::{FactLog, MissionJournal};
use journal::{FileStore, JournalKey};
use mind::Entry;
use sim::LongMission;

use crate::figure;

/// Measures and prints.
pub fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let entries = entries(1_000_000);
    for batch in [1, 16, 256] {
        let path = folder.path().join(format!("batch{batch}.jsonl"));
        let per_second = durable(&path, &entries, batch);
        let goal = if batch == 1 { "1,000/s" } else { "more with larger batches" };
        figure(&format!("facts appended durably, batches of {batch}"), format!("{per_second:.0}/s"), goal);
    }
    let short = reopen(&folder.path().join("short.jsonl"), &entries[..100_000]);
    figure("reopen and replay 100,000 facts", format!("{short:.3} s"), "0.3 s");
    let long = reopen(&folder.path().join("long.jsonl"), &entries);
    figure("reopen and replay 1,000,000 facts", format!("{long:.3} s"), "3 s");
    figure("  ... ratio (10 is linear)", format!("{:.1}", long / short), "10");
}

fn durable(path: &Path, entries: &[Entry], batch: usize) -> f64 {
    let journal = journal_at(path);
    FactLog::create(&journal, "bench", &[]).expect("a journal can be made");
    let (mut fact_log, _, _) = FactLog::open(&journal).expect("it opens");
    let began = Instant::now();
    let mut count = 0;
    for chunk in entries.chunks(batch) {
        fact_log.append(chunk).expect("the disk takes it");
        fact_log.sync().expect("the disk keeps it");
        count += chunk.len();
        if began.elapsed() > Duration::from_secs(2) {
            break;
        }
    }
    count as f64 / began.elapsed().as_secs_f64()
}

fn reopen(path: &Path, entries: &[Entry]) -> f64 {
    let journal = journal_at(path);
    FactLog::create(&journal, "bench", &[]).expect("a journal can be made");
    let (mut fact_log, _, _) = FactLog::open(&journal).expect("it opens");
    for chunk in entries.chunks(4096) {
        fact_log.append(chunk).expect("the disk takes it");
    }
    fact_log.sync().expect("the disk keeps it");
    drop(fact_log);
    let began = Instant::now();
    let (fact_log, state, _) = FactLog::open(&journal).expect("it opens");
    let took = began.elapsed().as_secs_f64();
    assert_eq!(fact_log.head(), entries.len() as u64);
    assert!(state.turns > 100, "the mission was replayed");
    took
}

fn journal_at(path: &Path) -> MissionJournal {
    let store = FileStore::new(JournalKey::new(&[7; JournalKey::BYTES]));
    MissionJournal::new(Arc::new(store), path.to_owned())
}

fn entries(count: usize) -> Vec<Entry> {
    let mut mission = LongMission::new();
    let mut entries = Vec::with_capacity(count + 16);
    while entries.len() < count {
        let event = mission.next_event();
        entries.extend(mission.advance(event));
    }
    entries.truncate(count);
    entries
}
