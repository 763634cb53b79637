//! One suite of crashes and races, which every store passes: files on the real disk, the same form on disks that fail,
//! and memory.

use std::{ops::ControlFlow, path::Path, process, thread, time::Duration};

use journal::{Bookmark, JournalError, LogReader, LogStore as _, LogWriter, MemoryStore};

use crate::{sample, trial::Trial};

/// Each law, asked of each store.
macro_rules! suite {
    ($($law:ident)*) => {
        mod on_files {
            $(#[test] fn $law() {
                let folder = tempfile::tempdir().unwrap();
                // The writers of one process ring: nothing has to be looked for.
                let store = journal::FileStore::new(crate::key()).polling_every(std::time::Duration::MAX);
                super::$law(&crate::trial::Files(folder, store));
            })*
        }
        mod on_faulty_disks {
            $(#[test] fn $law() {
                super::$law(&journal::faulty::FaultyStore::new(crate::key()));
            })*
        }
        mod in_memory {
            $(#[test] fn $law() {
                super::$law(&journal::MemoryStore::new());
            })*
        }
    };
}

suite! {
    what_goes_in_comes_out
    an_append_on_an_old_head_is_a_conflict_and_writes_nothing
    what_is_no_entry_is_refused_and_the_log_goes_on
    one_writes_and_the_next_has_a_greater_fence
    of_many_who_open_at_once_one_wins
    all_who_append_in_turn_are_kept
    readers_see_whole_batches_beside_a_writer
    every_follower_hears_every_batch
    a_crash_keeps_what_was_synced_and_no_half_batch
    a_writer_whose_machine_died_writes_no_more
    what_opening_replays_is_durable_from_then_on
    after_a_failed_sync_nothing_more_is_taken
    after_a_failed_write_nothing_more_is_taken
    a_reader_that_saw_what_a_crash_took_is_told
    from_every_bookmark_the_same_batches_follow
    a_bookmark_of_another_log_is_refused
    logs_of_one_store_do_not_touch_one_another
}

fn bodies(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn write_all(writer: &mut dyn LogWriter, batches: &[Vec<String>]) {
    for batch in batches {
        writer.append(writer.head(), batch).unwrap();
    }
    writer.sync().unwrap();
}

fn read(reader: &mut dyn LogReader) -> Vec<Vec<String>> {
    std::iter::from_fn(|| reader.next_batch().unwrap()).map(|batch| batch.bodies).collect()
}

fn replayed(writer: &dyn LogWriter) -> Vec<String> {
    let mut all = Vec::new();
    let see = &mut |entry: journal::ScannedEntry<'_>| {
        all.push(entry.body.to_owned());
        assert_eq!(entry.seq, all.len() as u64);
        ControlFlow::Continue(())
    };
    writer.replay(see).unwrap();
    assert_eq!(writer.head(), all.len() as u64);
    all
}

/// What is seen while a log is opened is what a replay of it shows, up to where the look breaks off.
fn seen_while_opening(trial: &impl Trial, log: &Path) -> Vec<String> {
    let mut seen = Vec::new();
    let opened = trial.store().open_replaying(log, &mut |entry| {
        seen.push(entry.body.to_owned());
        assert_eq!(entry.seq, seen.len() as u64);
        ControlFlow::Continue(())
    });
    let writer = opened.unwrap().writer;
    assert_eq!(seen, replayed(writer.as_ref()));
    drop(writer);
    for most in 1..=seen.len() {
        let mut count = 0;
        let opened = trial.store().open_replaying(log, &mut |_| {
            count += 1;
            if count == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((count, opened.unwrap().writer.head()), (most, seen.len() as u64));
    }
    seen
}

fn is_poisoned(writer: &mut dyn LogWriter) -> bool {
    let head = writer.head();
    matches!(writer.append(head, &bodies(&["{}"])), Err(JournalError::Poisoned { .. }))
        && matches!(writer.sync(), Err(JournalError::Poisoned { .. }))
}

/// A writer of a log that dies later, without a word.
fn dies(trial: &impl Trial, log: &Path, writer: Box<dyn LogWriter>, spared: usize) -> Box<dyn LogWriter> {
    drop(writer);
    trial.crash(log, spared);
    trial.store().open(log).unwrap().writer
}

fn what_goes_in_comes_out(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    assert!(matches!(store.open(&log), Err(JournalError::Missing { .. })));
    assert!(matches!(store.read_from(&log, 1), Err(JournalError::Missing { .. })));
    let mut writer = store.create(&log, "m-\"7\"").unwrap();
    write_all(writer.as_mut(), &sample());
    assert_eq!(replayed(writer.as_ref()), sample().concat());
    drop(writer);
    let opened = store.open(&log).unwrap();
    assert_eq!((opened.writer.owner(), &opened.cut), ("m-\"7\"", &None));
    assert_eq!(replayed(opened.writer.as_ref()), sample().concat());
    let mut first = None;
    opened
        .writer
        .replay(&mut |entry| {
            first = Some(entry.seq);
            ControlFlow::Break(())
        })
        .unwrap();
    assert_eq!(first, Some(1), "it breaks off where it is told to");
    drop(opened);
    assert_eq!(seen_while_opening(trial, &log), sample().concat());
    for seq in 1..=7 {
        let mut reader = store.read_from(&log, seq).unwrap();
        assert_eq!(reader.owner(), "m-\"7\"");
        assert_eq!(read(reader.as_mut()).concat(), sample().concat()[seq as usize - 1..]);
    }
    assert_eq!(store.read_from(&log, 3).unwrap().next_batch().unwrap().unwrap().first, 3);
    assert_eq!(store.read_from(&log, 99).unwrap().next_batch().unwrap(), None);
}

fn an_append_on_an_old_head_is_a_conflict_and_writes_nothing(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    assert_eq!(writer.append(0, &bodies(&["{}", "{}"])).unwrap(), 2);
    for wrong in [0, 1, 3, u64::MAX] {
        let error = writer.append(wrong, &bodies(&["{}"])).unwrap_err();
        assert!(
            matches!(error, JournalError::Conflict { expected, head: 2, .. } if expected == wrong),
            "{error}"
        );
    }
    assert_eq!(writer.append(2, &[]).unwrap(), 2, "an empty batch leaves no trace");
    assert_eq!(replayed(writer.as_ref()), ["{}", "{}"]);
    assert_eq!(writer.append(2, &bodies(&["{}"])).unwrap(), 3);
}

fn what_is_no_entry_is_refused_and_the_log_goes_on(trial: &impl Trial) {
    let mut writer = trial.store().create(&trial.log("a"), "m").unwrap();
    for body in ["", "[]", "{}\n", "{\n}", "{\0}"] {
        let error = writer.append(0, &bodies(&["{}", body])).unwrap_err();
        assert!(matches!(error, JournalError::Unfit { .. }), "{error}");
    }
    assert_eq!(writer.append(0, &bodies(&["{}"])).unwrap(), 1);
}

fn one_writes_and_the_next_has_a_greater_fence(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    assert!(matches!(store.create(&log, "m"), Err(JournalError::Exists { .. })));
    for fence in 1..6 {
        assert_eq!((writer.fence(), store.holder(&log)), (fence, Some(process::id())));
        let error = store.open(&log).unwrap_err();
        assert!(matches!(error, JournalError::Held { pid, .. } if pid == process::id()), "{error}");
        drop(writer);
        // A test beside us may be starting a child, which has our files open until it is exec'd.
        while store.holder(&log).is_some() {
            thread::sleep(Duration::from_millis(1));
        }
        writer = store.open(&log).unwrap().writer;
    }
}

fn of_many_who_open_at_once_one_wins(trial: &(impl Trial + Sync)) {
    let (store, log) = (trial.store(), trial.log("a"));
    drop(store.create(&log, "m").unwrap());
    for _ in 0..10 {
        let opened: Vec<_> = thread::scope(|scope| {
            let openers: Vec<_> = (0..4).map(|_| scope.spawn(|| store.open(&log))).collect();
            openers.into_iter().map(|opener| opener.join().unwrap()).collect()
        });
        assert_eq!(opened.iter().filter(|opened| opened.is_ok()).count(), 1);
        assert!(
            opened
                .iter()
                .flat_map(|opened| opened.as_ref().err())
                .all(|error| matches!(error, JournalError::Held { .. }))
        );
    }
}

/// Writers in turn, each on the head that it last saw: a conflict is told, and the next try is on the true head.
fn all_who_append_in_turn_are_kept(trial: &(impl Trial + Sync)) {
    let (store, log) = (trial.store(), trial.log("a"));
    drop(store.create(&log, "m").unwrap());
    thread::scope(|scope| {
        for name in 0..3 {
            let log = &log;
            scope.spawn(move || {
                let (mut known, mut written) = (0, 0);
                while written < 10 {
                    let Ok(mut opened) = store.open(log) else {
                        thread::yield_now();
                        continue;
                    };
                    let body = bodies(&[&format!(r#"{{"by":{name},"n":{written}}}"#)]);
                    match opened.writer.append(known, &body) {
                        Ok(head) => {
                            opened.writer.sync().unwrap();
                            (known, written) = (head, written + 1);
                        }
                        Err(JournalError::Conflict { head, .. }) => known = head,
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    let kept = read(store.read_from(&log, 1).unwrap().as_mut()).concat();
    for name in 0..3 {
        let own: Vec<_> = kept.iter().filter(|body| body.contains(&format!(r#""by":{name},"#))).collect();
        let told: Vec<_> = (0..10).map(|n| format!(r#"{{"by":{name},"n":{n}}}"#)).collect();
        assert_eq!(own, told.iter().collect::<Vec<_>>());
    }
}

/// Follows from the number of its first entry, so that a half batch can be told.
fn batch_of(first: u64) -> Vec<String> {
    (first..=first + first % 7)
        .map(|n| format!(r#"{{"n":{n},"x":"{}"}}"#, "x".repeat(n as usize % 300)))
        .collect()
}

fn readers_see_whole_batches_beside_a_writer(trial: &(impl Trial + Sync)) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            while writer.head() < 3000 {
                let head = writer.head();
                writer.append(head, &batch_of(head + 1)).unwrap();
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let mut reader = store.read_from(&log, 1).unwrap();
                let mut next = 1;
                while next <= 3000 {
                    if let Some(batch) = reader.next_batch().unwrap() {
                        assert_eq!((batch.first, &batch.bodies), (next, &batch_of(next)));
                        next += batch.bodies.len() as u64;
                    }
                }
            });
        }
    });
}

fn every_follower_hears_every_batch(trial: &(impl Trial + Sync)) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut reader = store.read_from(&log, 1).unwrap();
                let mut next = 1;
                while next <= 300 {
                    let batch = reader.follow(Duration::from_secs(20)).unwrap().expect("a batch in time");
                    assert_eq!((batch.first, &batch.bodies), (next, &batch_of(next)));
                    next += batch.bodies.len() as u64;
                }
            });
        }
        scope.spawn(move || {
            while writer.head() < 310 {
                let head = writer.head();
                writer.append(head, &batch_of(head + 1)).unwrap();
                writer.sync().unwrap();
                if head % 5 == 0 {
                    // Now and then the followers have the time to fall asleep.
                    thread::sleep(Duration::from_millis(1));
                }
            }
        });
    });
    let mut late = store.read_from(&log, 10_000).unwrap();
    assert_eq!(late.follow(Duration::from_millis(1)).unwrap(), None, "patience ends");
}

fn a_crash_keeps_what_was_synced_and_no_half_batch(trial: &impl Trial) {
    let synced = &sample()[..2];
    let risked = [bodies(&[r#"{"risk":1}"#, r#"{"risk":2}"#]), bodies(&[r#"{"risk":3}"#])];
    let mut spared = 0;
    loop {
        let log = trial.log(&format!("spared-{spared}"));
        let mut writer = trial.store().create(&log, "m").unwrap();
        write_all(writer.as_mut(), synced);
        for batch in &risked {
            writer.append(writer.head(), batch).unwrap();
        }
        let at_risk = trial.at_risk(&log, risked.len());
        let mut writer = dies(trial, &log, writer, spared);
        let kept = replayed(writer.as_ref());
        let whole: Vec<_> =
            (0..=risked.len()).map(|count| [synced, &risked[..count]].concat().concat()).collect();
        assert!(whole.contains(&kept), "{spared} of {at_risk}: {kept:?}");
        assert_eq!(kept == whole[2], spared >= at_risk, "{spared} of {at_risk}");
        assert!(spared > 0 || at_risk == 0 || kept == whole[0], "{kept:?}");
        assert_eq!(read(trial.store().read_from(&log, 1).unwrap().as_mut()).concat(), kept);
        writer.append(writer.head(), &bodies(&["{}"])).unwrap();
        writer.sync().unwrap();
        if spared >= at_risk {
            return;
        }
        spared += 1;
    }
}

fn a_writer_whose_machine_died_writes_no_more(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut dead = store.create(&log, "m").unwrap();
    write_all(dead.as_mut(), &sample());
    trial.crash(&log, 0);
    let Ok(opened) = store.open(&log) else {
        // On the real disk a living writer keeps its lock.
        return assert_eq!(store.holder(&log), Some(process::id()));
    };
    let mut living = opened.writer;
    assert!(is_poisoned(dead.as_mut()));
    assert!(living.fence() > dead.fence());
    drop(dead);
    assert!(store.holder(&log).is_some(), "the dead one's end does not free the living one's seat");
    write_all(living.as_mut(), &sample());
    assert_eq!(replayed(living.as_ref()), [sample(), sample()].concat().concat());
}

fn what_opening_replays_is_durable_from_then_on(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    writer.append(0, &bodies(&[r#"{"complete":"not synced"}"#])).unwrap();
    // The process dies here, not the machine.
    drop(writer);
    let writer = store.open(&log).unwrap().writer;
    assert_eq!(writer.head(), 1);
    assert_eq!(dies(trial, &log, writer, 0).head(), 1);
}

fn after_a_failed_sync_nothing_more_is_taken(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    write_all(writer.as_mut(), &sample());
    if !trial.fail_next_sync(&log) {
        return;
    }
    writer.append(7, &bodies(&[r#"{"doubtful":1}"#])).unwrap();
    assert!(matches!(writer.sync(), Err(JournalError::Disk { .. })));
    assert!(is_poisoned(writer.as_mut()));
    assert_eq!(replayed(dies(trial, &log, writer, 0).as_ref()), sample().concat());
}

fn after_a_failed_write_nothing_more_is_taken(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    write_all(writer.as_mut(), &sample());
    if !trial.fail_next_write(&log) {
        return;
    }
    let error = writer.append(7, &bodies(&[r#"{"lost":1}"#])).unwrap_err();
    assert!(matches!(error, JournalError::Disk { .. }), "{error}");
    assert_eq!(writer.head(), 7);
    assert!(is_poisoned(writer.as_mut()));
    assert_eq!(read(store.read_from(&log, 1).unwrap().as_mut()), sample());
    assert_eq!(replayed(dies(trial, &log, writer, usize::MAX).as_ref()), sample().concat());
}

fn a_reader_that_saw_what_a_crash_took_is_told(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    write_all(writer.as_mut(), &sample()[..1]);
    writer.append(1, &bodies(&[r#"{"unsynced":1}"#, "{}"])).unwrap();
    let mut reader = store.read_from(&log, 1).unwrap();
    assert_eq!(read(reader.as_mut()).len(), 2);
    let mark = reader.bookmark();
    let is_at_risk = trial.at_risk(&log, 1) > 0;
    let mut writer = dies(trial, &log, writer, 0);
    let is_damage = |result| matches!(result, Err(JournalError::Damaged { .. }));
    if is_at_risk {
        assert!(is_damage(reader.next_batch().map(drop)));
        assert!(is_damage(store.read_at(&log, &mark).map(drop)));
        // As much as was lost is written again, and is another thing.
        writer.append(1, &bodies(&[r#"{"unsynced":2}"#, "{}"])).unwrap();
        writer.sync().unwrap();
        assert!(is_damage(store.read_at(&log, &mark).map(drop)));
    }
    writer.append(3, &bodies(&["{}"])).unwrap();
    assert_eq!(is_at_risk, is_damage(reader.next_batch().map(drop)));
}

fn from_every_bookmark_the_same_batches_follow(trial: &impl Trial) {
    let (store, log) = (trial.store(), trial.log("a"));
    let mut writer = store.create(&log, "m").unwrap();
    write_all(writer.as_mut(), &sample());
    let mut reader = store.read_from(&log, 1).unwrap();
    let mut marks: Vec<Bookmark> = vec![reader.bookmark()];
    while reader.next_batch().unwrap().is_some() {
        marks.push(reader.bookmark());
    }
    write_all(writer.as_mut(), &sample());
    let all = [sample(), sample()].concat();
    for (at, mark) in marks.iter().enumerate() {
        let mut reader = store.read_at(&log, mark).unwrap();
        assert_eq!(reader.owner(), "m");
        assert_eq!(read(reader.as_mut()), all[at..]);
    }
    let part = store.read_from(&log, 3).unwrap().bookmark();
    assert_eq!(store.read_at(&log, &part).unwrap().next_batch().unwrap().unwrap().first, 3);
}

fn a_bookmark_of_another_log_is_refused(trial: &impl Trial) {
    let store = trial.store();
    let logs = [trial.log("a"), trial.log("b")];
    let mut other = sample();
    other[0] = bodies(&[r#"{"said":"two"}"#]);
    for (log, batches) in logs.iter().zip([sample(), other]) {
        write_all(store.create(log, "m").unwrap().as_mut(), &batches);
    }
    let mut reader = store.read_from(&logs[0], 1).unwrap();
    while reader.next_batch().unwrap().is_some() {
        assert!(matches!(store.read_at(&logs[1], &reader.bookmark()), Err(JournalError::Damaged { .. })));
    }
}

fn logs_of_one_store_do_not_touch_one_another(trial: &impl Trial) {
    let (store, logs) = (trial.store(), [trial.log("a"), trial.log("b")]);
    let mut writers: Vec<_> = logs.iter().map(|log| store.create(log, "m").unwrap()).collect();
    let mut follower = store.read_from(&logs[1], 1).unwrap();
    let before = store.signal(&logs[1]).count();
    write_all(writers[0].as_mut(), &sample());
    assert_eq!(store.signal(&logs[1]).count(), before, "the other's followers sleep on");
    assert_eq!(follower.next_batch().unwrap(), None);
    write_all(writers[1].as_mut(), &sample()[..1]);
    trial.crash(&logs[0], 0);
    writers[1].append(1, &bodies(&["{}"])).unwrap();
    assert_eq!(read(follower.as_mut()).len(), 2);
    assert_eq!(read(store.read_from(&logs[0], 1).unwrap().as_mut()), sample());
}

#[test]
fn clones_of_a_store_in_memory_are_the_same_store() {
    let store = MemoryStore::new();
    let mut writer = store.clone().create(Path::new("a"), "m").unwrap();
    write_all(writer.as_mut(), &sample());
    assert_eq!(read(store.read_from(Path::new("a"), 1).unwrap().as_mut()), sample());
}
