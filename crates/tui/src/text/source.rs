//! What the source of a Markdown text says beyond its meaning: indentation, empty lines, and marks that are no marks.

use std::ops::Range;

/// How far back a line is searched for its beginning: a line of a megabyte is not searched for each of its marks.
const LOOK_BACK_MAX: usize = 120;

/// The sign before an entry of a list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// The number that was written, in a list that counts.
    pub(super) number: Option<u64>,
    /// What follows the number.
    pub(super) delimiter: char,
    /// The column where the content of the entry begins.
    pub(super) column: usize,
}

impl Marker {
    /// The marker that begins here.
    pub(super) fn read(source: &str, start: usize) -> Marker {
        let text = &source[start..];
        let marked = text.trim_start_matches(' ');
        let digits = marked.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(marked.len());
        let delimiter = marked[digits..].chars().next().filter(|sign| ".)".contains(*sign)).unwrap_or('.');
        let behind = marked.get(digits + 1..).unwrap_or_default();
        let spaces = behind.len() - behind.trim_start_matches(' ').len();
        let spaces = if (1..=4).contains(&spaces) { spaces } else { 1 };
        let before = line_start(source, start).map_or(0, |line| start - line) + text.len() - marked.len();
        Marker { number: marked[..digits].parse().ok(), delimiter, column: before + digits + 1 + spaces }
    }
}

/// The language that a code block names.
pub(super) fn language(info: &str) -> String {
    let info = info.trim_start_matches(['{', '.', ' ']);
    info.split([' ', ',', '}', ':', ';']).next().unwrap_or_default().to_ascii_lowercase()
}

/// A text without empty lines at its beginning and its end.
pub(super) fn without_idle_lines(text: &str) -> &str {
    let text = text.trim_end();
    let idle = text.len() - text.trim_start().len();
    text[..idle].rfind('\n').map_or(text, |newline| &text[newline + 1..])
}

/// The line under a heading that makes it one.
pub(super) fn underline(heading: &str) -> Option<&str> {
    let (_, last) = heading.trim_end().rsplit_once('\n')?;
    let last = last.trim_start_matches(['>', ' ']);
    let under = last.chars().all(|sign| sign == '-') || last.chars().all(|sign| sign == '=');
    (under && !last.is_empty()).then_some(last)
}

/// The marks around emphasis that is none: `2*3*4`, or a single tilde.
pub(super) fn literal_mark(source: &str, range: &Range<usize>) -> &'static str {
    let before = source.as_bytes()[..range.start].last();
    let after = source.as_bytes().get(range.end);
    let inside_word =
        before.is_some_and(u8::is_ascii_alphanumeric) && after.is_some_and(u8::is_ascii_alphanumeric);
    let text = &source[range.clone()];
    if text.starts_with('~') {
        return if text.starts_with("~~") { "" } else { "~" };
    }
    match text {
        _ if !inside_word => "",
        _ if text.starts_with("**") => "**",
        _ if text.starts_with('*') => "*",
        _ => "",
    }
}

/// How many spaces stand before the first words of a line, beyond the column of its block.
pub(super) fn lead(source: &str, start: usize, column: usize) -> usize {
    let Some(line) = line_start(source, start) else { return 0 };
    let before = &source[line..start];
    match before.rsplit_once('>') {
        _ if before.contains(|sign| !matches!(sign, ' ' | '>')) => 0,
        Some(_) if column > 0 => 0,
        Some((_, spaces)) => spaces.len().saturating_sub(1),
        None => before.len().saturating_sub(column),
    }
}

/// Whether the line above is empty, inside a quotation too.
pub(super) fn blank_before(source: &str, start: usize) -> bool {
    let Some(line) = line_start(source, start).filter(|&line| line > 0) else { return false };
    let above = line_start(source, line - 1);
    above.is_some_and(|above| source[above..line].chars().all(|sign| matches!(sign, ' ' | '>' | '\n')))
}

fn line_start(source: &str, at: usize) -> Option<usize> {
    let from = at.saturating_sub(LOOK_BACK_MAX);
    let newline = source.as_bytes()[from..at].iter().rposition(|&byte| byte == b'\n');
    match newline {
        Some(newline) => Some(from + newline + 1),
        None => (from == 0).then_some(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_read() {
        let bullet = Marker { number: None, delimiter: '.', column: 2 };
        assert_eq!(Marker::read("- a", 0), bullet);
        assert_eq!(Marker::read("x\n  12)  a", 4), Marker { number: Some(12), delimiter: ')', column: 7 });
        assert_eq!(Marker::read("-", 0), bullet);
    }

    #[test]
    fn idle_lines_are_left_out() {
        assert_eq!(without_idle_lines("\n \n  a\n\nb \n\n"), "  a\n\nb");
        assert_eq!(without_idle_lines("  a"), "  a");
        assert_eq!(without_idle_lines(" \n\n"), "");
    }

    #[test]
    fn a_language_is_read() {
        assert_eq!(language("Rust,ignore"), "rust");
        assert_eq!(language("{.python}"), "python");
        assert_eq!(language(""), "");
    }
}
