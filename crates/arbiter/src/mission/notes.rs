//! `notes.log` of a mission: events that changed nothing, such as late output of an ended process or an inbox message that
//! came twice. For debugging; the program never reads it.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use crate::{clock, limits};

/// Appends a line. A disk that refuses it harms nothing.
pub fn append(folder: &Path, text: &str) {
    let path = folder.join("notes.log");
    if fs::metadata(&path).is_ok_and(|found| found.len() > limits::NOTES_BYTES_MAX) {
        let _ = fs::rename(&path, folder.join("notes.1.log"));
    }
    if let Ok(mut file) = host::files::open_plain(OpenOptions::new().create(true).append(true), &path) {
        let line = text.replace('\n', " / ");
        let _ = writeln!(file, "{} {}", clock::now().0, mind::limits::cut(&line, 2_000));
    }
}
