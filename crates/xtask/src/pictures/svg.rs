//! A sheet as an SVG: a dark window, behind all the backgrounds, then shapes, then words. What looks the same stands
//! together, and neighbours are merged, so that files stay small and changes of them small too.

use std::collections::BTreeMap;

use super::palette::{Look, RIM, Rgb, WINDOW};
use super::shapes::{Area, HIGH, Line, Shape, WIDE, shape};
use super::sheet::{Cell, Sheet, Trait};

/// Around the cells, in units.
const PADDING: usize = 16;
/// From the top of a cell to the foot of its letters.
const BASE: i32 = 1500;
/// How a picture ends.
pub const FOOT: &str = "</g>\n</svg>\n";
pub const FONTS: &str =
    "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/// Draws a sheet. `alt` is what it says to those who do not see it.
pub fn draw(sheet: &Sheet, alt: &str) -> String {
    let mut page = Page::default();
    for (y, row) in sheet.rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.symbol.is_empty()) {
            let covered = row[x + 1..].iter().take_while(|cell| cell.symbol.is_empty()).count();
            page.put(cell, (x, y), covered + 1, sheet.cursor == Some((x, y)));
        }
    }
    let mut svg = head(sheet.width, sheet.rows.len(), alt) + &window(sheet.width, sheet.rows.len());
    page.write(&mut svg);
    svg += FOOT;
    svg
}

/// How a picture of so many columns and rows begins, before anything is drawn.
pub fn head(columns: usize, rows: usize, alt: &str) -> String {
    let (wide, high) = outside(columns, rows);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         role=\"img\">\n<title>{}</title>\n",
        escape(alt),
    )
}

/// The window, and the place for what stands in it.
pub fn window(columns: usize, rows: usize) -> String {
    let (wide, high) = outside(columns, rows);
    format!(
        "<rect x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"9.5\" \
         fill=\"{WINDOW}\" stroke=\"{RIM}\"/>\n<g transform=\"translate({PADDING} {PADDING})\">\n",
        wide - 1,
        high - 1,
    )
}

fn outside(columns: usize, rows: usize) -> (usize, usize) {
    (columns * 10 + 2 * PADDING, rows * 20 + 2 * PADDING)
}

/// What lies on the page, by how it looks.
#[derive(Default)]
pub struct Page {
    backs: BTreeMap<Rgb, Vec<Area>>,
    blocks: BTreeMap<Rgb, Vec<Area>>,
    /// Heavy ones apart from the others.
    lines: BTreeMap<(bool, Rgb), Strokes>,
    words: BTreeMap<Pen, Vec<Run>>,
}

/// Lines and bends in one path, because two that overlap at their ends would show a dot there.
#[derive(Default)]
struct Strokes {
    lines: Vec<Line>,
    bends: String,
}

/// What words are written with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pen {
    colour: Rgb,
    bold: bool,
    italic: bool,
}

/// Words of one row that are written in one go.
struct Run {
    place: (usize, usize),
    columns: usize,
    text: String,
    /// It may come from another font, so it stands alone in the middle of its cell.
    foreign: bool,
}

impl Page {
    /// Puts a cell that is so many columns wide into its place.
    pub fn put(&mut self, cell: &Cell, (x, y): (usize, usize), columns: usize, under_cursor: bool) {
        let Look { front, back } = Look::of(&cell.ink, under_cursor);
        let has = |kind| cell.ink.traits.contains(&kind);
        let (left, top) = (length(x) * WIDE, length(y) * HIGH);
        let whole = Area { x: left, y: top, wide: length(columns) * WIDE, high: HIGH };
        if back != WINDOW {
            add(self.backs.entry(back).or_default(), whole);
        }
        for (kind, at) in [(Trait::Underlined, BASE + 250), (Trait::CrossedOut, HIGH / 2)] {
            if has(kind) {
                add(self.blocks.entry(front).or_default(), Area { y: top + at, high: 100, ..whole });
            }
        }
        if front == back || cell.symbol.trim().is_empty() {
            return;
        }
        match shape(&cell.symbol) {
            Some(Shape::Blocks(areas)) => {
                for area in areas {
                    let area = Area { x: left + area.x, y: top + area.y, ..area };
                    add(self.blocks.entry(front).or_default(), area);
                }
            }
            Some(Shape::Shade(share)) => {
                add(self.blocks.entry(front.over(back, share)).or_default(), whole);
            }
            Some(Shape::Lines(lines)) => {
                for Line { heavy, from, to } in lines {
                    let moved = |(x, y): (i32, i32)| (left + x, top + y);
                    let line = Line { heavy, from: moved(from), to: moved(to) };
                    self.lines.entry((heavy, front)).or_default().lines.push(line);
                }
            }
            Some(Shape::Bend { x, y }) => {
                let (middle, centre) = (left + WIDE / 2, top + HIGH / 2);
                let before = if y == 0 { centre - WIDE / 2 } else { centre + WIDE / 2 };
                let [middle, edge, before, centre, side] =
                    [middle, top + y, before, centre, left + x].map(number);
                let path = format!("M{middle} {edge}V{before}Q{middle} {centre} {side} {centre}");
                self.lines.entry((false, front)).or_default().bends += &path;
            }
            None => {
                let pen = Pen { colour: front, bold: has(Trait::Bold), italic: has(Trait::Italic) };
                write_on(self.words.entry(pen).or_default(), &cell.symbol, (x, y), columns);
            }
        }
    }

    fn write(self, svg: &mut String) {
        *svg += "<g shape-rendering=\"crispEdges\">\n";
        self.write_areas(svg);
        *svg += "</g>\n<g fill=\"none\" stroke-width=\"1.5\" stroke-linecap=\"square\">\n";
        self.write_lines(svg);
        *svg += &format!("</g>\n<g font-family=\"{FONTS}\" font-size=\"16\">\n");
        self.write_words(svg);
        *svg += "</g>\n";
    }

    /// What is filled: grounds first, blocks over them.
    pub fn write_areas(&self, svg: &mut String) {
        for (colour, areas) in self.backs.iter().chain(&self.blocks) {
            let path: String = areas.iter().map(area_path).collect();
            *svg += &format!("<path fill=\"{colour}\" d=\"{path}\"/>\n");
        }
    }

    /// Writes the strokes; the caller's element sets the width of the pen.
    pub fn write_lines(&self, svg: &mut String) {
        for ((heavy, colour), Strokes { lines, bends }) in &self.lines {
            let path = merged(lines.clone()).iter().map(line_path).collect::<String>() + bends;
            let width = if *heavy { " stroke-width=\"3\"" } else { "" };
            *svg += &format!("<path stroke=\"{colour}\"{width} d=\"{path}\"/>\n");
        }
    }

    /// Writes the words; the caller's element sets the font.
    pub fn write_words(&self, svg: &mut String) {
        for (Pen { colour, bold, italic }, runs) in &self.words {
            let bold = if *bold { " font-weight=\"700\"" } else { "" };
            let italic = if *italic { " font-style=\"italic\"" } else { "" };
            *svg += &format!("<g fill=\"{colour}\"{bold}{italic}>\n");
            runs.iter().for_each(|run| *svg += &run_text(run));
            *svg += "</g>\n";
        }
    }
}

/// Adds an area, or makes the last one longer if this one goes on where it ends.
fn add(areas: &mut Vec<Area>, area: Area) {
    match areas.last_mut() {
        Some(last) if (last.y, last.high, last.x + last.wide) == (area.y, area.high, area.x) => {
            last.wide += area.wide;
        }
        Some(_) | None => areas.push(area),
    }
}

/// Lines that touch end to end become one.
fn merged(mut lines: Vec<Line>) -> Vec<Line> {
    let level = |line: &Line| line.from.1 == line.to.1;
    lines.sort_by_key(|line| {
        let ((x, y), across) = (line.from, level(line));
        if across { (across, y, x) } else { (across, x, y) }
    });
    let mut merged: Vec<Line> = Vec::new();
    for line in lines {
        match merged.last_mut() {
            Some(last)
                if level(last) && level(&line) && last.to.1 == line.from.1 && last.to.0 >= line.from.0 =>
            {
                last.to.0 = last.to.0.max(line.to.0);
            }
            Some(last)
                if !level(last) && !level(&line) && last.to.0 == line.from.0 && last.to.1 >= line.from.1 =>
            {
                last.to.1 = last.to.1.max(line.to.1);
            }
            Some(_) | None => merged.push(line),
        }
    }
    merged
}

/// Adds a symbol to the runs of its pen. A run goes on over one space, and ends at two.
fn write_on(runs: &mut Vec<Run>, symbol: &str, (x, y): (usize, usize), columns: usize) {
    let mut characters = symbol.chars();
    // Characters that every font for terminals has, one column wide.
    let common =
        |c: char| matches!(c, '!'..='~' | '\u{a1}'..='\u{24f}' | '–' | '—' | '‘' | '’' | '“' | '”' | '…');
    let foreign = !(characters.next().is_some_and(common) && characters.next().is_none());
    if let Some(last) = runs.last_mut().filter(|last| !foreign && !last.foreign && last.place.1 == y) {
        let gap = x - (last.place.0 + last.columns);
        if gap <= 1 {
            last.text += &" ".repeat(gap);
            last.text += symbol;
            last.columns += gap + columns;
            return;
        }
    }
    runs.push(Run { place: (x, y), columns, text: symbol.to_owned(), foreign });
}

fn run_text(Run { place: (x, y), columns, text, foreign }: &Run) -> String {
    let (left, base, text) = (length(*x) * WIDE, number(length(*y) * HIGH + BASE), escape(text));
    let wide = length(*columns) * WIDE;
    if *foreign {
        let middle = number(left + wide / 2);
        return format!("<text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\">{text}</text>\n");
    }
    // However wide the reader's font is, the letters keep their columns.
    let hold = if *columns > 1 { format!(" textLength=\"{}\"", number(wide)) } else { String::new() };
    format!("<text x=\"{}\" y=\"{base}\"{hold}>{text}</text>\n", number(left))
}

fn area_path(Area { x, y, wide, high }: &Area) -> String {
    let [x, y, wide, high, back] = [*x, *y, *wide, *high, -wide].map(number);
    format!("M{x} {y}h{wide}v{high}h{back}z")
}

fn line_path(Line { from, to, .. }: &Line) -> String {
    let start = format!("M{} {}", number(from.0), number(from.1));
    if from.1 == to.1 { format!("{start}H{}", number(to.0)) } else { format!("{start}V{}", number(to.1)) }
}

/// Hundredths of a unit as a number of units.
fn number(hundredths: i32) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.abs() / 100, hundredths.abs() % 100);
    let text = format!("{sign}{whole}.{rest:02}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn length(count: usize) -> i32 {
    // A screen that is wider than this is none.
    i32::try_from(count.min(10_000)).unwrap_or_default()
}

/// Text for XML: what means something there is written otherwise, what may not stand there is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(sheet: &str) -> String {
        draw(&sheet.parse().unwrap(), "a <test>")
    }

    /// The lines of a picture that hold what was drawn.
    fn drawn(sheet: &str) -> Vec<String> {
        let svg = picture(sheet);
        svg.lines()
            .filter(|line| line.starts_with("<path") || line.starts_with("<text"))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn words_of_one_ink_are_one_text_over_single_spaces() {
        let texts = drawn("12x1\nso be  it ◈\ninks\n\nlegend\n");
        let expected = [
            "<text x=\"0\" y=\"15\" textLength=\"50\">so be</text>",
            "<text x=\"70\" y=\"15\" textLength=\"20\">it</text>",
            "<text x=\"105\" y=\"15\" text-anchor=\"middle\">◈</text>",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn lines_that_touch_are_drawn_as_one() {
        let frame = drawn("4x3\n┌──┐\n│  │\n└──┘\ninks\n\n\n\nlegend\n");
        assert_eq!(frame, ["<path stroke=\"#d8d2c4\" d=\"M5 10V50M35 10V50M5 10H35M5 50H35\"/>"]);
    }

    #[test]
    fn a_wide_character_has_its_ground_under_both_columns() {
        let texts = drawn("3x1\n日x\ninks\naa\nlegend\na bg=#102030\n");
        assert_eq!(texts[0], "<path fill=\"#102030\" d=\"M0 0h20v20h-20z\"/>");
        assert_eq!(texts[1], "<text x=\"10\" y=\"15\" text-anchor=\"middle\">日</text>");
    }

    #[test]
    fn the_cursor_turns_its_cell() {
        let texts = drawn("2x1\na\ninks\n\nlegend\ncursor 1,0\n");
        assert_eq!(texts[0], "<path fill=\"#d8d2c4\" d=\"M10 0h10v20h-10z\"/>");
    }

    #[test]
    fn hidden_words_are_not_in_the_picture() {
        assert!(!picture("6x1\nsecret\ninks\naaaaaa\nlegend\na hidden\n").contains("secret"));
    }

    #[test]
    fn what_means_something_in_xml_is_escaped() {
        let svg = picture("4x1\n<&\"\u{fffd}\ninks\n\nlegend\nodd 3,0 1b\n");
        assert!(svg.contains("<title>a &lt;test&gt;</title>"), "{svg}");
        assert!(svg.contains(">&lt;&amp;&quot;</text>") && svg.contains(">\u{fffd}</text>"), "{svg}");
    }

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        assert_eq!([0, 5, 150, -1000, 125, 20_000].map(number), ["0", "0.05", "1.5", "-10", "1.25", "200"]);
    }
}
