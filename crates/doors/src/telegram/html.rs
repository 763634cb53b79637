//! A text as Telegram reads it: HTML in which everything from outside is escaped, measured as Telegram measures it, in UTF-16
//! code units of what is seen. A cut falls between graphemes, never into an entity, and is always seen.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_segmentation::UnicodeSegmentation as _;
use view::line::line;

/// What shows that a text goes on.
const MARK: &str = "…";

/// A message, or a part of one, in the making.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html {
    markup: String,
    signs: usize,
}

impl Html {
    #[must_use]
    pub fn new() -> Html {
        Html::default()
    }

    /// How long it is for Telegram.
    #[must_use]
    pub fn signs(&self) -> usize {
        self.signs
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.signs == 0
    }

    #[must_use]
    pub fn into_markup(self) -> String {
        self.markup
    }

    /// A text as it is, whatever signs are in it.
    pub fn text(&mut self, text: &str) -> &mut Html {
        for sign in text.chars() {
            match sign {
                '&' => self.markup.push_str("&amp;"),
                '<' => self.markup.push_str("&lt;"),
                '>' => self.markup.push_str("&gt;"),
                '"' => self.markup.push_str("&quot;"),
                _ => self.markup.push(sign),
            }
        }
        self.signs += signs(text);
        self
    }

    pub fn bold(&mut self, text: &str) -> &mut Html {
        self.within("b", text)
    }

    pub fn italic(&mut self, text: &str) -> &mut Html {
        self.within("i", text)
    }

    /// A name that can be copied with a tap.
    pub fn code(&mut self, text: &str) -> &mut Html {
        self.within("code", text)
    }

    /// Exactly this text, in signs of one width.
    pub fn pre(&mut self, text: &str) -> &mut Html {
        self.within("pre", text)
    }

    /// A text of somebody else's of several lines: it is set off, so that it passes for nothing of ours.
    pub fn quote(&mut self, text: &str) -> &mut Html {
        self.within("blockquote", text)
    }

    pub fn end_line(&mut self) -> &mut Html {
        self.text("\n")
    }

    /// A blank line, where something stands above it.
    pub fn gap(&mut self) -> &mut Html {
        if !self.is_empty() && !self.markup.ends_with("\n\n") {
            let end = if self.markup.ends_with('\n') { "\n" } else { "\n\n" };
            self.text(end);
        }
        self
    }

    pub fn append(&mut self, other: &Html) -> &mut Html {
        self.markup.push_str(&other.markup);
        self.signs += other.signs;
        self
    }

    fn within(&mut self, tag: &str, text: &str) -> &mut Html {
        // An entity of nothing is refused.
        if text.is_empty() {
            return self;
        }
        let _ = write!(self.markup, "<{tag}>");
        self.text(text);
        let _ = write!(self.markup, "</{tag}>");
        self
    }
}

/// How long a text is for Telegram.
#[must_use]
pub fn signs(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// At most so much of a text, with a mark where it was cut.
#[must_use]
pub fn cut(text: &str, signs_max: usize) -> Cow<'_, str> {
    split_with(text, signs_max, MARK).0
}

/// The same for a text of several lines, where one sign could be overlooked.
#[must_use]
pub fn cut_loudly(text: &str, signs_max: usize) -> Cow<'_, str> {
    split_loudly(text, signs_max).0
}

/// The same, with what was cut off.
#[must_use]
pub fn split_loudly(text: &str, signs_max: usize) -> (Cow<'_, str>, &str) {
    split_with(text, signs_max, "… (cut)")
}

fn split_with<'t>(text: &'t str, signs_max: usize, mark: &str) -> (Cow<'t, str>, &'t str) {
    if signs(text) <= signs_max {
        return (Cow::Borrowed(text), "");
    }
    let kept = head(text, signs_max.saturating_sub(signs(mark))).trim_end();
    (Cow::Owned(format!("{kept}{mark}")), text.get(kept.len()..).unwrap_or_default())
}

/// The beginning of a text, as much as fits. Graphemes stay whole, unless the first alone is too long.
#[must_use]
pub fn head(text: &str, signs_max: usize) -> &str {
    let fits = |end: usize| {
        let mut left = signs_max;
        let mut parts = text.get(..end).unwrap_or(text).chars().rev();
        parts.all(|sign| left.checked_sub(sign.len_utf16()).map(|rest| left = rest).is_some())
    };
    let mut end = 0;
    let mut left = signs_max;
    for grapheme in text.graphemes(true) {
        match left.checked_sub(signs(grapheme)) {
            Some(rest) => (left, end) = (rest, end + grapheme.len()),
            None if end == 0 => {
                let ends = text.char_indices().map(|(at, sign)| at + sign.len_utf8());
                end = ends.take_while(|end| fits(*end)).last().unwrap_or(0);
                break;
            }
            None => break,
        }
    }
    text.get(..end).unwrap_or(text)
}

/// A text in pieces that fit, in order and without anything left out. A piece ends with a line where one ends near.
#[must_use]
pub fn pieces(text: &str, signs_max: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut piece = head(rest, signs_max.max(2));
        if piece.len() < rest.len()
            && let Some(end) = piece.rfind('\n').filter(|end| *end > piece.len() / 2)
        {
            piece = piece.get(..=end).unwrap_or(piece);
        }
        pieces.push(piece);
        rest = rest.get(piece.len()..).unwrap_or_default();
    }
    pieces
}

/// A text of somebody else's inside a line of ours: harmless, on one line, and cut. One that is written from the right does
/// not turn around what stands beside it.
#[must_use]
pub fn inline(text: &str, signs_max: usize) -> String {
    let text = line(text);
    if text.chars().any(is_from_the_right) {
        return format!("\u{2068}{}\u{2069}", cut(&text, signs_max.saturating_sub(2)));
    }
    cut(&text, signs_max).into_owned()
}

/// A letter of Hebrew, Arabic, or another script that is written from the right.
fn is_from_the_right(sign: char) -> bool {
    matches!(sign,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let mut html = Html::new();
        html.text("<b>&amp;").bold("a</b>").end_line().code("").pre("x\"y");
        assert_eq!(html.clone().into_markup(), "&lt;b&gt;&amp;amp;<b>a&lt;/b&gt;</b>\n<pre>x&quot;y</pre>");
        assert_eq!(html.signs(), 8 + 5 + 1 + 3);
    }

    #[test]
    fn length_is_counted_as_telegram_counts() {
        assert_eq!([signs("abc"), signs("žó"), signs("🔴"), signs("👩‍👩‍👧")], [3, 2, 2, 8]);
    }

    #[test]
    fn a_cut_is_seen_and_falls_between_graphemes() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("a👩‍👩‍👧b", 8), "a…");
        assert_eq!(cut("ab cdef", 4), "ab…");
        assert_eq!(cut_loudly("one two three", 12), "one t… (cut)");
        assert_eq!(head("👩‍👩‍👧", 3), "👩\u{200d}", "one that is too long as a whole is cut inside");
    }

    #[test]
    fn a_text_from_the_right_stays_in_its_place() {
        assert_eq!(inline("שלום\nעולם", 40), "\u{2068}שלום עולם\u{2069}");
        assert_eq!(inline("a\u{202e}b\tc", 40), "ab c");
        assert_eq!(signs(&inline(&"ש".repeat(50), 40)), 40);
    }

    proptest! {
        #[test]
        fn a_cut_text_fits(text in "(?s).{0,60}", max in 0usize..40) {
            prop_assert!(signs(&cut(&text, max)) <= max.max(1));
            prop_assert!(signs(&inline(&text, max.max(4))) <= max.max(4));
            prop_assert!(text.starts_with(head(&text, max)));
        }

        #[test]
        fn pieces_fit_and_are_the_text(text in "(?s)(.|\n|👩‍👩‍👧){0,80}", max in 2usize..30) {
            let pieces = pieces(&text, max);
            prop_assert_eq!(pieces.concat(), text.clone());
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty() && signs(piece) <= max));
        }
    }
}
