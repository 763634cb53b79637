//! One value on one line, as YAML writes it and as careless programs do: plain, in quotes, with a comment behind it. A value
//! is always text here: what looks like a number or a date stays as it was written.

use std::ops::Range;

/// A value as it stands in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar {
    /// Where it stands, its quotes included, its comment not. Empty right behind the colon if there is none.
    pub(super) range: Range<usize>,
    /// What it says; none for nothing, `null`, `~` and `None`.
    pub(super) text: Option<String>,
    /// Its quote, if it has one.
    pub(super) quote: Option<char>,
    /// Its quote is never closed in this line.
    pub(super) open: bool,
}

/// The value in `line`, which begins at `after`: right behind the colon. Ranges count from the beginning of the line.
pub(super) fn find(line: &str, after: usize) -> Scalar {
    let rest = &line[after..];
    let blank = rest.len() - rest.trim_start().len();
    let value = rest.trim();
    let start = after + blank;
    let quoted = match value.chars().next() {
        Some('"') => Some(('"', double(value))),
        Some('\'') => Some(('\'', single(value))),
        Some(_) | None => None,
    };
    match quoted {
        Some((quote, Some((length, text)))) => {
            Scalar { range: start..start + length, text: Some(text), quote: Some(quote), open: false }
        }
        Some((quote, None)) => {
            let text = Some(value.to_owned());
            Scalar { range: start..start + value.len(), text, quote: Some(quote), open: true }
        }
        None => {
            let value = without_comment(value);
            let range = if value.is_empty() { after..after } else { start..start + value.len() };
            Scalar { range, text: plain(value), quote: None, open: false }
        }
    }
}

/// What an unquoted value says.
pub(super) fn plain(value: &str) -> Option<String> {
    (!is_nothing(value)).then(|| value.to_owned())
}

/// The ways to say nothing.
pub(super) fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "~" | "null" | "Null" | "NULL" | "None")
}

fn without_comment(value: &str) -> &str {
    if value.starts_with('#') {
        return "";
    }
    let comment = value.match_indices('#').find(|(at, _)| value[..*at].ends_with([' ', '\t']));
    comment.map_or(value, |(at, _)| value[..at].trim_end())
}

fn is_end(rest: &str) -> bool {
    rest.is_empty()
        || (rest.starts_with([' ', '\t']) && matches!(rest.trim_start().chars().next(), None | Some('#')))
}

/// A text in double quotes: how long it is and what it says. Quotes inside that were not escaped belong to it.
fn double(value: &str) -> Option<(usize, String)> {
    let mut escaped = false;
    let first = value.char_indices().skip(1).find(|(_, sign)| {
        let closes = *sign == '"' && !escaped;
        escaped = *sign == '\\' && !escaped;
        closes
    });
    let at = first.map(|(at, _)| at).filter(|at| is_end(&value[at + 1..]));
    let at = at.or_else(|| closing(value, '"'))?;
    Some((at + 1, unescape(&value[1..at])))
}

fn single(value: &str) -> Option<(usize, String)> {
    let bytes = value.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        if bytes[at] == b'\'' {
            if bytes.get(at + 1) == Some(&b'\'') {
                at += 1;
            } else if is_end(&value[at + 1..]) {
                return Some((at + 1, value[1..at].replace("''", "'")));
            }
        }
        at += 1;
    }
    let at = closing(value, '\'')?;
    Some((at + 1, value[1..at].replace("''", "'")))
}

/// The last quote that nothing follows but a comment.
fn closing(value: &str, quote: char) -> Option<usize> {
    let comment = value.rfind(" #").unwrap_or(value.len());
    let candidates = [value.len(), comment];
    candidates.into_iter().find_map(|end| {
        let words = value[..end].trim_end();
        words.ends_with(quote).then(|| words.len() - 1).filter(|at| *at > 0)
    })
}

/// What stands between double quotes. An escape that YAML does not know is left as it is.
pub(super) fn unescape(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        said.push_str(&rest[..at]);
        rest = &rest[at..];
        match escape(rest) {
            Some((sign, length)) => {
                said.push(sign);
                rest = &rest[length..];
            }
            None => {
                said.push('\\');
                rest = &rest[1..];
            }
        }
    }
    said.push_str(rest);
    said
}

/// The sign that the escape at the beginning of `text` stands for, and how long the escape is.
fn escape(text: &str) -> Option<(char, usize)> {
    let letter = text.chars().nth(1)?;
    let simple = match letter {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'v' => '\u{b}',
        'f' => '\u{c}',
        'r' => '\r',
        'e' => '\u{1b}',
        ' ' | '"' | '/' | '\\' => letter,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return hex(text, 2),
        'u' => return hex(text, 4).or_else(|| pair(text)),
        'U' => return hex(text, 8),
        _ => return None,
    };
    Some((simple, 2))
}

fn hex(text: &str, digits: usize) -> Option<(char, usize)> {
    Some((char::from_u32(number(text, digits)?)?, 2 + digits))
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let digits = text.get(2..2 + digits)?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

/// Two halves of a sign beyond the first plane, as JSON writes it.
fn pair(text: &str) -> Option<(char, usize)> {
    let high = number(text, 4).filter(|half| (0xd800..0xdc00).contains(half))?;
    let rest = text.get(6..).filter(|rest| rest.starts_with("\\u"))?;
    let low = number(rest, 4).filter(|half| (0xdc00..0xe000).contains(half))?;
    Some((char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?, 12))
}

/// A text as a value that every YAML reader takes for text: as it is if it is a simple word, else in quotes.
pub(super) fn word(text: &str) -> String {
    if is_word(text) { text.to_owned() } else { quote(text) }
}

/// It begins with a letter, has no sign that could mean something, and is no word of YAML's own.
fn is_word(text: &str) -> bool {
    const MEANT: [&str; 11] =
        ["null", "none", "true", "false", "yes", "no", "on", "off", "y", "n", "undefined"];
    text.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && text.chars().all(is_word_sign)
        && !text.ends_with(':')
        && !MEANT.iter().any(|meant| meant.eq_ignore_ascii_case(text))
}

/// A sign that means nothing in the middle of a word.
pub(super) fn is_word_sign(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.' | ':' | '/' | '@' | '+' | '-')
}

/// A text in double quotes, on one line whatever is in it: JSON, and YAML too.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for sign in text.chars() {
        match sign {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            // Signs that some reader takes for the end of a line, or drops.
            '\u{2028}' | '\u{2029}' | '\u{feff}' => quoted.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ if sign.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ => quoted.push(sign),
        }
    }
    quoted.push('"');
    quoted
}
