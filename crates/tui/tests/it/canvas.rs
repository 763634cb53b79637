//! A ratatui buffer as text for snapshots: the rows alone, or rows and inks, from which `cargo xtask pictures` draws.
//! The form itself belongs to xtask's `pictures/sheet`, which is included here, so that what is written is what is read.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

use self::sheet::{Ink, Paint, Sheet, Trait};

#[path = "../../../xtask/src/pictures/sheet.rs"]
mod sheet;

/// The sixteen colours in the order of their numbers.
const ANSI: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// The rows as they show, without spaces at their ends.
pub fn plain(buffer: &Buffer) -> String {
    let row = |row: &Vec<sheet::Cell>| {
        let text: String = row.iter().map(|cell| cell.symbol.as_str()).collect();
        format!("{}\n", text.trim_end_matches(' '))
    };
    sheet(buffer, None).rows.iter().map(row).collect()
}

/// Rows and inks: everything that shows.
pub fn coloured(buffer: &Buffer) -> String {
    sheet(buffer, None).to_string()
}

/// Rows, inks and the cursor.
pub fn coloured_with_cursor(buffer: &Buffer, cursor: impl Into<Position>) -> String {
    sheet(buffer, Some(cursor.into())).to_string()
}

/// The buffer and the cursor that a coloured text was made of.
pub fn back(text: &str) -> Result<(Buffer, Option<Position>), String> {
    let sheet: Sheet = text.parse()?;
    let mut buffer = Buffer::empty(Rect::new(0, 0, small(sheet.width), small(sheet.rows.len())));
    for (cell, read) in buffer.content.iter_mut().zip(sheet.rows.iter().flatten()) {
        // Ratatui keeps a space in the column that a wide character reaches over.
        cell.set_symbol(if read.symbol.is_empty() { " " } else { &read.symbol });
        (cell.fg, cell.bg) = (colour(read.ink.front), colour(read.ink.back));
        cell.modifier = (0..)
            .zip(Trait::ALL)
            .filter(|(_, (kind, _))| read.ink.traits.contains(kind))
            .map(|(bit, _)| Modifier::from_bits_truncate(1 << bit))
            .collect();
    }
    Ok((buffer, sheet.cursor.map(|(x, y)| Position::new(small(x), small(y)))))
}

/// What the buffer shows. The column that a wide character reaches over has that character's ink, whatever lies there.
fn sheet(buffer: &Buffer, cursor: Option<Position>) -> Sheet {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content.chunks(width.max(1)).map(|cells| {
        let mut row: Vec<sheet::Cell> = Vec::new();
        while let Some(cell) = cells.get(row.len()) {
            let (symbol, ink) = (cell.symbol().to_owned(), ink(cell));
            let covered = symbol.width().clamp(1, width - row.len()) - 1;
            row.push(sheet::Cell { symbol, ink: ink.clone() });
            row.extend((0..covered).map(|_| sheet::Cell { symbol: String::new(), ink: ink.clone() }));
        }
        row
    });
    let Rect { x, y, .. } = buffer.area;
    let place = |at: Position| (usize::from(at.x.saturating_sub(x)), usize::from(at.y.saturating_sub(y)));
    Sheet { width, rows: rows.collect(), cursor: cursor.map(place) }
}

fn ink(cell: &Cell) -> Ink {
    let has = |bit: u32| cell.modifier.bits() & (1 << bit) != 0;
    let traits = (0..).zip(Trait::ALL).filter(|(bit, _)| has(*bit)).map(|(_, (kind, _))| kind);
    Ink { front: paint(cell.fg), back: paint(cell.bg), traits: traits.collect() }
}

fn paint(colour: Color) -> Paint {
    if let Color::Indexed(number) = colour {
        return Paint::Index(number);
    }
    if let Color::Rgb(r, g, b) = colour {
        return Paint::Rgb(r, g, b);
    }
    (0u8..)
        .zip(ANSI)
        .find(|(_, named)| *named == colour)
        .map_or(Paint::Own, |(number, _)| Paint::Ansi(number))
}

fn colour(paint: Paint) -> Color {
    match paint {
        Paint::Own => Color::Reset,
        Paint::Ansi(number) => ANSI[usize::from(number % 16)],
        Paint::Index(number) => Color::Indexed(number),
        Paint::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

fn small(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;
    use ratatui::style::{Style, Stylize};
    use ratatui::text::{Line, Span};
    use ratatui::widgets::{Block, BorderType, Widget};

    use super::*;

    #[test]
    fn plain_rows_show_wide_characters_once_and_no_trailing_spaces() {
        let mut buffer = Buffer::with_lines(["a  ", "日本 x ", ""]);
        buffer.set_style(buffer.area, Style::new().red());
        assert_eq!(plain(&buffer), "a\n日本 x\n\n");
        assert_eq!(plain(&Buffer::empty(Rect::ZERO)), "");
    }

    #[test]
    fn letters_come_in_order_of_appearance() {
        let line =
            Line::from(vec!["You".green().bold(), " say ".into(), "日".on_blue(), "You".green().bold()]);
        let mut buffer = Buffer::empty(Rect::new(3, 1, 14, 2));
        line.render(buffer.area, &mut buffer);
        assert_snapshot!(coloured_with_cursor(&buffer, (4, 2)), @r"
        14x2
        You say 日You

        inks
        aaa.....bbaaa

        legend
        a fg=green bold
        b bg=blue
        cursor 1,1
        ");
    }

    #[test]
    fn a_window_of_no_size_is_a_text_too() {
        let empty = Buffer::empty(Rect::ZERO);
        assert_eq!(coloured(&empty), "0x0\ninks\nlegend\n");
        assert_eq!(back(&coloured(&empty)), Ok((empty, None)));
    }

    /// Everything that pictures draw in a way of their own; its picture is looked at by people.
    #[test]
    fn sampler() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 64, 17));
        let kinds = [BorderType::Plain, BorderType::Rounded, BorderType::Double, BorderType::Thick];
        for (kind, x) in kinds.into_iter().zip((0..).step_by(16)) {
            let block = Block::bordered().border_type(kind).border_style(ANSI[usize::from(x / 16) + 2]);
            block.title(format!(" {kind} ").bold()).render(Rect::new(x, 0, 15, 3), &mut buffer);
            buffer.set_string(x + 1, 1, "inside", Style::new());
        }
        for (y, row) in (3..).zip([
            "┌──┬──┐ ╔══╦══╗ ╓──╥──╖ ╒══╤══╕ ┏━━┳━━┓ ╭──┬──╮  ▖▗▘▙▚▛▜▝▞▟",
            "├──┼──┤ ╠══╬══╣ ╟──╫──╢ ╞══╪══╡ ┣━━╋━━┫ │  │  │  ▁▂▃▄▅▆▇█",
            "└──┴──┘ ╚══╩══╝ ╙──╨──╜ ╘══╧══╛ ┗━━┻━━┛ ╰──┴──╯  ▏▎▍▌▋▊▉█▐▔▕",
            "",
            "██████▓▓▓▓▒▒▒▒░░░░  ▀▄▀▄▀▄ ▌▐▌▐▌▐  ◈ ◆ ✓ ✗ → ● ❯ … “word” – 日本語 é ñ",
        ]) {
            buffer.set_string(0, y, row, Style::new());
        }
        for (x, colour) in (0..).step_by(8).zip(ANSI) {
            let (x, y) = (x % 64, 9 + x / 64);
            buffer.set_string(x, y, "Aa", colour);
            buffer.set_string(x + 3, y, "Aa", Style::new().fg(colour).dim());
            buffer.set_string(x + 6, y, " ", Style::new().bg(colour));
        }
        let traits: [(&str, Modifier); 7] = [
            ("bold", Modifier::BOLD),
            ("dim", Modifier::DIM),
            ("italic", Modifier::ITALIC),
            ("underlined words", Modifier::UNDERLINED),
            ("reversed", Modifier::REVERSED),
            ("hidden", Modifier::HIDDEN),
            ("crossed out", Modifier::CROSSED_OUT),
        ];
        let words = traits.map(|(name, kind)| Span::styled(name, Style::new().add_modifier(kind)));
        Line::from(words.into_iter().flat_map(|word| [word, " ".into()]).collect::<Vec<Span>>())
            .render(Rect::new(0, 12, 64, 1), &mut buffer);
        for x in 0..64u16 {
            let blue = u8::try_from(x / 8 * 32).unwrap_or(u8::MAX);
            let style = Style::new().fg(Color::Rgb(220, 140, blue)).bg(Color::Rgb(60, 40, blue / 2));
            buffer.set_string(x, 14, "▀", style);
        }
        buffer.set_string(0, 16, "> <b>\"Tom\" & 'Eve'</b>", Style::new());
        assert_snapshot!("sampler", coloured_with_cursor(&buffer, (22, 16)));
    }

    /// Texts as agents write them: letters, wide ones, halves of things, controls.
    const SYMBOLS: [&str; 16] = [
        " ",
        " ",
        "a",
        "é",
        "e\u{301}",
        "日",
        "👩‍💻",
        "🇩",
        "🇪",
        "\u{301}",
        "\u{200b}",
        "\u{202e}",
        "\n",
        "\u{1b}",
        "│",
        ".",
    ];

    fn colours() -> impl Strategy<Value = Color> {
        let named = (0..16usize).prop_map(|number| ANSI[number]);
        let rgb = any::<(u8, u8, u8)>().prop_map(|(r, g, b)| Color::Rgb(r, g, b));
        prop_oneof![Just(Color::Reset), named, any::<u8>().prop_map(Color::Indexed), rgb]
    }

    fn cells() -> impl Strategy<Value = Cell> {
        (0..SYMBOLS.len(), colours(), colours(), 0..512u16).prop_map(|(symbol, fg, bg, bits)| {
            let mut cell = Cell::new(SYMBOLS[symbol]);
            (cell.fg, cell.bg, cell.modifier) = (fg, bg, Modifier::from_bits_truncate(bits));
            cell
        })
    }

    proptest! {
        #[test]
        fn any_buffer_comes_back(width in 1..12u16, height in 0..6u16, cells in prop::collection::vec(cells(), 72)) {
            let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
            buffer.content.iter_mut().zip(cells).for_each(|(place, cell)| *place = cell);
            let text = coloured(&buffer);
            prop_assert_eq!(text.parse(), Ok(sheet(&buffer, None)));
            let (again, _) = back(&text).expect("what is written is read");
            prop_assert_eq!(coloured(&again), text);
        }

        #[test]
        fn a_buffer_without_wide_characters_comes_back_cell_by_cell(
            styles in prop::collection::vec((colours(), colours(), 0..512u16), 12)
        ) {
            let mut buffer = Buffer::with_lines(["─ab", "   ", "...", "é│ "]);
            for (cell, (fg, bg, bits)) in buffer.content.iter_mut().zip(styles) {
                (cell.fg, cell.bg, cell.modifier) = (fg, bg, Modifier::from_bits_truncate(bits));
            }
            prop_assert_eq!(back(&coloured_with_cursor(&buffer, (2, 3))), Ok((buffer, Some((2, 3).into()))));
        }
    }
}
