//! The errors of a script: what is wrong, in which line, and what to write instead.

use std::io;
use std::string::FromUtf8Error;

use serde_saphyr::Error;

/// A script that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read. The person names another.
    #[error("cannot read rehearsal {name}")]
    Unreadable { name: String, source: io::Error },
    /// The file is no script that a person wrote.
    #[error("rehearsal {name} is too long")]
    TooLong { name: String },
    /// A line is wrong. The person corrects it.
    #[error("rehearsal {name}, line {line}: {what}")]
    Wrong {
        name: String,
        /// Counted from 1.
        line: u64,
        what: String,
        hint: String,
    },
}

impl ScriptError {
    /// What the person can do about it.
    pub fn hint(&self) -> String {
        match self {
            ScriptError::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                "name a rehearsal script that exists".to_owned()
            }
            ScriptError::Unreadable { .. } => "name a plain file that you may read".to_owned(),
            ScriptError::TooLong { .. } => "a script has at most 1 MiB".to_owned(),
            ScriptError::Wrong { hint, .. } => hint.clone(),
        }
    }
}

/// A fault at a line, before the file's name is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: u64,
    pub(super) what: String,
    pub(super) hint: String,
}

impl Fault {
    pub(super) fn new(line: u64, what: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { line, what: what.into(), hint: hint.into() }
    }

    /// The line with the first byte that is no text.
    pub(super) fn of_bytes(error: &FromUtf8Error) -> Fault {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
        Fault::new(line, "it is not UTF-8", "save the script as UTF-8")
    }

    pub(super) fn named(self, name: &str) -> ScriptError {
        let Fault { line, what, hint } = self;
        ScriptError::Wrong { name: name.to_owned(), line, what, hint }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let error = error.without_snippet();
        let line = error.location().map_or(1, |location| location.line());
        if let Error::SerdeUnknownField { field, expected, .. } = error {
            return Fault::new(
                line,
                format!("unknown key `{field}`"),
                format!("known here: {}", expected.join(", ")),
            );
        }
        if let Error::SerdeUnknownVariant { variant, expected, .. } = error {
            return Fault::new(
                line,
                format!("unknown word `{variant}`"),
                format!("known here: {}", expected.join(", ")),
            );
        }
        if let Error::SerdeMissingField { field, .. } = error {
            return Fault::new(
                line,
                format!("`{field}` is missing"),
                "docs/rehearsal.md has a small whole example",
            );
        }
        // The place is told once, by us.
        let what = error.to_string();
        let what = what.rsplit_once(" at line ").map_or(what.as_str(), |(what, _)| what);
        Fault::new(line, what, "docs/rehearsal.md has a small whole example")
    }
}
