//! The logbook of a session: every raw line in both directions, for people to read afterwards.
//!
//! It is not synced, it is rotated at a limit, and a disk that refuses fails no session: no mission needs the logbook.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::limits::LOGBOOK_BYTES_MAX;

/// Which way a line went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// From Arbiter to the agent.
    In,
    /// From the agent to Arbiter.
    Out,
    /// From the agent's stderr.
    Err,
    /// A remark of the driver.
    Note,
}

#[derive(Serialize)]
struct Record<'a> {
    at: u64,
    dir: Direction,
    line: &'a str,
}

/// An open logbook.
#[derive(Debug)]
pub struct Logbook {
    path: PathBuf,
    file: Option<File>,
    bytes: u64,
    bytes_max: u64,
}

impl Logbook {
    /// Opens the logbook at `path` to append to it.
    pub fn open(path: &Path) -> Logbook {
        Logbook::with_limit(path, LOGBOOK_BYTES_MAX)
    }

    fn with_limit(path: &Path, bytes_max: u64) -> Logbook {
        if let Some(folder) = path.parent() {
            let _ = host::files::make_folder(folder);
        }
        let file = host::files::open_plain(File::options().append(true).create(true), path).ok();
        let bytes = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |found| found.len());
        Logbook { path: path.to_path_buf(), file, bytes, bytes_max }
    }

    /// Appends one line.
    pub fn append(&mut self, dir: Direction, line: &str) {
        let at = host::now_ms();
        let Ok(mut record) = serde_json::to_string(&Record { at, dir, line }) else { return };
        record.push('\n');
        if self.bytes >= self.bytes_max {
            self.turn_over();
        }
        if let Some(file) = &mut self.file
            && file.write_all(record.as_bytes()).is_ok()
        {
            self.bytes += record.len() as u64;
        }
    }

    /// The full file replaces the one before it, and an empty one is begun.
    fn turn_over(&mut self) {
        let mut old = self.path.clone().into_os_string();
        old.push(".1");
        let _ = fs::rename(&self.path, old);
        *self = Logbook::with_limit(&self.path, self.bytes_max);
        if self.bytes >= self.bytes_max {
            // The file could not be rotated: dropping lines is better than a file without end.
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_book_is_turned_over_and_the_last_one_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sessions/1.jsonl");
        let mut book = Logbook::with_limit(&path, 200);
        for number in 0..20 {
            book.append(Direction::Out, &format!("line {number}"));
        }
        let new = fs::read_to_string(&path).unwrap();
        let old = fs::read_to_string(folder.path().join("sessions/1.jsonl.1")).unwrap();
        assert!(new.ends_with("\"dir\":\"out\",\"line\":\"line 19\"}\n"), "{new}");
        assert!(new.len() < 300 && old.len() < 300);
        let first = new.lines().next().unwrap();
        let before: serde_json::Value = serde_json::from_str(old.lines().last().unwrap()).unwrap();
        let after: serde_json::Value = serde_json::from_str(first).unwrap();
        let number = |value: &serde_json::Value| -> u32 {
            value["line"].as_str().unwrap().strip_prefix("line ").unwrap().parse().unwrap()
        };
        assert_eq!(number(&before) + 1, number(&after), "nothing is lost at the turn");
    }

    #[test]
    fn a_disk_that_refuses_is_nobodys_failure() {
        let mut book = Logbook::open(Path::new("/dev/null/sessions/1.jsonl"));
        book.append(Direction::In, "unheard");
        assert!(book.file.is_none());
    }
}
