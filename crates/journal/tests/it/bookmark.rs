//! Places in a journal that one comes back to.

use std::fs;

use journal::{Bookmark, Journal, JournalError, Reader};
use proptest::{collection::vec, prelude::*};
use tempfile::TempDir;

use crate::{fresh, key, read, sample, write_all};

/// A journal of these batches.
fn written(batches: &[Vec<String>]) -> (TempDir, std::path::PathBuf, Journal) {
    let (folder, path) = fresh();
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    write_all(&mut journal, batches);
    (folder, path, journal)
}

/// The bookmark before each batch, and the one after the last.
fn bookmarks(path: &std::path::Path) -> Vec<Bookmark> {
    let mut reader = Reader::open(path, &key()).unwrap();
    let mut marks = vec![reader.bookmark()];
    while reader.next_batch().unwrap().is_some() {
        marks.push(reader.bookmark());
    }
    marks
}

fn is_damage(result: Result<Reader, JournalError>) -> bool {
    matches!(result, Err(JournalError::Damaged { .. }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn from_every_bookmark_the_same_batches_follow(sizes in vec(1..5usize, 0..12), more in vec(1..5usize, 0..4)) {
        let numbered = |sizes: &[usize]| -> Vec<Vec<String>> {
            sizes.iter().map(|size| (0..*size).map(|n| format!(r#"{{"n":{n},"of":{size}}}"#)).collect()).collect()
        };
        let mut batches = numbered(&sizes);
        let (_folder, path, mut journal) = written(&batches);
        let marks = bookmarks(&path);
        prop_assert_eq!(marks.len(), batches.len() + 1);
        for (at, mark) in marks.iter().enumerate() {
            prop_assert_eq!(&read(&mut Reader::open_at(&path, mark, &key()).unwrap()), &batches[at..]);
        }
        // It grew since.
        write_all(&mut journal, &numbered(&more));
        batches.extend(numbered(&more));
        for (at, mark) in marks.iter().enumerate() {
            let mut reader = Reader::open_at(&path, mark, &key()).unwrap();
            let first = batches[..at].concat().len() as u64 + 1;
            prop_assert_eq!(reader.mission(), "m");
            if let Some(batch) = reader.next_batch().unwrap() {
                prop_assert_eq!(batch.first, first);
                prop_assert_eq!(&batch.bodies, &batches[at]);
            }
            let rest = (at + 1).min(batches.len());
            prop_assert_eq!(&read(&mut reader), &batches[rest..]);
        }
    }
}

#[test]
fn a_bookmark_goes_on_with_what_is_to_come() {
    let (_folder, path, mut journal) = written(&sample());
    let end = bookmarks(&path).pop().unwrap();
    let mut reader = Reader::open_at(&path, &end, &key()).unwrap();
    assert_eq!(reader.next_batch().unwrap(), None);
    journal.append(7, &["{}"]).unwrap();
    assert_eq!(reader.next_batch().unwrap().unwrap().first, 8);
}

#[test]
fn a_bookmark_keeps_what_the_reader_passes_over() {
    let (_folder, path, _journal) = written(&sample());
    let mark = Reader::from(&path, 3, &key()).unwrap().bookmark();
    let batch = Reader::open_at(&path, &mark, &key()).unwrap().next_batch().unwrap().unwrap();
    assert_eq!((batch.first, batch.bodies.len()), (3, 2));
}

#[test]
fn a_bookmark_of_another_journal_is_refused() {
    let (_folder, path, _journal) = written(&sample());
    let marks = bookmarks(&path);
    let mut other = sample();
    other[0] = vec![r#"{"said":"two"}"#.to_owned()];
    let (_elsewhere, same_length, _other) = written(&other);
    for mark in &marks[1..] {
        assert!(is_damage(Reader::open_at(&same_length, mark, &key())));
    }
}

#[test]
fn a_bookmark_behind_the_end_is_refused_whatever_is_left() {
    let (_folder, path, _journal) = written(&sample());
    let marks = bookmarks(&path);
    let whole = fs::read(&path).unwrap();
    let last = marks.last().unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(is_damage(Reader::open_at(&path, last, &key())), "{length} bytes are left");
    }
}

#[test]
fn a_change_behind_a_bookmark_is_seen_when_it_is_read() {
    let (_folder, path, _journal) = written(&sample());
    let marks = bookmarks(&path);
    let mut file = fs::read(&path).unwrap();
    let at = file.len() - 40;
    file[at] ^= 1;
    fs::write(&path, &file).unwrap();
    let mut reader = Reader::open_at(&path, &marks[3], &key()).unwrap();
    assert!(matches!(reader.next_batch(), Err(JournalError::Damaged { line: 8, .. })));
}
