//! The layout of the picker at any size; where space is short, the list is the last part to disappear.

use ratatui::layout::Rect;

/// From this width on the preview stands beside the list.
const BESIDE_COLUMNS: u16 = 90;
/// From this height on it stands below the list, if there is no room beside it.
const BELOW_ROWS: u16 = 24;

/// The parts of the page; a part that has no room is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    /// The line around everything.
    pub frame: Rect,
    /// The Arbiter's line.
    pub voice: Rect,
    /// The rows of the frame that part it.
    pub bars: [Option<u16>; 2],
    /// What is typed.
    pub query: Rect,
    pub list: Rect,
    /// The row for no file.
    pub without: Rect,
    /// The line between list and preview.
    pub fence: Rect,
    /// The chosen file.
    pub preview: Rect,
    /// What the keys do.
    pub keys: Rect,
}

impl Room {
    /// The parts of a page in `area`.
    pub fn new(area: Rect) -> Room {
        let mut room = Room::default();
        if area.width < 12 || area.height < 7 {
            let (query, rest) = cut_top(area, 1);
            let (list, without) = cut_bottom(rest, 1);
            return Room { query, list, without, ..room };
        }
        room.frame = area;
        let inner = Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2);
        let mut inner = inner;
        if area.height >= 10 {
            (room.voice, inner) = cut_top(inner, 1);
            room.bars[0] = Some(inner.y);
            (_, inner) = cut_top(inner, 1);
        }
        (inner, room.keys) = cut_bottom(inner, 1);
        if area.height >= 9 {
            room.bars[1] = Some(inner.bottom().saturating_sub(1));
            (inner, _) = cut_bottom(inner, 1);
        }
        (room.query, inner) = cut_top(inner, 1);
        let mut list = inner;
        if area.width >= BESIDE_COLUMNS {
            let left = inner.width * 2 / 5;
            list.width = left;
            room.fence = Rect { x: inner.x + left, width: 1, ..inner };
            room.preview =
                Rect { x: inner.x + left + 2, width: inner.width.saturating_sub(left + 3), ..inner };
        } else if area.height >= BELOW_ROWS {
            let above = inner.height * 2 / 5;
            list.height = above;
            room.fence = Rect { y: inner.y + above, height: 1, ..inner };
            let preview = Rect { y: inner.y + above + 1, height: inner.height - above - 1, ..inner };
            room.preview = Rect { x: preview.x + 1, width: preview.width.saturating_sub(2), ..preview };
        }
        (room.list, room.without) = cut_bottom(list, 1);
        room
    }
}

fn cut_top(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    (Rect { height: rows, ..area }, Rect { y: area.y + rows, height: area.height - rows, ..area })
}

fn cut_bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    let rest = area.height - rows;
    (Rect { height: rest, ..area }, Rect { y: area.y + rest, height: rows, ..area })
}
