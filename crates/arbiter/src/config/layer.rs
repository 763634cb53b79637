//! One configuration file: what it sets, and what is wrong with it. A file that is not there sets nothing.
//! It knows the keys; which file wins is decided above.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::charter::WarningPolicy;
use providers::workshop::{Check, Written};

use super::claude::{self, Claude};
use super::docket::{self, Docket};
use super::duration;
use super::error::{ConfigError, Place, shown};
use super::node::{self, Node, Value};
use super::reach::{self, Reach};
use tui::near::nearest;

/// The largest file that is read, in bytes.
const FILE_BYTES_MAX: u64 = 256 * 1024;

const KEYS: &[&str] = &[
    "provider",
    "claude",
    "policy",
    "sandbox",
    "write",
    "hide",
    "environment",
    "checks",
    "check_limit",
    "warnings",
    "silence",
    "tool_silence",
    "docket",
];
const PROVIDER_KEYS: &[&str] = &["default"];
const WARNINGS_KEYS: &[&str] = &["first", "last", "policy"];
const POLICIES: [(&str, WarningPolicy); 3] =
    [("warn", WarningPolicy::Warn), ("silent", WarningPolicy::Silent), ("off", WarningPolicy::Off)];
/// How a check looks.
const ARGV_HINT: &str = r#"write the program and its arguments: ["cargo", "test"]"#;

/// Whose file it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Owner<'a> {
    /// The user's own.
    User,
    /// The project's, which may have come with a repository. `own` is where the user's would be.
    Project { own: Option<&'a Path> },
}

/// A value and where it stands.
pub(super) type Found<T> = Option<(T, Place)>;

/// What one file sets.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub(super) provider: Found<String>,
    pub(super) claude: Claude,
    pub(super) reach: Reach,
    pub(super) checks: Found<Vec<Check>>,
    pub(super) check_limit: Found<Duration>,
    pub(super) first: Found<u8>,
    pub(super) last: Found<u8>,
    pub(super) warning_policy: Found<WarningPolicy>,
    pub(super) silence: Found<Duration>,
    pub(super) tool_silence: Found<Duration>,
    pub(super) docket: Docket,
}

/// Whose file is read, and what has to be known to understand it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) owner: Owner<'a>,
    /// The user's home: what `~` means.
    pub(super) home: Option<&'a Path>,
    /// The providers that may be chosen.
    pub(super) providers: &'a [&'a str],
}

impl Layer {
    /// Understands `bytes`, which were read from `file`. Whatever is wrong goes to `faults`; the rest is still read.
    pub(super) fn parse(
        file: &Path,
        bytes: Option<&[u8]>,
        scope: Scope<'_>,
        faults: &mut Vec<ConfigError>,
    ) -> Layer {
        let file: Arc<Path> = Arc::from(file);
        let Some(bytes) = bytes else { return Layer::default() };
        let text = match text(&file, bytes) {
            Ok(text) => text,
            Err(fault) => {
                faults.push(fault);
                return Layer::default();
            }
        };
        let Scope { owner, home, providers } = scope;
        let mut reader = Reader { file, owner, home, text, providers, faults };
        match node::parse(text) {
            Ok(Some(root)) => reader.layer(&root),
            Ok(None) => Layer::default(),
            Err(stop) => {
                let place = Place { file: reader.file, line: stop.line, column: stop.column };
                reader.faults.push(ConfigError::NotYaml { place, said: stop.said });
                Layer::default()
            }
        }
    }
}

/// The bytes of `file`, which lie at `real`; none if there is no such file.
pub(crate) fn read_file(file: &Path, real: &Path) -> Result<Option<Vec<u8>>, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { file: file.to_path_buf(), source: Arc::new(source) };
    let metadata = match fs::metadata(real) {
        Ok(metadata) => metadata,
        // A link that leads nowhere was meant to lead somewhere.
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_symlink() => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !metadata.is_file() {
        return Err(ConfigError::NotAFile { file: file.to_path_buf() });
    }
    let mut bytes = Vec::new();
    let opened = File::open(real).map_err(unreadable)?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let (bytes, bytes_max) = (metadata.len(), FILE_BYTES_MAX);
        return Err(ConfigError::TooLarge { file: file.to_path_buf(), bytes, bytes_max });
    }
    Ok(Some(bytes))
}

/// The text that `bytes` are, without the mark that some editors put first.
fn text<'b>(file: &Arc<Path>, bytes: &'b [u8]) -> Result<&'b str, ConfigError> {
    str::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}')).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = before.split('\n').count() as u64;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u64 + 1;
        ConfigError::NotUtf8 { place: Place { file: Arc::clone(file), line, column } }
    })
}

/// Reads the nodes of one file.
pub(super) struct Reader<'a> {
    file: Arc<Path>,
    pub(super) owner: Owner<'a>,
    pub(super) home: Option<&'a Path>,
    text: &'a str,
    providers: &'a [&'a str],
    faults: &'a mut Vec<ConfigError>,
}

impl Reader<'_> {
    fn layer(&mut self, root: &Node) -> Layer {
        let mut layer = Layer::default();
        for (key, node) in self.entries("", root) {
            match key.as_str() {
                "provider" => self.provider(node, &mut layer),
                "claude" => layer.claude = self.claude(node),
                "policy" => self.policy(node, &mut layer.reach),
                "sandbox" => layer.reach.sandbox = self.sandbox(node),
                "write" => layer.reach.write = self.paths("write", node),
                "hide" => layer.reach.hide = self.paths("hide", node),
                "environment" => layer.reach.environment = self.environment(node),
                "checks" => layer.checks = self.checks(node),
                "check_limit" => layer.check_limit = self.duration("check_limit", node),
                "silence" => layer.silence = self.duration("silence", node),
                "tool_silence" => layer.tool_silence = self.duration("tool_silence", node),
                "warnings" => self.warnings(node, &mut layer),
                "docket" => layer.docket = self.docket(node),
                _ => {}
            }
        }
        layer
    }

    fn provider(&mut self, node: &Node, layer: &mut Layer) {
        for (_, node) in self.entries("provider", node) {
            let key = "provider.default";
            let known = self.providers.join(", ");
            let Value::Text(name) = &node.value else {
                self.bad_kind(key, node, "the name of a provider", &format!("known providers: {known}"));
                continue;
            };
            if self.providers.contains(&name.as_str()) {
                layer.provider = Some((name.clone(), self.place(node)));
                continue;
            }
            let hint = match nearest(name, self.providers.iter().copied()) {
                Some(meant) => format!("did you mean {}?", shown(meant)),
                None => format!("known providers: {known}"),
            };
            self.bad(key, node, format!("unknown provider {}", shown(name)), Some(hint));
        }
    }

    fn checks(&mut self, node: &Node) -> Found<Vec<Check>> {
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, r#"write one list for each check: [["cargo", "test"]]"#);
            self.bad_kind("checks", node, "a list of checks", &hint);
            return None;
        };
        // `[cargo, test]` would be two programs, and the first of them succeeds without doing anything.
        let words: Option<Vec<&str>> = items.iter().map(|item| self.word(item)).collect();
        if let Some(words) =
            words.filter(|words| words.len() > 1 && !words.iter().any(|word| word.contains(' ')))
        {
            let hint = format!("write one list for each check: [{words:?}]");
            self.bad(
                "checks",
                node,
                "a check is a list of words, and this is one list".to_owned(),
                Some(hint),
            );
            return None;
        }
        let faults_before = self.faults.len();
        let checks = items.iter().enumerate().filter_map(|(index, item)| self.check(index, item)).collect();
        (self.faults.len() == faults_before).then(|| (checks, self.place(node)))
    }

    fn check(&mut self, index: usize, node: &Node) -> Option<Check> {
        let key = format!("checks[{index}]");
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, ARGV_HINT);
            self.bad_kind(&key, node, "a list of words", &hint);
            return None;
        };
        let argv = self.words(&key, items, ARGV_HINT)?;
        Check::parse(Written::Argv(argv))
            .map_err(|error| self.bad(&key, node, error.to_string(), error.hint()))
            .ok()
    }

    /// Words as they are meant; what only looks like one wants quotes.
    pub(super) fn words(&mut self, key: &str, items: &[Node], hint: &str) -> Option<Vec<String>> {
        let mut words = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            match &item.value {
                Value::Text(word) => words.push(word.clone()),
                Value::Null
                | Value::Bool
                | Value::Whole(_)
                | Value::Number
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

    pub(super) fn duration(&mut self, key: &str, node: &Node) -> Found<Duration> {
        let hint = "write a number and a unit: 90s, 20m or 2h";
        match &node.value {
            Value::Text(text) => match duration::parse(text) {
                Ok(limit) => return Some((limit, self.place(node))),
                Err(problem) => {
                    self.bad(key, node, format!("{} {problem}", shown(text)), Some(hint.to_owned()));
                }
            },
            Value::Whole(number) => {
                let hint = format!("write the unit: {number}s or {number}m");
                self.bad(key, node, format!("`{number}` has no unit"), Some(hint));
            }
            Value::Null | Value::Bool | Value::Number | Value::List(_) | Value::Map(_) => {
                self.bad_kind(key, node, "a duration", hint);
            }
        }
        None
    }

    fn warnings(&mut self, node: &Node, layer: &mut Layer) {
        for (key, node) in self.entries("warnings", node) {
            match key.as_str() {
                "first" => layer.first = self.percent("warnings.first", node),
                "last" => layer.last = self.percent("warnings.last", node),
                "policy" => layer.warning_policy = self.warning_policy(node),
                _ => {}
            }
        }
    }

    fn warning_policy(&mut self, node: &Node) -> Found<WarningPolicy> {
        self.choice("warnings.policy", node, ["policy", "policies"], &POLICIES)
    }

    /// One of a few words. `noun` is what they are, one of them and several.
    pub(super) fn choice<T: Copy>(
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

    fn percent(&mut self, key: &str, node: &Node) -> Found<u8> {
        let hint = "write percent of the context window as a plain number: 70";
        let Value::Whole(number) = node.value else {
            self.bad_kind(key, node, "a whole number from 1 to 99", hint);
            return None;
        };
        match u8::try_from(number) {
            Ok(percent @ 1..=99) => Some((percent, self.place(node))),
            Ok(_) | Err(_) => {
                self.bad(key, node, format!("{number} is not from 1 to 99"), Some(hint.to_owned()));
                None
            }
        }
    }

    /// The entries of a map whose keys are known, each key once; whatever else stands in it becomes a fault.
    pub(super) fn entries<'n>(&mut self, parent: &str, node: &'n Node) -> Vec<(String, &'n Node)> {
        let (known, example) = match parent {
            "provider" => (PROVIDER_KEYS, "provider: { default: claude }"),
            "claude" => (claude::KEYS, "claude: { model: opus }"),
            "policy" => (reach::KEYS, "policy: { mode: guarded }"),
            "docket" => (docket::KEYS, "docket: { away_after: 10m }"),
            "warnings" => (WARNINGS_KEYS, "warnings: { first: 70, last: 85 }"),
            _ => (KEYS, "check_limit: 20m"),
        };
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
    pub(super) fn word<'n>(&'n self, node: &'n Node) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bool | Value::Whole(_) | Value::Number => {
                let span = node.defined.span();
                let start = usize::try_from(span.byte_offset()?).ok()?;
                let length = usize::try_from(span.byte_len()?).ok()?;
                self.text.get(start..start.checked_add(length)?)
            }
            Value::List(_) | Value::Map(_) => None,
        }
    }

    pub(super) fn place(&self, node: &Node) -> Place {
        let (line, column) = (node.referenced.line(), node.referenced.column());
        Place { file: Arc::clone(&self.file), line, column }
    }

    pub(super) fn bad_kind(&mut self, key: &str, node: &Node, wanted: &str, hint: &str) {
        let problem = match node.value {
            Value::Null => format!("{wanted} is needed here"),
            Value::Bool
            | Value::Whole(_)
            | Value::Number
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_) => format!("{wanted} is needed here, not {}", node.value.kind()),
        };
        self.bad(key, node, problem, Some(hint.to_owned()));
    }

    pub(super) fn bad(&mut self, key: &str, node: &Node, problem: String, hint: Option<String>) {
        let place = self.place(node);
        self.faults.push(ConfigError::BadValue { place, key: key.to_owned(), problem, hint });
    }
}

/// How to write what stands there instead of a check: a line of text is shown as a list.
fn instead_of(node: &Node, otherwise: &str) -> String {
    let Value::Text(line) = &node.value else {
        return otherwise.to_owned();
    };
    let refused = Check::parse(Written::Line(line.clone())).err().and_then(|error| error.hint());
    refused.unwrap_or_else(|| format!("write the program and its arguments as a list: [{line:?}]"))
}
