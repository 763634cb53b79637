//! Where each figure stands, in pixels: the human left, the Arbiter behind cauldron and fire, the demons in a row to the
//! right. Where it gets narrow they close up; where even that does not help the rest is counted.

use ratatui::layout::Rect;

use crate::decoration::tiles::Scale;

/// Rows of pixels below everybody's feet: the ground.
pub(super) const GROUND: i32 = 2;
/// Eighths of a tile from foot to the top of what hangs over a head.
const HEIGHT: i32 = 15;
/// Eighths of a tile from the left edge to the demons, closed up.
const NARROW: i32 = 17;
/// Eighths of a tile by which the company stands apart where there is room.
const APART: i32 = 10;

/// Where everybody stands; `x` is a left edge, `y` the upper edge of a figure on the ground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) scale: Scale,
    /// An eighth of a tile.
    pub(super) unit: i32,
    /// The upper edge of a figure that stands on the ground.
    pub(super) y: i32,
    /// The upper edge of what hangs over a head.
    pub(super) over: i32,
    /// The ground's upper edge, and from where to where it reaches.
    pub(super) ground: (i32, i32, i32),
    pub(super) human: i32,
    pub(super) arbiter: i32,
    pub(super) cauldron: i32,
    /// Those of the demons who are seen, the newest last.
    pub(super) demons: Vec<i32>,
    /// Where the sign of the end stands.
    pub(super) end: i32,
}

/// Rows of the screen that a stage of this scale takes.
pub(super) fn rows(scale: Scale) -> u16 {
    let pixels = HEIGHT * unit(scale) + GROUND;
    (pixels / 2) as u16
}

/// The largest scale at which so many demons have room; none where not even one has room.
pub(super) fn scale(columns: u16, height: u16, crowd: usize) -> Option<Scale> {
    // Three show that they are many; at half a tile each of them is still a figure.
    let wanted = crowd.clamp(1, 3) as i32 - 1;
    let fits = |scale: Scale, more: i32| {
        let unit = unit(scale);
        i32::from(columns) >= (NARROW + 8 + 4 * more) * unit && height >= rows(scale)
    };
    if fits(Scale::Large, wanted) {
        Some(Scale::Large)
    } else {
        fits(Scale::Small, 0).then_some(Scale::Small)
    }
}

/// Where everybody stands in an area that is high enough.
pub(super) fn places(area: Rect, scale: Scale, crowd: usize) -> Places {
    let unit = unit(scale);
    let (width, height) = (i32::from(area.width), i32::from(area.height) * 2);
    // Half a tile for each demon comes before room between the others.
    let row = (8 + 4 * (crowd.clamp(1, 9) as i32 - 1)) * unit;
    let apart = (width - NARROW * unit - row).clamp(0, APART * unit);
    let first = NARROW * unit + apart;
    let (shown, step) = row_of(width - first, unit, crowd);
    let last = first + step * (shown as i32 - 1).max(0);
    // A company that is smaller than its stage stands in the middle.
    let left = (width - last - 8 * unit).max(0) / 2;
    let ground = height - GROUND;
    let y = ground - 8 * unit;
    Places {
        scale,
        unit,
        y,
        // An odd number of pixels has half a row too few: what hangs over a head comes closer, and stays whole.
        over: (ground - HEIGHT * unit).max(0),
        ground: (ground, left - 2 * unit, left + last + 10 * unit),
        human: left,
        arbiter: left + 6 * unit + apart * 7 / APART,
        cauldron: left + 11 * unit + apart * 7 / APART,
        demons: (0..shown).map(|place| left + first + step * place as i32).collect(),
        end: left + first,
    }
}

/// How many of a crowd are seen in a row of this width, and how far they stand apart.
fn row_of(width: i32, unit: i32, crowd: usize) -> (usize, i32) {
    let room = (width - 8 * unit).max(0);
    let most = usize::try_from(room / (2 * unit)).unwrap_or(0) + 1;
    let shown = crowd.min(most);
    match i32::try_from(shown) {
        Ok(count @ 2..) => (shown, (room / (count - 1)).min(9 * unit)),
        Ok(_) | Err(_) => (shown, 0),
    }
}

fn unit(scale: Scale) -> i32 {
    i32::from(scale.side()) / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(columns: u16, crowd: usize) -> (Scale, Vec<i32>) {
        let scale = scale(columns, 16, crowd).expect("room");
        (scale, places(Rect::new(0, 0, columns, rows(scale)), scale, crowd).demons)
    }

    #[test]
    fn no_figure_stands_outside() {
        for columns in 25..140 {
            for crowd in [0, 1, 2, 3, 7, 24] {
                let (scale, demons) = row(columns, crowd);
                let side = i32::from(scale.side());
                assert!(demons.len() <= crowd);
                assert!(crowd == 0 || !demons.is_empty());
                assert!(
                    demons.iter().all(|x| *x >= 0 && x + side <= i32::from(columns)),
                    "{columns} columns, {crowd}: {demons:?}"
                );
            }
        }
    }

    #[test]
    fn a_crowd_closes_up_and_then_is_counted() {
        assert_eq!(row(51, 1), (Scale::Large, vec![35]));
        assert_eq!(row(51, 3), (Scale::Small, vec![27, 35, 43]));
        assert_eq!(row(51, 7).1, [19, 23, 27, 31, 35, 39, 43]);
        assert_eq!(row(30, 24).1.len(), 3);
    }

    #[test]
    fn where_there_is_no_room_there_is_no_stage() {
        assert_eq!(scale(24, 40, 1), None);
        assert_eq!(scale(80, 7, 1), None);
        assert_eq!(scale(80, 8, 1), Some(Scale::Small));
        assert_eq!(scale(80, 15, 1), Some(Scale::Small));
        assert_eq!(scale(80, 16, 1), Some(Scale::Large));
    }

    #[test]
    fn what_hangs_over_a_head_is_whole() {
        for scale in [Scale::Small, Scale::Large] {
            assert!(places(Rect::new(0, 0, 80, rows(scale)), scale, 1).over >= 0, "{scale:?}");
        }
    }
}
