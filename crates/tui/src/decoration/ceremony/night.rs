//! What a night is painted with: tiles in any size, stars, trees side by side, a fire.

use ratatui::layout::Rect;

use super::dice;
use crate::decoration::tiles::canvas::Brush;
use crate::decoration::tiles::{Canvas, PixelColour, Scale, Tile};

/// How large tiles are on a page: a sprite, each of its pixels so many pixels wide and high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    scale: Scale,
    times: u16,
}

impl Size {
    const ALL: [Size; 4] = [
        Size { scale: Scale::Large, times: 3 },
        Size { scale: Scale::Large, times: 2 },
        Size { scale: Scale::Large, times: 1 },
        Size { scale: Scale::Small, times: 1 },
    ];

    /// The largest that is no wider and no higher than this.
    pub fn within(columns: u16, rows: u16) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.side() <= columns && size.rows() <= rows)
    }

    /// The next smaller one; the smallest is its own.
    pub fn smaller(self) -> Size {
        let next = Size::ALL.into_iter().find(|size| size.side() < self.side());
        next.unwrap_or(self)
    }

    /// Pixels from side to side, which are columns.
    pub fn side(self) -> u16 {
        self.scale.side() * self.times
    }

    /// Rows of the screen.
    pub fn rows(self) -> u16 {
        self.side() / 2
    }

    /// Paints a tile with its upper left corner there.
    pub fn paint(self, canvas: &mut Canvas, tile: Tile, frame: &str, (x, y): (i32, i32), brush: Brush) {
        if let Some(frame) = tile.frame(self.scale, frame, 0) {
            canvas.paint(frame, x, y, Brush { times: self.times, ..brush });
        }
    }
}

/// Less light: what stands further away, or is not meant.
pub(super) fn dim(light: u16) -> Brush {
    Brush { light, ..Brush::default() }
}

/// Looks the other way.
pub(super) fn mirrored(is: bool) -> Brush {
    Brush { mirrored: is, ..Brush::default() }
}

/// The fire, burning; nothing moves while the beat does not.
pub(super) fn burning(beat: u64) -> &'static str {
    ["burn1", "burn2", "burn3", "burn2"][usize::try_from(beat % 4).unwrap_or(0)]
}

/// Stars in the upper part of a night; some of them twinkle.
pub(super) fn stars(canvas: &mut Canvas, rows: i32, beat: u64) {
    const BRIGHT: PixelColour = PixelColour { rgb: [222, 218, 196], ansi: 7 };
    const FAINT: PixelColour = PixelColour { rgb: [92, 92, 122], ansi: 8 };
    let width = i32::try_from(canvas.width()).unwrap_or(0);
    for (x, y) in (0..rows).flat_map(|y| (0..width).map(move |x| (x, y))) {
        match dice::at(x, y, 420) {
            0 => canvas.dot(x, y, BRIGHT),
            1 | 2 => canvas.dot(x, y, FAINT),
            // Each twinkles at its own time.
            own @ 3..6 => {
                let time = usize::try_from(beat % 12 * 2).unwrap_or(0) + dice::at(y, x, 24);
                canvas.dot(x, y, if time % 24 < own * 3 { BRIGHT } else { FAINT });
            }
            _ => {}
        }
    }
}

/// A clearing in the forest, with feet at `ground`: `gap` pixels around the middle are free of trees, but for those that
/// stand far behind.
pub(super) fn clearing(canvas: &mut Canvas, size: Size, ground: i32, gap: i32, light: u16) {
    treeline(canvas, size, ground - i32::from(size.side()) / 8, 0, light * 2 / 5);
    treeline(canvas, size, ground, gap, light);
}

/// A clearing at night that fills a picture: the canvas, and the upper left corner of the figure in its middle.
pub(super) fn glade(picture: Rect, size: Size, beat: u64, gap: i32, light: u16) -> (Canvas, i32, i32) {
    let mut canvas = Canvas::over(picture);
    let side = i32::from(size.side());
    let (middle, ground) = (i32::from(picture.width) / 2, i32::from(picture.height) * 2);
    stars(&mut canvas, ground - side, beat);
    clearing(&mut canvas, size, ground, gap, light);
    (canvas, middle - side / 2, ground - side)
}

/// A stand of trees along a row of pixels, whose feet are at `ground`; `gap` pixels around the middle are left free.
fn treeline(canvas: &mut Canvas, size: Size, ground: i32, gap: i32, light: u16) {
    let side = i32::from(size.side());
    let middle = i32::try_from(canvas.width()).unwrap_or(0) / 2;
    // Trees stand closer than they are wide, and the nearest ones come last.
    let stride = (side * 5 / 8).max(1);
    for number in (0..=middle / stride + 1).rev() {
        for way in [-1, 1] {
            let own = (number + 1) * way;
            let jitter = i32::try_from(dice::at(own, gap, 4)).unwrap_or(0) * side / 16;
            let far = gap / 2 + side / 2 + number * stride + jitter;
            let (tile, frame) = match dice::at(own, ground - gap, 7) {
                0..3 => (Tile::Pine, "still"),
                3 | 4 => (Tile::Pine, "tall"),
                5 => (Tile::Tree, "still"),
                _ => (Tile::Tree, "bare"),
            };
            let corner = (middle + far * way - side / 2, ground - side);
            size.paint(canvas, tile, frame, corner, dim(light));
        }
    }
}
