//! An actor: one process that plays one part of a rehearsal on its standard input and output.
//!
//! It leaves when its input is closed, so it never outlives Arbiter. The binary calls [`run`] under a hidden
//! subcommand; everything it needs comes as arguments.

mod conversation;
mod docket;
mod hands;
mod improvise;
mod inbox;
mod mishap;
mod part;
mod speech;
mod stage;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::process::ExitCode;

use conversation::Conversation;
use inbox::Inbox;
use part::Part;
use stage::Stage;

/// Why an actor cannot play.
#[derive(Debug, thiserror::Error)]
enum ActorError {
    /// The arguments are wrong.
    #[error("{0}")]
    Usage(String),
    /// The script is wrong.
    #[error("{} (hint: {})", .0, .0.hint())]
    Script(#[from] super::ScriptError),
    /// Another process plays this session.
    #[error("session {key} is held by another process (hint: only one process may play a session)")]
    Held { key: String },
    /// The actor was told to begin a conversation that has begun.
    #[error("session {key} has a conversation already (hint: resume it)")]
    Begun { key: String },
    #[error("conversation {path} is damaged at line {line}")]
    Damaged { path: String, line: usize },
    /// The disk refused to read or write the conversation.
    #[error("cannot read or write conversation {path}: {source}")]
    Disk { path: String, source: std::io::Error },
    /// A line from Arbiter cannot be read.
    #[error("{0}")]
    Garbled(String),
    /// Arbiter closed the actor's output.
    #[error("the output was closed: {0}")]
    Unheard(std::io::Error),
}

/// Plays a part until the input is closed. The exit code is 0 after a good end.
pub fn run(
    stdin: impl Read + Send + 'static,
    stdout: impl Write,
    args: impl IntoIterator<Item = OsString>,
) -> ExitCode {
    match play(stdin, stdout, args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ActorError::Unheard(_)) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rehearsal: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(
    stdin: impl Read + Send + 'static,
    stdout: impl Write,
    args: impl IntoIterator<Item = OsString>,
) -> Result<(), ActorError> {
    let part = Part::read(args)?;
    let script = super::RehearsalScript::load(&part.script)?;
    let inbox = Inbox::open(stdin);
    let Some(conversation) = Conversation::open(&part, || inbox.is_closed())? else {
        return inbox.fault().map_or(Ok(()), |why| Err(ActorError::Garbled(why.to_owned())));
    };
    Stage::new(&part, &script, conversation, inbox, stdout).play()
}
