//! The raw lines of sessions, whatever lies in their folder.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use arbiter::terminal::watching::limits::{
    BACKLOG_BYTES_MAX, RECORD_BYTES_MAX, RECORDS_BYTES_MAX, RECORDS_MAX,
};
use arbiter::terminal::watching::logbook::Books;
use mind::{SessionId, Timestamp};
use tempfile::TempDir;
use tui::view_model::{RawRecord, RecordDirection};

/// A mission's folder of raw lines.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let mut file = OpenOptions::new().create(true).append(true).open(self.at(name)).expect("a file");
        file.write_all(text.as_ref()).expect("written");
    }

    fn turn_over(&self, name: &str) {
        fs::rename(self.at(name), self.at(&format!("{name}.1"))).expect("renamed");
    }

    fn books(&self) -> Books {
        Books::open(self.0.path(), None)
    }
}

fn stored(at: u64, dir: &str, line: &str) -> String {
    format!("{}\n", serde_json::json!({ "at": at, "dir": dir, "line": line }))
}

fn read_all(books: &mut Books) {
    while books.read() {}
}

fn shown(books: &Books) -> Vec<(u32, u64, &str)> {
    books.records().iter().map(|record| (record.session.0, record.at.0, &*record.line)).collect()
}

fn lines(books: &mut Books) -> Vec<String> {
    read_all(books);
    books.records().iter().map(|record| record.line.to_string()).collect()
}

#[test]
fn records_of_all_sessions_stand_in_the_order_of_time() {
    let folder = Folder::new();
    folder.write("2.jsonl", stored(5, "in", "b") + &stored(5, "out", "c") + &stored(9, "err", "e"));
    folder.write("1.jsonl", stored(1, "note", "a") + &stored(7, "out", "d"));
    let mut books = folder.books();
    assert!(books.read());
    assert_eq!(shown(&books), [(1, 1, "a"), (2, 5, "b"), (2, 5, "c"), (1, 7, "d"), (2, 9, "e")]);
    let directions: Vec<_> = books.records().iter().map(|record| record.direction).collect();
    assert_eq!(
        directions,
        [
            RecordDirection::Note,
            RecordDirection::In,
            RecordDirection::Out,
            RecordDirection::Out,
            RecordDirection::Err
        ]
    );
    assert!(!books.read(), "nothing is new");

    folder.write("1.jsonl", stored(8, "in", "between"));
    folder.write("3.jsonl", stored(2, "in", "a new session"));
    assert!(books.read());
    let texts: Vec<_> = shown(&books).into_iter().map(|(.., line)| line).collect();
    assert_eq!(texts, ["a", "a new session", "b", "c", "d", "between", "e"]);
    assert!(!books.read());
}

#[test]
fn one_session_can_be_read_alone() {
    let folder = Folder::new();
    folder.write("1.jsonl", stored(1, "in", "one"));
    folder.write("2.jsonl", stored(2, "in", "two"));
    let mut books = Books::open(folder.0.path(), Some(SessionId(2)));
    assert_eq!(lines(&mut books), ["two"]);
}

#[test]
fn the_real_writer_is_understood() {
    let folder = Folder::new();
    let mut writer = providers::logbook::Logbook::open(&folder.at("4.jsonl"));
    let line = r#"{"type":"x","text":"tab \t, quote \" and ünïcode"}"#;
    writer.append(providers::logbook::Direction::Out, line);
    writer.append(providers::logbook::Direction::In, "go on");
    let mut books = folder.books();
    books.read();
    let records = books.records();
    assert_eq!(
        (records[0].session, &*records[0].line, records[0].direction),
        (SessionId(4), line, RecordDirection::Out)
    );
    assert_eq!((&*records[1].line, records[1].direction), ("go on", RecordDirection::In));
    assert!(records[0].at > Timestamp(1_700_000_000_000));
}

#[test]
fn a_line_without_its_end_is_not_there_yet() {
    let folder = Folder::new();
    let text = stored(3, "out", "whole");
    let mut books = folder.books();
    for (at, byte) in text.bytes().enumerate() {
        folder.write("1.jsonl", [byte]);
        assert!(books.read());
        assert_eq!(books.records().len(), usize::from(at + 1 == text.len()));
        assert!(!books.read());
    }
    assert_eq!(shown(&books), [(1, 3, "whole")]);
}

#[test]
fn a_malformed_line_is_a_note_with_the_time_of_the_one_before() {
    let folder = Folder::new();
    folder.write("1.jsonl", stored(6, "in", "before"));
    folder.write("1.jsonl", "{\"at\":7,\"dir\":\"up\",\"line\":\"?\"}\n\n");
    folder.write("1.jsonl", b"\xff\x00\n[]\n{\"at\":-1}\n");
    folder.write("1.jsonl", stored(7, "in", "after"));
    let mut books = folder.books();
    read_all(&mut books);
    assert_eq!(
        shown(&books),
        [
            (1, 6, "before"),
            (1, 6, r#"not a record: {"at":7,"dir":"up","line":"?"}"#),
            (1, 6, "not a record: \u{fffd}\0"),
            (1, 6, "not a record: []"),
            (1, 6, r#"not a record: {"at":-1}"#),
            (1, 7, "after"),
        ]
    );
    assert!(books.records()[1..5].iter().all(|record| record.direction == RecordDirection::Note));
}

#[test]
fn a_long_line_is_cut_between_characters_and_says_so() {
    let folder = Folder::new();
    let long = format!("x{}", "é".repeat(RECORD_BYTES_MAX));
    folder.write("1.jsonl", stored(1, "out", &long));
    let mut books = folder.books();
    read_all(&mut books);
    let more = long.len() - (RECORD_BYTES_MAX - 1);
    let expected = format!("{} [{more} bytes more]", &long[..RECORD_BYTES_MAX - 1]);
    assert!(*books.records()[0].line == *expected);

    let fits = "y".repeat(RECORD_BYTES_MAX);
    folder.write("1.jsonl", stored(2, "out", &fits));
    read_all(&mut books);
    assert!(*books.records()[1].line == *fits);
}

#[test]
fn a_line_too_long_to_be_held_is_a_record_all_the_same() {
    for (unit, shift) in [("😀", 0), ("\u{1}", 3), ("\\", 1), ("x", 0)] {
        let folder = Folder::new();
        let long = format!("{}{}", "a".repeat(shift), unit.repeat(5 << 20));
        folder.write("1.jsonl", stored(4, "err", &long) + &stored(5, "in", "next"));
        let mut books = folder.books();
        read_all(&mut books);
        let records = books.records();
        let record = &records[records.len() - 2];
        if stored(4, "err", &long).len() as u64 > BACKLOG_BYTES_MAX {
            // Only its rest was within what is read at first.
            assert_eq!((records.len(), record.direction), (2, RecordDirection::Note));
            continue;
        }
        assert_eq!((record.at, record.direction), (Timestamp(4), RecordDirection::Err));
        let (text, more) = record.line.rsplit_once(" [").expect("a remark");
        assert!(long.starts_with(text) && text.len() > RECORD_BYTES_MAX - 4);
        assert!(more.ends_with(" bytes more]"));
        assert_eq!(*records[records.len() - 1].line, *"next");
    }
}

#[test]
fn every_unit_of_a_long_line_is_cut_well() {
    for unit in ["😀", "\u{1}", "\\", "\"", "é", "x"] {
        for shift in 0..12 {
            let folder = Folder::new();
            let long = format!("{}{}", "a".repeat(shift), unit.repeat(500_000));
            folder.write("1.jsonl", stored(4, "err", &long));
            let mut books = folder.books();
            read_all(&mut books);
            let [record] = books.records() else { panic!("one record") };
            let (text, _) = record.line.rsplit_once(" [").expect("a remark");
            assert_eq!(record.direction, RecordDirection::Err);
            assert!(long.starts_with(text) && text.len() > RECORD_BYTES_MAX - 4);
        }
    }
}

#[test]
fn a_line_is_neither_lost_nor_doubled_when_the_file_is_turned_over() {
    let folder = Folder::new();
    let mut books = folder.books();
    let mut expected = Vec::new();
    let mut number = 0u64;
    let mut put = |folder: &Folder| {
        number += 1;
        folder.write("1.jsonl", stored(number, "out", &format!("line {number}")));
        expected.push(format!("line {number}"));
    };
    // What is written and what is turned over between two looks: what no name leads to any more nobody can read.
    for course in ["p", "ppt", "ptp", "tpp", "ptpp", "ppptp", "", "t", "pt", "ptp", "p", "tptpp"] {
        for action in course.chars() {
            match action {
                'p' => put(&folder),
                _ => folder.turn_over("1.jsonl"),
            }
        }
        read_all(&mut books);
        read_all(&mut books);
    }
    assert_eq!(lines(&mut books), expected);
    let mut anew = folder.books();
    let anew = lines(&mut anew);
    assert!(!anew.is_empty() && expected.ends_with(&anew), "{anew:?}");
}

#[test]
fn a_full_file_alone_is_a_book_too() {
    let folder = Folder::new();
    folder.write("1.jsonl.1", stored(1, "out", "one"));
    let mut books = folder.books();
    assert_eq!(lines(&mut books), ["one"]);
    folder.write("1.jsonl", stored(2, "out", "two"));
    assert_eq!(lines(&mut books), ["one", "two"]);
    // Another begins where the last one was deleted, and the full one is not read again.
    fs::remove_file(folder.at("1.jsonl")).expect("removed");
    assert_eq!(lines(&mut books), ["one", "two"]);
    folder.write("1.jsonl", stored(3, "out", "three"));
    assert_eq!(lines(&mut books), ["one", "two", "three"]);
}

#[test]
fn a_file_that_shrinks_is_begun_anew() {
    let folder = Folder::new();
    folder.write("1.jsonl", stored(1, "out", "one") + &stored(2, "out", "two"));
    let mut books = folder.books();
    read_all(&mut books);
    fs::write(folder.at("1.jsonl"), stored(3, "out", "three")).expect("written");
    assert_eq!(lines(&mut books), ["one", "two", "three"]);
}

#[test]
fn what_is_no_plain_file_is_passed_over_without_waiting() {
    let folder = Folder::new();
    folder.write("secret", stored(1, "out", "a secret"));
    symlink(folder.at("secret"), folder.at("1.jsonl")).expect("a link");
    assert!(
        std::process::Command::new("mkfifo").arg(folder.at("2.jsonl")).status().expect("mkfifo").success()
    );
    fs::create_dir(folder.at("3.jsonl")).expect("a folder");
    for name in ["04.jsonl", "+4.jsonl", "x.jsonl", "4.json", "99999999999.jsonl"] {
        folder.write(name, stored(1, "out", name));
    }
    symlink(folder.at("secret"), folder.at("5.jsonl.1")).expect("a link");
    folder.write("5.jsonl", stored(1, "out", "five"));
    let mut books = folder.books();
    assert_eq!(lines(&mut books), ["five"]);
    // One becomes a pipe while it is followed.
    fs::remove_file(folder.at("5.jsonl")).expect("removed");
    assert!(
        std::process::Command::new("mkfifo").arg(folder.at("5.jsonl")).status().expect("mkfifo").success()
    );
    assert!(!books.read());

    let elsewhere = Folder::new();
    symlink(folder.0.path(), elsewhere.at("sessions")).expect("a link");
    assert!(!Books::open(&elsewhere.at("sessions"), None).read());
    assert!(!Books::open(&elsewhere.at("nowhere"), None).read());
}

fn check_bounds(records: &[RawRecord]) {
    assert!(records.len() <= RECORDS_MAX);
    assert!(records[1..].iter().map(|record| record.line.len()).sum::<usize>() <= RECORDS_BYTES_MAX);
    assert!(records[1..].is_sorted_by_key(|record| record.at));
}

#[test]
fn only_the_newest_records_are_kept_and_the_top_says_where_the_others_are() {
    let folder = Folder::new();
    let many = RECORDS_MAX as u64 + 500;
    let text: String = (1..=many).map(|number| stored(number, "in", "short")).collect();
    folder.write("1.jsonl", text);
    folder.write("2.jsonl", stored(many * 2, "in", "newest"));
    let mut books = folder.books();
    read_all(&mut books);
    let records = books.records();
    check_bounds(records);
    assert_eq!(records.len(), RECORDS_MAX);
    assert_eq!(
        (&*records[0].line, records[0].direction),
        ("older lines are in sessions/1.jsonl", RecordDirection::Note)
    );
    assert_eq!(&*records[RECORDS_MAX - 1].line, "newest");
    assert_eq!(records[1].at, Timestamp(many + 1 - (RECORDS_MAX as u64 - 2)));

    folder.write("2.jsonl", stored(many * 2 + 1, "in", "one more"));
    read_all(&mut books);
    check_bounds(books.records());
    assert_eq!(books.records().iter().filter(|record| record.line.starts_with("older")).count(), 1);
    assert_eq!(&*books.records()[RECORDS_MAX - 1].line, "one more");
}

#[test]
fn no_more_text_is_kept_than_is_allowed() {
    let folder = Folder::new();
    let long = "z".repeat(RECORD_BYTES_MAX);
    let mut books = folder.books();
    for number in 0..12 {
        let text: String = (0..60).map(|line| stored(number * 100 + line, "out", &long)).collect();
        folder.write(&format!("{}.jsonl", number % 5), text);
        read_all(&mut books);
    }
    let records = books.records();
    check_bounds(records);
    assert_eq!(records.len() - 1, RECORDS_BYTES_MAX / RECORD_BYTES_MAX);
    assert_eq!(records.last().expect("a record").at, Timestamp(1159));
    let remark = "older lines are in sessions/0.jsonl, sessions/1.jsonl, sessions/2.jsonl";
    assert!(records[0].line.starts_with(remark), "{}", records[0].line);
}

#[test]
fn of_a_long_file_the_end_is_read_at_first() {
    let folder = Folder::new();
    let line = "w".repeat(10_000);
    let text: String = (1..=2000).map(|number| stored(number, "out", &line)).collect();
    folder.write("3.jsonl", text);
    folder.turn_over("3.jsonl");
    folder.write("3.jsonl", stored(2001, "out", "last"));
    let mut books = folder.books();
    let mut slices = 0;
    while books.read() {
        slices += 1;
    }
    assert!(slices >= 2, "it is read in slices");
    let records = books.records();
    assert_eq!(&*records[0].line, "older lines are in sessions/3.jsonl.1");
    assert_eq!(&*records[records.len() - 1].line, "last");
    // All whole, without a gap.
    let times: Vec<_> = records[1..].iter().map(|record| record.at.0).collect();
    assert!(times.windows(2).all(|pair| pair[0] + 1 == pair[1]));
    let read = (records.len() - 2) as u64 * stored(1000, "out", &line).len() as u64;
    assert!(read <= BACKLOG_BYTES_MAX && read > BACKLOG_BYTES_MAX - 20_000, "{read} bytes");
    assert!(records[..records.len() - 1].iter().skip(1).all(|record| *record.line == *line));
}

#[test]
fn a_line_that_begins_right_where_reading_begins_is_read() {
    let folder = Folder::new();
    let size = 4096;
    let line = "v".repeat(size - stored(1000, "out", "").len());
    let text: String = (1000..5000).map(|number| stored(number, "out", &line)).collect();
    assert_eq!(text.len(), 4000 * size);
    folder.write("1.jsonl", text);
    let mut books = folder.books();
    read_all(&mut books);
    assert_eq!(books.records().len() as u64, BACKLOG_BYTES_MAX / size as u64 + 1, "with the remark");
}
