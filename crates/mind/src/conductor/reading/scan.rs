//! Where objects stand in a text: between balanced braces, aware of strings, and in fenced blocks. Linear but for a
//! bounded number of braces that are never closed; an object inside another is never a place of its own.

use std::ops::Range;

use crate::conductor::limits;

/// What a scan found.
#[derive(Debug, Default)]
pub struct ObjectScan<'a> {
    /// What stands between balanced braces at the top level, in order.
    pub spans: Vec<&'a str>,
    /// An object was begun and never closed: what follows its opening is inside it.
    pub cut: bool,
    /// There were more places than are looked at.
    pub unseen: bool,
    /// Where each object begins and ends, the unclosed one and lists included.
    covered: Vec<Range<usize>>,
}

impl ObjectScan<'_> {
    /// A brace as JSON objects begin, and prose does not.
    pub fn is_opening(text: &str) -> bool {
        let inside = text.strip_prefix('{').map(str::trim_start);
        inside.is_some_and(|inside| inside.starts_with(['"', '\'', '}']))
    }

    fn covers(&self, place: usize) -> bool {
        self.covered.iter().any(|range| range.start < place && place < range.end)
    }
}

/// Looks for objects in a text.
pub fn scan(text: &str) -> ObjectScan<'_> {
    let mut found = ObjectScan::default();
    let mut from = 0;
    let mut looked = 0;
    // Every sign that matters is one byte, and no byte of a longer sign looks like it.
    while let Some(start) = text[from..].find(['{', '[']).map(|place| from + place) {
        looked += 1;
        if looked > limits::CANDIDATES_MAX {
            found.unseen = true;
            break;
        }
        let is_object = text[start..].starts_with('{');
        match end_of(&text.as_bytes()[start..]).map(|length| start..start + length) {
            Some(range) if is_object => {
                if !is_quoted(text, &range) {
                    found.spans.push(&text[range.clone()]);
                }
                from = range.end;
                found.covered.push(range);
            }
            // A list is data, brackets in prose are not.
            Some(range)
                if serde_json::from_str::<Vec<serde::de::IgnoredAny>>(&text[range.clone()]).is_ok() =>
            {
                from = range.end;
                found.covered.push(range);
            }
            None if ObjectScan::is_opening(&text[start..]) => {
                found.cut = true;
                found.covered.push(start..text.len());
                break;
            }
            Some(_) | None => from = start + 1,
        }
    }
    found
}

/// How long the object or list is that begins here; none if it is never closed.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let (open, close) = if bytes.first() == Some(&b'[') { (b'[', b']') } else { (b'{', b'}') };
    let mut depth = 0_usize;
    let (mut in_string, mut escaped) = (false, false);
    for (place, byte) in bytes.iter().enumerate() {
        if in_string {
            if escaped {
                escaped = false;
            } else if *byte == b'\\' {
                escaped = true;
            } else if *byte == b'"' {
                in_string = false;
            }
        } else if *byte == b'"' {
            in_string = true;
        } else if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(place + 1);
            }
        }
    }
    None
}

/// It stands in quotation marks: the model quotes it.
fn is_quoted(text: &str, range: &Range<usize>) -> bool {
    text[..range.start].ends_with('"') && text[range.end..].starts_with('"')
}

/// What stands in fenced blocks and begins like an object; blocks inside an object are its own text.
pub fn fences<'a>(text: &'a str, found: &ObjectScan<'a>) -> Vec<&'a str> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let start = place;
        place += line.len();
        let Some(mark) = fence(line) else { continue };
        match open {
            None if !found.covers(start) => open = Some((mark, place)),
            // A closing fence is as long as its opening, of the same sign, and says nothing else.
            Some((opening, from)) if mark.starts_with(opening) && mark == line.trim() => {
                blocks.push(&text[from..start]);
                open = None;
            }
            None | Some(_) => {}
        }
    }
    blocks.extend(open.map(|(_, from)| &text[from..]));
    let objects = blocks.into_iter().map(str::trim).filter(|block| block.starts_with('{'));
    objects.take(limits::CANDIDATES_MAX).collect()
}

/// The fence that a line begins with.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim();
    ['`', '~'].into_iter().find_map(|sign| {
        let length = line.len() - line.trim_start_matches(sign).len();
        (length >= 3).then(|| &line[..length])
    })
}
