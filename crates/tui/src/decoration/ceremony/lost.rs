//! The end of a walk that did not go well. It is told without reproach.

use ratatui::layout::Rect;

use super::forest::Fate;
use super::night::{Size, glade};
use super::page::{CeremonyPage, Keys};
use super::{letters, page};
use crate::decoration::tiles::Tile;
use crate::decoration::tiles::canvas::Brush;
use crate::manner::Character;
use crate::theme::Tint;

const LAW: &str = "The forest keeps what it is given.";
const KEYS: [Keys<'static>; 2] = [&[("Enter", "choose again"), ("Ctrl+C", "leave")], &[("Enter", "again")]];

/// Draws the place, and what is said of it.
pub(super) fn draw(fate: Fate, turns: usize, character: Character, page: &mut CeremonyPage<'_>) {
    let how = match fate {
        Fate::Bog => "The bog was deeper than it looked.",
        Fate::Wisp => "It was a light. It was not a lantern.",
    };
    let steps = if turns == 1 { "1 step".to_owned() } else { format!("{turns} steps") };
    let grave = format!("Here ends the {}, {steps} in.", character.name());
    let picture = page::told(page, &[(LAW, Tint::Title), (how, Tint::Words), (&grave, Tint::Dim)]);
    match Size::within(picture.width / 5, picture.height).filter(|_| page.theme.has_tiles()) {
        Some(size) => painted(fate, character, size, picture, page),
        None => {
            let signs = match fate {
                Fate::Bog => ["T ^   T ~ ~ ~ ~ ^ T ^", "^ T ~ ~ ~ @ ~ ~ ~ ^ T", "T   ^ ~ ~ ~ ~ T ^ T T"],
                Fate::Wisp => ["T ^ T ^ . T ^   T ^ T", "^ T   . * @ .   . ^ T", "T ^ T T . ^ ^ T   T ^"],
            };
            letters::vignette(page, picture, signs);
        }
    }
    page.keys(&KEYS);
}

fn painted(fate: Fate, character: Character, size: Size, picture: Rect, page: &mut CeremonyPage<'_>) {
    let side = i32::from(size.side());
    let (mut canvas, left, top) = glade(picture, size, page.beat, side * 3, 50);
    match fate {
        Fate::Bog => {
            // As much of them as is still to be seen, with their arms up.
            let water = top + side - side * 5 / 8;
            size.paint(
                &mut canvas,
                character.tile(),
                "cheer",
                (left, water - side * 3 / 4),
                Brush::default(),
            );
            for (own, x) in (0..).zip([left - side, left, left + side]) {
                let frame = if page.flips(3, own * 2) { "gleam" } else { "still" };
                size.paint(&mut canvas, Tile::Bog, frame, (x, water), Brush::default());
            }
        }
        Fate::Wisp => {
            size.paint(&mut canvas, character.tile(), "down", (left, top), Brush::default());
            let (frame, lift) = if page.flips(2, 0) { ("high", side / 8) } else { ("low", 0) };
            let over = (left - side * 3 / 4, top - side / 4 - lift);
            size.paint(&mut canvas, Tile::Wisp, frame, over, Brush::default());
        }
    }
    page.show(&canvas, picture);
}
