//! Completion: for a word that begins with `@` the Orchestrator and the project's files, for one that begins with `/` the
//! commands.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use view::clean::clean;

use crate::composer::commands;
use crate::composer::rows;
use crate::composer::text_buffer::TextBuffer;
use crate::finder::{Finder, QUERY_BYTES_MAX, is_found};
use crate::theme::{Theme, Tint};

/// The name that sends a message to the Orchestrator instead of the Arbiter.
const ORCHESTRATOR: &str = "orchestrator";
/// How many names are offered.
const NAMES_MAX: usize = 48;
/// How many names are seen at once.
const ROWS_MAX: usize = 6;

/// What can be completed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// Names of the project's files.
    pub files: &'a [Arc<str>],
    /// The mission is conducted: it has other commands and no Orchestrator.
    pub conducted: bool,
}

/// The names on offer.
#[derive(Debug, Clone)]
pub struct Completions {
    finder: Finder,
    /// Best first; there is no offer if there are none.
    names: Vec<Arc<str>>,
    chosen: usize,
    /// The person has moved through the names.
    gone_through: bool,
    /// They are commands.
    commands: bool,
    /// Where the word begins.
    start: usize,
    /// The person closed the offer for the word that begins here.
    refused: Option<usize>,
}

impl Default for Completions {
    fn default() -> Self {
        let finder = Finder::new(depth);
        Completions {
            finder,
            names: Vec::new(),
            chosen: 0,
            gone_through: false,
            commands: false,
            start: 0,
            refused: None,
        }
    }
}

impl Completions {
    /// Something was typed: looks which names could be meant now.
    pub fn refresh(&mut self, sheet: &TextBuffer, known: Known<'_>) {
        self.names.clear();
        (self.chosen, self.gone_through) = (0, false);
        let Some(word) = word(sheet) else {
            self.refused = None;
            return;
        };
        self.start = word.start;
        self.commands = word.is_command;
        if self.refused == Some(word.start) {
            return;
        }
        self.refused = None;
        if word.is_command {
            self.names.extend(commands::that_begin(word.query, known.conducted).map(Arc::from));
        } else {
            // `@orchestrator` counts only as the first word; blanks before it are not sent.
            let first = sheet.text()[..word.start].trim().is_empty();
            self.look_for_names(word.query, first && !known.conducted, known.files);
        }
    }

    /// Names that begin so come before those that only have the letters.
    fn look_for_names(&mut self, query: &str, first: bool, files: &[Arc<str>]) {
        self.finder.find(query, files);
        let finder = &self.finder;
        let found = || (0..finder.count()).filter_map(|rank| files.get(finder.hit(rank)?));
        // A name with control characters cannot be typed.
        let is_typable = |name: &&Arc<str>| !name.contains(char::is_control);
        let near = found().filter(|name| is_near(name, query)).filter(is_typable).take(NAMES_MAX);
        let speaks = first && is_found(query, ORCHESTRATOR);
        let speaks_first = speaks && begins(ORCHESTRATOR, query);
        if speaks_first {
            self.names.push(Arc::from(ORCHESTRATOR));
        }
        self.names.extend(near.map(Arc::clone));
        if speaks && !speaks_first {
            self.names.push(Arc::from(ORCHESTRATOR));
        }
        let room = NAMES_MAX.saturating_sub(self.names.len());
        let far = found().filter(|name| !is_near(name, query)).filter(is_typable).take(room);
        self.names.extend(far.map(Arc::clone));
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

    /// Whether Enter takes the name instead of sending: the person chose it, or the command is not complete yet.
    pub fn is_wanted(&self) -> bool {
        self.gone_through || self.commands
    }

    /// Something is offered.
    pub fn is_open(&self) -> bool {
        !self.names.is_empty()
    }

    /// Chooses the name before or after.
    pub fn choose(&mut self, up: bool) {
        let count = self.names.len().max(1);
        self.gone_through = true;
        self.chosen = (self.chosen + if up { count - 1 } else { 1 }) % count;
    }

    /// The range to replace, the new text, and whether it differs from the typed word.
    pub fn taken(&self, sheet: &TextBuffer) -> Option<(Range<usize>, String, bool)> {
        let name = self.names.get(self.chosen)?;
        let word = word(sheet)?;
        let after = &sheet.text()[sheet.cursor()..];
        let goes_on = !word.is_command || commands::takes_more(name);
        let blank = if goes_on && !after.starts_with(char::is_whitespace) { " " } else { "" };
        let sign = self.sign();
        Some((word.start..sheet.cursor(), format!("{sign}{name}{blank}"), word.query != &**name))
    }

    fn sign(&self) -> char {
        if self.commands { '/' } else { '@' }
    }

    /// Draws the names above `area`.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let room = Rect { y: buffer.area.y, height: area.y.saturating_sub(buffer.area.y), ..area };
        let room = room.intersection(buffer.area);
        // A person reads all commands at a glance, once.
        let rows_max = if self.commands { commands::COUNT } else { ROWS_MAX };
        let shown = self.names.len().min(rows_max).min(usize::from(room.height));
        if shown == 0 || room.width == 0 {
            return;
        }
        let top = self.chosen.saturating_sub(shown - 1);
        let names: Vec<_> = self.names.iter().skip(top).take(shown).map(|name| clean(name)).collect();
        let widest = names.iter().map(|name| rows::columns(name)).max().unwrap_or(0);
        let meaning = |name: &str| if self.commands { commands::meaning(name) } else { None };
        let said = names.iter().filter_map(|name| meaning(name)).map(|words| rows::columns(words) + 2);
        let columns = widest + said.max().unwrap_or(0) + 3;
        let width = u16::try_from(columns).unwrap_or(u16::MAX).min(room.width);
        for (row, name) in names.iter().enumerate() {
            let y = room.bottom() - shown as u16 + row as u16;
            let is_chosen = top + row == self.chosen;
            let tint = if is_chosen { Tint::Chosen } else { Tint::Words };
            let line = Rect { x: room.x, y, width, height: 1 };
            for position in line.positions() {
                buffer[position].reset();
            }
            buffer.set_style(line, theme.style(tint));
            let cut = ending(name, usize::from(width.saturating_sub(3)), theme);
            let text = format!(" {}{cut}", self.sign());
            buffer.set_stringn(line.x, y, text, usize::from(width), theme.style(tint));
            let from = u16::try_from(widest + 4).unwrap_or(u16::MAX);
            if let Some(words) = meaning(name).filter(|_| from < width) {
                let tint = if is_chosen { Tint::Chosen } else { Tint::Dim };
                buffer.set_stringn(line.x + from, y, words, usize::from(width - from), theme.style(tint));
            }
        }
    }
}

/// A word that could be completed.
struct Word<'a> {
    /// Where it begins.
    start: usize,
    /// It without its sign.
    query: &'a str,
    /// It is to be a command, not a name.
    is_command: bool,
}

/// The word at the cursor, if the cursor stands at the end of one that begins with `@`, or that begins with `/` and is
/// all there is. A second `/` makes a path of it.
fn word(sheet: &TextBuffer) -> Option<Word<'_>> {
    let (before, after) = sheet.text().split_at(sheet.cursor());
    let start = before.trim_end_matches(|sign: char| !sign.is_whitespace()).len();
    let whole = &before[start..];
    if let Some(query) = whole.strip_prefix('@') {
        let at_end = after.chars().next().is_none_or(char::is_whitespace);
        let is_word = at_end && query.len() <= QUERY_BYTES_MAX;
        return is_word.then_some(Word { start, query, is_command: false });
    }
    let query = whole.strip_prefix('/')?;
    let is_all = start == 0 && after.is_empty() && !query.contains('/');
    is_all.then_some(Word { start, query, is_command: true })
}

/// The path or the last name in it begins so.
fn is_near(path: &str, query: &str) -> bool {
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
    begins(last, query) || begins(path, query)
}

/// Whether a name begins so, whatever its case.
fn begins(name: &str, query: &str) -> bool {
    let mut signs = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|sign| signs.next() == Some(sign))
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
