//! Bytes as frames: what stood on the page whenever a frame was whole. A frame ends where the cursor is told to hide, or
//! where it is put after it was told to show; so no frame is ever half of one.

use std::fmt;
use std::num::NonZeroU16;
use std::time::{Duration, Instant};

use vt100::{Color, Parser, Screen};

use self::sheet::{Cell, Ink, Paint, Sheet, Trait};

/// The form of a screen as text is xtask's, which reads what is written here.
#[path = "../../../../xtask/src/pictures/sheet.rs"]
mod sheet;

const HIDE: &[u8] = b"\x1b[?25l";
const SHOW: &[u8] = b"\x1b[?25h";

/// A page, and since when it stood there.
pub struct Frame {
    at: Duration,
    sheet: Sheet,
}

/// A line `frame MILLISECONDS LINES`, then so many lines of a sheet.
impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sheet = self.sheet.to_string();
        write!(f, "frame {} {}\n{sheet}", self.at.as_millis(), sheet.lines().count())
    }
}

impl Frame {
    /// The same with `~` where the path of a home stands: no reader should ask whose machine it was. What follows it in
    /// the same word moves up, and the rest of the row stays where it is.
    pub fn without_home(mut self, home: &str) -> Frame {
        let long = home.chars().count();
        for row in &mut self.sheet.rows {
            let begins = |row: &[Cell]| {
                let path = home.chars().zip(row).filter(|(sign, cell)| cell.symbol == sign.to_string());
                path.count() == long
            };
            while let Some(at) = (0..row.len()).find(|at| begins(&row[*at..])) {
                let ends =
                    row[at..].iter().position(|cell| cell.symbol == " ").map_or(row.len(), |end| at + end);
                let blank = Cell { symbol: " ".to_owned(), ink: Ink::default() };
                row.splice(ends..ends, vec![blank; long - 1]);
                row.drain(at + 1..at + long);
                "~".clone_into(&mut row[at].symbol);
            }
        }
        self
    }
}

/// The frames of what was written, each when its last byte came; those that show nothing new are left out.
pub fn frames(bytes: &[u8], came: &[(Instant, usize)], size: (u16, u16)) -> Vec<Frame> {
    let (Some(columns), Some(rows), Some(first)) =
        (NonZeroU16::new(size.0), NonZeroU16::new(size.1), came.first())
    else {
        return Vec::new();
    };
    let mut parser = Parser::new(rows, columns, 0);
    let mut frames: Vec<Frame> = Vec::new();
    let mut from = 0;
    while let Some(end) = end_of_frame(bytes, from) {
        parser.process(&bytes[from..end]);
        from = end;
        let sheet = sheet(parser.screen());
        let whole = came.iter().find(|(_, length)| *length >= end).map_or(first.0, |(at, _)| *at);
        if frames.last().is_none_or(|last| last.sheet != sheet) {
            frames.push(Frame { at: whole.duration_since(first.0), sheet });
        }
    }
    frames
}

/// Where the frame ends that begins here.
fn end_of_frame(bytes: &[u8], from: usize) -> Option<usize> {
    let signs = bytes[from..].windows(HIDE.len());
    let at = from + signs.into_iter().position(|sign| sign == HIDE || sign == SHOW)?;
    let after = at + HIDE.len();
    if bytes[at..after] == *HIDE {
        return Some(after);
    }
    // The cursor's place follows.
    bytes[after..].iter().position(|byte| *byte == b'H').map(|place| after + place + 1)
}

fn sheet(screen: &Screen) -> Sheet {
    let (rows, columns) = screen.size();
    let row = |row| (0..columns.get()).map(|column| cell(screen, row, column)).collect();
    let (y, x) = screen.cursor_position();
    let cursor = (!screen.hide_cursor()).then(|| (usize::from(x), usize::from(y)));
    Sheet { width: usize::from(columns.get()), rows: (0..rows.get()).map(row).collect(), cursor }
}

fn cell(screen: &Screen, row: u16, column: u16) -> Cell {
    let Some(cell) = screen.cell(row, column) else {
        return Cell { symbol: " ".to_owned(), ink: Ink::default() };
    };
    let traits = [
        (cell.bold(), Trait::Bold),
        (cell.dim(), Trait::Dim),
        (cell.italic(), Trait::Italic),
        (cell.underline(), Trait::Underlined),
        (cell.inverse(), Trait::Reversed),
    ];
    let symbol = match (cell.is_wide_continuation(), cell.has_contents()) {
        (true, _) => "",
        (false, true) => cell.contents(),
        (false, false) => " ",
    };
    let traits = traits.into_iter().filter(|(has, _)| *has).map(|(_, kind)| kind).collect();
    let ink = Ink { front: paint(cell.fgcolor()), back: paint(cell.bgcolor()), traits };
    Cell { symbol: symbol.to_owned(), ink }
}

fn paint(colour: Color) -> Paint {
    match colour {
        Color::Default => Paint::Own,
        Color::Idx(number @ 0..=15) => Paint::Ansi(number),
        Color::Idx(number) => Paint::Index(number),
        Color::Rgb(r, g, b) => Paint::Rgb(r, g, b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of pieces that came a second apart.
    fn told(pieces: &[&str]) -> Vec<String> {
        let began = Instant::now();
        let (mut bytes, mut came) = (Vec::new(), Vec::new());
        for (piece, second) in pieces.iter().zip(0..) {
            bytes.extend_from_slice(piece.as_bytes());
            came.push((began + Duration::from_secs(second), bytes.len()));
        }
        frames(&bytes, &came, (4, 1)).iter().map(Frame::to_string).collect()
    }

    #[test]
    fn a_frame_is_told_when_it_is_whole_and_new() {
        let frames = told(&[
            "\x1b[1;1H\x1b[38;2;1;2;3mab",
            "c\x1b[?25l\x1b[1;1H\x1b[38;2;1;2;3mabc\x1b[?25l",
            "\x1b[1;1H\x1b[39;7mx\x1b[?25h\x1b[1;2",
            "H\x1b[2J half of a frame",
        ]);
        let first = "frame 1000 6\n4x1\nabc\ninks\naaa\nlegend\na fg=#010203\n";
        let second = "frame 3000 8\n4x1\nxbc\ninks\nabb\nlegend\na reversed\nb fg=#010203\ncursor 1,0\n";
        assert_eq!(frames, [first, second]);
    }

    #[test]
    fn a_home_is_not_told() {
        let page = "\x1b[1;1H\u{2551} = /t/x/home/a/b \u{2551}\x1b[?25l";
        let came = [(Instant::now(), page.len())];
        let frame = frames(page.as_bytes(), &came, (20, 1)).remove(0).without_home("/t/x/home");
        let text = frame.to_string();
        assert_eq!(text.lines().nth(2), Some("\u{2551} = ~/a/b         \u{2551}"), "{text}");
    }

    #[test]
    fn nothing_that_was_written_is_no_frame() {
        assert!(told(&[]).is_empty());
        assert!(told(&["words of a shell"]).is_empty());
    }
}
