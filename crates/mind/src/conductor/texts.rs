//! Texts that others wrote, made fit to be shown to a model: bounded, without control characters, and delimited in a way
//! that the text itself cannot undo.

use std::sync::Arc;

use crate::limits::{cut, nth_char};

/// What every line of a delimited text begins with: no line of it can look like one of ours.
const MARGIN: &str = "| ";

/// Whether a text has at most `max` characters.
pub fn fits(text: &str, max: usize) -> bool {
    nth_char(text, max).is_none()
}

/// At most `max` characters of a text; "..." only if it was cut. A text that fits is shared, not copied.
pub fn bounded(text: &Arc<str>, max: usize) -> Arc<str> {
    if fits(text, max) { text.clone() } else { Arc::from(cut(text, max)) }
}

/// At most `max` characters of a text, from its head and its tail: errors stand at the end.
pub fn both_ends(text: &str, max: usize) -> String {
    parted(text, max, |_| "\n...\n".to_owned())
}

/// As [`both_ends`], but the gap says how much is missing of what.
pub fn cut_visibly(text: &str, max: usize, what: &str) -> String {
    parted(text, max, |left_out| {
        format!("\n[... {} characters of {what} are left out here ...]\n", left_out.chars().count())
    })
}

fn parted(text: &str, max: usize, gap: impl Fn(&str) -> String) -> String {
    if fits(text, max) {
        return text.to_owned();
    }
    let head_chars = max.div_ceil(2);
    let tail_chars = max - head_chars;
    let head = text.char_indices().nth(head_chars).map_or(text.len(), |(at, _)| at);
    let tail = match tail_chars.checked_sub(1) {
        Some(last) => text.char_indices().rev().nth(last).map_or(0, |(at, _)| at),
        None => text.len(),
    };
    let tail = tail.max(head);
    format!("{}{}{}", &text[..head], gap(&text[head..tail]), &text[tail..])
}

/// As [`cut_visibly`], for texts that hold delimited ones: the tail begins with a whole line, so that no line loses what
/// stands at its beginning.
pub fn cut_lines(text: &str, max: usize, what: &str) -> String {
    if fits(text, max) {
        return text.to_owned();
    }
    let head = text.char_indices().nth(max.div_ceil(2)).map_or(text.len(), |(at, _)| at);
    let tail = text.char_indices().rev().nth(max / 2).map_or(0, |(at, _)| at).max(head);
    let tail = text[tail..].find('\n').map_or(text.len(), |line| tail + line + 1);
    format!("{}\n[... a part of {what} is left out here ...]\n{}", &text[..head], &text[tail..])
}

/// Without control characters and marks that turn the direction of reading; every way to end a line becomes one.
pub fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' | '\t' => clean.push(sign),
            '\u{2028}' | '\u{2029}' | '\u{85}' => clean.push('\n'),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            sign if sign.is_control() => {}
            sign => clean.push(sign),
        }
    }
    clean
}

/// A text of others on lines of its own, each behind a margin.
pub fn quoted(text: &str) -> String {
    let clean = clean(text);
    let lines: Vec<String> = clean.trim_end().split('\n').map(|line| format!("{MARGIN}{line}")).collect();
    lines.join("\n")
}

/// Words as one item of a list: lines after the first are set in.
pub fn item(text: &str) -> String {
    format!("- {}", clean(text).trim().replace('\n', "\n  "))
}

/// Words on lines of their own, set in: no line of them can look like a heading.
pub fn set_in(text: &str) -> String {
    format!("  {}", clean(text).trim().replace('\n', "\n  "))
}

/// A text of others as part of a line: whatever parts words becomes one blank.
pub fn inline(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The beginning of a text of others as part of a line: at most `max` characters, "..." only if there is more.
pub fn short(text: &str, max: usize) -> String {
    // However long the text is, only what may be shown is looked at; blanks that fall together need some more of it.
    let enough = max.saturating_mul(4);
    let begun = text.char_indices().nth(enough).map_or(text, |(at, _)| &text[..at]);
    let line = inline(begun);
    if begun.len() < text.len() && fits(&line, max) { format!("{line}...") } else { cut(&line, max) }
}

/// A text of which no part can be read as a JSON object: a decision that an agent quotes stays a quotation, even where a
/// model repeats it.
pub fn tame(text: &str) -> String {
    text.chars()
        .map(|sign| match sign {
            '{' => '⦃',
            '}' => '⦄',
            sign => sign,
        })
        .collect()
}
