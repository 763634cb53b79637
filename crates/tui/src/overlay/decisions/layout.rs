//! The rectangles and buttons of the docket page. Drawing and the mouse read the same.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::items::Pick;
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};

/// From so many columns on, the list stands beside what is chosen, not above it.
const BESIDE_COLUMNS_MIN: u16 = 100;
/// In less than this, what would run cannot be read.
const READABLE_COLUMNS_MIN: u16 = 16;

/// The parts of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// What waits, a row each.
    pub(super) list: Rect,
    /// The column between what stands side by side.
    pub(super) between: Rect,
    pub(super) rule: Rect,
    pub(super) detail: Rect,
    /// Buttons, or the reason of a no.
    pub(super) foot: Rect,
}

impl Layout {
    /// The parts of `inner`, with so many things waiting, one of them `open` to be decided. What would run comes before
    /// everything else.
    pub(super) fn new(inner: Rect, count: usize, open: bool) -> Layout {
        let nothing = Rect { height: 0, ..inner };
        if count == 0 {
            return Layout { list: nothing, between: nothing, rule: nothing, detail: inner, foot: nothing };
        }
        let foot_rows = u16::from(inner.height >= 3);
        let rule_rows = u16::from(inner.height >= 5);
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        let part =
            |x: u16, y: u16, columns: u16, rows: u16| Rect::new(inner.x + x, inner.y + y, columns, rows);
        if inner.width >= BESIDE_COLUMNS_MIN {
            let left = inner.width / 3;
            let (x, columns) = (left + 1, inner.width - left - 1);
            let rows = inner.height - foot_rows - rule_rows;
            return Layout {
                list: part(0, 0, left, inner.height),
                between: part(left, 0, 1, inner.height),
                detail: part(x, 0, columns, rows),
                rule: part(x, rows, columns, rule_rows),
                foot: part(x, rows + rule_rows, columns, foot_rows),
            };
        }
        let list_rows = if inner.height < 6 || open { 0 } else { count.min((inner.height / 4).max(1)) };
        let rows = inner.height - foot_rows - rule_rows - list_rows;
        // The line stands between the list and what is chosen; without a list, above what can be pressed.
        let (rule_y, detail_y) = if open { (rows, 0) } else { (list_rows, list_rows + rule_rows) };
        Layout {
            list: part(0, 0, inner.width, list_rows),
            between: nothing,
            rule: part(0, rule_y, inner.width, rule_rows),
            detail: part(0, detail_y, inner.width, rows),
            foot: part(0, inner.height - foot_rows, inner.width, foot_rows),
        }
    }
}

/// What would run can be read in such a place.
pub(super) fn is_readable(body: Rect) -> bool {
    body.height > 0 && body.width >= READABLE_COLUMNS_MIN
}

/// The key that opens what is chosen, as a sign.
pub(super) const ENTER: char = '\n';
/// The key that goes back, as a sign.
pub(super) const ESC: char = '\u{1b}';

/// A key that can be clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Button {
    pub(super) key: char,
    pub(super) label: &'static str,
    pub(super) area: Rect,
}

impl Button {
    pub(super) fn line(&self, theme: &Theme) -> Line<'static> {
        Line::from(vec![
            Span::styled(format!("[{}]", name(self.key)), theme.style(Tint::Key)),
            Span::styled(self.label, theme.style(Tint::Words)),
        ])
    }
}

fn name(key: char) -> String {
    match key {
        ENTER => "Enter".to_owned(),
        ESC => "Esc".to_owned(),
        letter => letter.to_string(),
    }
}

/// Keys with what they do.
pub(super) type Words = &'static [(char, &'static str)];

/// The answers that can be given, in the longest words that fit. `lasting`: a yes may last; `decisions`: they can be
/// made one by one.
pub(super) fn buttons(row: Rect, pick: &Pick, lasting: bool, decisions: bool) -> Vec<Button> {
    let words: &[Words] = match (pick, decisions) {
        (Pick::Ask(_), _) if !lasting => &[&[('y', " yes, once"), ('n', " no")], &[('y', ""), ('n', "")]],
        (Pick::Ask(_), _) => &[
            &[('y', " yes, once"), ('h', " for an hour"), ('m', " for the mission"), ('n', " no")],
            &[('y', " once"), ('h', " hour"), ('m', " mission"), ('n', " no")],
            &[('y', ""), ('h', ""), ('m', ""), ('n', "")],
        ],
        (Pick::Alignment(_), false) => {
            &[&[('y', " yes, begin"), ('n', " no, in words")], &[('y', ""), ('n', "")]]
        }
        (Pick::Alignment(_), true) => &[
            &[(ENTER, " decide one by one"), ('y', " yes, begin"), ('n', " no, in words")],
            &[(ENTER, " decide"), ('y', " begin"), ('n', " no")],
            &[(ENTER, ""), ('y', ""), ('n', "")],
        ],
        (Pick::Words(_), false) => &[&[('i', " answer in words")], &[('i', "")]],
        (Pick::Words(_), true) => {
            &[&[(ENTER, " decide"), ('i', " answer in words")], &[(ENTER, ""), ('i', "")]]
        }
        (Pick::Petition(_), _) => &[&[(ENTER, " decide")], &[(ENTER, "")]],
        (Pick::Fault(_), _) => &[&[]],
    };
    placed(row, words)
}

/// The first of several ways to say the same that fits into a row.
pub(super) fn placed(row: Rect, words: &[Words]) -> Vec<Button> {
    let columns = |(key, label): &(char, &str)| 2 + width(&name(*key)) + width(label);
    let needed = |words: Words| words.iter().map(|word| 1 + columns(word)).sum::<usize>();
    let fitting = words.iter().find(|words| needed(words) <= usize::from(row.width));
    let mut x = row.x + 1;
    let place = |word: &(char, &'static str)| {
        let columns = columns(word) as u16;
        let area = Rect::new(x, row.y, columns, row.height).intersection(row);
        x += columns + 1;
        Button { key: word.0, label: word.1, area }
    };
    fitting.map_or_else(Vec::new, |words| words.iter().map(place).collect())
}
