//! Where everything stands. A small terminal gives the room to the conversation; a wide one shows more beside it.

use ratatui::layout::Rect;

use crate::draw::{conductor, gauges};
use crate::screen::Screen;
use crate::view_model::ViewModel;

/// From this width on there is room for more beside the conversation.
const WIDE: u16 = 120;
/// How wide the side is at least and at most, and how wide the conversation is kept before the side grows.
const SIDE_MIN: u16 = 36;
const SIDE_MAX: u16 = 64;
const TALK: u16 = 80;
/// Rows that the input may take at most, as a part of the screen.
const INPUT_PART: u16 = 3;

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub area: Rect,
    /// There is room for lines around things.
    pub framed: bool,
    /// The name over the door: none where the top line has to do.
    pub head: Option<Rect>,
    pub talk: Rect,
    /// Beside it: the scene, and the quest log or the conductor's view.
    pub side: Option<Rect>,
    /// Who works, how full, how dear.
    pub gauges: Rect,
    /// What is typed.
    pub input: Rect,
    /// The lowest line: what keys do now.
    pub hint: Rect,
    /// Rows with a line from side to side.
    pub rules: Vec<u16>,
}

/// Where everything stands on a terminal of this size.
pub fn layout(area: Rect, screen: &Screen, model: &ViewModel<'_>) -> Layout {
    if area.width < 24 || area.height < 9 {
        return bare(area);
    }
    let pad = if area.width < 60 { 1 } else { 2 };
    let inner = Rect::new(area.x + 1, area.y + 1, area.width - 2, area.height - 2);
    let text = Rect::new(inner.x + pad, inner.y, inner.width - 2 * pad, inner.height);
    let mut rules = Vec::new();

    let head_rows = if area.height >= 20 { 2 } else { 0 };
    let mut y = inner.y;
    let head = (head_rows > 0).then_some(Rect { height: head_rows, ..inner });
    if head.is_some() {
        y += head_rows;
        rules.push(y);
        y += 1;
    }

    let bottom = inner.y + inner.height;
    // The sign before the input takes two columns.
    let wanted = screen.draft.rows(text.width.saturating_sub(2).max(1));
    let input_rows = wanted.clamp(1, (area.height / INPUT_PART).max(1));
    let input = Rect { y: bottom - input_rows, height: input_rows, ..text };
    rules.push(input.y - 1);
    let gauge_rows = match &model.state.conductor {
        Some(_) => conductor::rows(area.height, text.width >= WIDE),
        None => gauges::rows(area.height),
    };
    let gauges = Rect { y: input.y - 1 - gauge_rows, height: gauge_rows, ..text };
    rules.push(gauges.y - 1);

    let talk_height = (gauges.y - 1).saturating_sub(y);
    let (talk, side) = beside(Rect { y, height: talk_height, ..text });
    let hint = Rect { y: area.y + area.height - 1, height: 1, x: area.x + 2, width: area.width - 4 };
    Layout { area, framed: true, head, talk, side, gauges, input, hint, rules }
}

/// The conversation, and what stands beside it where there is room.
fn beside(text: Rect) -> (Rect, Option<Rect>) {
    if text.width < WIDE {
        return (text, None);
    }
    // The conversation keeps the width of a page.
    let width = (text.width * 2 / 5).clamp(SIDE_MIN, SIDE_MAX).min(text.width - 3 - TALK).max(SIDE_MIN);
    let side = Rect { x: text.x + text.width - width, width, ..text };
    (Rect { width: text.width - width - 3, ..text }, Some(side))
}

/// Hardly any room: no lines around anything, and the input last.
fn bare(area: Rect) -> Layout {
    let row = |from_below: u16| {
        let y = (area.y + area.height).saturating_sub(from_below).max(area.y);
        Rect { y, height: u16::from(area.height >= from_below), ..area }
    };
    let talk = Rect { height: area.height.saturating_sub(2), ..area };
    let (input, gauges) = (row(1), row(2));
    let nowhere = Rect { height: 0, ..area };
    Layout {
        area,
        framed: false,
        head: None,
        talk,
        side: None,
        gauges,
        input,
        hint: nowhere,
        rules: Vec::new(),
    }
}

/// Where a page stands over everything else.
pub fn page(area: Rect) -> Rect {
    if area.width < WIDE || area.height < 30 {
        return area;
    }
    let (across, down) = (area.width / 10, area.height / 10);
    Rect::new(area.x + across, area.y + down, area.width - 2 * across, area.height - 2 * down)
}
