//! What a terminal shows after the bytes it is sent.

use std::num::NonZeroU16;
use std::time::Instant;

use vt100::{Callbacks, MouseProtocolMode, Parser, Screen};

/// The page that bytes become, and the bytes.
pub(super) struct Glass {
    pub(super) raw: Vec<u8>,
    /// When a piece came, and how many bytes there were with it.
    pub(super) came: Vec<(Instant, usize)>,
    parser: Parser<Oddities>,
}

impl std::fmt::Debug for Glass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Glass").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

/// What was asked for besides text.
#[derive(Default)]
struct Oddities(Vec<String>);

impl Glass {
    pub(super) fn new(size: (u16, u16)) -> Glass {
        let (columns, rows) = page(size);
        let parser = Parser::new_with_callbacks(rows, columns, 200, Oddities::default());
        Glass { raw: Vec::new(), came: Vec::new(), parser }
    }

    pub(super) fn hear(&mut self, piece: &[u8]) {
        self.raw.extend_from_slice(piece);
        self.came.push((Instant::now(), self.raw.len()));
        self.parser.process(piece);
    }

    pub(super) fn resize(&mut self, size: (u16, u16)) {
        let (columns, rows) = page(size);
        self.parser.set_size(rows, columns);
    }

    pub(super) fn rows(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let columns = screen.size().1.get();
        screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
    }

    pub(super) fn cursor(&self) -> Option<(u16, u16)> {
        let screen = self.parser.screen();
        (!screen.hide_cursor()).then(|| screen.cursor_position())
    }

    pub(super) fn is_covered(&self) -> bool {
        self.parser.screen().alternate_screen()
    }

    pub(super) fn oddities(&self) -> Vec<String> {
        self.parser.callbacks().0.clone()
    }

    /// Row and column of the first cell of a text.
    pub(super) fn find(&self, text: &str) -> Option<(u16, u16)> {
        let screen = self.parser.screen();
        let (rows, columns) = screen.size();
        (0..rows.get()).find_map(|row| {
            let mut line = String::new();
            let mut begins = Vec::new();
            for column in 0..columns.get() {
                let cell = screen.cell(row, column)?;
                begins.push((line.len(), column));
                if !cell.is_wide_continuation() {
                    line.push_str(if cell.has_contents() { cell.contents() } else { " " });
                }
            }
            let at = line.find(text)?;
            begins.iter().find(|(begin, _)| *begin == at).map(|(_, column)| (row, *column))
        })
    }

    /// What a program that has ended should have given back, and did not.
    pub(super) fn modes(&self) -> Vec<String> {
        let screen = self.parser.screen();
        let left = [
            (screen.alternate_screen(), "the alternate screen"),
            (screen.hide_cursor(), "a hidden cursor"),
            (screen.bracketed_paste(), "bracketed paste"),
            (screen.mouse_protocol_mode() != MouseProtocolMode::None, "the mouse"),
            (screen.application_cursor(), "cursor keys of an application"),
            (screen.application_keypad(), "a keypad of an application"),
        ];
        left.into_iter().filter(|(left, _)| *left).map(|(_, what)| what.to_owned()).collect()
    }
}

/// The size of the page; a window that has no size is taken for a common one.
fn page((columns, rows): (u16, u16)) -> (NonZeroU16, NonZeroU16) {
    match (NonZeroU16::new(columns), NonZeroU16::new(rows)) {
        (Some(columns), Some(rows)) => (columns, rows),
        (None, _) | (_, None) => (Parser::DEFAULT_COLS, Parser::DEFAULT_ROWS),
    }
}

impl Callbacks for Oddities {
    fn audible_bell(&mut self, _: &mut Screen) {
        self.0.push("bell".to_owned());
    }

    fn visual_bell(&mut self, _: &mut Screen) {
        self.0.push("flash".to_owned());
    }

    fn resize(&mut self, _: &mut Screen, size: (u16, u16)) {
        self.0.push(format!("resize {size:?}"));
    }

    fn set_window_icon_name(&mut self, _: &mut Screen, name: &[u8]) {
        self.0.push(format!("icon {}", String::from_utf8_lossy(name)));
    }

    fn set_window_title(&mut self, _: &mut Screen, title: &[u8]) {
        self.0.push(format!("title {}", String::from_utf8_lossy(title)));
    }

    fn copy_to_clipboard(&mut self, _: &mut Screen, _: &[u8], data: &[u8]) {
        self.0.push(format!("copy {}", String::from_utf8_lossy(data)));
    }

    fn paste_from_clipboard(&mut self, _: &mut Screen, _: &[u8]) {
        self.0.push("paste".to_owned());
    }

    fn unhandled_char(&mut self, _: &mut Screen, sign: char) {
        self.0.push(format!("character {sign:?}"));
    }

    fn unhandled_control(&mut self, _: &mut Screen, byte: u8) {
        self.0.push(format!("control {byte:#04x}"));
    }

    fn unhandled_escape(&mut self, _: &mut Screen, _: Option<u8>, _: Option<u8>, byte: u8) {
        self.0.push(format!("escape {byte:#04x}"));
    }

    fn unhandled_osc(&mut self, _: &mut Screen, parts: &[&[u8]]) {
        let parts: Vec<_> = parts.iter().map(|part| String::from_utf8_lossy(part)).collect();
        self.0.push(format!("osc {}", parts.join(";")));
    }
}
