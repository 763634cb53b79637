//! What every store promises, asked of each of them.

use std::{
    path::{Path, PathBuf},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::{Context, Poll, Wake},
    thread,
    time::{Duration, Instant},
};

use journal::{FileStore, LogSignal, LogStore};
use tempfile::TempDir;

use crate::key;

fn bodies(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A store of files and a place for logs.
fn files() -> (TempDir, FileStore, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("journal.jsonl");
    (folder, FileStore::new(key()), log)
}

#[test]
fn a_follower_is_woken_by_the_writer_of_its_process() {
    let (_folder, store, log) = files();
    // It would never look by itself.
    let store = store.polling_every(Duration::MAX);
    a_follower_hears_every_batch(&store, &log);
}

fn a_follower_hears_every_batch(store: &dyn LogStore, log: &Path) {
    let mut writer = store.create(log, "m").unwrap();
    let mut reader = store.read_from(log, 1).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            for head in 0..200 {
                writer.append(head, &bodies(&["{}"])).unwrap();
                writer.sync().unwrap();
            }
        });
        for seq in 1..=200 {
            let batch = reader.follow(Duration::from_secs(30)).unwrap();
            assert_eq!(batch.map(|batch| batch.first), Some(seq));
        }
    });
    assert_eq!(reader.follow(Duration::from_millis(1)).unwrap(), None);
}

#[test]
fn a_follower_is_woken_from_outside() {
    let (_folder, store, log) = files();
    let store = store.polling_every(Duration::MAX);
    drop(store.create(&log, "m").unwrap());
    let mut reader = store.read_from(&log, 1).unwrap();
    let (waits, began) = mpsc::channel();
    thread::scope(|scope| {
        let follower = scope.spawn(move || {
            waits.send(()).unwrap();
            reader.follow(Duration::from_secs(30)).unwrap()
        });
        began.recv().unwrap();
        // Another store value is like another process: it does not ring here.
        let mut writer = FileStore::new(key()).open(&log).unwrap().writer;
        writer.append(0, &bodies(&["{}"])).unwrap();
        writer.sync().unwrap();
        store.signal(&log).ring();
        assert!(follower.join().unwrap().is_some());
    });
}

#[test]
fn a_follower_of_files_looks_for_what_other_processes_wrote() {
    let (_folder, store, log) = files();
    drop(store.create(&log, "m").unwrap());
    let mut reader = store.read_from(&log, 1).unwrap();
    let mut writer = FileStore::new(key()).open(&log).unwrap().writer;
    writer.append(0, &bodies(&["{}"])).unwrap();
    assert!(reader.follow(Duration::from_secs(30)).unwrap().is_some());
}

/// Counts how often it was woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_task_is_woken_once_by_the_next_ring() {
    let signal = LogSignal::default();
    let woken = Arc::new(Woken::default());
    let waker = Arc::clone(&woken).into();
    let mut context = Context::from_waker(&waker);
    let seen = signal.count();
    let mut moved = pin!(signal.moved(seen));
    for _ in 0..3 {
        assert!(moved.as_mut().poll(&mut context).is_pending());
    }
    signal.ring();
    signal.ring();
    assert_eq!(woken.0.load(Ordering::SeqCst), 1);
    assert_eq!(moved.as_mut().poll(&mut context), Poll::Ready(seen + 2));
}

#[test]
fn a_ring_before_the_wait_is_not_lost() {
    let signal = LogSignal::default();
    let seen = signal.count();
    signal.ring();
    let began = Instant::now();
    assert_eq!(signal.wait(seen, Duration::from_secs(30)), seen + 1);
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(signal.wait(seen + 1, Duration::from_millis(1)), seen + 1);
}
