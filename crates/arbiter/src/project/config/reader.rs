//! Reads YAML values of files that people write: text, maps, words, numbers, durations. A wrong value becomes a fault with
//! its line. What the keys mean is known elsewhere.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use view::near::nearest;

use super::duration;
use super::error::{ConfigError, ConfigPlace, shown};
use super::node::{self, Node, Value};

/// The largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 256 * 1024;

/// Whose file it is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Owner<'a> {
    /// The user's own.
    User,
    /// The project's, which may have come with a repository. `own` is where the user's would be.
    Project { own: Option<&'a Path> },
}

/// A value and where it stands.
pub(crate) type Found<T> = Option<(T, ConfigPlace)>;

/// The bytes of `file`, which lie at `real`; none if there is no such file.
pub(crate) fn read_file(file: &Path, real: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { file: file.to_path_buf(), source: Arc::new(source) };
    let metadata = match fs::metadata(real) {
        Ok(metadata) => metadata,
        // A dangling link is a fault, not a missing file.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_symlink() => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !metadata.is_file() {
        return Err(ConfigError::NotAFile { file: file.to_path_buf() });
    }
    let mut bytes = Vec::new();
    let opened = host::files::open_plain(OpenOptions::new().read(true), real).map_err(unreadable)?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let (bytes, bytes_max) = (metadata.len(), FILE_BYTES_MAX);
        return Err(ConfigError::TooLarge { file: file.to_path_buf(), bytes, bytes_max });
    }
    Ok(Some(bytes))
}

/// The text that `bytes` are, without the mark that some editors put first.
pub(crate) fn text<'b>(file: &Arc<Path>, bytes: &'b [u8]) -> Result<&'b str, ConfigError> {
    str::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}')).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = before.split('\n').count() as u64;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u64 + 1;
        ConfigError::NotUtf8 { place: ConfigPlace { file: Arc::clone(file), line, column } }
    })
}

/// The frontmatter with the line before it, so that its lines have the numbers they have in the file, and what follows.
pub(crate) fn frontmatter(text: &str) -> Result<(&str, &str), &'static str> {
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        match number {
            0 if !is_fence(line) => return Err("it has no frontmatter"),
            0 => {}
            _ if is_fence(line) => return Ok((&text[..at], &text[at + line.len()..])),
            _ => {}
        }
        at += line.len();
    }
    Err(if at == 0 { "it has no frontmatter" } else { "its frontmatter does not end" })
}

/// Reads the nodes of one file.
pub(crate) struct Reader<'a> {
    pub(crate) file: Arc<Path>,
    pub(crate) owner: Owner<'a>,
    pub(crate) home: Option<&'a Path>,
    /// The whole text, in which nodes look up how they were written.
    pub(crate) text: &'a str,
    /// The providers that may be chosen.
    pub(crate) providers: &'a [&'a str],
    pub(crate) faults: &'a mut Vec<ConfigError>,
}

impl Reader<'_> {
    /// Words. A value that YAML reads as something else, such as `yes` or `1`, needs quotes.
    pub(crate) fn words(&mut self, key: &str, items: &[Node], hint: &str) -> Option<Vec<String>> {
        let mut words = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            match &item.value {
                Value::Text(word) => words.push(word.clone()),
                Value::Null
                | Value::Bool(_)
                | Value::Whole(_)
                | Value::Number(_)
                | Value::List(_)
                | Value::Map(_) => {
                    let hint = match self.word(item) {
                        Some(written) => format!("put it in quotes: {written:?}"),
                        None => hint.to_owned(),
                    };
                    self.bad_kind(&format!("{key}[{place}]"), item, "a word", &hint);
                }
            }
        }
        (words.len() == items.len()).then_some(words)
    }

    /// A list whose items `read` reads; if one of them is wrong, the whole list does not count.
    pub(crate) fn list<T>(
        &mut self,
        key: &str,
        node: &Node,
        (wanted, hint): (&str, &str),
        read: impl Fn(&mut Self, &str, &Node) -> Option<T>,
    ) -> Found<Vec<T>> {
        let Value::List(items) = &node.value else {
            self.bad_kind(key, node, wanted, hint);
            return None;
        };
        let read = |(index, item)| read(self, &format!("{key}[{index}]"), item);
        let values: Vec<T> = items.iter().enumerate().filter_map(read).collect();
        (values.len() == items.len()).then(|| (values, self.place(node)))
    }

    /// The name of a provider that this version has.
    pub(crate) fn provider_name(&mut self, key: &str, node: &Node) -> Found<String> {
        let known = self.providers.join(", ");
        let Value::Text(name) = &node.value else {
            self.bad_kind(key, node, "the name of a provider", &format!("known providers: {known}"));
            return None;
        };
        if self.providers.contains(&name.as_str()) {
            return Some((name.clone(), self.place(node)));
        }
        let hint = match nearest(name, self.providers.iter().copied()) {
            Some(meant) => format!("did you mean {}?", shown(meant)),
            None => format!("known providers: {known}"),
        };
        self.bad(key, node, format!("unknown provider {}", shown(name)), Some(hint));
        None
    }

    /// Providers in the order in which they are tried.
    pub(crate) fn routes(&mut self, key: &str, node: &Node) -> Found<Vec<String>> {
        let wanted = ("a list of providers", "write it as a list: [claude]");
        let read = |reader: &mut Self, key: &str, node: &Node| reader.provider_name(key, node);
        let (named, place) = self.list(key, node, wanted, read)?;
        Some((named.into_iter().map(|(name, _)| name).collect(), place))
    }

    /// A whole number within bounds.
    pub(crate) fn whole(&mut self, key: &str, node: &Node, bounds: RangeInclusive<u64>) -> Found<u64> {
        let (least, most) = (bounds.start(), bounds.end());
        let wanted = if *most == u64::MAX {
            format!("a whole number from {least} on")
        } else {
            format!("a whole number from {least} to {most}")
        };
        let Value::Whole(number) = node.value else {
            self.bad_kind(key, node, &wanted, "write it as a plain number, without a unit");
            return None;
        };
        if !bounds.contains(&number) {
            self.bad(key, node, format!("{number} is not {wanted}"), None);
            return None;
        }
        Some((number, self.place(node)))
    }

    /// A number that may have a fraction, in parts of `parts`.
    pub(crate) fn fraction(&mut self, key: &str, node: &Node, most: u64, parts: u64) -> Found<u64> {
        let wanted = format!("a number from 0 to {most}");
        let number = match node.value {
            Value::Whole(number) => number as f64,
            Value::Number(number) => number,
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                self.bad_kind(key, node, &wanted, "write it as a plain number: 0.3");
                return None;
            }
        };
        if !(0.0..=most as f64).contains(&number) {
            self.bad(key, node, format!("{number} is not {wanted}"), None);
            return None;
        }
        Some(((number * parts as f64).round() as u64, self.place(node)))
    }

    /// `true` or `false`.
    pub(crate) fn truth(&mut self, key: &str, node: &Node) -> Found<bool> {
        let Value::Bool(truth) = node.value else {
            self.bad_kind(key, node, "true or false", "write true or false");
            return None;
        };
        Some((truth, self.place(node)))
    }

    pub(crate) fn duration(&mut self, key: &str, node: &Node) -> Found<Duration> {
        self.duration_up_to(duration::DAY, key, node)
    }

    /// The same for a key that may be longer than a day.
    pub(crate) fn duration_up_to(&mut self, longest: Duration, key: &str, node: &Node) -> Found<Duration> {
        let hint = "write a number and a unit: 90s, 20m or 2h";
        match &node.value {
            Value::Text(text) => match duration::parse(text, longest) {
                Ok(limit) => return Some((limit, self.place(node))),
                Err(problem) => {
                    self.bad(key, node, format!("{} {problem}", shown(text)), Some(hint.to_owned()));
                }
            },
            Value::Whole(number) => {
                let hint = format!("write the unit: {number}s or {number}m");
                self.bad(key, node, format!("`{number}` has no unit"), Some(hint));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
                self.bad_kind(key, node, "a duration", hint);
            }
        }
        None
    }

    /// One of a few words. `noun` is what they are, one of them and several.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &str,
        node: &Node,
        noun: [&str; 2],
        words: &[(&str, T)],
    ) -> Found<T> {
        let word = self.word(node).unwrap_or_default().to_owned();
        let found = words.iter().find(|(name, _)| *name == word).map(|(_, meant)| *meant);
        if found.is_none() {
            let [one, several] = noun;
            let known: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
            let hint = format!("known {several}: {}", known.join(", "));
            self.bad(key, node, format!("unknown {one} {}", shown(&word)), Some(hint));
        }
        found.map(|meant| (meant, self.place(node)))
    }

    /// The entries of a map whose keys are known, each key once; whatever else stands in it becomes a fault.
    pub(crate) fn map<'n>(
        &mut self,
        parent: &str,
        node: &'n Node,
        known: &[&str],
        example: &str,
    ) -> Vec<(String, &'n Node)> {
        let Value::Map(map) = &node.value else {
            self.bad_kind(parent, node, "a map", &format!("write `{example}`"));
            return Vec::new();
        };
        let mut entries: Vec<(String, &'n Node, u64)> = Vec::new();
        for (key, value) in map {
            let place = self.place(key);
            let written = self.word(key).unwrap_or_default();
            let path = if parent.is_empty() { written.to_owned() } else { format!("{parent}.{written}") };
            if let Some((_, _, line)) = entries.iter().find(|(earlier, _, _)| earlier == written) {
                let line_before = *line;
                self.faults.push(ConfigError::RepeatedKey { place, key: path, line_before });
            } else if known.contains(&written) {
                entries.push((written.to_owned(), value, place.line));
            } else {
                let hint = match nearest(written, known.iter().copied()) {
                    Some(meant) => format!("did you mean {}?", shown(meant)),
                    None => format!("known keys: {}", known.join(", ")),
                };
                self.faults.push(ConfigError::UnknownKey { place, key: path, hint });
            }
        }
        entries.into_iter().map(|(key, value, _)| (key, value)).collect()
    }

    /// A scalar as a word: text as it is meant, anything else as it is written.
    pub(crate) fn word<'n>(&'n self, node: &'n Node) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Whole(_) | Value::Number(_) => {
                let span = node.defined.span();
                let start = usize::try_from(span.byte_offset()?).ok()?;
                let length = usize::try_from(span.byte_len()?).ok()?;
                self.text.get(start..start.checked_add(length)?)
            }
            Value::List(_) | Value::Map(_) => None,
        }
    }

    pub(crate) fn place(&self, node: &Node) -> ConfigPlace {
        let (line, column) = (node.referenced.line(), node.referenced.column());
        ConfigPlace { file: Arc::clone(&self.file), line, column }
    }

    pub(crate) fn bad_kind(&mut self, key: &str, node: &Node, wanted: &str, hint: &str) {
        let problem = match node.value {
            Value::Null => format!("{wanted} is needed here"),
            Value::Bool(_)
            | Value::Whole(_)
            | Value::Number(_)
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_) => format!("{wanted} is needed here, not {}", node::kind(&node.value)),
        };
        self.bad(key, node, problem, Some(hint.to_owned()));
    }

    pub(crate) fn bad(&mut self, key: &str, node: &Node, problem: String, hint: Option<String>) {
        let place = self.place(node);
        self.faults.push(ConfigError::BadValue { place, key: key.to_owned(), problem, hint });
    }
}
