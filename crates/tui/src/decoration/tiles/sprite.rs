//! A sprite: a text file with a palette and rows, one letter a pixel.
//!
//! ```text
//! # What it is, for the reader of the file.
//! size 16x16
//! ink k 1a1423 black          a letter, its colour, and which of the sixteen stands for it
//! skin                        the letters after it mean something else in the next skin
//! ink k 402020 red
//! frame still                 a name, then as many rows as the sprite is high; `.` is nothing
//! ................
//! ```

use super::colour::PixelColour;

/// What no pixel is.
const NOTHING: char = '.';
/// No sprite is wider or higher than this.
const SIDE_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sprite {
    /// Pixels in a row.
    pub width: usize,
    pub height: usize,
    /// The letters of the palette: an ink is known by its place among them.
    letters: Vec<char>,
    skins: Vec<Vec<PixelColour>>,
    frames: Vec<(String, Vec<Option<usize>>)>,
}

/// One picture of a sprite, in one skin.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// Pixels in a row.
    pub width: usize,
    pub height: usize,
    pixels: &'a [Option<usize>],
    skin: &'a [PixelColour],
}

impl Sprite {
    /// Reads a file; says in which line something is wrong, and what.
    pub fn read(text: &str) -> Result<Sprite, String> {
        let mut sprite = Sprite { skins: vec![Vec::new()], ..Sprite::default() };
        let mut lines = (1..).zip(text.lines());
        while let Some((number, line)) = lines.next() {
            let wrong = |what: &str| format!("line {number}: {what}");
            let (word, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
            match word {
                "" => {}
                comment if comment.starts_with('#') => {}
                "size" => {
                    let size =
                        rest.split_once('x').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
                    let size = size.filter(|(x, y)| (1..=SIDE_MAX).contains(x) && (1..=SIDE_MAX).contains(y));
                    (sprite.width, sprite.height) =
                        size.ok_or_else(|| wrong("a size is two numbers with an x between them"))?;
                }
                "ink" => {
                    let mut signs = rest.chars();
                    let sign = signs.next().filter(|sign| *sign != NOTHING && !sign.is_whitespace());
                    let ink = PixelColour::read(signs.as_str().trim());
                    let (Some(sign), Some(ink)) = (sign, ink) else {
                        return Err(wrong(
                            "an ink is a letter, six hexadecimal digits, and one of the sixteen",
                        ));
                    };
                    sprite.dip(sign, ink).ok_or_else(|| wrong("a skin has no letter of its own"))?;
                }
                "skin" => sprite.skins.extend(sprite.skins.first().cloned()),
                "frame" => {
                    if sprite.width == 0 {
                        return Err(wrong("the size comes before the first frame"));
                    }
                    let mut pixels = Vec::new();
                    for _ in 0..sprite.height {
                        let (number, row) = lines.next().ok_or_else(|| wrong("rows are missing"))?;
                        let count = row.chars().count();
                        if count != sprite.width {
                            return Err(format!("line {number}: {count} pixels, not {}", sprite.width));
                        }
                        for sign in row.chars() {
                            let place = sprite.letters.iter().position(|known| *known == sign);
                            if place.is_none() && sign != NOTHING {
                                return Err(format!("line {number}: no ink is called `{sign}`"));
                            }
                            pixels.push(place);
                        }
                    }
                    sprite.frames.push((rest.trim().to_owned(), pixels));
                }
                other => return Err(wrong(&format!("`{other}` means nothing here"))),
            }
        }
        if sprite.frames.is_empty() { Err("there is no frame".to_owned()) } else { Ok(sprite) }
    }

    /// A letter means this ink from now on; nothing if it is a skin's that the first palette does not know.
    fn dip(&mut self, sign: char, ink: PixelColour) -> Option<()> {
        let is_first = self.skins.len() == 1;
        let skin = self.skins.last_mut()?;
        match self.letters.iter().position(|known| *known == sign) {
            Some(place) => *skin.get_mut(place)? = ink,
            None if is_first => {
                self.letters.push(sign);
                skin.push(ink);
            }
            None => return None,
        }
        Some(())
    }

    /// How many skins it has.
    #[cfg(test)]
    pub fn skins(&self) -> usize {
        self.skins.len()
    }

    /// The names of its frames.
    #[cfg(test)]
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.frames.iter().map(|(name, _)| name.as_str())
    }

    /// The frame of this name, or the first there is; `skin` counts round.
    pub fn frame(&self, name: &str, skin: usize) -> Option<Frame<'_>> {
        let named = self.frames.iter().find(|(known, _)| known == name);
        let (_, pixels) = named.or_else(|| self.frames.first())?;
        let skin = self.skins.get(skin % self.skins.len().max(1))?;
        Some(Frame { width: self.width, height: self.height, pixels, skin })
    }
}

impl Frame<'_> {
    /// The pixel there, if there is one.
    pub fn pixel(&self, x: usize, y: usize) -> Option<PixelColour> {
        if x >= self.width {
            return None;
        }
        let place = (*self.pixels.get(y * self.width + x)?)?;
        self.skin.get(place).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "# A test.\nsize 2x2\nink k 000000 black\nink r ff0000 red\nskin\nink r 00ff00 green\n\nframe still\nk.\n.r\nframe hop\n.r\nk.\n";

    #[test]
    fn frames_are_found_by_name_and_skins_count_round() {
        let sprite = Sprite::read(SMALL).expect("a sprite");
        let colour = |name, skin, x, y| sprite.frame(name, skin).and_then(|frame| frame.pixel(x, y));
        assert_eq!(colour("still", 0, 1, 1).map(|ink| ink.rgb), Some([0xff, 0, 0]));
        assert_eq!(colour("still", 1, 1, 1).map(|ink| ink.rgb), Some([0, 0xff, 0]));
        assert_eq!(colour("still", 3, 1, 1), colour("still", 1, 1, 1));
        assert_eq!(colour("still", 0, 1, 0), None);
        assert_eq!(colour("still", 0, 2, 0), None);
        assert_eq!(colour("nobody drew this", 0, 0, 0), colour("still", 0, 0, 0));
        assert_eq!(sprite.names().collect::<Vec<_>>(), ["still", "hop"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (broken, told) in [
            (String::new(), "there is no frame"),
            (SMALL.replace("2x2", "2"), "line 2: a size is two numbers with an x between them"),
            (SMALL.replace("2x2", "2x9999"), "line 2: a size is two numbers with an x between them"),
            (
                SMALL.replace("black", "soot"),
                "line 3: an ink is a letter, six hexadecimal digits, and one of the sixteen",
            ),
            (SMALL.replace("k.\n.r", "k..\n.r"), "line 9: 3 pixels, not 2"),
            (SMALL.replace("k.\n.r", "kz\n.r"), "line 9: no ink is called `z`"),
            (SMALL.replace("frame hop\n.r\nk.\n", "frame hop\n.r\n"), "line 11: rows are missing"),
            (SMALL.replace("size 2x2\n", ""), "line 7: the size comes before the first frame"),
            (
                SMALL.replace("ink r 00ff00 green", "ink g 00ff00 green"),
                "line 6: a skin has no letter of its own",
            ),
            (SMALL.replace("skin", "fur"), "line 5: `fur` means nothing here"),
        ] {
            assert_eq!(Sprite::read(&broken).expect_err("broken"), told);
        }
    }
}
