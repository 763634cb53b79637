//! The title: the name over the door, a moon, a forest, and somebody who keeps a fire.

use super::letters;
use super::night::{Size, burning, clearing, mirrored, stars};
use super::page::{CeremonyPage, Keys};
use crate::decoration::tiles::canvas::Brush;
use crate::decoration::tiles::{Canvas, Sprite, Tile, shelf};
use crate::theme::Tint;

const MOTTO: &str = "OF THAT WHICH WAS, THAT WHICH IS, AND THAT WHICH SHALL COME TO BE";
const NAME: &str = "T H E   A R B I T E R";
const KEYS: [Keys<'static>; 2] =
    [&[("any key", "begin"), ("m", "sound on/off"), ("q", "leave")], &[("any key", "begin"), ("q", "leave")]];

/// Draws the title.
pub(super) fn draw(page: &mut CeremonyPage<'_>) {
    let sky = page.above_keys();
    let trees = Size::within(sky.width / 4, sky.height * 2 / 5).filter(|_| page.theme.has_tiles());
    match trees {
        Some(size) => painted(size, page),
        None => written(page),
    }
    page.keys(&KEYS);
}

fn painted(size: Size, page: &mut CeremonyPage<'_>) {
    let sky = page.above_keys();
    let free = sky.height - size.rows();
    let motto_rows = page.rows_of(MOTTO);
    let mut canvas = Canvas::over(sky);
    let (width, ground) = (i32::from(sky.width), i32::from(sky.height) * 2);
    stars(&mut canvas, i32::from(free) * 2, page.beat);
    camp(size, &mut canvas, page, ground);

    let room = (usize::from(sky.width), usize::from(free.saturating_sub(motto_rows + 1)));
    let name = largest_name(room);
    let name_rows = name.map_or(1, |(name, times)| (name.height * usize::from(times)).div_ceil(2));
    let name_rows = u16::try_from(name_rows).unwrap_or(1);
    let top = free.saturating_sub(name_rows + 1 + motto_rows) / 2;
    if let Some((name, times)) = name
        && let Some(frame) = name.frame("still", 0)
    {
        let columns = i32::try_from(name.width).unwrap_or(0) * i32::from(times);
        let corner = ((width - columns) / 2, i32::from(top) * 2);
        canvas.paint(frame, corner.0, corner.1, Brush { times, ..Brush::default() });
    }
    page.show(&canvas, sky);
    if name.is_none() {
        page.centred(top, NAME, Tint::Title);
    }
    page.words(top + name_rows + 1, MOTTO, Tint::Dim);
}

/// The name in the largest letters that have so many columns and rows, and how much larger than drawn.
fn largest_name((columns, rows): (usize, usize)) -> Option<(&'static Sprite, u16)> {
    let sizes = [(shelf::name(), 3), (shelf::name(), 2), (shelf::name(), 1), (shelf::small_name(), 1)];
    sizes.into_iter().find(|(name, times)| {
        let times = usize::from(*times);
        name.width * times <= columns && (name.height * times).div_ceil(2) <= rows
    })
}

/// Who waits at the edge of the forest.
fn camp(size: Size, canvas: &mut Canvas, page: &CeremonyPage<'_>, ground: i32) {
    let side = i32::from(size.side());
    let middle = i32::try_from(canvas.width()).unwrap_or(0) / 2;
    let top = ground - side;
    // The moon rises behind the trees: higher up the name would hide it.
    size.paint(canvas, Tile::Moon, "still", (middle / 2 - side / 2, top - side * 3 / 8), Brush::default());
    clearing(canvas, size, ground, side * 9 / 4, 100);
    let is_blinking = page.beat % 8 == 5;
    let eyes = if is_blinking { "blink" } else { "still" };
    size.paint(canvas, Tile::Fire, burning(page.beat), (middle - side, top), Brush::default());
    size.paint(canvas, Tile::Arbiter, eyes, (middle, top), mirrored(true));
    // What is far is small.
    let wisp = size.smaller();
    for (own, x) in [(0, middle / 8), (3, middle * 3 / 2)] {
        let (frame, lift) = if page.flips(2, own) { ("high", side / 8) } else { ("low", 0) };
        wisp.paint(canvas, Tile::Wisp, frame, (x, top + side / 8 - lift), Brush::default());
    }
}

fn written(page: &mut CeremonyPage<'_>) {
    let sky = page.above_keys();
    let motto_rows = page.rows_of(MOTTO);
    let is_roomy = sky.height > 2 + motto_rows + letters::TREES_ROWS;
    let trees = if is_roomy { letters::TREES_ROWS + 1 } else { 0 };
    let top = sky.height.saturating_sub(2 + motto_rows + trees) / 2;
    page.centred(top, if page.area.width < 24 { "THE ARBITER" } else { NAME }, Tint::Title);
    page.words(top + 2, MOTTO, Tint::Dim);
    if is_roomy {
        letters::trees(page, sky.height - letters::TREES_ROWS);
    }
}
