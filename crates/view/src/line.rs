//! A text that somebody else wrote, on one line: cleaned, with single spaces, and whole. A door cuts it where it has no
//! room.

use mind::petition::Decision;

use crate::clean::{clean, visible};

/// The text on one line.
#[must_use]
pub fn line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same, none if nothing is left of it.
pub(crate) fn some_line(text: &str) -> Option<String> {
    Some(line(text)).filter(|line| !line.is_empty())
}

/// A part of a decision on one line. A decision that approves exactly what it shows has a digest: nothing hides in it.
pub(crate) fn line_of(decision: &Decision, text: &str) -> String {
    if decision.digest.is_some() { visible(text).replace('\n', "\\n") } else { line(text) }
}
