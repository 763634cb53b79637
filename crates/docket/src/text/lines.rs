//! A text as lines that know their place, so that what is not edited can be left alone. Only `\n` and `\r\n` end a line.

use std::ops::Range;

/// One line, by its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    /// Where it begins.
    pub(super) start: usize,
    /// The end without the line end.
    pub(super) end: usize,
}

impl Line {
    pub(super) fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.start..self.end]
    }
}

/// The lines of a text, after a byte order mark if there is one. Text behind the last line end is a line too.
pub(super) fn split(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while start < text.len() {
        let (end, next) = match text[start..].find('\n') {
            Some(length) => (start + length, start + length + 1),
            None => (text.len(), text.len()),
        };
        let words = &text[start..end];
        let end = if next > end && words.ends_with('\r') { end - 1 } else { end };
        lines.push(Line { start, end });
        start = next;
    }
    lines
}

/// How the first line of a text ends; so do the lines that are added to it.
pub(super) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

/// Changes of a text: each replaces a range by other text.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Adds a change. Of two at the same place the first comes first.
    pub(super) fn replace(&mut self, range: Range<usize>, with: impl Into<String>) {
        self.0.push((range, with.into()));
    }

    /// The text with all changes; none if two of them overlap.
    pub(super) fn apply(mut self, text: &str) -> Option<String> {
        // An insertion comes before a deletion at the same place.
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut edited = String::with_capacity(text.len() + 256);
        let mut at = 0;
        for (range, with) in self.0 {
            edited.push_str(text.get(at..range.start)?);
            edited.push_str(&with);
            at = range.end;
        }
        edited.push_str(text.get(at..)?);
        Some(edited)
    }
}
