//! No text of an agent moves the cursor, rings the bell, or turns the direction of writing around. What is only shown
//! is made harmless by leaving such things out; what a person is asked to allow shows them, because hiding is a lie.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Where a tab leads to: the next multiple of this column.
const TAB_COLUMNS: usize = 4;

/// How many marks may sit on one letter before the rest is noise.
const MARKS_MAX: usize = 12;

/// The text without what a terminal would obey; lines stay lines, a tab becomes spaces.
pub fn clean(text: &str) -> Cow<'_, str> {
    let mut before = Before::default();
    let mut rest = text.char_indices();
    let harmed = rest.find(|&(_, character)| {
        let kept = character == '\n' || (!character.is_control() && before.bears(character));
        if kept {
            before.see(character);
        }
        !kept
    });
    let Some((start, _)) = harmed else { return Cow::Borrowed(text) };

    let mut cleaned = String::with_capacity(text.len());
    cleaned.push_str(&text[..start]);
    let mut rest = &text[start..];
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        rest = match character {
            '\n' => {
                before.write('\n', &mut cleaned);
                after
            }
            '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                before.write('\n', &mut cleaned);
                if character == '\r' { after.strip_prefix('\n').unwrap_or(after) } else { after }
            }
            '\t' => {
                for _ in 0..before.to_tab() {
                    before.write(' ', &mut cleaned);
                }
                after
            }
            _ if character.is_control() => past_sequence(character, after),
            _ => {
                if before.bears(character) {
                    before.write(character, &mut cleaned);
                }
                after
            }
        };
    }
    Cow::Owned(cleaned)
}

/// The text with everything that hides made visible as an escape: for what a person is asked to allow. A tab is shown
/// as the spaces it looks like.
pub fn visible(text: &str) -> String {
    let mut before = Before::default();
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => before.write('\n', &mut shown),
            '\t' => (0..before.to_tab()).for_each(|_| before.write(' ', &mut shown)),
            _ if before.shows(character) => before.write(character, &mut shown),
            _ => character.escape_default().for_each(|sign| before.write(sign, &mut shown)),
        }
    }
    shown
}

/// What was written so far, as far as it matters for the next character.
#[derive(Default)]
struct Before {
    last: Option<char>,
    column: usize,
    marks: usize,
}

impl Before {
    fn write(&mut self, character: char, text: &mut String) {
        text.push(character);
        self.see(character);
    }

    fn see(&mut self, character: char) {
        let columns = character.width().unwrap_or(0);
        self.marks = if columns == 0 { self.marks + 1 } else { 0 };
        self.column = if character == '\n' { 0 } else { self.column + columns };
        self.last = Some(character).filter(|&character| character != '\n');
        if character == '\n' {
            self.marks = 0;
        }
    }

    fn to_tab(&self) -> usize {
        TAB_COLUMNS - self.column % TAB_COLUMNS
    }

    /// Whether a character that is no control may follow in a text that is only shown.
    fn bears(&self, character: char) -> bool {
        if is_joiner(character) {
            return self.last.is_some_and(|last| !last.is_ascii() && !is_blank(last) && !is_joiner(last))
                || (character == '\u{fe0f}' && self.last.is_some_and(is_keycap));
        }
        !is_hidden(character) && (self.marks < MARKS_MAX || character.width() != Some(0))
    }

    /// Whether a character hides nothing here.
    fn shows(&self, character: char) -> bool {
        if is_joiner(character) {
            return self
                .last
                .is_some_and(|last| is_picture(last) || (character == '\u{fe0f}' && is_keycap(last)));
        }
        !character.is_control()
            && !is_hidden(character)
            && (character == ' ' || !is_blank(character))
            && character != '\u{200c}'
            && (self.marks < MARKS_MAX || character.width() != Some(0))
    }
}

/// The text behind the escape sequence that `first` begins.
fn past_sequence(first: char, after: &str) -> &str {
    match first {
        '\u{1b}' => {
            let Some(second) = after.chars().next() else { return after };
            let behind = &after[second.len_utf8()..];
            match second {
                '[' => past_csi(behind),
                ']' | 'P' | 'X' | '^' | '_' => past_string(behind),
                'N' | 'O' => past_one(behind),
                ' '..='/' => {
                    let behind = behind.trim_start_matches(|sign| matches!(sign, ' '..='/'));
                    past_one(behind)
                }
                '0'..='~' => behind,
                _ => after,
            }
        }
        '\u{9b}' => past_csi(after),
        '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => past_string(after),
        '\u{8e}' | '\u{8f}' => past_one(after),
        _ => after,
    }
}

fn past_one(text: &str) -> &str {
    text.strip_prefix(|sign: char| sign.is_ascii_graphic()).unwrap_or(text)
}

fn past_csi(text: &str) -> &str {
    past_one(text.trim_start_matches(|sign| matches!(sign, ' '..='?')))
}

/// A control string ends where a terminal ends it. One that is never ended hides nothing: its text stays, so that
/// two bytes silence no rest of a message.
fn past_string(text: &str) -> &str {
    let Some((end, control)) = text.char_indices().find(|&(_, character)| character.is_control()) else {
        return text;
    };
    let behind = &text[end + control.len_utf8()..];
    match control {
        '\u{7}' | '\u{9c}' => behind,
        '\u{1b}' => behind.strip_prefix('\\').unwrap_or(text),
        _ => text,
    }
}

/// Joins or dresses the character before it; alone it is only hidden.
fn is_joiner(character: char) -> bool {
    matches!(character, '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_keycap(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
}

fn is_picture(character: char) -> bool {
    matches!(character, '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}')
}

/// Turns the direction of writing around, or formats without being seen.
pub fn is_hidden(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{200e}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}'
        | '\u{e01f0}'..='\u{e0fff}')
}

/// Looks like a space, or like nothing at all.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_harmless_text_is_not_copied() {
        for text in ["", "plain\n  lines", "žluťoučký 漢字 👩‍👩‍👧 ❤️ 1️⃣ क्‍ष"]
        {
            assert!(matches!(clean(text), Cow::Borrowed(_)), "{text}");
            assert_eq!(clean(text), text);
        }
    }

    #[test]
    fn sequences_go_as_a_whole() {
        let cases = [
            ("a\u{1b}[2Jb", "ab"),
            ("a\u{1b}[38;5;1mred\u{1b}[0m", "ared"),
            ("a\u{9b}2Jb", "ab"),
            ("\u{1b}]0;title\u{7}b", "b"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9d}0;title\u{9c}b", "b"),
            ("\u{1b}Pq#0~~\u{1b}\\b", "b"),
            ("\u{1b}(Bb\u{1b}7c\u{1b}OPd", "bcd"),
            ("bell\u{7} back\u{8}space del\u{7f}", "bell backspace del"),
            ("\u{1b}\u{1b}[2Jx\u{1b}", "x"),
        ];
        for (text, expected) in cases {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_sequence_without_an_end_silences_nobody() {
        assert_eq!(clean("\u{1b}]0;the rest\nis read"), "0;the rest\nis read");
        assert_eq!(clean("\u{1b}[12\nnext"), "\nnext");
    }

    #[test]
    fn lines_and_tabs_become_plain() {
        assert_eq!(clean("a\r\nb\rc\u{2028}d"), "a\nb\nc\nd");
        assert_eq!(clean("\tx\n12\ty\n漢\tz"), "    x\n12  y\n漢  z");
    }

    #[test]
    fn the_direction_of_writing_and_the_invisible_are_left_out() {
        let text = "a\u{202e}b\u{2066}c\u{61c}d\u{200b}e\u{feff}f\u{e0041}g\u{200d}h\u{fe0f}i\u{ad}j";
        assert_eq!(clean(text), "abcdefghij");
    }

    #[test]
    fn a_letter_bears_only_so_many_marks() {
        let text = format!("a{}b", "\u{301}".repeat(1000));
        assert_eq!(clean(&text).chars().count(), 2 + MARKS_MAX);
    }

    #[test]
    fn what_hides_is_shown_to_who_must_allow_it() {
        assert_eq!(visible("rm \u{202e}x\u{1b}[2J\r\n\ty"), "rm \\u{202e}x\\u{1b}[2J\\r\n    y");
        assert_eq!(visible("a\u{200d}b\u{a0}c\u{e0041}\u{9b}"), "a\\u{200d}b\\u{a0}c\\u{e0041}\\u{9b}");
        assert_eq!(visible("plain žluť 漢 👩‍👧 ❤️"), "plain žluť 漢 👩‍👧 ❤️");
    }

    #[test]
    fn a_flood_of_openings_takes_linear_time() {
        let started = std::time::Instant::now();
        for opening in ["\u{1b}]", "\u{9d}", "\u{1b}[", "\u{1b}[1;"] {
            clean(&opening.repeat(300_000));
        }
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }
}
