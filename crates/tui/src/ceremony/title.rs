//! The title: the name over the door, a moon, a forest, and somebody who keeps a fire.

use super::letters;
use super::night::{Size, burning, dim, enlarge, mirrored, stars, treeline};
use super::page::{Keys, Page};
use crate::theme::Tint;
use crate::tiles::canvas::Brush;
use crate::tiles::{Canvas, Tile, shelf};

const MOTTO: &str = "OF THAT WHICH WAS, THAT WHICH IS, AND THAT WHICH SHALL COME TO BE";
const NAME: &str = "T H E   A R B I T E R";
const KEYS: [Keys<'static>; 2] =
    [&[("any key", "enter"), ("m", "sound on/off"), ("q", "leave")], &[("any key", "enter"), ("q", "leave")]];

/// Draws the title.
pub(super) fn draw(page: &mut Page<'_>) {
    let sky = page.above_keys();
    let trees = Size::within(sky.width / 4, sky.height * 2 / 5).filter(|_| page.theme.has_tiles());
    match trees {
        Some(size) => painted(size, page),
        None => written(page),
    }
    page.keys(&KEYS);
}

fn painted(size: Size, page: &mut Page<'_>) {
    let sky = page.above_keys();
    let free = sky.height - size.rows();
    let motto_rows = page.rows_of(MOTTO);
    let mut canvas = Canvas::over(sky);
    let (width, ground) = (i32::from(sky.width), i32::from(sky.height) * 2);
    let side = i32::from(size.side());
    stars(&mut canvas, i32::from(free) * 2, page.beat);
    let moon = (width - side - side / 2, 1);
    size.paint(&mut canvas, Tile::Moon, "still", moon, Brush::default());
    camp(size, &mut canvas, page, ground);

    let name = shelf::name();
    let room = (usize::from(sky.width.saturating_sub(2)), usize::from(free.saturating_sub(motto_rows + 2)));
    let fits = |times: &u16| {
        let times = usize::from(*times);
        name.width * times <= room.0 && (name.height * times).div_ceil(2) <= room.1
    };
    let times = (1..=3).rev().find(fits).unwrap_or(0);
    let name_rows = u16::try_from((name.height * usize::from(times)).div_ceil(2)).unwrap_or(0).max(1);
    let top = free.saturating_sub(name_rows + 1 + motto_rows) / 2;
    if let Some(frame) = name.frame("still", 0).filter(|_| times > 0) {
        let columns = i32::try_from(name.width).unwrap_or(0) * i32::from(times);
        let corner = ((width - columns) / 2, i32::from(top) * 2);
        enlarge(&mut canvas, frame, corner, times, Brush::default());
    }
    page.show(&canvas, sky);
    if times == 0 {
        page.centred(top, NAME, Tint::Title);
    }
    page.words(top + name_rows + 1, MOTTO, Tint::Dim);
}

/// Who waits at the edge of the forest.
fn camp(size: Size, canvas: &mut Canvas, page: &Page<'_>, ground: i32) {
    let side = i32::from(size.side());
    let middle = i32::try_from(canvas.width()).unwrap_or(0) / 2;
    treeline(canvas, size, ground - side / 4, side, 40);
    treeline(canvas, size, ground, side * 3, 100);
    let top = ground - side;
    let is_blinking = page.beat % 16 == 11;
    let eyes = if is_blinking { "blink" } else { "still" };
    size.paint(canvas, Tile::Fire, burning(page.beat), (middle - side, top), Brush::default());
    size.paint(canvas, Tile::Arbiter, eyes, (middle, top), mirrored(true));
    for (own, x) in [(0, middle / 3), (5, middle * 13 / 8)] {
        let (frame, lift) = if page.flips(4, own) { ("high", side / 8) } else { ("low", 0) };
        size.paint(canvas, Tile::Wisp, frame, (x, top - side / 4 - lift), dim(90));
    }
}

/// Without tiles.
fn written(page: &mut Page<'_>) {
    let sky = page.above_keys();
    let motto_rows = page.rows_of(MOTTO);
    let is_roomy = sky.height >= 2 + motto_rows + letters::TREES_ROWS + 1;
    let trees = if is_roomy { letters::TREES_ROWS + 1 } else { 0 };
    let top = sky.height.saturating_sub(2 + motto_rows + trees) / 2;
    page.centred(top, if page.area.width < 24 { "THE ARBITER" } else { NAME }, Tint::Title);
    page.words(top + 2, MOTTO, Tint::Dim);
    if is_roomy {
        letters::trees(page, sky.height - letters::TREES_ROWS);
    }
}
