//! A text broken into the rows that are seen: between words where that is possible, between clusters where it is not.
//! The last column is kept for the cursor behind a full row, and for the blank at which a row was broken.

use std::ops::Range;

use ratatui::buffer::CellWidth as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// The rows of a text at a width, as ranges of its bytes; line breaks belong to no row. There is always one.
pub fn rows(text: &str, columns: u16) -> Vec<Range<usize>> {
    let room = usize::from(columns).saturating_sub(1).max(1);
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        // A byte is a cluster and a column in most texts, and texts may be long.
        if line.is_ascii() {
            let signs = line.bytes().enumerate();
            break_line(start, line.len(), room, signs.map(|(at, sign)| (at, 1, 1, sign == b' ')), &mut rows);
        } else {
            let clusters = line.grapheme_indices(true);
            let clusters = clusters.map(|(at, cluster)| (at, cluster.len(), cell(cluster), cluster == " "));
            break_line(start, line.len(), room, clusters, &mut rows);
        }
        start += line.len() + 1;
    }
    rows
}

/// Breaks one line that begins at `offset`. A cluster is where it begins, its bytes, its columns, and if it is a blank.
fn break_line(
    offset: usize,
    bytes: usize,
    room: usize,
    clusters: impl Iterator<Item = (usize, usize, usize, bool)>,
    rows: &mut Vec<Range<usize>>,
) {
    let (mut start, mut column) = (0, 0);
    // The last place where a row may end, and its column.
    let mut gap: Option<(usize, usize)> = None;
    for (at, length, width, blank) in clusters {
        while !blank && column + width > room && at > start {
            let (end, passed) = gap.take().unwrap_or((at, column));
            rows.push(offset + start..offset + end);
            start = end;
            column -= passed;
        }
        column += width;
        // Scripts of wide letters have no blanks: they may be broken behind any of them.
        if blank || width > 1 {
            gap = Some((at + length, column));
        }
    }
    rows.push(offset + start..offset + bytes);
}

/// How many columns a piece of text takes: the sum of its clusters, as cells are drawn.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.graphemes(true).map(cell).sum() }
}

/// The columns of one cluster.
fn cell(cluster: &str) -> usize {
    if cluster.contains(char::is_control) { 0 } else { usize::from(cluster.cell_width()) }
}

/// The row and the column of a place. Where a row was broken, it is the beginning of the next one.
pub fn locate(text: &str, rows: &[Range<usize>], at: usize) -> (usize, usize) {
    let row = rows.partition_point(|row| row.start <= at).saturating_sub(1);
    let start = rows.get(row).map_or(0, |row| row.start);
    (row, columns(&text[start.min(at)..at]))
}

/// The place in a row that is nearest to a column, and not behind it.
pub fn place(text: &str, rows: &[Range<usize>], row: usize, goal: usize) -> usize {
    let Some(range) = rows.get(row) else { return text.len() };
    let is_broken = rows.get(row + 1).is_some_and(|next| next.start == range.end);
    let (mut at, mut column) = (range.start, 0);
    for cluster in text[range.clone()].graphemes(true) {
        column += cell(cluster);
        // The end of a broken row is the beginning of the next, which is not the row that was asked for.
        if column > goal || (is_broken && at + cluster.len() == range.end) {
            break;
        }
        at += cluster.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str, columns: u16) -> Vec<&str> {
        rows(text, columns).into_iter().map(|row| &text[row]).collect()
    }

    #[test]
    fn rows_end_between_words_and_long_words_are_broken() {
        assert_eq!(broken("", 10), [""]);
        assert_eq!(broken("a\n\nb\n", 10), ["a", "", "b", ""]);
        assert_eq!(broken("one two three", 8), ["one two ", "three"]);
        assert_eq!(broken("one two", 4), ["one ", "two"]);
        assert_eq!(broken("abcdefgh", 4), ["abc", "def", "gh"]);
        assert_eq!(broken("a bcdefgh", 4), ["a ", "bcd", "efg", "h"]);
    }

    #[test]
    fn wide_letters_are_broken_by_columns() {
        assert_eq!(broken("漢字漢字", 5), ["漢字", "漢字"]);
        assert_eq!(broken("ab 漢字漢字", 8), ["ab 漢字", "漢字"]);
        assert_eq!(broken("e\u{301}e\u{301}e\u{301}", 3), ["e\u{301}e\u{301}", "e\u{301}"]);
    }

    #[test]
    fn no_width_is_too_small() {
        for columns in 0..3 {
            assert_eq!(broken("漢ab", columns).concat(), "漢ab");
        }
    }

    #[test]
    fn long_texts_are_broken_alike_on_the_short_way() {
        // The short way for ASCII gives what the long way gives.
        let text = "some words, averyveryverylongone  and   blanks ".repeat(20);
        let wide = format!("{text}é");
        let long = rows(&wide, 13);
        let short = rows(&text, 13);
        assert_eq!(long[..short.len() - 1], short[..short.len() - 1]);
    }
}
