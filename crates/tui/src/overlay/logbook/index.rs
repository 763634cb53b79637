//! The index of the records that are shown. New records are added to it; the others are not searched again.

use std::sync::Arc;

use mind::SessionId;

use super::pieces::is_piece;
use crate::view_model::{RawRecord, RecordDirection};

/// The wanted records.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Question<'a> {
    /// The lines of one session; without it, of all.
    pub(super) source: Option<SessionId>,
    /// Text that the line must contain.
    pub(super) filter: &'a str,
    /// Streaming pieces too.
    pub(super) pieces: bool,
}

/// The shown records, by number. Numbers count all records ever read, so a record keeps its number when the oldest go.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Index {
    source: Option<SessionId>,
    filter: String,
    pieces: bool,
    /// The number of the first record there is.
    first: u64,
    /// How many there were.
    seen: usize,
    /// The newest that was looked at: it tells how many were dropped before it.
    newest: Option<Arc<str>>,
    /// The oldest: while it is the same, none were dropped.
    oldest: Option<Arc<str>>,
    shown: Vec<u64>,
    /// The pieces that would be shown if pieces were.
    hidden: Vec<u64>,
}

impl Index {
    /// Looks at what is new, or at everything if the question is another.
    pub(super) fn look(
        &mut self,
        records: &[RawRecord],
        question: &Question<'_>,
        name: &dyn Fn(SessionId) -> String,
    ) {
        let known = self.known(records);
        match known {
            Some(known) => self.first += (self.seen - known) as u64,
            // Only the end is another, as when one goes back in time: what is chosen keeps its number.
            None if self.is_oldest(records) => {}
            None => self.first += self.seen as u64,
        }
        let from = match known {
            Some(known) if self.answers(question) => {
                for numbers in [&mut self.shown, &mut self.hidden] {
                    let gone = numbers.partition_point(|number| *number < self.first);
                    numbers.drain(..gone);
                }
                known
            }
            Some(_) | None => {
                self.shown.clear();
                self.hidden.clear();
                self.source = question.source;
                self.pieces = question.pieces;
                question.filter.clone_into(&mut self.filter);
                0
            }
        };
        let mut needle = Needle::new(question.filter);
        for (at, record) in records.iter().enumerate().skip(from) {
            if question.source.is_none_or(|source| source == record.session) && needle.fits(record, name) {
                let hides = !question.pieces && is_piece(record);
                let numbers = if hides { &mut self.hidden } else { &mut self.shown };
                numbers.push(self.first + at as u64);
            }
        }
        self.seen = records.len();
        self.newest = records.last().map(|record| Arc::clone(&record.line));
        self.oldest = records.first().map(|record| Arc::clone(&record.line));
    }

    /// The question is the one that was looked at last.
    fn answers(&self, question: &Question<'_>) -> bool {
        self.source == question.source && self.filter == question.filter && self.pieces == question.pieces
    }

    fn is_oldest(&self, records: &[RawRecord]) -> bool {
        let first = records.first().zip(self.oldest.as_ref());
        first.is_some_and(|(record, oldest)| Arc::ptr_eq(&record.line, oldest))
    }

    /// How many of the records were looked at before; none if they are others.
    fn known(&self, records: &[RawRecord]) -> Option<usize> {
        let Some(newest) = &self.newest else { return Some(0).filter(|_| self.seen == 0) };
        let same = |record: &RawRecord| Arc::ptr_eq(&record.line, newest);
        let last = self.seen.checked_sub(1)?.min(records.len().checked_sub(1)?);
        let at = records[..=last].iter().rposition(same)?;
        Some(at + 1)
    }

    /// How many are shown.
    pub(super) fn len(&self) -> usize {
        self.shown.len()
    }

    /// How many pieces are hidden.
    pub(super) fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// The number of the one at a place.
    pub(super) fn number(&self, place: usize) -> Option<u64> {
        self.shown.get(place).copied()
    }

    /// The place of the one with a number, or of its neighbour if it is not shown.
    pub(super) fn place(&self, number: u64) -> usize {
        self.shown.partition_point(|shown| *shown < number).min(self.shown.len().saturating_sub(1))
    }

    /// The record at a place.
    pub(super) fn record<'a>(&self, place: usize, records: &'a [RawRecord]) -> Option<&'a RawRecord> {
        records.get(usize::try_from(self.number(place)?.checked_sub(self.first)?).ok()?)
    }
}

/// What is looked for, whatever its case.
struct Needle {
    lower: String,
    /// Whose name has it, as far as was asked.
    named: Vec<(SessionId, bool)>,
}

impl Needle {
    fn new(filter: &str) -> Needle {
        Needle { lower: filter.to_lowercase(), named: Vec::new() }
    }

    fn fits(&mut self, record: &RawRecord, name: &dyn Fn(SessionId) -> String) -> bool {
        if self.lower.is_empty() {
            return true;
        }
        let direction = match record.direction {
            RecordDirection::In => "-> in",
            RecordDirection::Out => "<- out",
            RecordDirection::Err => "! err",
            RecordDirection::Note => "· note",
        };
        direction.contains(&self.lower)
            || self.is_named(record.session, name)
            || has(&record.line, &self.lower)
    }

    fn is_named(&mut self, session: SessionId, name: &dyn Fn(SessionId) -> String) -> bool {
        if let Some((_, named)) = self.named.iter().find(|(known, _)| *known == session) {
            return *named;
        }
        let named = name(session).to_lowercase().contains(&self.lower);
        self.named.push((session, named));
        named
    }
}

/// Whether a text has `lower` in it, whatever its case.
fn has(text: &str, lower: &str) -> bool {
    if !lower.is_ascii() {
        return text.to_lowercase().contains(lower);
    }
    let (text, needle) = (text.as_bytes(), lower.as_bytes());
    // The rarest letter finds the few places that are worth a closer look.
    let rarest = (0..needle.len()).min_by_key(|at| frequency(needle[*at])).unwrap_or(0);
    let (small, large) = (needle[rarest], needle[rarest].to_ascii_uppercase());
    let mut start = 0;
    for block in text.chunks(64) {
        // Without branches, so that a whole block is compared at once.
        if block.iter().fold(false, |found, byte| found | (*byte == small) | (*byte == large)) {
            let hits = block.iter().enumerate().filter(|(_, byte)| **byte == small || **byte == large);
            for (at, _) in hits {
                let from = (start + at).checked_sub(rarest);
                let window = from.and_then(|from| text.get(from..from + needle.len()));
                if window.is_some_and(|window| window.eq_ignore_ascii_case(needle)) {
                    return true;
                }
            }
        }
        start += block.len();
    }
    false
}

/// How common a byte is, roughly, in what agents and programs say.
fn frequency(byte: u8) -> usize {
    const COMMON: &[u8] = b"zqjxkvw@#9876543g/y_bfpm2c-:1,.ulhd0rs\"ointae ";
    COMMON.iter().position(|common| *common == byte.to_ascii_lowercase()).unwrap_or(0)
}
