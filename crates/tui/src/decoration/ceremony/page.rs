//! A page of the ceremony: words in its middle, and in its lowest line what keys do. Whatever does not fit is left out; a
//! window of any size can be drawn on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::decoration::tiles::Canvas;
use crate::draw::put;
use crate::text::wrap::{plain, width};
use crate::theme::{Theme, Tint};

pub(super) struct CeremonyPage<'a> {
    /// Where it is.
    pub area: Rect,
    pub buffer: &'a mut Buffer,
    pub theme: &'a Theme,
    /// What moves by itself is counted by it.
    pub beat: u64,
}

/// Keys, and what they do.
pub(super) type Keys<'a> = &'a [(&'a str, &'a str)];

impl<'a> CeremonyPage<'a> {
    /// An empty page.
    pub fn new(area: Rect, buffer: &'a mut Buffer, theme: &'a Theme, beat: u64) -> CeremonyPage<'a> {
        let area = area.intersection(buffer.area);
        for place in area.positions() {
            buffer[place].reset();
        }
        CeremonyPage { area, buffer, theme, beat }
    }

    /// Everything but the lowest line.
    pub fn above_keys(&self) -> Rect {
        Rect { height: self.area.height.saturating_sub(1), ..self.area }
    }

    /// Writes a line in the middle of a row, counted from the top of the page.
    pub fn centred(&mut self, row: u16, text: &str, tint: Tint) {
        self.line(row, Line::styled(text.to_owned(), self.theme.style(tint)));
    }

    /// Writes words from a row on, in as many rows as they need; says how many.
    pub fn words(&mut self, row: u16, text: &str, tint: Tint) -> u16 {
        let lines = plain(text, self.area.width, self.theme.style(tint));
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let lowest = self.area.height.saturating_sub(1);
        for (row, line) in (row..lowest).zip(lines) {
            self.line(row, line);
        }
        rows
    }

    /// How many rows words need.
    pub fn rows_of(&self, text: &str) -> u16 {
        let lines = plain(text, self.area.width, self.theme.style(Tint::Words));
        u16::try_from(lines.len()).unwrap_or(u16::MAX)
    }

    /// Says in the lowest line what keys do: in the first of several ways that fits, or as much of the last as does.
    pub fn keys(&mut self, ways: &[Keys<'_>]) {
        let length = |keys: &Keys<'_>| {
            let pairs = keys.iter().map(|(key, meaning)| width(key) + 1 + width(meaning));
            pairs.sum::<usize>() + 3 * keys.len().saturating_sub(1)
        };
        let fits = |keys: &&Keys<'_>| length(keys) <= usize::from(self.area.width);
        let Some(keys) = ways.iter().find(fits).or(ways.last()) else { return };
        let mut spans: Vec<Span<'static>> = Vec::new();
        for (key, meaning) in *keys {
            if !spans.is_empty() {
                spans.push(Span::raw("   "));
            }
            spans.push(Span::styled((*key).to_owned(), self.theme.style(Tint::Key)));
            spans.push(Span::styled(format!(" {meaning}"), self.theme.style(Tint::Dim)));
        }
        if let Some(row) = self.area.height.checked_sub(1) {
            self.line(row, Line::from(spans));
        }
    }

    pub fn show(&mut self, canvas: &Canvas, area: Rect) {
        canvas.show(area, self.buffer, self.theme.colours);
    }

    /// Which of two frames something shows that changes its look every so many beats; `own` sets it apart from others.
    pub fn flips(&self, beats: u64, own: u64) -> bool {
        (self.beat.wrapping_add(own) / beats.max(1)) % 2 == 1
    }

    fn line(&mut self, row: u16, line: Line<'static>) {
        let columns = u16::try_from(line.width()).unwrap_or(u16::MAX).min(self.area.width);
        let aside = (self.area.width - columns) / 2;
        let place = Rect { x: self.area.x + aside, width: columns, ..self.area };
        // Words stand on nothing: whatever was painted there would colour them.
        let row_of = Rect { y: self.area.y.saturating_add(row), height: 1, ..place };
        for place in row_of.intersection(self.area).positions() {
            self.buffer[place].reset();
        }
        put(self.buffer, place, row, &line);
    }
}

/// Tells something in lines with a picture above them, both in the middle of the page; says where the picture has its
/// place. What is said is never left out for the picture.
pub(super) fn told(page: &mut CeremonyPage<'_>, lines: &[(&str, Tint)]) -> Rect {
    // A picture stands by its words, and letters are small.
    let picture_max = if page.theme.has_tiles() { 30 } else { 5 };
    let area = page.above_keys();
    let said: u16 = lines.iter().map(|(text, _)| page.rows_of(text)).sum();
    let is_airy = area.height >= said + small(lines.len()) + 6;
    let said = said + if is_airy { small(lines.len()) } else { 0 };
    let picture = area.height.saturating_sub(said + u16::from(is_airy)).min(picture_max);
    let top = area.height.saturating_sub(picture + said) / 2;
    let mut row = top + picture + u16::from(is_airy);
    for (text, tint) in lines {
        if row < area.height {
            row += page.words(row, text, *tint) + u16::from(is_airy);
        }
    }
    Rect { y: area.y + top, height: picture, ..area }
}

fn small(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
