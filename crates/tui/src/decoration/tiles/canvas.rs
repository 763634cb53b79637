//! Pixels, and how a terminal shows them: a cell is two of them, one above the other, drawn with a half block. Where there
//! is no pixel the terminal's own ground is left as it is.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Color;

use super::colour::PixelColour;
use super::sprite::Frame;
use crate::theme::Colours;

/// Pixels in rows. Places may lie outside of it: what is painted there is not seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<Option<PixelColour>>,
}

/// How a frame is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brush {
    /// It looks the other way.
    pub mirrored: bool,
    /// How much of its light is left, of a hundred.
    pub light: u16,
    /// Each pixel of it is so many pixels wide and high.
    pub times: u16,
}

impl Default for Brush {
    fn default() -> Brush {
        Brush { mirrored: false, light: 100, times: 1 }
    }
}

impl Canvas {
    /// Nothing, as large as an area of the screen.
    pub fn over(area: Rect) -> Canvas {
        Canvas::new(usize::from(area.width), usize::from(area.height) * 2)
    }

    /// Nothing, so many pixels wide and high.
    pub fn new(width: usize, height: usize) -> Canvas {
        Canvas { width, height, pixels: vec![None; width * height] }
    }

    /// Pixels in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The pixel there.
    pub fn pixel(&self, x: i32, y: i32) -> Option<PixelColour> {
        self.index(x, y).and_then(|index| self.pixels[index])
    }

    /// Sets one pixel.
    pub fn dot(&mut self, x: i32, y: i32, ink: PixelColour) {
        if let Some(index) = self.index(x, y) {
            self.pixels[index] = Some(ink);
        }
    }

    /// Sets every pixel of a rectangle.
    pub fn fill(&mut self, x: i32, y: i32, width: i32, height: i32, ink: PixelColour) {
        for y in y..y.saturating_add(height) {
            for x in x..x.saturating_add(width) {
                self.dot(x, y, ink);
            }
        }
    }

    /// Paints a frame with its upper left corner there.
    pub fn paint(&mut self, frame: Frame<'_>, x: i32, y: i32, brush: Brush) {
        let times = i32::from(brush.times.max(1));
        for (row, down) in (0..frame.height).zip(0..) {
            for (column, right) in (0..frame.width).zip(0..) {
                let from = if brush.mirrored { frame.width - 1 - column } else { column };
                if let Some(ink) = frame.pixel(from, row) {
                    let ink = if brush.light < 100 { ink.dimmed(brush.light) } else { ink };
                    self.fill(x + right * times, y + down * times, times, times, ink);
                }
            }
        }
    }

    /// Shows it on the screen, from the upper left corner of the area on.
    pub fn show(&self, area: Rect, buffer: &mut Buffer, colours: Colours) {
        let seen = area.intersection(buffer.area);
        for place in seen.positions() {
            let (x, y) = (i32::from(place.x - area.x), i32::from(place.y - area.y) * 2);
            let upper = self.pixel(x, y).map(|ink| ink.shown(colours));
            let lower = self.pixel(x, y + 1).map(|ink| ink.shown(colours));
            let Some((sign, front, back)) = half(upper, lower) else { continue };
            if let Some(cell) = buffer.cell_mut(place) {
                *cell = Cell::new(sign);
                (cell.fg, cell.bg) = (front, back);
            }
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        (x < self.width && y < self.height).then_some(y * self.width + x)
    }
}

/// The sign of a cell with its colours before and behind; none where nothing is painted.
fn half(upper: Option<Color>, lower: Option<Color>) -> Option<(&'static str, Color, Color)> {
    match (upper, lower) {
        (None, None) => None,
        // One colour needs no sign, which is less to send.
        (Some(upper), Some(lower)) if upper == lower => Some((" ", Color::Reset, upper)),
        (Some(upper), Some(lower)) => Some(("▀", upper, lower)),
        (Some(upper), None) => Some(("▀", upper, Color::Reset)),
        (None, Some(lower)) => Some(("▄", lower, Color::Reset)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sprite::Sprite;
    use super::*;

    const ARROW: &str = "size 2x2\nink r ff0000 red\nink g 00ff00 green\nframe still\nr.\nrg\n";

    fn shown(brush: Brush, x: i32, y: i32) -> Vec<(String, Color, Color)> {
        let sprite = Sprite::read(ARROW).expect("a sprite");
        let area = Rect::new(1, 1, 2, 1);
        let mut canvas = Canvas::over(area);
        canvas.paint(sprite.frame("still", 0).expect("a frame"), x, y, brush);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 4, 3));
        canvas.show(area, &mut buffer, Colours::Sixteen);
        let cells = area.positions().filter_map(|place| buffer.cell(place));
        cells.map(|cell| (cell.symbol().to_owned(), cell.fg, cell.bg)).collect()
    }

    fn cell(sign: &str, front: Color, back: Color) -> (String, Color, Color) {
        (sign.to_owned(), front, back)
    }

    #[test]
    fn two_pixels_are_a_cell() {
        let plain = [cell(" ", Color::Reset, Color::Red), cell("▄", Color::Green, Color::Reset)];
        assert_eq!(shown(Brush::default(), 0, 0), plain);
    }

    #[test]
    fn a_mirror_turns_it_round() {
        let mirrored = Brush { mirrored: true, ..Brush::default() };
        let turned = [cell("▄", Color::Green, Color::Reset), cell(" ", Color::Reset, Color::Red)];
        assert_eq!(shown(mirrored, 0, 0), turned);
    }

    #[test]
    fn what_lies_outside_is_not_seen() {
        let half = [cell("▀", Color::Green, Color::Reset), cell(" ", Color::Reset, Color::Reset)];
        assert_eq!(shown(Brush::default(), -1, -1), half);
        let nothing = cell(" ", Color::Reset, Color::Reset);
        assert_eq!(shown(Brush::default(), 40, 40), [nothing.clone(), nothing]);
    }
}
