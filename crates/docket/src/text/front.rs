//! The frontmatter: the lines between the first two `---`, entry by entry. Each entry is read on its own, so that an
//! unknown one cannot spoil the others. Nothing is ever evaluated.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::lines::Line;
use super::{MalformedPetition, malformed, names, scalar, tree};

/// The frontmatter and where everything in it stands.
#[derive(Debug)]
pub(super) struct Front {
    entries: HashMap<String, Vec<Entry>>,
    /// The line that closes it, by its number in the text.
    pub(super) close: usize,
}

/// One entry of the frontmatter.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// Its lines, without the last line end.
    pub(super) whole: Range<usize>,
    /// A range of the text; empty right behind the colon if there is no value.
    pub(super) value: Range<usize>,
    /// The quote around the value.
    pub(super) quote: Option<char>,
    /// What the value says, if it stands in one line.
    text: Option<String>,
    /// The value goes on in the next lines.
    long: bool,
    /// A quote that is never closed.
    open: bool,
}

/// Reads the frontmatter at the beginning of a text.
pub(super) fn read(text: &str, lines: &[Line]) -> Result<Front, MalformedPetition> {
    let first = lines.first().map_or("", |line| line.of(text));
    let Some(language) = first.strip_prefix("---") else {
        return Err(malformed("there is no frontmatter: the file must begin with a line `---`"));
    };
    if !language.trim().is_empty() {
        let shown = mind::limits::cut(&names::harmless(first), 40);
        return Err(MalformedPetition(format!(
            "frontmatter `{shown}` is not YAML; nothing is ever evaluated"
        )));
    }
    let is_close = |line: &Line| line.of(text).trim_end() == "---";
    let Some(close) = lines.iter().skip(1).position(is_close).map(|at| at + 1) else {
        return Err(malformed("the frontmatter is never closed: it must end with a line `---`"));
    };
    let mut entries: HashMap<String, Vec<Entry>> = HashMap::new();
    let mut at = 1;
    while at < close {
        let line = &lines[at];
        let Some((key, colon)) = key(line.of(text)) else {
            at += 1;
            continue;
        };
        let more = lines[at + 1..close].iter().take_while(|line| self::key(line.of(text)).is_none());
        let more: Vec<Line> = more.copied().collect();
        at += 1 + more.len();
        let canonical = names::canonical(key);
        // Unknown entries are not stored: there may be very many of them.
        if !names::is_petition_field(canonical) {
            continue;
        }
        let entry = Entry::read(text, line, colon, &more);
        let known = entries.entry(canonical.to_owned()).or_default();
        if known.iter().any(|other| other.key(text) == key) {
            return Err(MalformedPetition(format!("`{key}` stands twice in the frontmatter")));
        }
        known.push(entry);
    }
    Ok(Front { entries, close })
}

/// The key that a line begins with, and where its colon ends.
fn key(line: &str) -> Option<(&str, usize)> {
    let (quote, rest) = match line.chars().next() {
        Some(quote @ ('"' | '\'')) => (Some(quote), &line[1..]),
        Some(_) | None => (None, line),
    };
    let length = rest.find(|sign: char| !(sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-')))?;
    let key = &rest[..length];
    let mut behind = &rest[length..];
    if let Some(quote) = quote {
        behind = behind.strip_prefix(quote)?;
    }
    let value = behind.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let is_key =
        value.is_empty() || value.starts_with([' ', '\t']) || names::is_petition_field(names::canonical(key));
    (!key.is_empty() && !key.starts_with('-') && is_key).then(|| (key, line.len() - value.len()))
}

impl Entry {
    fn read(text: &str, line: &Line, colon: usize, more: &[Line]) -> Entry {
        let words = line.of(text);
        let found = scalar::find(words, colon);
        let header = words[found.range.clone()].chars().next();
        let is_block = matches!(header, Some('|' | '>')) && found.quote.is_none();
        let counts = |line: &&Line| {
            let words = line.of(text).trim();
            !words.is_empty() && (is_block || !words.starts_with('#'))
        };
        let value = line.start + found.range.start..line.start + found.range.end;
        let last = more.iter().rfind(counts);
        let (value, end) = match last {
            Some(last) => (value.start..last.end, last.end),
            None => (value, line.end),
        };
        let (long, open) = (last.is_some(), found.open);
        Entry { whole: line.start..end, value, quote: found.quote, text: found.text, long, open }
    }

    fn key<'a>(&self, text: &'a str) -> &'a str {
        key(&text[self.whole.clone()]).map_or("", |(key, _)| key)
    }
}

impl Front {
    /// Every entry of this name, whatever its spelling.
    pub(super) fn entries(&self, name: &str) -> &[Entry] {
        self.entries.get(name).map_or(&[], Vec::as_slice)
    }

    /// The entry of this name; one in our own spelling counts before an older spelling.
    pub(super) fn entry(&self, text: &str, name: &str) -> Option<&Entry> {
        let entries = self.entries(name);
        entries.iter().find(|entry| entry.key(text) == name).or(entries.first())
    }

    /// What stands under this name as text.
    pub(super) fn text(&self, text: &str, name: &str) -> Result<Option<String>, MalformedPetition> {
        let Some(entry) = self.entry(text, name) else { return Ok(None) };
        let not_understood =
            |why: &str| MalformedPetition(format!("`{name}` in the frontmatter cannot be understood: {why}"));
        if entry.long {
            let node = tree::entry(&text[entry.whole.clone()]).map_err(|why| not_understood(&why))?;
            return Ok(node.and_then(|node| node.words()));
        }
        if entry.open {
            return Err(not_understood("a quote is never closed"));
        }
        if name == "tag" && entry.quote.is_none() && text[entry.value.clone()].starts_with('[') {
            let list = tree::entry(&text[entry.whole.clone()]).ok().flatten();
            return Ok(list.and_then(|list| list.words()).or_else(|| entry.text.clone()));
        }
        Ok(entry.text.clone())
    }

    /// The names under this name: a list, or one of them. What cannot be read counts as none, and a long list has an end.
    pub(super) fn names(&self, text: &str, name: &str) -> Vec<Arc<str>> {
        let Some(entry) = self.entry(text, name) else { return Vec::new() };
        let node = tree::entry(&text[entry.whole.clone()]).ok().flatten();
        let names = match node.map(|node| node.value) {
            Some(tree::Value::List(nodes)) => nodes.iter().filter_map(tree::Node::words).collect(),
            Some(tree::Value::Text(name)) => vec![name],
            Some(tree::Value::Nothing | tree::Value::Map(_)) | None => Vec::new(),
        };
        let names = names.into_iter().filter(|name| !name.trim().is_empty());
        names.take(mind::limits::ESCALATE_MAX).map(Arc::from).collect()
    }

    /// The value under this name, where it is only a hint: a value that cannot be read counts as missing.
    pub(super) fn hint(&self, text: &str, name: &str) -> Option<String> {
        self.text(text, name).ok().flatten()
    }
}
