//! Names that could be meant by a word that begins with `@`: whom one speaks to, and the files of the project.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::draft::rows;
use crate::draft::sheet::Sheet;
use crate::finder::{Finder, QUERY_BYTES_MAX, is_found};
use crate::text::clean::clean;
use crate::theme::{Theme, Tint};

/// Whom one can speak to besides the Arbiter.
const ORCHESTRATOR: &str = "orchestrator";
/// How many names are offered.
const NAMES_MAX: usize = 48;
/// How many names are seen at once.
const ROWS_MAX: usize = 6;

/// The names on offer.
#[derive(Debug, Clone)]
pub struct Offer {
    finder: Finder,
    /// Best first; there is no offer if there are none.
    names: Vec<Arc<str>>,
    chosen: usize,
    /// Where the word begins.
    start: usize,
    /// The person closed the offer for the word that begins here.
    refused: Option<usize>,
}

impl Default for Offer {
    fn default() -> Self {
        let finder = Finder::new(depth);
        Offer { finder, names: Vec::new(), chosen: 0, start: 0, refused: None }
    }
}

impl Offer {
    /// Something was typed: looks which names could be meant now.
    pub fn look(&mut self, sheet: &Sheet, files: &[Arc<str>]) {
        self.names.clear();
        self.chosen = 0;
        let Some((start, query)) = word(sheet) else {
            self.refused = None;
            return;
        };
        self.start = start;
        if self.refused == Some(start) {
            return;
        }
        self.refused = None;
        if is_found(query, ORCHESTRATOR) {
            self.names.push(Arc::from(ORCHESTRATOR));
        }
        self.finder.find(query, files);
        let found = (0..self.finder.count()).filter_map(|rank| files.get(self.finder.hit(rank)?));
        // What cannot be typed cannot be meant.
        let found = found.filter(|name| !name.contains(char::is_control));
        self.names.extend(found.take(NAMES_MAX).map(Arc::clone));
    }

    /// There is no word to complete any more.
    pub fn close(&mut self) {
        self.names.clear();
    }

    /// The person does not want it for this word.
    pub fn refuse(&mut self) {
        self.refused = Some(self.start);
        self.close();
    }

    /// Something is offered.
    pub fn is_open(&self) -> bool {
        !self.names.is_empty()
    }

    /// Chooses the name before or after.
    pub fn choose(&mut self, up: bool) {
        let count = self.names.len().max(1);
        self.chosen = (self.chosen + if up { count - 1 } else { 1 }) % count;
    }

    /// What is to be put in the place of the word, and whether the word is more than what stands there.
    pub fn taken(&self, sheet: &Sheet) -> Option<(Range<usize>, String, bool)> {
        let name = self.names.get(self.chosen)?;
        let (start, query) = word(sheet)?;
        let after = &sheet.text()[sheet.cursor()..];
        let blank = if after.starts_with(char::is_whitespace) { "" } else { " " };
        Some((start..sheet.cursor(), format!("@{name}{blank}"), query != &**name))
    }

    /// Draws the names above `area`.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let room = Rect { y: buffer.area.y, height: area.y.saturating_sub(buffer.area.y), ..area };
        let room = room.intersection(buffer.area);
        let shown = self.names.len().min(ROWS_MAX).min(usize::from(room.height));
        if shown == 0 || room.width == 0 {
            return;
        }
        let top = self.chosen.saturating_sub(shown - 1);
        let names: Vec<_> = self.names.iter().skip(top).take(shown).map(|name| clean(name)).collect();
        let widest = names.iter().map(|name| rows::columns(name)).max().unwrap_or(0);
        let width = u16::try_from(widest + 3).unwrap_or(u16::MAX).min(room.width);
        for (row, name) in names.iter().enumerate() {
            let y = room.bottom() - shown as u16 + row as u16;
            let tint = if top + row == self.chosen { Tint::Chosen } else { Tint::Words };
            let line = Rect { x: room.x, y, width, height: 1 };
            for position in line.positions() {
                buffer[position].reset();
            }
            buffer.set_style(line, theme.style(tint));
            let name = ending(name, usize::from(width.saturating_sub(3)), theme);
            buffer.set_stringn(line.x, y, format!(" @{name}"), usize::from(width), theme.style(tint));
        }
    }
}

/// The word at the cursor without its `@`, and where it begins, if the cursor stands at the end of such a word.
fn word(sheet: &Sheet) -> Option<(usize, &str)> {
    let (before, after) = sheet.text().split_at(sheet.cursor());
    let before_word = before.trim_end_matches(|sign: char| !sign.is_whitespace());
    let query = before[before_word.len()..].strip_prefix('@')?;
    let at_end = after.chars().next().is_none_or(char::is_whitespace);
    (at_end && query.len() <= QUERY_BYTES_MAX).then_some((before_word.len(), query))
}

/// A name, or as much of its end as fits: the end of a path says more than its beginning.
pub fn ending(name: &str, columns: usize, theme: &Theme) -> String {
    use unicode_segmentation::UnicodeSegmentation as _;
    if rows::columns(name) <= columns {
        return name.to_owned();
    }
    let mark = theme.sign("…", "...");
    let mut room = columns.saturating_sub(rows::columns(mark));
    let mut from = name.len();
    for (at, cluster) in name.grapheme_indices(true).rev() {
        let Some(rest) = room.checked_sub(rows::columns(cluster)) else { break };
        room = rest;
        from = at;
    }
    format!("{mark}{}", &name[from..])
}

fn depth(name: &str) -> u8 {
    let folders = name.bytes().filter(|sign| *sign == b'/').count();
    u8::try_from(folders).unwrap_or(u8::MAX)
}
