//! The faults of the configuration. Each names its file and, where there is one, its line; all faults of both files are
//! reported at once.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::limits::cut;

/// How much of what was written is shown again, in characters.
const SHOWN_CHARS_MAX: usize = 80;

/// A place in a configuration file, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigPlace {
    pub file: Arc<Path>,
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl ConfigPlace {
    /// The fault of the value at this place.
    pub(super) fn refuse(&self, key: &str, problem: &str, hint: &str) -> ConfigError {
        let (key, problem, hint) = (key.to_owned(), problem.to_owned(), Some(hint.to_owned()));
        ConfigError::BadValue { place: self.clone(), key, problem, hint }
    }
}

impl fmt::Display for ConfigPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// One fault of the configuration.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ConfigError {
    /// The file exists and cannot be read.
    #[error("{}: cannot read it: {source}", file.display())]
    Unreadable { file: PathBuf, source: Arc<io::Error> },
    /// A link of the project leads to a file outside of it.
    #[error("{}: it leads out of the project, to {}", file.display(), target.display())]
    Outside { file: PathBuf, target: PathBuf },
    /// There is a folder, a pipe or a device where the file should be.
    #[error("{}: it is not a file", file.display())]
    NotAFile { file: PathBuf },
    /// The file is too large to be a configuration.
    #[error("{}: it has {bytes} bytes, more than the {bytes_max} that are read", file.display())]
    TooLarge { file: PathBuf, bytes: u64, bytes_max: u64 },
    /// The folder has too many files.
    #[error("{}: it has {count} files, more than the {count_max} that are read", folder.display())]
    TooMany { folder: PathBuf, count: usize, count_max: usize },
    /// The file is not text.
    #[error("{place}: this byte is not UTF-8")]
    NotUtf8 { place: ConfigPlace },
    /// The file is not YAML. The text after the place was not read.
    #[error("{place}: {said}")]
    NotYaml { place: ConfigPlace, said: String },
    /// A key that does not exist.
    #[error("{place}: unknown key {}", shown(key))]
    UnknownKey {
        place: ConfigPlace,
        /// The key as it was written, with the keys around it.
        key: String,
        /// What to write instead.
        hint: String,
    },
    /// A key that stands twice in one map.
    #[error("{place}: {} is already set in line {line_before}", shown(key))]
    RepeatedKey {
        /// Where the second stands.
        place: ConfigPlace,
        /// The key, with the keys around it.
        key: String,
        /// Where the first stands.
        line_before: u64,
    },
    /// A wrong value.
    #[error("{place}: {}{problem}", about(key))]
    BadValue {
        place: ConfigPlace,
        /// The key, with the keys around it; empty for the file as a whole.
        key: String,
        /// What is wrong.
        problem: String,
        /// What to write instead.
        hint: Option<String>,
    },
}

impl ConfigError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            ConfigError::Unreadable { file, .. } => Some(format!(
                "`ls -l {}` shows who may read it; without the file the defaults count",
                file.display()
            )),
            ConfigError::Outside { file, .. } => {
                Some(format!("put a file itself at {}, or move the link away", file.display()))
            }
            ConfigError::NotAFile { file } => {
                Some(format!("move {} away; without the file the defaults count", file.display()))
            }
            ConfigError::TooLarge { .. } => {
                Some("is it another file under this name? a configuration has a few lines".into())
            }
            ConfigError::TooMany { .. } => Some("move files away that are not needed".into()),
            ConfigError::NotUtf8 { .. } => Some("save the file as UTF-8 text".into()),
            ConfigError::NotYaml { .. } => {
                Some("a configuration is YAML: `key: value`, nested by spaces".into())
            }
            ConfigError::UnknownKey { hint, .. } => Some(hint.clone()),
            ConfigError::RepeatedKey { .. } => Some("keep one of them".into()),
            ConfigError::BadValue { hint, .. } => hint.clone(),
        }
    }

    /// The file, and the line and column where there are any.
    pub(crate) fn whereabouts(&self) -> (&Path, u64, u64) {
        match self {
            ConfigError::Unreadable { file, .. }
            | ConfigError::Outside { file, .. }
            | ConfigError::NotAFile { file }
            | ConfigError::TooLarge { file, .. }
            | ConfigError::TooMany { folder: file, .. } => (file, 0, 0),
            ConfigError::NotUtf8 { place }
            | ConfigError::NotYaml { place, .. }
            | ConfigError::UnknownKey { place, .. }
            | ConfigError::RepeatedKey { place, .. }
            | ConfigError::BadValue { place, .. } => (&place.file, place.line, place.column),
        }
    }

    /// The key this fault is about, if it is about one.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            ConfigError::UnknownKey { key, .. }
            | ConfigError::RepeatedKey { key, .. }
            | ConfigError::BadValue { key, .. } => Some(key),
            ConfigError::Unreadable { .. }
            | ConfigError::Outside { .. }
            | ConfigError::NotAFile { .. }
            | ConfigError::TooLarge { .. }
            | ConfigError::TooMany { .. }
            | ConfigError::NotUtf8 { .. }
            | ConfigError::NotYaml { .. } => None,
        }
    }
}

/// All faults of the configuration, at least one. Displayed, each has a line and its hint a line below.
#[derive(Debug)]
pub struct ConfigErrors {
    faults: Vec<ConfigError>,
}

impl ConfigErrors {
    /// The faults as an error, if there are any.
    pub(crate) fn from_faults(faults: Vec<ConfigError>) -> Option<ConfigErrors> {
        (!faults.is_empty()).then_some(ConfigErrors { faults })
    }

    /// Each fault: the user's file first, then the project's, each from top to bottom.
    #[must_use]
    pub fn faults(&self) -> &[ConfigError] {
        &self.faults
    }
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            write!(f, "{gap}{fault}")?;
            if let Some(hint) = fault.hint() {
                write!(f, "\n  hint: {hint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for ConfigErrors {}

/// A person's text in quotes, cut to a bounded length.
pub(crate) fn shown(written: &str) -> String {
    format!("`{}`", harmless(&cut(written, SHOWN_CHARS_MAX)))
}

/// Text from a file, without characters that a terminal would act on.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars() {
        match sign {
            '\'' | '"' | '\\' => shown.push(sign),
            _ => shown.extend(sign.escape_debug()),
        }
    }
    shown
}

/// The beginning of a message about `key`; the whole file has none.
fn about(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{}: ", shown(key)) }
}
