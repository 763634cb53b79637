//! The ceremony in letters, the roguelike way: for terminals without tiles and for windows too small for them.

use ratatui::layout::Rect;

use super::dice;
use super::forest::{Forest, ForestPlace, Terrain};
use super::limits::{COLUMNS, ROWS};
use super::page::CeremonyPage;
use super::walk;
use crate::draw::frame;
use crate::theme::Tint;

/// How many rows trees take.
pub(super) const TREES_ROWS: u16 = 3;

const PINE: [&str; 3] = ["  .  ", " /|\\ ", "//|\\\\"];
const SHRUB: [&str; 3] = ["     ", "  .  ", " /|\\ "];
const FIRE: [[&str; 3]; 2] = [["  )  ", " ( ) ", " /#\\ "], ["  (  ", " ) ( ", " /#\\ "]];
const LEGEND: [(char, &str); 7] = [
    ('@', "you"),
    ('T', "tree"),
    ('^', "pine"),
    ('~', "bog"),
    ('*', "wisp"),
    ('&', "fire"),
    ('A', "the Arbiter"),
];

/// How a letter looks.
fn tint(sign: char) -> Tint {
    match sign {
        '@' => Tint::You,
        'T' | '^' | '/' | '\\' | '|' => Tint::Added,
        '~' => Tint::House,
        '*' => Tint::Found,
        'A' => Tint::Arbiter,
        '&' | '(' | ')' | '#' => Tint::Bad,
        _ => Tint::Dim,
    }
}

/// Writes one letter there, if there is a there.
fn put(page: &mut CeremonyPage<'_>, x: u16, y: u16, sign: char) {
    // A wisp glimmers, each at its own time.
    let is_faint = sign == '*' && page.flips(2, u64::from(x.saturating_sub(page.area.x) / 2));
    let style = page.theme.style(if is_faint { Tint::Warn } else { tint(sign) });
    if let Some(cell) = page.buffer.cell_mut((x, y)).filter(|_| page.area.contains((x, y).into())) {
        cell.set_char(sign).set_style(style);
    }
}

/// Trees side by side across the page, and a fire between them.
pub(super) fn trees(page: &mut CeremonyPage<'_>, row: u16) {
    let width = page.area.width;
    let stands = width / 5;
    let left = (width - stands * 5) / 2;
    for stand in 0..stands {
        let tree = match dice::at(i32::from(stand), 3, 4) {
            _ if stand == stands / 2 => FIRE[usize::from(page.flips(1, 0))],
            _ if stand.abs_diff(stands / 2) == 1 => continue,
            0 => SHRUB,
            1 => continue,
            _ => PINE,
        };
        for (down, line) in (0..).zip(tree) {
            for (right, sign) in (0..).zip(line.chars()).filter(|(_, sign)| *sign != ' ') {
                put(page, page.area.x + left + stand * 5 + right, page.area.y + row + down, sign);
            }
        }
    }
}

/// A few letters in the middle of a picture, as many rows of them as have room; the middle one matters most.
pub(super) fn vignette(page: &mut CeremonyPage<'_>, picture: Rect, rows: [&str; 3]) {
    let rows = if picture.height < small(rows.len()) { &rows[1..2] } else { &rows[..] };
    let columns = rows.iter().map(|row| small(row.len())).max().unwrap_or(0);
    if picture.height == 0 || picture.width < columns {
        return;
    }
    let left = picture.x + (picture.width - columns) / 2;
    let top = picture.y + (picture.height - small(rows.len())) / 2;
    for (y, row) in (top..).zip(rows) {
        for (x, sign) in (left..).zip(row.chars()).filter(|(_, sign)| *sign != ' ') {
            put(page, x, y, sign);
        }
    }
}

/// The forest in letters, with a frame around it and trees around that, as far as there is room.
pub(super) fn forest(forest: &Forest, view: Rect, page: &mut CeremonyPage<'_>) {
    let (columns, rows) = (small(COLUMNS), small(ROWS));
    let is_framed = view.width >= columns + 2 && view.height >= rows + 2;
    let edge = u16::from(is_framed) * 2;
    let wide = if view.width >= columns * 2 + 3 { 2 } else { 1 };
    let seen = ((view.width - edge.min(view.width)) / wide).min(columns);
    let width = seen * wide + (wide - 1) + edge;
    let height = (rows + edge).min(view.height);
    let place = Rect {
        x: view.x + (view.width - width.min(view.width)) / 2,
        y: view.y + (view.height - height) / 2,
        width: width.min(view.width),
        height,
    };
    if is_framed {
        thicket(view, place, page);
        frame::around(place, page.buffer, page.theme);
    }
    let first = walk::first_seen(forest.walker().column, usize::from(seen));
    let lights: Vec<ForestPlace> = forest.lights().collect();
    for row in 0..rows.min(height) {
        for column in 0..seen {
            let there = ForestPlace { column: first + usize::from(column), row: usize::from(row) };
            let sign = if there == forest.walker() {
                '@'
            } else if lights.contains(&there) {
                '*'
            } else {
                sign(forest.ground(there))
            };
            let x = place.x + edge / 2 + (wide - 1) + column * wide;
            put(page, x, place.y + edge / 2 + row, sign);
        }
    }
    if place.y >= view.y + 2 {
        page.centred(place.y - page.area.y - 1, &walk::how_far(forest), Tint::Dim);
    }
    if place.bottom() + 1 < view.bottom() {
        legend(page, place.bottom());
    }
}

fn sign(ground: Terrain) -> char {
    match ground {
        Terrain::Grass => ' ',
        Terrain::Path => '.',
        Terrain::Tree => 'T',
        Terrain::Pine => '^',
        Terrain::Bog => '~',
        Terrain::Fire => '&',
        Terrain::Arbiter => 'A',
    }
}

/// The trees beyond the walk: sparse, so that the rest is read.
fn thicket(view: Rect, inner: Rect, page: &mut CeremonyPage<'_>) {
    let around = Rect {
        x: inner.x.saturating_sub(1),
        y: inner.y.saturating_sub(1),
        width: inner.width + 2,
        height: inner.height + 2,
    };
    let dark = page.theme.style(Tint::Dim);
    for place in view.positions().filter(|place| !around.contains(*place)) {
        let sign = match dice::at(i32::from(place.x - view.x), i32::from(place.y - view.y), 14) {
            0 => "^",
            1 => "T",
            _ => continue,
        };
        page.buffer[place].set_symbol(sign).set_style(dark);
    }
}

/// What the letters mean, where there is room to say so.
fn legend(page: &mut CeremonyPage<'_>, y: u16) {
    let length: usize = LEGEND.iter().map(|(_, word)| 2 + word.len() + 3).sum::<usize>() - 3;
    let length = u16::try_from(length).unwrap_or(u16::MAX);
    if length > page.area.width {
        return;
    }
    let dim = page.theme.style(Tint::Dim);
    let mut x = page.area.x + (page.area.width - length) / 2;
    for (sign, word) in LEGEND {
        put(page, x, y, sign);
        page.buffer.set_string(x + 2, y, word, dim);
        x += 2 + small(word.len()) + 3;
    }
}

fn small(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
