//! Finding words in the conversation, without regard to case.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::pieces;
use crate::view_model::ViewModel;

/// Where a needle was found, so far.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    needle: String,
    /// How many pieces were looked at.
    seen: usize,
    items: Vec<usize>,
}

impl Hits {
    /// The pieces that hold the needle, in order. What was looked at before is not looked at again.
    pub fn find(&mut self, needle: &str, model: &ViewModel<'_>) -> &[usize] {
        let needle = fold(needle);
        let items = model.story.until(model.head);
        if self.needle != needle || self.seen > items.len() {
            *self = Hits { needle, ..Hits::default() };
        }
        // Tools join the last piece while they come: it is looked at again.
        let from = self.seen.saturating_sub(1);
        self.items.retain(|item| *item < from);
        let fresh = items.iter().enumerate().skip(from);
        let found = fresh.filter(|(_, item)| pieces::holds(item, model, |text| contains(text, &self.needle)));
        self.items.extend(found.map(|(index, _)| index));
        self.seen = items.len();
        &self.items
    }
}

/// The next piece that holds the needle, from there upwards or downwards, and around.
pub fn nearest(needle: &str, model: &ViewModel<'_>, from: usize, up: bool) -> Option<usize> {
    let needle = fold(needle);
    let items = model.story.until(model.head);
    let from = from.min(items.len());
    let holds = |at: &usize| pieces::holds(&items[*at], model, |text| contains(text, &needle));
    if up {
        (0..from).rev().chain((from..items.len()).rev()).find(holds)
    } else {
        (from + 1..items.len()).chain(0..(from + 1).min(items.len())).find(holds)
    }
}

/// The first of these lines that shows the needle.
pub fn line_of(needle: &str, lines: &[Line<'static>]) -> Option<usize> {
    let needle = fold(needle);
    lines.iter().position(|line| contains(&text_of(line), &needle))
}

/// The line with every needle in it marked.
pub fn marked(line: &Line<'static>, needle: &str, mark: Style) -> Line<'static> {
    let needle = fold(needle);
    let text = text_of(line);
    let places = places(&text, &needle);
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

/// As it is compared. Only ASCII changes its case, so that places in the text stay places in the text.
fn fold(text: &str) -> String {
    text.to_ascii_lowercase()
}

fn contains(text: &str, needle: &str) -> bool {
    !needle.is_empty() && next(text.as_bytes(), needle.as_bytes(), 0).is_some()
}

fn places(text: &str, needle: &str) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut from = 0;
    while !needle.is_empty()
        && let Some(start) = next(text.as_bytes(), needle.as_bytes(), from)
    {
        places.push((start, start + needle.len()));
        from = start + needle.len();
    }
    places
}

/// Where the needle begins, at or after `from`. Both are UTF-8, so a match begins and ends between characters.
fn next(text: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let first = *needle.first()?;
    let starts = memchr::memchr2_iter(first, first.to_ascii_uppercase(), text.get(from..)?);
    starts.map(|start| from + start).find(|start| {
        text.get(*start..*start + needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle))
    })
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
        assert_eq!(places("größer GRÖSSE größe", "größ"), [(0, 6), (17, 23)]);
        assert!(places("abc", "").is_empty());
        assert!(places("a", "ab").is_empty());
    }
}
