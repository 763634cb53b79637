//! What a person is told when something went wrong: the cause, a hint, and an exit code.

use std::fmt;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Done and verified, or the command did its work.
    Done = 0,
    /// Failed.
    Failed = 1,
    /// Wrong use or configuration.
    Usage = 2,
    /// A limit was reached; that is no success.
    Limit = 3,
    /// A person cancelled, or stopped the program.
    Cancelled = 4,
    /// A provider is not available.
    Provider = 5,
}

/// A failure as it is shown.
#[derive(Debug)]
pub struct Complaint {
    /// How the program ends.
    pub code: Code,
    /// The cause, in lower case.
    pub cause: String,
    /// What helps.
    pub hint: Option<String>,
}

impl Complaint {
    /// A complaint without a hint.
    pub fn new(code: Code, cause: impl Into<String>) -> Complaint {
        Complaint { code, cause: cause.into(), hint: None }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Complaint {
        self.hint = Some(hint.into());
        self
    }

    /// A complaint from an error and all its sources.
    pub fn of(code: Code, error: &dyn std::error::Error) -> Complaint {
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            let text = inner.to_string();
            if !cause.ends_with(&text) {
                cause.push_str(": ");
                cause.push_str(&text);
            }
            source = inner.source();
        }
        Complaint::new(code, cause)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            // A person meant it so.
            Code::Cancelled => write!(f, "{}", self.cause)?,
            Code::Limit => write!(f, "{}", self.cause)?,
            Code::Done | Code::Failed | Code::Usage | Code::Provider => write!(f, "error: {}", self.cause)?,
        }
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
