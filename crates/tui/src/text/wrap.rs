//! Lines broken to a width, in columns of the terminal: wide and combining characters count as they are shown. Every
//! function here takes time linear in the length of its text, and ends at any width.

use ratatui::buffer::CellWidth;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use view::clean::clean;

/// Signs that never begin a line in scripts that break anywhere.
const CLOSING: &str = "、。，．！？：；」』）】〉》〕’”々ーゝ";

/// How many columns a text takes.
pub fn width(text: &str) -> usize {
    Graphemes(text).map(columns_of).sum()
}

/// The text, or as much of it as fits before an ellipsis.
pub fn cut(text: &str, columns: usize) -> String {
    let (mut taken, mut fits, mut whole) = (0, 0, 0);
    for grapheme in Graphemes(text) {
        taken += columns_of(grapheme);
        if taken > columns {
            return if columns == 0 { String::new() } else { format!("{}…", &text[..fits]) };
        }
        whole += grapheme.len();
        if taken < columns {
            fits = whole;
        }
    }
    text.to_owned()
}

/// Breaks one line between words; what follows is indented by `hang` columns.
pub fn wrap(line: Vec<Span<'static>>, columns: u16, hang: u16) -> Vec<Line<'static>> {
    Breaker::new(&line, columns, hang, Break::Words).lines()
}

/// Breaks one line wherever it is full and keeps every space: for code, where a space means something.
pub fn fold(line: Vec<Span<'static>>, columns: u16, hang: u16) -> Vec<Line<'static>> {
    Breaker::new(&line, columns, hang, Break::Anywhere).lines()
}

/// A text as it was written, made harmless; its lines stay lines and are broken between words.
pub fn plain(text: &str, columns: u16, style: Style) -> Vec<Line<'static>> {
    clean(text)
        .lines()
        .flat_map(|line| wrap(vec![Span::styled(line.to_owned(), style)], columns, 0))
        .collect()
}

/// The same without a style, for printed lines.
pub fn folded(text: &str, columns: u16) -> Vec<String> {
    plain(text, columns, Style::default()).iter().map(ToString::to_string).collect()
}

/// A text cut into what a terminal shows as one. Plain ASCII, most of all text, needs no tables.
struct Graphemes<'a>(&'a str);

impl<'a> Iterator for Graphemes<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.0.as_bytes();
        let plain = (b' '..=b'~').contains(bytes.first()?) && bytes.get(1).is_none_or(u8::is_ascii);
        let length = if plain { 1 } else { self.0.graphemes(true).next()?.len() };
        let (grapheme, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(grapheme)
    }
}

/// As ratatui counts: what holds a control character is not drawn.
fn columns_of(grapheme: &str) -> usize {
    match grapheme.as_bytes() {
        [b' '..=b'~'] => 1,
        _ if grapheme.chars().any(char::is_control) => 0,
        _ => usize::from(grapheme.cell_width()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Break {
    Words,
    Anywhere,
}

/// A grapheme of the line that is being filled.
#[derive(Clone, Copy)]
struct Piece<'a> {
    span: usize,
    /// Where it stands in its span.
    start: usize,
    text: &'a str,
    columns: usize,
}

impl Piece<'_> {
    fn is_space(&self) -> bool {
        matches!(self.text, " " | "\u{3000}")
    }

    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

struct Breaker<'a> {
    spans: &'a [Span<'static>],
    columns: usize,
    hang: usize,
    mode: Break,
    lines: Vec<Line<'static>>,
    pieces: Vec<Piece<'a>>,
    filled: usize,
    /// The line can be broken before this piece.
    chance: Option<usize>,
    /// Only spaces so far: these belong to the line, not between words.
    leading: bool,
    /// A break swallows the spaces around it.
    swallowing: bool,
}

impl<'a> Breaker<'a> {
    fn new(spans: &'a [Span<'static>], columns: u16, hang: u16, mode: Break) -> Breaker<'a> {
        let columns = usize::from(columns).max(1);
        // Something must fit beside the indentation, a wide character too.
        let hang = usize::from(hang).min(columns / 2).min(columns.saturating_sub(2));
        Breaker {
            spans,
            columns,
            hang,
            mode,
            lines: Vec::new(),
            pieces: Vec::new(),
            filled: 0,
            chance: None,
            leading: true,
            swallowing: false,
        }
    }

    fn lines(mut self) -> Vec<Line<'static>> {
        for (span, content) in self.spans.iter().enumerate() {
            let mut start = 0;
            for text in Graphemes(&content.content) {
                let columns = columns_of(text);
                if columns == 1 {
                    self.place(Piece { span, start, text, columns });
                } else if text.contains('\n') {
                    self.emit(self.pieces.len(), false);
                } else if columns > 2 && columns > self.columns - self.hang {
                    // A cluster can be as long as its author likes; then only its characters can be kept together.
                    for (offset, character) in text.char_indices() {
                        let text = &text[offset..offset + character.len_utf8()];
                        self.place(Piece { span, start: start + offset, text, columns: columns_of(text) });
                    }
                } else if columns > 0 || !text.chars().any(char::is_control) {
                    self.place(Piece { span, start, text, columns });
                }
                start += text.len();
            }
        }
        if !self.pieces.is_empty() || self.lines.is_empty() {
            self.emit(self.pieces.len(), false);
        }
        self.lines
    }

    fn place(&mut self, piece: Piece<'a>) {
        let space = self.mode == Break::Words && piece.is_space();
        if self.swallowing && space {
            return;
        }
        self.swallowing = false;
        if self.filled + piece.columns > self.columns && !self.pieces.is_empty() {
            if space {
                self.emit(self.pieces.len(), true);
                self.swallowing = true;
                return;
            }
            self.look(&piece);
            self.emit(self.chance.unwrap_or(self.pieces.len()), true);
        } else {
            self.look(&piece);
        }
        self.leading &= space;
        self.filled += piece.columns;
        self.pieces.push(piece);
    }

    /// Notes whether the line may be broken before this piece.
    fn look(&mut self, piece: &Piece<'_>) {
        let Some(last) = self.pieces.last() else { return };
        let apart = last.is_space() || last.columns > 1 || piece.columns > 1;
        if !apart || self.mode == Break::Anywhere || self.leading || piece.is_space() {
            return;
        }
        if piece.columns < 2 || !CLOSING.contains(piece.text) {
            self.chance = Some(self.pieces.len());
        }
    }

    /// Ends the line before a piece; what comes after it begins the next. Spaces where a line is broken are not drawn.
    fn emit(&mut self, end: usize, broken: bool) {
        let mut kept = end;
        if self.mode == Break::Words && !self.leading && broken {
            while kept > 0 && self.pieces[kept - 1].is_space() {
                kept -= 1;
            }
        }
        let indent = if self.lines.is_empty() { 0 } else { self.hang };
        let mut line = Line::default();
        if indent > 0 && kept > 0 {
            line.spans.push(Span::raw(" ".repeat(indent)));
        }
        // What follows in its span without a gap is one piece of text.
        for run in self.pieces[..kept].chunk_by(|one, next| one.span == next.span && one.end() == next.start)
        {
            let span = &self.spans[run[0].span];
            let end = run.last().map_or(run[0].end(), Piece::end);
            line.spans.push(Span::styled(span.content[run[0].start..end].to_owned(), span.style));
        }
        self.lines.push(line);
        self.pieces.drain(..end);
        self.filled = self.hang + self.pieces.iter().map(|piece| piece.columns).sum::<usize>();
        self.chance = None;
        self.leading = false;
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Stylize;

    use super::*;

    fn shown(lines: &[Line<'_>]) -> String {
        lines.iter().map(|line| format!("|{line}|")).collect::<Vec<_>>().join("\n")
    }

    fn words(text: &str, columns: u16, hang: u16) -> String {
        shown(&wrap(vec![Span::raw(text.to_owned())], columns, hang))
    }

    #[test]
    fn columns_are_counted_as_they_are_shown() {
        assert_eq!(width("abc"), 3);
        assert_eq!(width("漢字"), 4);
        assert_eq!(width("e\u{301}👩‍👩‍👧"), 3);
        assert_eq!(width("a\nb"), 2);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("hello", 5), "hello");
        assert_eq!(cut("hello", 4), "hel…");
        assert_eq!(cut("漢字漢", 5), "漢字…");
        assert_eq!(cut("漢字漢", 4), "漢…");
        assert_eq!(cut("ab", 1), "…");
        assert_eq!(cut("ab", 0), "");
    }

    #[test]
    fn a_line_is_broken_between_words() {
        insta::assert_snapshot!(words("  the quick brown  fox jumps", 11, 2), @r"
        |  the quick|
        |  brown|
        |  fox jumps|
        ");
    }

    #[test]
    fn a_long_word_is_broken() {
        insta::assert_snapshot!(words("see abcdefghijkl ok", 5, 0), @r"
        |see|
        |abcde|
        |fghij|
        |kl ok|
        ");
    }

    #[test]
    fn wide_characters_break_anywhere_but_not_before_a_full_stop() {
        insta::assert_snapshot!(words("漢字漢字。漢", 8, 0), @r"
        |漢字漢|
        |字。漢|
        ");
        insta::assert_snapshot!(words("a漢字", 2, 0), @r"
        |a|
        |漢|
        |字|
        ");
    }

    #[test]
    fn code_is_broken_where_it_is_full() {
        let line = vec![Span::raw("  let a = 1;")];
        insta::assert_snapshot!(shown(&fold(line, 7, 0)), @r"
        |  let a|
        | = 1;|
        ");
    }

    #[test]
    fn no_width_is_too_small() {
        for columns in [0, 1] {
            assert_eq!(words("ab 漢", columns, 9), "|a|\n|b|\n|漢|");
        }
        assert_eq!(words("", 0, 0), "||");
    }

    #[test]
    fn styles_stay_with_their_words() {
        let lines = wrap(vec!["one ".bold(), "two three".red()], 8, 0);
        assert_eq!(lines[0], Line::from(vec!["one ".bold(), "two".red()]));
        assert_eq!(lines[1], Line::from(vec!["three".red()]));
    }

    #[test]
    fn a_plain_text_keeps_its_lines() {
        assert_eq!(shown(&plain("  a\n\nb\u{1b}[2J c d", 4, Style::new())), "|  a|\n||\n|b c|\n|d|");
    }

    #[test]
    fn a_megabyte_is_broken_in_linear_time() {
        for unit in ["abcdefg ", "a", "漢", "a\u{301}", "  ", "👩‍👩‍👧", "\u{1100}"] {
            let text = unit.repeat(1_000_000 / unit.len());
            let started = std::time::Instant::now();
            wrap(vec![Span::raw(text)], 80, 2);
            assert!(started.elapsed() < std::time::Duration::from_secs(5), "{unit:?}");
        }
    }
}
