//! A disk that fails while the journal is written.

use std::io;

use journal::{
    Journal, JournalError,
    faulty::{Faulty, Syncs},
};

use crate::{key, replay, sample, write_all};

/// A journal with the sample in it, synced, and the disk under it.
fn sound() -> (Journal, Faulty) {
    let disk = Faulty::new();
    let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
    write_all(&mut journal, &sample());
    (journal, disk)
}

#[track_caller]
fn is_poisoned(journal: &mut Journal) {
    assert!(matches!(journal.append(journal.head(), &["{}"]), Err(JournalError::Poisoned { .. })));
    assert!(matches!(journal.sync(), Err(JournalError::Poisoned { .. })));
}

#[test]
fn a_short_write_is_finished() {
    for taken in 1..60 {
        let (mut journal, disk) = sound();
        disk.shorten_next_write(taken);
        let kept = [r#"{"kept":1}"#, r#"{"kept":2}"#];
        assert_eq!(journal.append(7, &kept).unwrap(), 9);
        journal.sync().unwrap();
        let opened = Journal::open_on(Box::new(disk), &key()).unwrap();
        assert!(opened.cut.is_none());
        assert_eq!(replay(&opened.journal)[7..], kept);
    }
}

#[test]
fn a_write_that_finds_no_room_is_taken_back_and_poisons() {
    for taken in 0..60 {
        let (mut journal, disk) = sound();
        let before = disk.bytes();
        disk.leave_space(taken);
        let error = journal.append(7, &[r#"{"lost":1}"#, r#"{"lost":2}"#]).unwrap_err();
        assert!(matches!(error, JournalError::Disk { .. }), "{error}");
        assert_eq!(disk.bytes(), before);
        is_poisoned(&mut journal);
        assert_eq!(journal.head(), 7);
    }
}

#[test]
fn a_disk_that_takes_nothing_is_not_asked_for_ever() {
    let (mut journal, disk) = sound();
    disk.shorten_next_write(0);
    assert!(matches!(journal.append(7, &["{}"]), Err(JournalError::Disk { .. })));
    is_poisoned(&mut journal);
}

#[test]
fn a_full_disk_is_said_as_such_and_poisons() {
    let (mut journal, disk) = sound();
    disk.leave_space(0);
    let error = journal.append(7, &["{}"]).unwrap_err();
    assert!(
        matches!(&error, JournalError::Disk { source, .. } if source.kind() == io::ErrorKind::StorageFull),
        "{error}"
    );
    is_poisoned(&mut journal);
}

#[test]
fn a_short_write_that_cannot_be_taken_back_is_cut_at_the_next_opening() {
    let (mut journal, disk) = sound();
    let before = disk.bytes();
    disk.leave_space(60);
    disk.refuse_truncation();
    journal.append(7, &[r#"{"lost":1}"#, r#"{"lost":2}"#]).unwrap_err();
    is_poisoned(&mut journal);
    assert_eq!(disk.bytes().len(), before.len() + 60);

    disk.crash(usize::MAX);
    let opened = Journal::open_on(Box::new(disk.clone()), &key()).unwrap();
    let cut = opened.cut.unwrap();
    assert_eq!((cut.bytes, cut.entries), (60, 1));
    assert_eq!(disk.bytes(), before);
    assert_eq!(replay(&opened.journal), sample().concat());
}

#[test]
fn a_failed_sync_is_never_tried_again() {
    let (mut journal, disk) = sound();
    journal.append(7, &[r#"{"doubtful":1}"#]).unwrap();
    disk.answer_syncs(Syncs::Failing);
    assert!(matches!(journal.sync(), Err(JournalError::Disk { .. })));
    // The disk would say yes now; that would be a lie about the bytes it dropped.
    disk.answer_syncs(Syncs::Honest);
    is_poisoned(&mut journal);
}

#[test]
fn after_a_failed_sync_and_a_crash_at_any_byte_only_complete_batches_remain() {
    let (mut journal, disk) = sound();
    journal.append(7, &[r#"{"doubtful":1}"#, r#"{"doubtful":2}"#]).unwrap();
    disk.answer_syncs(Syncs::Failing);
    journal.sync().unwrap_err();
    let (unsynced, file) = (disk.unsynced(), disk.bytes());
    for spared in 0..=unsynced {
        let disk = Faulty::holding(&file[..file.len() - unsynced + spared]);
        let journal = Journal::open_on(Box::new(disk), &key()).unwrap().journal;
        assert_eq!(journal.head(), if spared == unsynced { 9 } else { 7 });
        assert_eq!(replay(&journal)[..7], sample().concat());
    }
}

#[test]
fn a_disk_that_lies_about_syncs_loses_whole_batches_but_no_half_ones() {
    let (mut journal, disk) = sound();
    disk.answer_syncs(Syncs::Lying);
    journal.append(7, &[r#"{"lost":1}"#]).unwrap();
    journal.sync().unwrap();
    disk.crash(0);
    assert_eq!(replay(&Journal::open_on(Box::new(disk), &key()).unwrap().journal), sample().concat());
}

#[test]
fn what_opening_replays_is_durable_from_then_on() {
    let (mut journal, disk) = sound();
    journal.append(7, &[r#"{"complete":"not synced"}"#]).unwrap();
    assert!(disk.unsynced() > 0);
    // The process dies here, not the machine.
    drop(journal);
    let opened = Journal::open_on(Box::new(disk.clone()), &key()).unwrap();
    assert_eq!((opened.journal.head(), disk.unsynced()), (8, 0));
}

#[test]
fn opening_fails_if_what_it_found_cannot_be_made_durable() {
    let (mut journal, disk) = sound();
    journal.append(7, &["{}"]).unwrap();
    disk.answer_syncs(Syncs::Failing);
    assert!(matches!(Journal::open_on(Box::new(disk), &key()), Err(JournalError::Disk { .. })));
}

#[test]
fn several_appends_share_one_sync() {
    let (mut journal, disk) = sound();
    for seq in 7..20 {
        journal.append(seq, &["{}"]).unwrap();
    }
    assert!(disk.unsynced() > 0);
    journal.sync().unwrap();
    disk.crash(0);
    assert_eq!(Journal::open_on(Box::new(disk), &key()).unwrap().journal.head(), 20);
}
