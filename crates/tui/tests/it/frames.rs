//! Frames: what a person sees of a play, at four sizes, with and without colour.

use tui::theme::Theme;

use crate::booth::Booth;
use crate::{canvas, plays};

/// A small window, the usual one, a large one, a very large one.
pub const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (160, 50), (200, 60)];

/// Compares the frame at every size, with and without colour, to the ones that are kept.
pub fn frames(name: &str, mut booth: Booth) {
    for (columns, rows) in SIZES {
        booth.sized(columns, rows);
        let (plain, _) = booth.frame(&Theme::PLAIN);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), canvas::plain(&plain));
        let (coloured, cursor) = booth.frame(&Theme::COLOURED);
        let coloured = match cursor {
            Some(cursor) => canvas::coloured_with_cursor(&coloured, cursor),
            None => canvas::coloured(&coloured),
        };
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}_coloured"), coloured);
    }
}

#[test]
fn the_first_question() {
    frames("alignment", Booth::play(plays::ALIGNMENT));
}

#[test]
fn at_work() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("and sign out");
    frames("at_work", booth);
}
