//! Readers beside a writer.

use std::{fs, io::Write, thread};

use journal::{Batch, Journal, JournalError, Reader, faulty::Faulty};

use crate::{fresh, key, read, sample, write_all};

fn bodies(first: u64) -> Vec<String> {
    (first..=first + first % 7)
        .map(|n| format!(r#"{{"n":{n},"text":"{}"}}"#, "x".repeat(n as usize % 900)))
        .collect()
}

#[test]
fn a_reader_beside_a_writer_sees_whole_batches_in_order() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    let mut reader = Reader::open(&path, &key()).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            while journal.head() < 20_000 {
                let head = journal.head();
                journal.append(head, &bodies(head + 1)).unwrap();
            }
        });
        let mut next = 1;
        while next <= 20_000 {
            if let Some(batch) = reader.next_batch().unwrap() {
                assert_eq!(batch, Batch { first: next, bodies: bodies(next) });
                next += batch.bodies.len() as u64;
            }
        }
    });
}

#[test]
fn an_unfinished_batch_is_not_there_yet_at_any_byte() {
    let (_folder, path) = fresh();
    write_all(&mut Journal::create(&path, "m", &key()).unwrap(), &sample());
    let file = fs::read(&path).unwrap();
    let header = file.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    fs::write(&path, &file[..header]).unwrap();
    let mut growing = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let mut reader = Reader::open(&path, &key()).unwrap();
    let mut seen = Vec::new();
    for byte in &file[header..] {
        assert_eq!(reader.next_batch().unwrap(), None);
        growing.write_all(&[*byte]).unwrap();
        seen.extend(reader.next_batch().unwrap().map(|batch| batch.bodies));
    }
    assert_eq!(seen, sample());
}

#[test]
fn a_tail_that_the_writer_cuts_was_never_seen() {
    let (_folder, path) = fresh();
    write_all(&mut Journal::create(&path, "m", &key()).unwrap(), &sample());
    let mut reader = Reader::open(&path, &key()).unwrap();
    assert_eq!(read(&mut reader), sample());
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(br#"{"seq":8,"left":1,"entry":{"torn":"a long line that will be cut"#).unwrap();
    assert_eq!(reader.next_batch().unwrap(), None);

    let mut opened = Journal::open(&path, &key()).unwrap();
    assert!(opened.cut.is_some());
    assert_eq!(reader.next_batch().unwrap(), None);
    opened.journal.append(7, &["{}"]).unwrap();
    assert_eq!(reader.next_batch().unwrap(), Some(Batch { first: 8, bodies: vec!["{}".to_owned()] }));
}

#[test]
fn a_reader_can_start_at_any_entry_even_one_to_come() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    write_all(&mut journal, &sample());
    let all = sample().concat();
    for seq in 1..=7 {
        let mut reader = Reader::from(&path, seq, &key()).unwrap();
        assert_eq!(read(&mut reader).concat(), all[seq as usize - 1..]);
    }
    assert_eq!(Reader::from(&path, 3, &key()).unwrap().next_batch().unwrap().unwrap().first, 3);

    let mut later = Reader::from(&path, 9, &key()).unwrap();
    assert_eq!(later.next_batch().unwrap(), None);
    journal.append(7, &[r#"{"n":8}"#, r#"{"n":9}"#]).unwrap();
    assert_eq!(later.next_batch().unwrap(), Some(Batch { first: 9, bodies: vec![r#"{"n":9}"#.to_owned()] }));
}

#[test]
fn a_journal_that_became_shorter_than_what_was_read_is_damaged() {
    let disk = Faulty::new();
    let mut journal = Journal::create_on(Box::new(disk.clone()), "m", &key()).unwrap();
    journal.append(0, &["{}", "{}"]).unwrap();
    let mut reader = Reader::on(Box::new(disk.clone()), 1, &key()).unwrap();
    assert_eq!(read(&mut reader).len(), 1);
    disk.crash(0);
    assert!(matches!(reader.next_batch(), Err(JournalError::Damaged { line: 3, .. })));
}
