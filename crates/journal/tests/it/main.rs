//! The journal's tests: what it does, and what is done to it.

#![expect(clippy::unwrap_used, reason = "a helper of a test may fail as the test does")]

mod bookmark;
mod faults;
mod full_disk;
mod killed;
mod laws;
mod plain;
#[path = "../../../sim/src/real.rs"]
#[expect(dead_code, reason = "it serves the tests of several crates")]
mod real;
mod seals;
mod store;
mod stores;
mod tail;
mod trial;
mod two_writers;
mod wounds;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use journal::{Journal, JournalKey, Reader};
use tempfile::TempDir;

/// Tells a test that it is the child process, and which journal to use.
const CHILD: &str = "JOURNAL_TEST_CHILD";

/// The key of all journals here.
const SECRET: &[u8; 32] = b"the key of these tests: 32 bytes";

fn key() -> JournalKey {
    JournalKey::new(SECRET)
}

/// Lines made by hand, with the checksums that belong there and with the seals of this key: the form as the documents
/// say it, written a second time.
fn forged(secret: &[u8], lines: &[&str]) -> Vec<u8> {
    let (mut seal, mut crc) = ("0".repeat(64), "0".repeat(8));
    let (mut file, mut batch) = (String::new(), String::new());
    for line in lines {
        let mut covered = (*line).to_owned();
        batch += line;
        if line.contains(r#""left":0,"#) || line.starts_with(r#"{"journal""#) {
            let hmac = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
            let tag = ring::hmac::sign(&hmac, format!("{seal}{batch}").as_bytes());
            seal = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            covered += &format!(r#","seal":"{seal}""#);
            batch.clear();
        }
        crc = format!("{:08x}", crc32fast::hash(format!("{crc}{covered}").as_bytes()));
        let end = format!(",\"crc\":\"{crc}\"}}\n");
        if !batch.is_empty() {
            batch += &end;
        }
        file += &covered;
        file += &end;
    }
    file.into_bytes()
}

/// A folder of its own and the path of a journal in it.
fn fresh() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    (folder, path)
}

/// Batches of several sizes, with bodies that look like other parts of a line.
fn sample() -> Vec<Vec<String>> {
    let body = |text: &str| format!(r#"{{"said":"{text}"}}"#);
    vec![
        vec![body("one")],
        vec![body("two @"), body(r#"of \"three\", \n"#), body("ünïcode ✓")],
        vec![r#"{"a":1,"crc":"00000000"}"#.to_owned(), "{}".to_owned()],
        vec![body("last")],
    ]
}

fn write_all(journal: &mut Journal, batches: &[Vec<String>]) {
    for batch in batches {
        journal.append(journal.head(), batch).unwrap();
    }
    journal.sync().unwrap();
}

/// All bodies, checking that the numbers have no gap.
fn replay(journal: &Journal) -> Vec<String> {
    let mut bodies = Vec::new();
    let mut replay = journal.replay().unwrap();
    while let Some(entry) = replay.next_entry().unwrap() {
        bodies.push(entry.body.to_owned());
        assert_eq!(entry.seq, bodies.len() as u64);
    }
    assert_eq!(journal.head(), bodies.len() as u64);
    bodies
}

/// All complete batches there are.
fn read(reader: &mut Reader) -> Vec<Vec<String>> {
    let mut batches = Vec::new();
    while let Some(batch) = reader.next_batch().unwrap() {
        batches.push(batch.bodies);
    }
    batches
}

/// Where each batch of `batches` ends in the file, the header first.
fn batch_ends(file: &[u8], batches: &[Vec<String>]) -> Vec<usize> {
    let newlines: Vec<_> = (0..file.len()).filter(|at| file[*at] == b'\n').collect();
    let mut line = 0;
    let mut ends = vec![newlines[0] + 1];
    for batch in batches {
        line += batch.len();
        ends.push(newlines[line] + 1);
    }
    ends
}

/// This test binary again, running only `test` as a child with the journal at `path`.
fn child(test: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}
