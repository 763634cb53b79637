//! Splits a medium into lines through one buffer that grows with the longest line only.

use std::io::{self, BufRead};

use crate::{limits, medium::Medium};

/// An offset in the file and the bytes read ahead from there.
#[derive(Debug)]
pub(crate) struct Lines {
    buffer: Vec<u8>,
    /// The unread part of the buffer; its first byte lies at `offset` in the file.
    unread: std::ops::Range<usize>,
    offset: u64,
}

/// The next piece of the file.
pub(crate) enum Piece<'a> {
    /// A line, without its newline.
    Line(&'a [u8]),
    /// All bytes up to the present end, without a newline; often none. The reader stays where it is.
    Rest(&'a [u8]),
    /// More than a line may have, and still no newline.
    TooLong,
}

impl Lines {
    pub(crate) fn starting_at(offset: u64) -> Lines {
        Lines { buffer: vec![0; limits::READ_BYTES], unread: 0..0, offset }
    }

    /// Where the next line starts.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to `offset` and forgets what was read ahead: it may be different by now.
    pub(crate) fn go_to(&mut self, offset: u64) {
        self.unread = 0..0;
        self.offset = offset;
    }

    pub(crate) fn next_piece(&mut self, medium: &dyn Medium) -> io::Result<Piece<'_>> {
        let mut searched = 0;
        loop {
            if let Some(length) = find_newline(&self.buffer[self.unread.clone()][searched..]) {
                let start = self.unread.start;
                let end = start + searched + length;
                self.unread.start = end + 1;
                self.offset += (end + 1 - start) as u64;
                return Ok(Piece::Line(&self.buffer[start..end]));
            }
            searched = self.unread.len();
            if searched >= limits::LINE_BYTES_MAX {
                return Ok(Piece::TooLong);
            }
            if self.read_more(medium)? == 0 {
                return Ok(Piece::Rest(&self.buffer[self.unread.clone()]));
            }
        }
    }

    fn read_more(&mut self, medium: &dyn Medium) -> io::Result<usize> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        if self.unread.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let count =
            medium.read_at(&mut self.buffer[self.unread.end..], self.offset + self.unread.end as u64)?;
        self.unread.end += count;
        Ok(count)
    }
}

/// The standard library shows its fast search for a byte only through `BufRead`; a slice never
/// fails to be read.
fn find_newline(mut bytes: &[u8]) -> Option<usize> {
    let all = bytes;
    let skipped = bytes.skip_until(b'\n').ok()?;
    (skipped > 0 && all[skipped - 1] == b'\n').then(|| skipped - 1)
}
