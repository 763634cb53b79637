//! A text and a cursor in it. The cursor always stands between two grapheme clusters: what looks like one letter is
//! passed and erased as one, and no edit leaves the cursor inside of it.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::act::Act;

/// A text and the cursor in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextBuffer {
    text: String,
    cursor: usize,
}

impl TextBuffer {
    /// What stands there.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the cursor is, in bytes.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Puts the cursor at `at`, or behind the cluster that `at` is inside of.
    pub fn stand(&mut self, at: usize) {
        self.cursor = self.behind(at);
    }

    /// Puts `with` in the place of `range`; the cursor comes to stand behind it. Says what stood there.
    pub fn replace(&mut self, range: Range<usize>, with: &str) -> String {
        let removed = self.text[range.clone()].to_owned();
        self.text.replace_range(range.clone(), with);
        // A letter typed before a lone accent becomes one cluster with it.
        self.stand(range.start + with.len());
        removed
    }

    /// Where a motion leads, if `act` is one.
    pub fn motion(&self, act: Act) -> Option<usize> {
        let before = &self.text[..self.cursor];
        let after = &self.text[self.cursor..];
        match act {
            Act::Left => Some(self.left()),
            Act::Right => Some(self.right()),
            Act::WordLeft => {
                Some(self.before(before.unicode_word_indices().next_back().map_or(0, |(at, _)| at)))
            }
            Act::WordRight => {
                let end =
                    after.unicode_word_indices().next().map_or(after.len(), |(at, word)| at + word.len());
                Some(self.behind(self.cursor + end))
            }
            Act::LineStart => Some(before.rfind('\n').map_or(0, |at| at + 1)),
            Act::LineEnd => Some(after.find('\n').map_or(self.text.len(), |at| self.cursor + at)),
            Act::Type(_) | Act::NewLine | Act::Send | Act::Done | Act::Complete | Act::Up | Act::Down => None,
            Act::Erase | Act::EraseRight | Act::EraseWordLeft | Act::EraseWordRight | Act::EraseBlankLeft => {
                None
            }
            Act::EraseLineStart | Act::EraseLineEnd | Act::Yank | Act::Undo | Act::Redo => None,
        }
    }

    /// What is erased, if `act` erases.
    pub fn erasure(&self, act: Act) -> Option<Range<usize>> {
        let start = |start: usize| Some(start..self.cursor);
        let end = |end: usize| Some(self.cursor..end);
        match act {
            Act::Erase => start(self.left()),
            Act::EraseRight => end(self.right()),
            Act::EraseWordLeft => start(self.motion(Act::WordLeft)?),
            Act::EraseWordRight => end(self.motion(Act::WordRight)?),
            Act::EraseBlankLeft => {
                let word = self.text[..self.cursor].trim_end();
                let from = word.char_indices().rev().find(|(_, sign)| sign.is_whitespace());
                start(self.before(from.map_or(0, |(at, sign)| at + sign.len_utf8())))
            }
            // At the edge of a line the line break goes, so that the key is never dead.
            Act::EraseLineStart => match self.motion(Act::LineStart)? {
                at if at == self.cursor => start(self.left()),
                at => start(at),
            },
            Act::EraseLineEnd => match self.motion(Act::LineEnd)? {
                at if at == self.cursor => end(self.right()),
                at => end(at),
            },
            Act::Type(_) | Act::NewLine | Act::Send | Act::Done | Act::Complete | Act::Up | Act::Down => None,
            Act::Left | Act::Right | Act::WordLeft | Act::WordRight | Act::LineStart | Act::LineEnd => None,
            Act::Yank | Act::Undo | Act::Redo => None,
        }
    }

    fn left(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0)
    }

    fn right(&self) -> usize {
        let mut cursor = GraphemeCursor::new(self.cursor, self.text.len(), true);
        cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len())
    }

    /// The first place between clusters at or after `at`.
    fn behind(&self, at: usize) -> usize {
        match self.at_edge(at) {
            Ok(at) => at,
            Err(mut cursor) => cursor.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len()),
        }
    }

    /// The last place between clusters at or before `at`.
    fn before(&self, at: usize) -> usize {
        match self.at_edge(at) {
            Ok(at) => at,
            Err(mut cursor) => cursor.prev_boundary(&self.text, 0).ok().flatten().unwrap_or(0),
        }
    }

    fn at_edge(&self, at: usize) -> Result<usize, GraphemeCursor> {
        let at = at.min(self.text.len());
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        if cursor.is_boundary(&self.text, 0).unwrap_or(true) { Ok(at) } else { Err(cursor) }
    }
}
