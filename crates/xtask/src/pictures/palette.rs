//! The colours of pictures: what a terminal's sixteen, two hundred and fifty-six and true colours are on the page.

use std::fmt;

use super::sheet::{Ink, Paint, Trait};

/// Red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The window: a dark room.
pub const WINDOW: Rgb = Rgb(0x17, 0x15, 0x1d);
/// The line around the window.
pub const RIM: Rgb = Rgb(0x3a, 0x36, 0x46);
/// What is written without a colour of its own: parchment.
const WORDS: Rgb = Rgb(0xd8, 0xd2, 0xc4);

/// The sixteen, dark ones first: colours of a fire, a forest and a cauldron.
#[rustfmt::skip]
const SIXTEEN: [Rgb; 16] = [
    Rgb(0x2c, 0x29, 0x36), Rgb(0xe0, 0x64, 0x60), Rgb(0x93, 0xbf, 0x72), Rgb(0xe5, 0xb5, 0x5c),
    Rgb(0x72, 0xa0, 0xe0), Rgb(0xbf, 0x88, 0xd8), Rgb(0x6a, 0xbf, 0xb8), Rgb(0xb9, 0xb3, 0xa6),
    Rgb(0x7f, 0x7a, 0x8c), Rgb(0xf0, 0x8d, 0x82), Rgb(0xb0, 0xd8, 0x8e), Rgb(0xf6, 0xd3, 0x8a),
    Rgb(0x9e, 0xc1, 0xf2), Rgb(0xd9, 0xae, 0xf0), Rgb(0x95, 0xdc, 0xd4), Rgb(0xf5, 0xf0, 0xe6),
];
/// The steps of each channel in the colours 16 to 231.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// How much of its own colour dim ink keeps, of a hundred.
const DIM: u16 = 60;

/// Ink as it lies on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub front: Rgb,
    pub back: Rgb,
}

impl Look {
    /// `under_cursor`: the cursor turns the cell that it stands on.
    pub fn of(ink: &Ink, under_cursor: bool) -> Look {
        let (mut front, mut back) = (resolve(ink.front, WORDS), resolve(ink.back, WINDOW));
        if ink.traits.contains(&Trait::Reversed) != under_cursor {
            (front, back) = (back, front);
        }
        if ink.traits.contains(&Trait::Dim) {
            front = front.over(back, DIM);
        }
        if ink.traits.contains(&Trait::Hidden) {
            front = back;
        }
        Look { front, back }
    }
}

impl Rgb {
    /// This colour mixed into another: `share` of a hundred is this one.
    pub fn over(self, other: Rgb, share: u16) -> Rgb {
        let mix = |a: u8, b: u8| {
            let mixed = (u16::from(a) * share + u16::from(b) * (100 - share)) / 100;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rgb(r, g, b) = self;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

fn resolve(paint: Paint, own: Rgb) -> Rgb {
    match paint {
        Paint::Own => own,
        Paint::Ansi(number) => SIXTEEN[usize::from(number % 16)],
        Paint::Rgb(r, g, b) => Rgb(r, g, b),
        Paint::Index(number @ 0..=15) => SIXTEEN[usize::from(number)],
        Paint::Index(number @ 16..=231) => {
            let channel = |step: u8| CUBE[usize::from((number - 16) / step % 6)];
            Rgb(channel(36), channel(6), channel(1))
        }
        Paint::Index(number) => {
            let grey = 8 + (number - 232) * 10;
            Rgb(grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(ink: &str, under_cursor: bool) -> (String, String) {
        let Look { front, back } = Look::of(&ink.parse().unwrap(), under_cursor);
        (front.to_string(), back.to_string())
    }

    #[test]
    fn reverse_and_cursor_undo_each_other() {
        let usual = look("fg=yellow", false);
        assert_eq!(usual, ("#e5b55c".to_owned(), "#17151d".to_owned()));
        assert_eq!(look("fg=yellow reversed", true), usual);
        assert_eq!(look("fg=yellow reversed", false), (usual.1, usual.0));
    }

    #[test]
    fn hidden_words_have_the_colour_behind_them() {
        assert_eq!(look("bg=#102030 hidden", false), ("#102030".to_owned(), "#102030".to_owned()));
        assert_eq!(look("fg=#ffffff bg=#000000 dim", false).0, "#999999");
    }

    #[test]
    fn the_two_hundred_and_fifty_six_are_those_of_terminals() {
        let colours = ["16", "214", "231", "232", "255"].map(|number| look(&format!("fg={number}"), false).0);
        assert_eq!(colours, ["#000000", "#ffaf00", "#ffffff", "#080808", "#eeeeee"]);
        assert_eq!(look("fg=3", false), look("fg=yellow", false));
    }
}
