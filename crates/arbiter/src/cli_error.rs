//! What the command line prints when something went wrong: the cause, a hint, and the exit code that belongs to it.

use std::fmt;

use mind::petition::PetitionRefusal;
use view::port::SayError;
use view::refusal::{
    DocketTrouble, JournalRefusal, JournalTrouble, RefusalCause, RefusalReader, RefusalText, refusal,
};

use crate::process_limits;
use crate::project::token_variable;

/// The program's exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitCode {
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
pub struct CliError {
    pub code: ExitCode,
    /// What is wrong, in lower case.
    pub cause: String,
    pub hint: Option<String>,
}

impl CliError {
    /// A complaint without a hint.
    pub fn new(code: ExitCode, cause: impl Into<String>) -> CliError {
        CliError { code, cause: cause.into(), hint: None }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> CliError {
        self.hint = Some(hint.into());
        self
    }

    /// The same, with the limit of the process that caused it, if one did: it is to be raised before anything else helps.
    #[must_use]
    pub fn or_limit(mut self) -> CliError {
        let Some(first) = process_limits::hint(&self.cause) else { return self };
        self.hint = match self.hint {
            Some(told) if told.contains(&first) => Some(told),
            // What to look at in a file or a disk is of no use here; what to type next is.
            Some(then) if then.contains("`arbiter ") => Some(format!("{first}; {then}")),
            Some(_) | None => Some(first),
        };
        self
    }

    /// Prints it, and gives the exit code of the program.
    pub fn tell(&self) -> std::process::ExitCode {
        crate::terminal::console::remark(self);
        std::process::ExitCode::from(self.code as u8)
    }

    /// A complaint from an error and all its sources.
    pub fn of(code: ExitCode, error: &dyn std::error::Error) -> CliError {
        CliError::new(code, with_sources(error))
    }
}

/// Output that did not reach its reader: what a command did stands, but not all of it was told.
pub fn unwritten(why: &str) -> CliError {
    CliError::new(ExitCode::Failed, format!("stdout cannot be written: {why}")).hint(
        "what the command did stands; make room where its output goes, and ask again for what is missing",
    )
}

/// A token in the environment that cannot be taken out of it: every program that we start would have it.
pub fn exposed(error: &std::io::Error) -> CliError {
    let cause = format!("{} cannot be taken out of the environment: {error}", token_variable::NAME);
    CliError::new(ExitCode::Failed, cause)
        .hint("put the token into a file with mode 600, and name that as `telegram.token_file`")
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

impl From<RefusalCause> for CliError {
    fn from(cause: RefusalCause) -> CliError {
        let code = code(&cause);
        let RefusalText { cause, hint } = refusal(&cause, RefusalReader::Person);
        CliError { code, cause, hint }
    }
}

impl From<JournalRefusal> for CliError {
    fn from(refused: JournalRefusal) -> CliError {
        RefusalCause::Journal(refused).into()
    }
}

/// How the program ends after a refusal: wrong use is what other words on the command line would have avoided.
fn code(cause: &RefusalCause) -> ExitCode {
    match cause {
        RefusalCause::Docket { trouble, .. } => match trouble {
            DocketTrouble::Unknown | DocketTrouble::Ambiguous(_) => ExitCode::Usage,
            DocketTrouble::Gone
            | DocketTrouble::Malformed { .. }
            | DocketTrouble::NotYours(_)
            | DocketTrouble::IdTaken
            | DocketTrouble::LedgerDamaged
            | DocketTrouble::FileBehind { .. }
            | DocketTrouble::Held { .. }
            | DocketTrouble::Disk { .. } => ExitCode::Failed,
        },
        RefusalCause::Petition { refusal, .. } => match refusal {
            PetitionRefusal::NoSuchDecision { .. }
            | PetitionRefusal::NotAnOption { .. }
            | PetitionRefusal::Empty
            | PetitionRefusal::TooLong
            | PetitionRefusal::NotAName => ExitCode::Usage,
            PetitionRefusal::AlreadyAnswered(_)
            | PetitionRefusal::Closed(_)
            | PetitionRefusal::QuestionChanged
            | PetitionRefusal::RequiresHuman
            | PetitionRefusal::WaitsFor(_)
            | PetitionRefusal::NotReady { .. }
            | PetitionRefusal::AssignedTo(_)
            | PetitionRefusal::AlreadyAssigned(_)
            | PetitionRefusal::AgentAssigns => ExitCode::Failed,
        },
        RefusalCause::Choice(_)
        | RefusalCause::Faults(_)
        | RefusalCause::OnlyPersons
        | RefusalCause::Mission(..) => ExitCode::Usage,
        RefusalCause::Journal(refused) | RefusalCause::Say(SayError::Journal(refused)) => {
            if matches!(refused.trouble, JournalTrouble::Running { .. }) {
                ExitCode::Usage
            } else {
                ExitCode::Failed
            }
        }
        RefusalCause::Say(SayError::Inbox { .. }) => ExitCode::Failed,
        RefusalCause::Say(
            SayError::Busy | SayError::Stopped { .. } | SayError::Discarded | SayError::Over { .. },
        ) => ExitCode::Usage,
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            // A person meant it so, or a limit did: that is no error.
            ExitCode::Cancelled | ExitCode::Limit => write!(f, "{}", self.cause)?,
            ExitCode::Done | ExitCode::Failed | ExitCode::Usage | ExitCode::Provider => {
                write!(f, "error: {}", self.cause)?
            }
        }
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}
