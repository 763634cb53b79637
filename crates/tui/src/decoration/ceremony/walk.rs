//! The walk, drawn: the forest in tiles where there is room for all its rows, in letters elsewhere; below it what one notices.

use ratatui::layout::Rect;

use super::forest::{Forest, ForestPlace, Terrain};
use super::limits::{COLUMNS, ROWS};
use super::night::{Size, burning, dim, mirrored};
use super::page::{CeremonyPage, Keys};
use super::{dice, letters};
use crate::decoration::tiles::canvas::Brush;
use crate::decoration::tiles::{Canvas, Tile};
use crate::manner::Character;
use crate::theme::Tint;

const KEYS: [Keys<'static>; 3] = [
    &[("arrows", "walk"), ("any other key", "straight to the Arbiter"), ("Ctrl+C", "leave")],
    &[("arrows", "walk"), ("any other key", "skip")],
    &[("arrows", "walk"), ("else", "skip")],
];
/// How many columns a window of tiles shows at least: one must see what comes.
const SEEN_MIN: u16 = 7;

/// Draws the forest and the walker.
pub(super) fn draw(forest: &Forest, character: Character, page: &mut CeremonyPage<'_>) {
    let area = page.area;
    // The lowest lines are what one notices, and the keys; the first says how far it is, if there is room.
    let below = 2.min(area.height);
    let rows = u16::try_from(ROWS).unwrap_or(1);
    let high = area.height - below;
    let size = Size::within(area.width / SEEN_MIN, high / rows).filter(|_| page.theme.has_tiles());
    match size {
        Some(size) => {
            let head = u16::from(high > size.rows() * rows);
            let view = Rect { y: area.y + head, height: high - head, ..area };
            painted(forest, character, size, view, page);
            if head > 0 {
                page.centred(0, &how_far(forest), Tint::Dim);
            }
        }
        None => letters::forest(forest, Rect { height: high, ..area }, page),
    }
    let omen = omen(forest);
    // Where there is no room for all of it, the first sentence says enough.
    let first = omen.split_inclusive(". ").next().unwrap_or(omen).trim_end();
    let said = if omen.len() > usize::from(area.width) { first } else { omen };
    page.centred(high, said, Tint::Words);
    page.keys(&KEYS);
}

/// How far it still is.
pub(super) fn how_far(forest: &Forest) -> String {
    match Forest::FIRE.column.saturating_sub(forest.walker().column) {
        0 | 1 => "The fire is right here.".to_owned(),
        columns => format!("The fire is {columns} steps east, as the owl flies."),
    }
}

/// The first column that is seen when so many fit. The view stands still until one comes near its edge, then moves on
/// by a good piece: less to follow, and much less to send, than a view that moves with every step.
pub(super) fn first_seen(walker: usize, seen: usize) -> usize {
    let ahead = (seen.saturating_sub(1) / 2).min(3);
    let stride = seen.saturating_sub(ahead + 2).max(1);
    let beyond = (walker + ahead + 1).saturating_sub(seen);
    (beyond.div_ceil(stride) * stride).min(COLUMNS.saturating_sub(seen))
}

fn painted(forest: &Forest, character: Character, size: Size, view: Rect, page: &mut CeremonyPage<'_>) {
    let mut canvas = Canvas::over(view);
    let side = i32::from(size.side());
    let seen = usize::from(view.width / size.side()).min(COLUMNS);
    let first = i32::try_from(first_seen(forest.walker().column, seen)).unwrap_or(0);
    let (columns, rows) = (i32::try_from(seen).unwrap_or(0), i32::try_from(ROWS).unwrap_or(0));
    let left = (i32::from(view.width) - columns * side) / 2;
    let top = (i32::from(view.height) * 2 - rows * side) / 2;
    let corner = |place: ForestPlace| {
        let (column, row) = (i32::try_from(place.column), i32::try_from(place.row));
        (left + (column.unwrap_or(0) - first) * side, top + row.unwrap_or(0) * side)
    };
    // Wherever the window reaches further than the forest can be walked, it goes on, in the dark; less than a quarter of
    // a tree would only be specks.
    let reach = |spare: i32| (spare + side - side / 4) / side;
    let (around, above) = (reach(left), reach(top));
    for row in -above..rows + above {
        for column in first - around..first + columns + around {
            let place = (usize::try_from(column).ok(), usize::try_from(row).ok());
            let at = (left + (column - first) * side, top + row * side);
            match place {
                (Some(column), Some(row)) if column < COLUMNS && row < ROWS => {
                    cell(forest, ForestPlace { column, row }, at, size, &mut canvas, page);
                }
                _ => wood(column, row, at, size, &mut canvas),
            }
        }
    }
    for (own, light) in (0..).zip(forest.lights()) {
        let frame = if page.flips(2, own * 3 / 2) { "high" } else { "low" };
        size.paint(&mut canvas, Tile::Wisp, frame, corner(light), Brush::default());
    }
    let frame = if forest.turn() % 2 == 1 && !forest.bumped() { "step" } else { "still" };
    let brush = mirrored(forest.faces_left());
    size.paint(&mut canvas, character.tile(), frame, corner(forest.walker()), brush);
    page.show(&canvas, view);
}

fn cell(
    forest: &Forest,
    place: ForestPlace,
    at: (i32, i32),
    size: Size,
    canvas: &mut Canvas,
    page: &CeremonyPage<'_>,
) {
    let own = dice::at(at_of(place.column), at_of(place.row), 4);
    let grass = if own == 0 { "flower" } else { "still" };
    let mut put = |tile, frame: &str, brush| size.paint(canvas, tile, frame, at, brush);
    // Whatever stands somewhere stands on grass.
    put(Tile::Grass, "still", Brush::default());
    match forest.ground(place) {
        Terrain::Grass => put(Tile::Grass, grass, Brush::default()),
        Terrain::Path => put(Tile::Path, if own == 0 { "worn" } else { "still" }, Brush::default()),
        Terrain::Tree => put(Tile::Tree, if own == 0 { "bare" } else { "still" }, Brush::default()),
        Terrain::Pine => put(Tile::Pine, if own == 0 { "tall" } else { "still" }, Brush::default()),
        Terrain::Bog => {
            // The water moves now and then, never everywhere at once.
            let time = page.beat.wrapping_add(u64::try_from(own * 3).unwrap_or(0)) % 10;
            put(Tile::Bog, if time < 2 && page.beat > 0 { "gleam" } else { "still" }, Brush::default());
        }
        Terrain::Fire => put(Tile::Fire, burning(page.beat), Brush::default()),
        Terrain::Arbiter => put(Tile::Arbiter, "still", mirrored(true)),
    }
}

/// The forest beyond what can be walked.
fn wood(column: i32, row: i32, at: (i32, i32), size: Size, canvas: &mut Canvas) {
    let (tile, frame) = match dice::at(column, row, 5) {
        0 => (Tile::Tree, "bare"),
        1 => (Tile::Tree, "still"),
        2 => (Tile::Pine, "tall"),
        _ => (Tile::Pine, "still"),
    };
    size.paint(canvas, tile, frame, at, dim(40));
}

/// What one notices.
fn omen(forest: &Forest) -> &'static str {
    let here = forest.walker();
    let far = |place: ForestPlace| here.column.abs_diff(place.column) + here.row.abs_diff(place.row);
    let light = forest.lights().map(far).min();
    let beside =
        |kind: Terrain| Forest::places().any(|place| far(place) == 1 && forest.ground(place) == kind);
    if forest.turn() == 0 {
        return "A path. It was here before you.";
    }
    if forest.bumped() {
        return "It does not give way. A moment passes.";
    }
    if light.is_some_and(|far| far <= 2) {
        return "A light. Lanterns do not bob like that.";
    }
    if beside(Terrain::Bog) {
        return "Black water. It is patient. Walk around it.";
    }
    if Forest::FIRE.column - here.column.min(Forest::FIRE.column) <= 3 {
        return "Smoke. Somebody is awake.";
    }
    if light.is_some_and(|far| far <= 4) {
        return "A far light. It goes up and down.";
    }
    const IDLE: [&str; 4] = [
        "An owl asks who.",
        "Footprints. None of them come back.",
        "Your shadow keeps up.",
        "The path bends. It seems to know why.",
    ];
    IDLE[(here.column / 3) % IDLE.len()]
}

fn at_of(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walker_is_seen_and_sees_what_comes() {
        for (seen, walker) in (1..=COLUMNS).flat_map(|seen| (0..COLUMNS).map(move |walker| (seen, walker))) {
            let first = first_seen(walker, seen);
            assert!((first..first + seen).contains(&walker), "{seen} {walker}");
            let is_last = first + seen == COLUMNS;
            assert!(seen < usize::from(SEEN_MIN) || is_last || walker + 3 < first + seen, "{seen} {walker}");
        }
    }
}
