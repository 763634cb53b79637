//! Where things stand on the docket. Drawing and the mouse read the same.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::items::Pick;
use crate::text::wrap::width;
use crate::theme::{Theme, Tint};

/// From so many columns on, the list stands beside what is chosen, not above it.
const BESIDE_COLUMNS_MIN: u16 = 100;
/// In less than this nobody can read what would run.
const READABLE_COLUMNS_MIN: u16 = 16;

/// The parts of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// What waits, a row each.
    pub(super) list: Rect,
    /// The column between what stands side by side.
    pub(super) between: Rect,
    /// The line between.
    pub(super) rule: Rect,
    /// What is chosen.
    pub(super) detail: Rect,
    /// Buttons, or the reason of a no.
    pub(super) foot: Rect,
}

impl Layout {
    /// The parts of `inner`, with so many things waiting. What would run comes before everything else.
    pub(super) fn new(inner: Rect, count: usize) -> Layout {
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
        let list_rows = if inner.height < 6 { 0 } else { count.min((inner.height / 4).max(1)) };
        let rows = inner.height - foot_rows - rule_rows - list_rows;
        Layout {
            list: part(0, 0, inner.width, list_rows),
            between: nothing,
            rule: part(0, list_rows, inner.width, rule_rows),
            detail: part(0, list_rows + rule_rows, inner.width, rows),
            foot: part(0, inner.height - foot_rows, inner.width, foot_rows),
        }
    }
}

/// What would run can be read in such a place.
pub(super) fn is_readable(body: Rect) -> bool {
    body.height > 0 && body.width >= READABLE_COLUMNS_MIN
}

/// A key that can be clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Button {
    /// The key.
    pub(super) key: char,
    /// What it does.
    pub(super) label: &'static str,
    /// Where it stands.
    pub(super) area: Rect,
}

impl Button {
    /// How it is drawn.
    pub(super) fn line(&self, theme: &Theme) -> Line<'static> {
        Line::from(vec![
            Span::styled(format!("[{}]", self.key), theme.style(Tint::Key)),
            Span::styled(self.label, theme.style(Tint::Words)),
        ])
    }
}

/// The answers that can be given, in the longest words that fit.
pub(super) fn buttons(row: Rect, pick: Pick, lasting: bool) -> Vec<Button> {
    let words: &[&[(char, &'static str)]] = match pick {
        Pick::Ask(_) => &[
            &[('y', " yes, once"), ('h', " for an hour"), ('m', " for the mission"), ('n', " no")],
            &[('y', " once"), ('h', " hour"), ('m', " mission"), ('n', " no")],
            &[('y', ""), ('h', ""), ('m', ""), ('n', "")],
        ],
        Pick::Alignment(_) => &[&[('y', " yes, begin"), ('n', " no, in words")], &[('y', ""), ('n', "")]],
        Pick::Words(_) => &[&[('i', " answer in words")], &[('i', "")]],
    };
    let offered = |words: &[(char, &'static str)]| -> Vec<(char, &'static str)> {
        words.iter().copied().filter(|(key, _)| lasting || !matches!(key, 'h' | 'm')).collect()
    };
    let needed = |words: &[(char, &str)]| words.iter().map(|(_, label)| 4 + width(label)).sum::<usize>();
    let all = words.iter().map(|words| offered(words));
    let Some(fitting) = all.into_iter().find(|words| needed(words) <= usize::from(row.width)) else {
        return Vec::new();
    };
    let mut x = row.x + 1;
    let place = |(key, label): (char, &'static str)| {
        let columns = 3 + width(label) as u16;
        let area = Rect::new(x, row.y, columns, row.height).intersection(row);
        x += columns + 1;
        Button { key, label, area }
    };
    fitting.into_iter().map(place).collect()
}
