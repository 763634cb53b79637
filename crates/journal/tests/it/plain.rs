//! What the journal does on a good day.

use std::fs;

use journal::{Journal, JournalError, Reader};

use crate::{fresh, key, read, replay, sample, write_all};

/// Made by another program from the documents alone. Whatever we change, this stays readable.
const GOLDEN: &str = r#"{"journal":2,"mission":"m-\"7\"","seal":"3cbfdbfc333345cfbc83d3991b0677f5ab12c461e226b11c514e2950875b0f4f","crc":"1bf796e4"}
{"seq":1,"left":1,"entry":{"said":"hello"},"crc":"0cf00fcc"}
{"seq":2,"left":0,"entry":{"said":"again"},"seal":"3c2eda965df7846be5058adad021e2833d80f853da4344ec7d8d84751fca7690","crc":"61a92c9d"}
{"seq":3,"left":0,"entry":{"n":3},"seal":"9bb01eccefc34729f471280651c4edd2168ef7420ae5e4e319f1d16c525d97a4","crc":"9637481d"}
"#;

/// Written by a development version.
const FORMAT_1: &str = r#"{"journal":1,"mission":"m-\"7\"","crc":"c05a80ba"}
{"seq":1,"left":1,"entry":{"said":"hello"},"crc":"6c5205b6"}
{"seq":2,"left":0,"entry":{"said":"again"},"crc":"d3dce573"}
"#;

#[test]
fn a_journal_of_format_1_is_refused_and_left_alone() {
    let (_folder, path) = fresh();
    fs::write(&path, FORMAT_1).unwrap();
    for error in [Journal::open(&path, &key()).unwrap_err(), Reader::open(&path, &key()).unwrap_err()] {
        assert!(matches!(error, JournalError::Older { found: 1, known: 2, .. }), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), FORMAT_1);
}

#[test]
fn what_was_written_is_replayed() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m-1", &key()).unwrap();
    write_all(&mut journal, &sample());
    assert_eq!(replay(&journal), sample().concat());
    drop(journal);

    let opened = Journal::open(&path, &key()).unwrap();
    assert_eq!(opened.cut, None);
    assert_eq!(opened.journal.mission(), "m-1");
    assert_eq!(opened.journal.path(), path);
    assert_eq!(replay(&opened.journal), sample().concat());
}

#[test]
fn the_form_on_disk_is_the_released_one() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m-\"7\"", &key()).unwrap();
    journal.append(0, &[r#"{"said":"hello"}"#, r#"{"said":"again"}"#]).unwrap();
    journal.append(2, &[r#"{"n":3}"#]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), GOLDEN);
}

#[test]
fn the_released_form_stays_readable() {
    let (_folder, path) = fresh();
    fs::write(&path, GOLDEN).unwrap();
    let opened = Journal::open(&path, &key()).unwrap();
    assert_eq!(opened.journal.mission(), "m-\"7\"");
    assert_eq!(replay(&opened.journal), [r#"{"said":"hello"}"#, r#"{"said":"again"}"#, r#"{"n":3}"#]);
}

#[test]
fn the_format_is_known_without_the_key() {
    let (_folder, path) = fresh();
    fs::write(&path, GOLDEN).unwrap();
    assert_eq!(journal::format_of(&path).unwrap(), Some(2));
    fs::write(&path, "{\"journal\":1,\"mission\":\"m\",\"crc\":\"5f2c2b66\"}\n").unwrap();
    assert_eq!(journal::format_of(&path).unwrap(), None, "a checksum that does not hold says nothing");
    fs::write(&path, FORMAT_1).unwrap();
    assert_eq!(journal::format_of(&path).unwrap(), Some(1));
    fs::write(&path, "something").unwrap();
    assert_eq!(journal::format_of(&path).unwrap(), None);
}

#[test]
fn every_line_is_json() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "tab\t and \"quotes\"", &key()).unwrap();
    write_all(&mut journal, &sample());
    for line in fs::read_to_string(&path).unwrap().lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).unwrap().is_object());
    }
    assert_eq!(Reader::open(&path, &key()).unwrap().mission(), "tab\t and \"quotes\"");
}

#[test]
fn an_append_on_an_old_head_is_a_conflict_and_writes_nothing() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
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
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
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
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(journal.append(0, &[""; 0]).unwrap(), 0);
    journal.sync().unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_body_longer_than_the_buffer_comes_back() {
    let (_folder, path) = fresh();
    let mut journal = Journal::create(&path, "m", &key()).unwrap();
    let bodies: Vec<_> =
        [10, 300_000, 5, 3_000_000, 0].map(|length| format!(r#"{{"x":"{}"}}"#, "x".repeat(length))).to_vec();
    write_all(&mut journal, std::slice::from_ref(&bodies));
    drop(journal);
    assert_eq!(replay(&Journal::open(&path, &key()).unwrap().journal), bodies);
    assert_eq!(read(&mut Reader::open(&path, &key()).unwrap()), [bodies]);
}

#[test]
fn create_does_not_touch_what_exists() {
    let (_folder, path) = fresh();
    fs::write(&path, "something").unwrap();
    let error = Journal::create(&path, "m", &key()).unwrap_err();
    assert!(matches!(error, JournalError::Exists { .. }), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "something");
}

#[test]
fn a_missing_journal_is_missing_and_nothing_is_made() {
    let (folder, path) = fresh();
    assert!(matches!(Journal::open(&path, &key()), Err(JournalError::Missing { .. })));
    assert!(matches!(Reader::open(&path, &key()), Err(JournalError::Missing { .. })));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn messages_name_the_thing() {
    let (_folder, path) = fresh();
    fs::write(&path, "").unwrap();
    let message = Journal::open(&path, &key()).unwrap_err().to_string();
    assert_eq!(message, format!("{} is damaged at line 1: it is not a header", path.display()));
}
