//! Before the Arbiter, who has a word for everybody.

use ratatui::layout::Rect;

use super::letters;
use super::night::{Size, burning, glade, mirrored};
use super::page::{self, CeremonyPage, Keys};
use crate::decoration::tiles::Tile;
use crate::decoration::tiles::canvas::Brush;
use crate::manner::Character;
use crate::theme::Tint;

const GREETING: &str = "So. You have come.";
const KEYS: [Keys<'static>; 1] = [&[("Enter", "step closer")]];

/// Draws who has met.
pub(super) fn draw(character: Character, page: &mut CeremonyPage<'_>) {
    let picture = page::told(page, &[(GREETING, Tint::Title), (word(character), Tint::Words)]);
    match Size::within(picture.width / 5, picture.height).filter(|_| page.theme.has_tiles()) {
        Some(size) => painted(character, size, picture, page),
        None => letters::vignette(
            page,
            picture,
            ["^ T ^ T ^   ^ T ^ T ^", "T ^ . . @ & A   . ^ T", "^ T T ^   ^   ^ T ^ T"],
        ),
    }
    page.keys(&KEYS);
}

/// What the Arbiter says to somebody.
fn word(character: Character) -> &'static str {
    match character {
        Character::Wanderer => "You took the long way. It is the only one.",
        Character::Knight => "Mind the cauldron with that sword.",
        Character::Witch => "Do not stir it. I know that you want to.",
        Character::Smith => "Nothing here wants hitting. Not yet.",
        Character::Scribe => "Write it down. I will ask later.",
        Character::Bard => "Tell it shorter this time.",
        Character::Gardener => "Leave the mushrooms. They listen.",
        Character::Cat => "You again. The warm place is taken.",
    }
}

fn painted(character: Character, size: Size, picture: Rect, page: &mut CeremonyPage<'_>) {
    let side = i32::from(size.side());
    let (mut canvas, left, top) = glade(picture, size, page.beat, side * 7 / 2, 60);
    let mouth = if page.flips(1, 0) { "still" } else { "talk" };
    size.paint(&mut canvas, character.tile(), "still", (left - side, top), Brush::default());
    size.paint(&mut canvas, Tile::Fire, burning(page.beat), (left, top), Brush::default());
    size.paint(&mut canvas, Tile::Arbiter, mouth, (left + side, top), mirrored(true));
    page.show(&canvas, picture);
}
