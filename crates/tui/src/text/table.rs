//! Tables: columns that are aligned and fit; where they cannot, each row becomes a list of names and values.

use pulldown_cmark::Alignment;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::wrap::{width, wrap};
use crate::theme::{Theme, Tint};

/// A column that must give way below this width breaks every word: then a list reads better.
const COLUMN_MIN: usize = 8;

/// Between two columns, with the line.
const GAP: usize = 3;

/// Between two rows that became lists.
const RULE: usize = 4;

/// What stands in one place of a table.
pub(super) type Cell = Vec<Span<'static>>;

/// A table as it was read: the first row holds the names of the columns.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) rows: Vec<Vec<Cell>>,
}

impl Table {
    /// The lines of the table at a width.
    pub(super) fn lines(self, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut natural = vec![1; count];
        for row in &self.rows {
            for (widest, cell) in natural.iter_mut().zip(row) {
                *widest = (*widest).max(cell_width(cell));
            }
        }
        let room = usize::from(columns).saturating_sub(GAP * count.saturating_sub(1));
        match fit(&natural, room) {
            Some(widths) => self.drawn(&widths, theme),
            None => self.listed(columns, theme),
        }
    }

    fn drawn(self, widths: &[usize], theme: &Theme) -> Vec<Line<'static>> {
        let frame = theme.style(Tint::Frame);
        let mut lines = Vec::new();
        for (index, row) in self.rows.into_iter().enumerate() {
            let mut cells: Vec<_> = row
                .into_iter()
                .zip(widths)
                .map(|(cell, &columns)| {
                    let cell = if index == 0 { named(cell) } else { cell };
                    wrap(cell, u16::try_from(columns).unwrap_or(u16::MAX), 0).into_iter()
                })
                .collect();
            let height = cells.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
            for _ in 0..height {
                let mut line = Line::default();
                for (column, &columns) in widths.iter().enumerate() {
                    if column > 0 {
                        line.spans.push(Span::styled(theme.sign(" │ ", " | "), frame));
                    }
                    let part = cells.get_mut(column).and_then(Iterator::next).unwrap_or_default();
                    let alignment = self.alignments.get(column).copied().unwrap_or(Alignment::None);
                    place(part, columns, alignment, column + 1 == widths.len(), &mut line);
                }
                lines.push(line);
            }
            if index == 0 {
                let rule: Vec<_> =
                    widths.iter().map(|&columns| theme.sign("─", "-").repeat(columns)).collect();
                lines.push(Line::from(Span::styled(rule.join(theme.sign("─┼─", "-+-")), frame)));
            }
        }
        lines
    }

    fn listed(self, columns: u16, theme: &Theme) -> Vec<Line<'static>> {
        let mut rows = self.rows.into_iter();
        let names = rows.next().unwrap_or_default();
        if rows.len() == 0 {
            return names.into_iter().flat_map(|name| wrap(named(name), columns, 2)).collect();
        }
        let mut lines = Vec::new();
        for (index, row) in rows.enumerate() {
            if index > 0 {
                let rule = theme.sign("─", "-").repeat(usize::from(columns).clamp(1, RULE));
                lines.push(Line::from(Span::styled(rule, theme.style(Tint::Frame))));
            }
            for (name, cell) in names.iter().zip(row) {
                let mut line = named(name.clone());
                line.push(Span::raw(": "));
                line.extend(cell);
                lines.extend(wrap(line, columns, 2));
            }
        }
        lines
    }
}

fn cell_width(cell: &[Span<'_>]) -> usize {
    cell.iter().map(|span| width(&span.content)).sum()
}

fn named(cell: Cell) -> Cell {
    cell.into_iter().map(|span| span.patch_style(Style::new().add_modifier(Modifier::BOLD))).collect()
}

fn place(part: Line<'static>, columns: usize, alignment: Alignment, last: bool, line: &mut Line<'static>) {
    let spare = columns.saturating_sub(cell_width(&part.spans));
    let before = match alignment {
        Alignment::None | Alignment::Left => 0,
        Alignment::Center => spare / 2,
        Alignment::Right => spare,
    };
    // Nothing follows the last column, so nothing needs to be kept away from it.
    let after = if last { 0 } else { spare - before };
    for (count, spans) in [(before, part.spans), (after, Vec::new())] {
        if count > 0 {
            line.spans.push(Span::raw(" ".repeat(count)));
        }
        line.spans.extend(spans);
    }
}

/// The widths of the columns: as they would like to be, or the widest cut to what is left by the others.
fn fit(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    if natural.iter().sum::<usize>() <= room {
        return Some(natural.to_vec());
    }
    let mut sorted = natural.to_vec();
    sorted.sort_unstable();
    let (mut left, mut count) = (room, sorted.len());
    for &wish in &sorted {
        if wish * count > left {
            break;
        }
        left -= wish;
        count -= 1;
    }
    let most = left.checked_div(count)?;
    if most < COLUMN_MIN {
        return None;
    }
    let mut spare = left % count;
    let mut share = |wish: usize| {
        if wish <= most {
            return wish;
        }
        let one = usize::from(spare > 0);
        spare -= one;
        most + one
    };
    Some(natural.iter().map(|&wish| share(wish)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_column_gives_way() {
        assert_eq!(fit(&[3, 5], 8), Some(vec![3, 5]));
        assert_eq!(fit(&[3, 50, 60], 30), Some(vec![3, 14, 13]));
        assert_eq!(fit(&[30, 30], 7), None);
        assert_eq!(fit(&[], 0), Some(vec![]));
    }
}
