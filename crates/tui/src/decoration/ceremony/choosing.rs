//! Who comes: eight of them in two rows, one of them chosen.

use ratatui::layout::Rect;

use super::forest::WalkDirection;
use super::night::{Size, dim};
use super::page::{CeremonyPage, Keys};
use crate::decoration::tiles::Canvas;
use crate::decoration::tiles::canvas::Brush;
use crate::manner::Character;
use crate::theme::Tint;

const ACROSS: usize = 4;
const DOWN: usize = Character::ALL.len() / ACROSS;
const QUESTION: &str = "Who comes?";
const KEYS: [Keys<'static>; 3] = [
    &[("arrows, 1-8", "choose"), ("Enter", "go"), ("Esc", "back"), ("m", "sound on/off"), ("q", "leave")],
    &[("arrows", "choose"), ("Enter", "go"), ("q", "leave")],
    &[("Enter", "go"), ("q", "leave")],
];

/// The neighbour of a character; over an edge the row goes on at the other end.
pub(super) fn beside(character: Character, way: WalkDirection) -> Character {
    let all = Character::ALL.len();
    let far = match way {
        WalkDirection::Left => all - 1,
        WalkDirection::Right => 1,
        WalkDirection::Up => all - ACROSS,
        WalkDirection::Down => ACROSS,
    };
    Character::ALL[(number(character) + far) % all]
}

/// Draws the choice.
pub(super) fn draw(chosen: Character, page: &mut CeremonyPage<'_>) {
    let area = page.area;
    let down = u16::try_from(DOWN).unwrap_or(1);
    // Each has a name below, and all of them a line that says more, above the keys.
    let rows = (area.height.saturating_sub(2) / down).saturating_sub(1);
    let size = Size::within(column(area.width), rows).filter(|_| page.theme.has_tiles());
    match size {
        Some(size) => painted(size, chosen, page),
        None if column(area.width) >= 10 && area.height >= 5 => written(chosen, page),
        None => one(chosen, page),
    }
    page.keys(&KEYS);
}

fn painted(size: Size, chosen: Character, page: &mut CeremonyPage<'_>) {
    let area = page.area;
    let down = u16::try_from(DOWN).unwrap_or(1);
    let columns = column(area.width).min(size.side() + size.side() / 2);
    let rows = size.rows() + 1;
    let spare = area.height.saturating_sub(down * rows + 2);
    let question = if spare >= 2 { 2 } else { 0 };
    let spare = spare - question;
    // A row of air before what is said of them, then one between them, and the rest around everything.
    let (before, air) = (u16::from(spare >= 1), u16::from(spare >= 3));
    let top = (spare - before - air) / 2;
    if question > 0 {
        page.centred(top, QUESTION, Tint::Title);
    }
    let left = area.width.saturating_sub(columns * 4) / 2;
    for (place, character) in Character::ALL.into_iter().enumerate() {
        let (x, y) = (place % ACROSS, place / ACROSS);
        let (x, y) = (u16::try_from(x).unwrap_or(0), u16::try_from(y).unwrap_or(0));
        let cell = Rect {
            x: area.x + left + x * columns,
            y: area.y + top + question + y * (rows + air),
            width: columns,
            height: size.rows(),
        };
        let mut canvas = Canvas::over(cell);
        let aside = i32::from((columns - size.side()) / 2);
        let is_chosen = character == chosen;
        let frame = if is_chosen && page.flips(1, 0) { "step" } else { "still" };
        let brush = if is_chosen { Brush::default() } else { dim(60) };
        size.paint(&mut canvas, character.tile(), frame, (aside, 0), brush);
        page.show(&canvas, cell);
        name(character, is_chosen, Rect { y: cell.bottom(), height: 1, ..cell }, page);
    }
    let below = top + question + down * (rows + air) - air + before;
    said(chosen, below, page);
}

/// Without tiles: their names.
fn written(chosen: Character, page: &mut CeremonyPage<'_>) {
    let area = page.area;
    let columns = column(area.width).min(14);
    let left = area.width.saturating_sub(columns * 4) / 2;
    let step = if area.height >= 9 { 2 } else { 1 };
    let top = area.height.saturating_sub(1 + step * 5) / 2;
    page.centred(top, QUESTION, Tint::Title);
    for (place, character) in Character::ALL.into_iter().enumerate() {
        let (x, y) = (place % ACROSS, place / ACROSS);
        let (x, y) = (u16::try_from(x).unwrap_or(0), u16::try_from(y).unwrap_or(0));
        let (x, y) = (area.x + left + x * columns, area.y + top + step * (y + 1));
        name(character, character == chosen, Rect { x, y, width: columns, height: 1 }, page);
    }
    said(chosen, top + step * 3 + step / 2, page);
}

/// In a very small window: the chosen one alone.
fn one(chosen: Character, page: &mut CeremonyPage<'_>) {
    let top = page.area.height.saturating_sub(6) / 2;
    page.centred(top, QUESTION, Tint::Title);
    page.centred(top + 2, &format!("< {} >", chosen.name()), Tint::You);
    let epithet = chosen.epithet();
    let count = format!("{} of {}", number(chosen) + 1, Character::ALL.len());
    let rows = page.words(top + 3, epithet, Tint::Words);
    if top + 3 + rows + 1 < page.area.height {
        page.centred(top + 3 + rows, &count, Tint::Dim);
    }
}

fn name(character: Character, is_chosen: bool, place: Rect, page: &mut CeremonyPage<'_>) {
    let text = if is_chosen { format!("[{}]", character.name()) } else { character.name().to_owned() };
    let style = page.theme.style(if is_chosen { Tint::You } else { Tint::Dim });
    let aside = place.width.saturating_sub(u16::try_from(text.len()).unwrap_or(0)) / 2;
    let place = Rect { x: place.x + aside, width: place.width - aside, ..place };
    crate::draw::put(page.buffer, place, 0, &ratatui::text::Line::styled(text, style));
}

fn said(chosen: Character, row: u16, page: &mut CeremonyPage<'_>) {
    let text = format!("The {} {}.", chosen.name(), chosen.epithet());
    let text = if text.len() > usize::from(page.area.width) { chosen.epithet().to_owned() } else { text };
    page.centred(row, &text, Tint::Words);
}

fn number(character: Character) -> usize {
    Character::ALL.iter().position(|known| *known == character).unwrap_or(0)
}

/// How many columns each of them has.
fn column(width: u16) -> u16 {
    width / u16::try_from(ACROSS).unwrap_or(1)
}
