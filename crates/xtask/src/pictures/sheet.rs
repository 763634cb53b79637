//! A screen as text that loses nothing, and back: the rows, then a letter for the ink of each column, then what the
//! letters mean. The terminal's tests write it into their snapshots and include this file for that; pictures are
//! drawn from it. A cell that a row of text cannot hold (a control character, half of a flag) stands as `�` in its
//! row and by its code points in a line `odd`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The ink of a cell without colours and styles.
const PLAIN: char = '.';
/// What stands in a row for a cell that the row cannot hold.
const ODD: &str = "\u{fffd}";
/// The sixteen colours that every terminal has, in the order of their numbers.
const ANSI: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "gray",
    "dark-gray",
    "light-red",
    "light-green",
    "light-yellow",
    "light-blue",
    "light-magenta",
    "light-cyan",
    "white",
];

/// One screen, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Columns in each row.
    pub width: usize,
    /// From top to bottom; each has as many cells as the sheet is wide.
    pub rows: Vec<Vec<Cell>>,
    /// Column and row.
    pub cursor: Option<(usize, usize)>,
}

/// One column of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// What is shown; nothing where a wide character before it reaches over.
    pub symbol: String,
    pub ink: Ink,
}

/// How a cell is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ink {
    pub front: Paint,
    pub back: Paint,
    pub traits: BTreeSet<Trait>,
}

/// A colour, as the terminal is told it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Paint {
    /// The terminal's own.
    #[default]
    Own,
    /// One of the sixteen.
    Ansi(u8),
    /// One of the two hundred and fifty-six.
    Index(u8),
    Rgb(u8, u8, u8),
}

/// What ink has besides colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    Bold,
    Dim,
    Italic,
    Underlined,
    SlowBlink,
    RapidBlink,
    Reversed,
    Hidden,
    CrossedOut,
}

impl Trait {
    /// All of them, in the order of the bits that ratatui gives them.
    pub const ALL: [(Trait, &'static str); 9] = [
        (Trait::Bold, "bold"),
        (Trait::Dim, "dim"),
        (Trait::Italic, "italic"),
        (Trait::Underlined, "underlined"),
        (Trait::SlowBlink, "slow-blink"),
        (Trait::RapidBlink, "rapid-blink"),
        (Trait::Reversed, "reversed"),
        (Trait::Hidden, "hidden"),
        (Trait::CrossedOut, "crossed-out"),
    ];
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut legend: Vec<(char, &Ink)> = Vec::new();
        let mut signs = signs();
        let (plain, mut odd, mut inks) = (Ink::default(), String::new(), String::new());
        writeln!(f, "{}x{}", self.width, self.rows.len())?;
        for (y, row) in self.rows.iter().enumerate() {
            let (text, strange) = row_text(row);
            writeln!(f, "{}", text.trim_end_matches(' '))?;
            for x in strange {
                let points: String = row[x].symbol.chars().map(|c| format!(" {:x}", u32::from(c))).collect();
                odd += &format!("odd {x},{y}{points}\n");
            }
            let mut letters = String::new();
            for cell in row {
                let known = legend.iter().find(|(_, ink)| **ink == cell.ink).map(|(sign, _)| *sign);
                letters.push(match known {
                    Some(sign) => sign,
                    None if cell.ink == plain => PLAIN,
                    None => {
                        let sign = signs.next().ok_or(fmt::Error)?;
                        legend.push((sign, &cell.ink));
                        sign
                    }
                });
            }
            inks += letters.trim_end_matches(PLAIN);
            inks.push('\n');
        }
        write!(f, "inks\n{inks}legend\n")?;
        for (sign, ink) in legend {
            writeln!(f, "{sign}{ink}")?;
        }
        f.write_str(&odd)?;
        self.cursor.map_or(Ok(()), |(x, y)| writeln!(f, "cursor {x},{y}"))
    }
}

/// Letters for inks, easy ones first; more than any screen has cells.
fn signs() -> impl Iterator<Item = char> {
    let easy = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    easy.chain('\u{100}'..='\u{24f}').chain('\u{4e00}'..='\u{9fff}').chain('\u{10000}'..='\u{2ffff}')
}

/// A row as text, and the columns that it could not hold: those that would not be read as they were written.
fn row_text(row: &[Cell]) -> (String, BTreeSet<usize>) {
    // Breaks of lines, and what turns the direction of reading, would make the text look other than the screen.
    let turns = |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let hostile = |c: char| c.is_control() || turns(c);
    let mut odd: BTreeSet<usize> = (0..row.len()).filter(|x| row[*x].symbol.contains(hostile)).collect();
    loop {
        let shown = |x: usize| if odd.contains(&x) { ODD } else { row[x].symbol.as_str() };
        let text: String = (0..row.len()).map(shown).collect();
        let read = lay(&text, row.len());
        let wrong = (0..read.len()).find(|&x| x >= row.len() || read[x] != shown(x));
        // The one to blame is where the reading goes wrong, or the next, or the last before.
        let blamed = wrong.and_then(|wrong| {
            let after = (wrong..row.len()).find(|x| !odd.contains(x));
            after.or_else(|| (0..row.len()).rev().find(|x| !odd.contains(x)))
        });
        match blamed {
            Some(x) => odd.insert(x),
            None => return (text, odd),
        };
    }
}

/// The columns of a row of text, at least `width` of them.
fn lay(text: &str, width: usize) -> Vec<&str> {
    let mut columns = Vec::new();
    for symbol in text.graphemes(true).filter(|symbol| symbol.width() > 0) {
        columns.push(symbol);
        columns.extend((1..symbol.width()).map(|_| ""));
    }
    columns.resize(columns.len().max(width), " ");
    columns
}

impl FromStr for Sheet {
    type Err = String;

    fn from_str(text: &str) -> Result<Sheet, String> {
        let mut lines = text.lines();
        let mut line = |what: &str| lines.next().ok_or_else(|| format!("the {what} is missing"));
        let (width, height) = pair(line("size")?, 'x')?;
        // Only as many as there are, whatever the first line says.
        let texts = (0..height).map(|_| line("row")).collect::<Result<Vec<&str>, String>>()?;
        expect(line("word `inks`")?, "inks")?;
        let letters = (0..height).map(|_| line("row of inks")).collect::<Result<Vec<&str>, String>>()?;
        expect(line("word `legend`")?, "legend")?;
        let mut sheet = Sheet { width, rows: Vec::new(), cursor: None };
        let (mut legend, mut odd) = (vec![(PLAIN, Ink::default())], Vec::new());
        for line in lines {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            let mut letter = name.chars();
            match (name, letter.next(), letter.next()) {
                ("cursor", ..) => sheet.cursor = Some(pair(rest, ',')?),
                ("odd", ..) => odd.push(rest),
                (_, Some(sign), None) => legend.push((sign, rest.parse()?)),
                (_, None | Some(_), None | Some(_)) => {
                    return Err(format!("`{line}` is no line of a legend"));
                }
            }
        }
        for (text, letters) in texts.into_iter().zip(letters) {
            let symbols = lay(text, width);
            if symbols.len() > width || letters.chars().count() > width {
                return Err(format!("`{text}` or its inks are wider than {width}"));
            }
            let letters = letters.chars().chain(std::iter::repeat(PLAIN));
            let cell = |(symbol, letter): (&str, char)| {
                let ink = legend.iter().find(|(sign, _)| *sign == letter).map(|(_, ink)| ink.clone());
                let ink = ink.ok_or_else(|| format!("the legend does not know `{letter}`"))?;
                Ok(Cell { symbol: symbol.to_owned(), ink })
            };
            sheet.rows.push(symbols.into_iter().zip(letters).map(cell).collect::<Result<_, String>>()?);
        }
        for odd in odd {
            let (place, points) = odd.split_once(' ').unwrap_or((odd, ""));
            let (x, y) = pair(place, ',')?;
            let cell = sheet.rows.get_mut(y).and_then(|row| row.get_mut(x));
            let points = points.split(' ').filter(|point| !point.is_empty());
            let character = |point| u32::from_str_radix(point, 16).ok().and_then(char::from_u32);
            let symbol = points.map(character).collect::<Option<String>>();
            match (cell, symbol) {
                (Some(cell), Some(symbol)) => cell.symbol = symbol,
                (None, _) | (_, None) => return Err(format!("`odd {odd}` names no cell or no character")),
            }
        }
        Ok(sheet)
    }
}

fn expect(line: &str, word: &str) -> Result<(), String> {
    if line == word { Ok(()) } else { Err(format!("`{line}` stands where `{word}` should")) }
}

/// Two numbers with a sign between them.
fn pair(text: &str, between: char) -> Result<(usize, usize), String> {
    let numbers = text.split_once(between).and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    numbers.ok_or_else(|| format!("`{text}` is not two numbers with `{between}` between them"))
}

/// What follows the letter in a legend, each word with a space before it.
impl fmt::Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, paint) in [("fg", self.front), ("bg", self.back)] {
            match paint {
                Paint::Own => {}
                Paint::Ansi(number) => write!(f, " {name}={}", ANSI[usize::from(number % 16)])?,
                Paint::Index(number) => write!(f, " {name}={number}")?,
                Paint::Rgb(r, g, b) => write!(f, " {name}=#{r:02x}{g:02x}{b:02x}")?,
            }
        }
        for (_, name) in Trait::ALL.iter().filter(|(kind, _)| self.traits.contains(kind)) {
            write!(f, " {name}")?;
        }
        Ok(())
    }
}

impl FromStr for Ink {
    type Err = String;

    fn from_str(text: &str) -> Result<Ink, String> {
        let mut ink = Ink::default();
        for word in text.split_whitespace() {
            let unknown = || format!("`{word}` is no word for ink");
            match word.split_once('=') {
                Some(("fg", paint)) => ink.front = read_paint(paint).ok_or_else(unknown)?,
                Some(("bg", paint)) => ink.back = read_paint(paint).ok_or_else(unknown)?,
                Some(_) | None => {
                    let (kind, _) =
                        Trait::ALL.into_iter().find(|(_, name)| *name == word).ok_or_else(unknown)?;
                    ink.traits.insert(kind);
                }
            }
        }
        Ok(ink)
    }
}

fn read_paint(word: &str) -> Option<Paint> {
    if let Some(hex) = word.strip_prefix('#').filter(|hex| hex.len() == 6) {
        let [_, r, g, b] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
        return Some(Paint::Rgb(r, g, b));
    }
    let named = (0u8..).zip(ANSI).find(|(_, name)| *name == word).map(|(number, _)| Paint::Ansi(number));
    named.or_else(|| word.parse().ok().map(Paint::Index))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "6x2\nab 日\n\u{fffd}\ninks\naa.bb\n\u{20}\nlegend\na fg=yellow bg=#102030 bold reversed\nb fg=214\nodd 0,1 1b\ncursor 3,1\n";

    fn small() -> String {
        SMALL.replace("\n \n", "\n\n")
    }

    #[test]
    fn what_is_read_is_written_the_same() {
        let sheet: Sheet = small().parse().unwrap();
        assert_eq!(sheet.to_string(), small());
        let symbols: Vec<&str> = sheet.rows[0].iter().map(|cell| cell.symbol.as_str()).collect();
        assert_eq!(symbols, ["a", "b", " ", "日", "", " "]);
        assert_eq!(sheet.rows[0][4].ink.front, Paint::Index(214));
        assert_eq!(sheet.rows[1][0].symbol, "\u{1b}");
        assert_eq!(sheet.cursor, Some((3, 1)));
    }

    #[test]
    fn a_text_that_is_no_sheet_says_why() {
        for (broken, told) in [
            (String::new(), "the size is missing"),
            ("80".to_owned(), "`80` is not two numbers with `x` between them"),
            ("9x9999999999\n".to_owned(), "the row is missing"),
            (small().replace("inks", "ink"), "`ink` stands where `inks` should"),
            (small().replace("ab ", "abcdef"), "`abcdef日` or its inks are wider than 6"),
            (small().replace("b fg", "c fg"), "the legend does not know `b`"),
            (small().replace("bold", "loud"), "`loud` is no word for ink"),
            (small().replace("0,1 1b", "0,7 1b"), "`odd 0,7 1b` names no cell or no character"),
            (small().replace("cursor", "curse"), "`curse 3,1` is no line of a legend"),
        ] {
            assert_eq!(broken.parse::<Sheet>().unwrap_err(), told);
        }
    }

    #[test]
    fn cells_that_would_flow_together_are_told_apart() {
        let cell = |symbol: &str| Cell { symbol: symbol.to_owned(), ink: Ink::default() };
        for row in [["🇩", "🇪"], ["e", "\u{301}"], ["\n", "a"], ["", ""], ["a", "日"]] {
            let sheet = Sheet { width: 2, rows: vec![row.map(cell).to_vec()], cursor: None };
            assert_eq!(sheet.to_string().parse(), Ok(sheet), "{row:?}");
        }
    }
}
