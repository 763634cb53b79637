//! Finding words in the conversation, without regard to case.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::pieces;
use crate::sight::Sight;

/// The pieces that hold the needle, in order.
pub fn find(needle: &str, sight: &Sight<'_>) -> Vec<usize> {
    let Some(needle) = Needle::new(needle) else { return Vec::new() };
    let items = sight.story.until(sight.head).iter().enumerate();
    let found = items.filter(|(_, item)| pieces::any_text(item, sight, |text| needle.is_in(text)));
    found.map(|(index, _)| index).collect()
}

/// The first of these lines that shows the needle.
pub fn line_of(needle: &str, lines: &[Line<'static>]) -> usize {
    let Some(needle) = Needle::new(needle) else { return 0 };
    lines.iter().position(|line| needle.is_in(&text_of(line))).unwrap_or(0)
}

/// The line with every needle in it marked.
pub fn marked(line: &Line<'static>, needle: &str, mark: Style) -> Line<'static> {
    let text = text_of(line);
    let places = Needle::new(needle).map_or_else(Vec::new, |needle| needle.places(&text));
    if places.is_empty() {
        return line.clone();
    }
    let mut spans = Vec::new();
    let mut at = 0;
    for span in &line.spans {
        let end = at + span.content.len();
        let mut from = at;
        for (start, stop) in places.iter().filter(|(start, stop)| *start < end && *stop > at) {
            let (start, stop) = ((*start).max(at), (*stop).min(end));
            if from < start {
                spans.push(Span::styled(text[from..start].to_owned(), span.style));
            }
            spans.push(Span::styled(text[start..stop].to_owned(), span.style.patch(mark)));
            from = stop;
        }
        if from < end {
            spans.push(Span::styled(text[from..end].to_owned(), span.style));
        }
        at = end;
    }
    Line { spans, style: line.style, alignment: line.alignment }
}

fn text_of(line: &Line<'static>) -> String {
    line.spans.iter().map(|span| span.content.as_ref()).collect()
}

/// What is searched for. Only ASCII changes its case, so that places in the text stay places in the text.
struct Needle {
    letters: Vec<u8>,
    /// How far one may go on by the letter that stands where the needle would end.
    leaps: [usize; 256],
}

impl Needle {
    /// None if there is nothing to search for.
    fn new(needle: &str) -> Option<Needle> {
        let letters = needle.to_ascii_lowercase().into_bytes();
        let (_, before) = letters.split_last()?;
        let mut leaps = [letters.len(); 256];
        for (at, letter) in before.iter().enumerate() {
            let leap = letters.len() - 1 - at;
            leaps[usize::from(*letter)] = leap;
            leaps[usize::from(letter.to_ascii_uppercase())] = leap;
        }
        Some(Needle { letters, leaps })
    }

    fn is_in(&self, text: &str) -> bool {
        self.next(text.as_bytes(), 0).is_some()
    }

    fn places(&self, text: &str) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(start) = self.next(text.as_bytes(), from) {
            from = start + self.letters.len();
            places.push((start, from));
        }
        places
    }

    /// Where it begins, at or after `from`. Both are UTF-8, so a match begins and ends between characters.
    fn next(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut start = from;
        while let Some(window) = text.get(start..start + self.letters.len()) {
            if window.eq_ignore_ascii_case(&self.letters) {
                return Some(start);
            }
            start += window.last().map_or(1, |letter| self.leaps[usize::from(*letter)]);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::Stylize;

    use super::*;

    #[test]
    fn every_needle_is_marked_and_nothing_else_changes() {
        let line = Line::from(vec!["an Auth".red(), "entication auth".into()]);
        let marked = marked(&line, "AUTHENT", Style::new().reversed());
        let spans: Vec<(&str, bool)> = marked
            .spans
            .iter()
            .map(|span| (span.content.as_ref(), span.style == span.style.reversed()))
            .collect();
        assert_eq!(spans, [("an ", false), ("Auth", true), ("ent", true), ("ication auth", false)]);
        assert_eq!(text_of(&marked), text_of(&line));
    }

    #[test]
    fn letters_beyond_ascii_are_found_as_they_are() {
        let places = |text, needle| Needle::new(needle).map(|needle| needle.places(text));
        assert_eq!(places("größer GRÖSSE größe", "größ"), Some(vec![(0, 6), (17, 23)]));
        assert_eq!(places("abc", ""), None);
        assert_eq!(places("a", "ab"), Some(vec![]));
    }

    #[test]
    fn no_needle_is_leapt_over() {
        let texts = ["aabaabaaab", "abABabba", "bbbbab", "", "aAa", "xabxxab ab"];
        for needle in ["a", "b", "ab", "AAB", "aba", "abb", "xx", "b ab"] {
            let needle = Needle::new(needle).expect("letters");
            for text in texts {
                let letters = text.to_ascii_lowercase();
                let wanted = letters.find(std::str::from_utf8(&needle.letters).expect("text"));
                assert_eq!(needle.next(text.as_bytes(), 0), wanted, "{text}");
            }
        }
    }
}
