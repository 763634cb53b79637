//! A ratatui buffer as text for snapshots: the rows alone, or the rows, then a letter for the ink of each column, then what
//! the letters mean. `cargo xtask pictures` draws the documents' pictures from the latter.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::Color;
use unicode_width::UnicodeWidthStr;

/// The ink of a cell that has no colour and no weight of its own.
const PLAIN: char = '.';

/// The rows as they show, without spaces at their ends.
pub fn plain(buffer: &Buffer) -> String {
    let row = |row: Vec<(&Cell, usize)>| {
        let text: String = row.iter().map(|(cell, _)| cell.symbol()).collect();
        format!("{}\n", text.trim_end_matches(' '))
    };
    rows(buffer).map(row).collect()
}

/// Rows and inks: everything that shows.
pub fn coloured(buffer: &Buffer) -> String {
    let (mut inks, mut legend) = (String::new(), Vec::new());
    for row in rows(buffer) {
        let letters = row.iter().flat_map(|(cell, columns)| {
            let letter = letter(ink(cell), &mut legend);
            std::iter::repeat_n(letter, *columns)
        });
        let letters: String = letters.collect();
        inks += letters.trim_end_matches(PLAIN);
        inks.push('\n');
    }
    let legend: String = signs().zip(legend).map(|(letter, ink)| format!("{letter}{ink}\n")).collect();
    let (width, height) = (buffer.area.width, buffer.area.height);
    format!("{width}x{height}\n{}inks\n{inks}legend\n{legend}", plain(buffer))
}

/// Rows, inks and the cursor.
pub fn coloured_with_cursor(buffer: &Buffer, cursor: impl Into<Position>) -> String {
    let (at, area) = (cursor.into(), buffer.area);
    format!("{}cursor {},{}\n", coloured(buffer), at.x - area.x, at.y - area.y)
}

/// Row by row, the cells that show, each with its columns: a wide character hides the cell that it reaches over.
fn rows(buffer: &Buffer) -> impl Iterator<Item = Vec<(&Cell, usize)>> {
    let width = usize::from(buffer.area.width);
    buffer.content.chunks(width.max(1)).map(move |cells| {
        let (mut row, mut x) = (Vec::new(), 0);
        while let Some(cell) = cells.get(x) {
            let columns = cell.symbol().width().clamp(1, width - x);
            row.push((cell, columns));
            x += columns;
        }
        row
    })
}

/// The letter of an ink, which is added to the legend if it is new.
fn letter(ink: String, legend: &mut Vec<String>) -> char {
    if ink.is_empty() {
        return PLAIN;
    }
    let at = legend.iter().position(|known| *known == ink).unwrap_or_else(|| {
        legend.push(ink);
        legend.len() - 1
    });
    signs().nth(at).expect("there are more letters than any screen has cells")
}

/// Letters for inks, easy ones first.
fn signs() -> impl Iterator<Item = char> {
    let easy = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    easy.chain('\u{100}'..='\u{24f}').chain('\u{4e00}'..='\u{9fff}').chain('\u{10000}'..='\u{2ffff}')
}

/// How a cell is drawn, in words, each with a space before it.
fn ink(cell: &Cell) -> String {
    let mut words = String::new();
    for (name, colour) in [("fg", cell.fg), ("bg", cell.bg)] {
        if let Color::Rgb(r, g, b) = colour {
            words += &format!(" {name}=#{r:02x}{g:02x}{b:02x}");
        } else if colour != Color::Reset {
            // `DarkGray` is `dark-gray`.
            let colour = colour.to_string().replace("Dark", "dark-").replace("Light", "light-");
            words += &format!(" {name}={}", colour.to_lowercase());
        }
    }
    for (name, _) in cell.modifier.iter_names() {
        words += &format!(" {}", name.to_lowercase().replace('_', "-"));
    }
    words
}

mod tests {
    use insta::assert_snapshot;
    use ratatui::layout::Rect;
    use ratatui::style::{Style, Stylize};
    use ratatui::text::Line;
    use ratatui::widgets::Widget;

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
        let line = Line::from(vec![
            "You".green().bold(),
            " say ".into(),
            "日".on_light_blue(),
            "You".green().bold(),
        ]);
        let mut buffer = Buffer::empty(Rect::new(3, 1, 14, 2));
        line.render(buffer.area, &mut buffer);
        assert_snapshot!(coloured_with_cursor(&buffer, (4, 2)), @r"
        14x2
        You say 日You

        inks
        aaa.....bbaaa

        legend
        a fg=green bold
        b bg=light-blue
        cursor 1,1
        ");
    }

    #[test]
    fn a_window_of_no_size_is_a_text_too() {
        let empty = Buffer::empty(Rect::ZERO);
        assert_eq!(coloured(&empty), "0x0\ninks\nlegend\n");
    }
}
