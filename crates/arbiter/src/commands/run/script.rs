//! The script of a rehearsal: read and checked whole, before the mission begins.

use mind::charter::Requirements;
use providers::rehearsal;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{RunArgs, WayArg};
use crate::project::requirements;

/// A script, and the text that it was read from.
pub(super) struct RunScript {
    pub(super) text: String,
    pub(super) script: rehearsal::RehearsalScript,
}

impl RunScript {
    pub(super) fn read(args: &RunArgs) -> Result<RunScript, CliError> {
        let path = args.rehearsal.as_deref().ok_or_else(no_script)?;
        let (script, text) =
            rehearsal::RehearsalScript::load_with_text(path).map_err(|error| bad_script(&error))?;
        for argv in &script.checks {
            workspace::Check::parse(workspace::Written::Argv(argv.clone()))?;
        }
        fits(&script, args.way == WayArg::Conductor)?;
        Ok(RunScript { text, script })
    }
}

pub(in crate::commands) fn no_script() -> CliError {
    CliError::new(ExitCode::Provider, "the rehearsal provider plays a script, and no script was named")
        .hint("name one with `arbiter run --rehearsal SCRIPT`, or watch the built-in one with `arbiter demo`")
}

pub(in crate::commands) fn bad_script(error: &rehearsal::ScriptError) -> CliError {
    let mut cli_error = CliError::of(ExitCode::Usage, error);
    cli_error.hint = Some(error.hint());
    cli_error
}

/// The requirements that a script brings.
pub(in crate::commands) fn scripted(script: &rehearsal::RehearsalScript) -> Requirements {
    let text = script.scroll.as_str().into();
    Requirements { name: script.title.clone(), path: requirements::SCROLL_PATH.to_owned(), text }
}

/// Refuses a script that was written for the other way of working only.
fn fits(script: &rehearsal::RehearsalScript, conducted: bool) -> Result<(), CliError> {
    let (played, is, other) = if conducted {
        (!script.agents.is_empty(), "no `agents:` to play", "leave out --way conductor")
    } else {
        (!script.arbiter.is_empty(), "`agents:` only, for a conducted mission", "add --way conductor")
    };
    if played {
        return Ok(());
    }
    Err(CliError::new(ExitCode::Usage, format!("the rehearsal {:?} has {is}", script.title))
        .hint(format!("{other}, or choose another script (docs/rehearsal.md)")))
}
