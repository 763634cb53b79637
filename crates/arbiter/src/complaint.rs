//! What the command line prints when something went wrong: the cause, a hint, and the exit code that belongs to it.

use std::fmt;

use mind::petition::Refusal;
use view::port::SayError;
use view::refusal::{
    DocketTrouble, JournalRefusal, JournalTrouble, RefusalCause, RefusalReader, RefusalText, refusal,
};

/// The program's exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Done and verified, or the command did its work.
    Done = 0,
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

/// A failure as it is printed.
#[derive(Debug)]
pub struct Complaint {
    pub code: Code,
    /// What is wrong, in lower case.
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
        Complaint::new(code, with_sources(error))
    }
}

/// An error and all its sources, in one sentence.
pub(crate) fn with_sources(error: &dyn std::error::Error) -> String {
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
    cause
}

impl From<RefusalCause> for Complaint {
    fn from(cause: RefusalCause) -> Complaint {
        let code = code(&cause);
        let RefusalText { cause, hint } = refusal(&cause, RefusalReader::Person);
        Complaint { code, cause, hint }
    }
}

impl From<JournalRefusal> for Complaint {
    fn from(refused: JournalRefusal) -> Complaint {
        RefusalCause::Journal(refused).into()
    }
}

/// How the program ends after a refusal: wrong use is what other words on the command line would have avoided.
fn code(cause: &RefusalCause) -> Code {
    match cause {
        RefusalCause::Docket { trouble, .. } => match trouble {
            DocketTrouble::Unknown | DocketTrouble::Ambiguous(_) => Code::Usage,
            DocketTrouble::Gone
            | DocketTrouble::Malformed { .. }
            | DocketTrouble::NotYours(_)
            | DocketTrouble::IdTaken
            | DocketTrouble::LedgerDamaged
            | DocketTrouble::Disk { .. } => Code::Failed,
        },
        RefusalCause::Petition { refusal, .. } => match refusal {
            Refusal::NoSuchDecision { .. }
            | Refusal::NotAnOption { .. }
            | Refusal::Empty
            | Refusal::TooLong => Code::Usage,
            Refusal::AlreadyAnswered(_)
            | Refusal::Closed(_)
            | Refusal::QuestionChanged
            | Refusal::RequiresHuman
            | Refusal::WaitsFor(_)
            | Refusal::NotReady { .. } => Code::Failed,
        },
        RefusalCause::Choice(_)
        | RefusalCause::Faults(_)
        | RefusalCause::OnlyPersons
        | RefusalCause::Mission(..) => Code::Usage,
        RefusalCause::Journal(refused) | RefusalCause::Say(SayError::Journal(refused)) => {
            if matches!(refused.trouble, JournalTrouble::Running { .. }) { Code::Usage } else { Code::Failed }
        }
        RefusalCause::Say(SayError::Inbox { .. }) => Code::Failed,
        RefusalCause::Say(
            SayError::Busy | SayError::Stopped { .. } | SayError::Discarded | SayError::Over { .. },
        ) => Code::Usage,
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            // A person meant it so, or a limit did: that is no error.
            Code::Cancelled | Code::Limit => write!(f, "{}", self.cause)?,
            Code::Done | Code::Failed | Code::Usage | Code::Provider => write!(f, "error: {}", self.cause)?,
        }
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
