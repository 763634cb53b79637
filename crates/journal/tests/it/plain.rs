//! What the journal does on a good day.

use std::fs;

use journal::{Journal, JournalError, Reader};

use crate::{fresh, read, replay, sample, write_all};

/// Written by the first release. Whatever we change, this stays readable.
const GOLDEN: &str = r#"{"journal":1,"mission":"m-\"7\"","crc":"c05a80ba"}
{"seq":1,"left":1,"entry":{"said":"hello"},"crc":"6c5205b6"}
{"seq":2,"left":0,"entry":{"said":"again"},"crc":"d3dce573"}
{"seq":3,"left":0,"entry":{"n":3},"crc":"d9dac571"}
"#;

#[test]
fn what_was_written_is_replayed() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m-1").unwrap();
    write_all(&mut journal, &sample());
    assert_eq!(replay(&journal), sample().concat());
    drop(journal);

    let opened = Journal::open(&path).unwrap();
    assert_eq!(opened.cut, None);
    assert_eq!(opened.journal.mission(), "m-1");
    assert_eq!(opened.journal.path(), path);
    assert_eq!(replay(&opened.journal), sample().concat());
}

#[test]
fn the_form_on_disk_is_the_released_one() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m-\"7\"").unwrap();
    journal.append(0, &[r#"{"said":"hello"}"#, r#"{"said":"again"}"#]).unwrap();
    journal.append(2, &[r#"{"n":3}"#]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), GOLDEN);
}

#[test]
fn the_released_form_stays_readable() {
    let (_folder, path) = fresh();
    fs::write(&path, GOLDEN).unwrap();
    let opened = Journal::open(&path).unwrap();
    assert_eq!(opened.journal.mission(), "m-\"7\"");
    assert_eq!(replay(&opened.journal), [r#"{"said":"hello"}"#, r#"{"said":"again"}"#, r#"{"n":3}"#]);
}

#[test]
fn every_line_is_json() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "tab\t and \"quotes\"").unwrap();
    write_all(&mut journal, &sample());
    for line in fs::read_to_string(&path).unwrap().lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).unwrap().is_object());
    }
    assert_eq!(Reader::open(&path).unwrap().mission(), "tab\t and \"quotes\"");
}

#[test]
fn an_append_on_an_old_head_is_a_conflict_and_writes_nothing() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m").unwrap();
    assert_eq!(journal.append(0, &["{}", "{}"]).unwrap(), 2);
    let before = fs::read(&path).unwrap();
    let error = journal.append(1, &["{}"]).unwrap_err();
    assert!(matches!(error, JournalError::Conflict { expected: 1, head: 2, .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(journal.append(2, &["{}"]).unwrap(), 3);
}

#[test]
fn what_is_no_entry_is_refused_and_the_journal_goes_on() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m").unwrap();
    let long = format!(r#"{{"x":"{}"}}"#, "x".repeat(16 << 20));
    for body in ["", "[]", "{}\n", "{\n}", "{\0}", "{\"a\":\"\t\"}", &long] {
        let error = journal.append(0, &["{}", body]).unwrap_err();
        assert!(matches!(error, JournalError::Unfit { .. }), "{error}");
    }
    assert_eq!(journal.append(0, &["{}"]).unwrap(), 1);
    assert_eq!(replay(&journal), ["{}"]);
}

#[test]
fn an_empty_batch_leaves_no_trace() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m").unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(journal.append(0, &[""; 0]).unwrap(), 0);
    journal.sync().unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_body_longer_than_the_buffer_comes_back() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m").unwrap();
    let bodies: Vec<_> =
        [10, 300_000, 5, 3_000_000, 0].map(|length| format!(r#"{{"x":"{}"}}"#, "x".repeat(length))).to_vec();
    write_all(&mut journal, std::slice::from_ref(&bodies));
    drop(journal);
    assert_eq!(replay(&Journal::open(&path).unwrap().journal), bodies);
    assert_eq!(read(&mut Reader::open(&path).unwrap()), [bodies]);
}

#[test]
fn create_does_not_touch_what_exists() {
    let (_folder, path) = fresh();
    fs::write(&path, "something").unwrap();
    let error = Journal::create(&path, "m").unwrap_err();
    assert!(matches!(error, JournalError::Exists { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "something");
}

#[test]
fn a_missing_journal_is_missing_and_nothing_is_made() {
    let (folder, path) = fresh();
    assert!(matches!(Journal::open(&path), Err(JournalError::Missing { .. })));
    assert!(matches!(Reader::open(&path), Err(JournalError::Missing { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn messages_name_the_thing() {
    let (_folder, path) = fresh();
    fs::write(&path, "").unwrap();
    let message = Journal::open(&path).unwrap_err().to_string();
    assert_eq!(message, format!("{} is damaged at line 1: it is not a header", path.display()));
}
