//! The colour of a pixel, and what of it a terminal can show. Of the sixteen colours a sprite chooses its own, because what
//! they look like is the user's affair; the two hundred and fifty-six are the same everywhere, so the nearest is computed.

use ratatui::style::Color;

use crate::theme::Colours;

/// The colour of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PixelColour {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// Which of the sixteen stands for it.
    pub ansi: u8,
}

/// The sixteen by name, in the order of their numbers.
const ANSI: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("gray", Color::Gray),
    ("dark-gray", Color::DarkGray),
    ("light-red", Color::LightRed),
    ("light-green", Color::LightGreen),
    ("light-yellow", Color::LightYellow),
    ("light-blue", Color::LightBlue),
    ("light-magenta", Color::LightMagenta),
    ("light-cyan", Color::LightCyan),
    ("white", Color::White),
];
/// The steps of each channel in the colours 16 to 231.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

impl PixelColour {
    /// As a sprite's file writes it: `6b3fa0 magenta`.
    pub fn read(text: &str) -> Option<PixelColour> {
        let (hex, name) = text.split_once(' ')?;
        let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6)?;
        let [_, r, g, b] = number.to_be_bytes();
        let ansi = ANSI.iter().position(|(known, _)| *known == name.trim())?;
        Some(PixelColour { rgb: [r, g, b], ansi: u8::try_from(ansi).ok()? })
    }

    /// The same, darker: `share` of a hundred is left of it.
    pub fn dimmed(self, share: u16) -> PixelColour {
        let dim = |channel: u8| u8::try_from(u16::from(channel) * share.min(100) / 100).unwrap_or(channel);
        let ansi = match self.ansi {
            15 => 7,
            bright @ 9..=14 => bright - 8,
            7 => 8,
            other => other,
        };
        PixelColour { rgb: self.rgb.map(dim), ansi }
    }

    /// What a terminal is told.
    pub fn shown(self, colours: Colours) -> Color {
        let [r, g, b] = self.rgb;
        match colours {
            Colours::True => Color::Rgb(r, g, b),
            Colours::Many => Color::Indexed(nearest(self.rgb)),
            Colours::Sixteen => ANSI[usize::from(self.ansi % 16)].1,
            Colours::None => Color::Reset,
        }
    }
}

/// The nearest of the colours 16 to 255.
fn nearest(rgb: [u8; 3]) -> u8 {
    let level = |channel: u8| -> u8 {
        let far = |step: &(u8, u8)| step.1.abs_diff(channel);
        (0..).zip(CUBE).min_by_key(far).map_or(0, |(level, _)| level)
    };
    let [r, g, b] = rgb.map(level);
    let cube = [r, g, b].map(|level| CUBE[usize::from(level)]);
    let mean = rgb.iter().map(|channel| u16::from(*channel)).sum::<u16>() / 3;
    let step = u8::try_from((mean.saturating_sub(3) / 10).min(23)).unwrap_or(0);
    let grey = 8 + step * 10;
    let far = |other: [u8; 3]| -> u32 {
        // The eye sees green best and blue worst.
        let weights = [3, 6, 1];
        rgb.iter()
            .zip(other)
            .zip(weights)
            .map(|((a, b), weight)| u32::from(a.abs_diff(b)).pow(2) * weight)
            .sum()
    };
    if far([grey; 3]) < far(cube) { 232 + step } else { 16 + 36 * r + 6 * g + b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ink_is_read_as_it_is_written() {
        assert_eq!(
            PixelColour::read("6b3fa0 magenta"),
            Some(PixelColour { rgb: [0x6b, 0x3f, 0xa0], ansi: 5 })
        );
        for bad in ["", "6b3fa0", "6b3fa magenta", "6b3fa0 mauve", "zzzzzz red"] {
            assert_eq!(PixelColour::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn each_terminal_gets_what_it_can_show() {
        let ink = PixelColour { rgb: [0xff, 0xaf, 0x02], ansi: 3 };
        assert_eq!(ink.shown(Colours::True), Color::Rgb(0xff, 0xaf, 0x02));
        assert_eq!(ink.shown(Colours::Many), Color::Indexed(214));
        assert_eq!(ink.shown(Colours::Sixteen), Color::Yellow);
        assert_eq!(ink.shown(Colours::None), Color::Reset);
    }

    #[test]
    fn greys_are_found_between_the_steps_of_the_cube() {
        assert_eq!(nearest([0, 0, 0]), 16);
        assert_eq!(nearest([255, 255, 255]), 231);
        assert_eq!(nearest([0x30, 0x30, 0x31]), 236);
        // Its own colours are themselves.
        for number in 16..=231u8 {
            let channel = |step: u8| CUBE[usize::from((number - 16) / step % 6)];
            let rgb = [channel(36), channel(6), channel(1)];
            assert_eq!(nearest(rgb), number, "{rgb:?}");
        }
    }
}
