//! `arbiter` without a command: the ceremony (unless it is off), the choice of the requirements, then a mission.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use providers::Provider;
use view::near::nearest;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{Cli, RunArgs};
use crate::terminal::ceremony::Before;
use crate::terminal::{console, picking};

use super::{CommandContext, claude, run};

/// The line that is offered for `.gitignore`.
const IGNORED: &str = ".arbiter/";

/// Lets the person choose the requirements and runs a mission with them; `quick` skips the ceremony. Where no screen can be
/// shown, help is printed.
pub fn start(context: &CommandContext, quick: bool) -> Result<ExitCode, CliError> {
    let Some(theme) = context.theme else {
        let _ = Cli::command().print_help();
        return Ok(ExitCode::Usage);
    };
    let root = context.root();
    // A missing program is reported before the person has chosen anything.
    let config = context.config(&root)?;
    if config.provider.value == Provider::Claude.name() {
        claude::options(&config, config.claude_routing.value)
            .map_err(|missing| claude::complain(&missing))?;
    } else {
        return Err(run::no_script());
    }
    let mut prefs = context.manners_by(&config);
    let sound = prefs.sound(&context.places);
    let mut before = Before { quick, prefs: &mut prefs, places: &context.places, unsaid: None, sound };
    // A signal that arrives now must find a handler that restores the terminal.
    let runtime = run::runtime()?;
    let chosen = picking::choose(theme, &root, &mut before, &runtime)?;
    drop(runtime);
    let unsaid = before.unsaid.take();
    drop(before);
    if let Some(note) = unsaid {
        console::remark(note);
    }
    context.set_prefs(prefs);
    let Some((scroll, gitignore)) = chosen else {
        return Err(CliError::new(ExitCode::Cancelled, "stopped: no mission was begun"));
    };
    let file = scroll.map(|name| root.join(&*name));
    let without_scroll = file.is_none();
    run::mission(context, RunArgs { file, without_scroll, gitignore, ..RunArgs::blank() })
}

/// `arbiter WORD` begins a mission with the file WORD. A word that is neither a file nor looks like one was probably meant
/// as a command.
pub(super) fn refuse_unknown_word(file: &Path) -> Result<(), CliError> {
    let Some(word) = file.to_str().filter(|word| !word.contains(['/', '.']) && !file.exists()) else {
        return Ok(());
    };
    let root = Cli::command();
    let commands = root.get_subcommands().filter(|command| !command.is_hide_set());
    let hint = match nearest(word, commands.map(clap::Command::get_name)) {
        Some(command) => format!("did you mean `arbiter {command}`?"),
        None if word.contains(char::is_whitespace) => {
            "`arbiter run --task TEXT` takes the requirements as text".to_owned()
        }
        None => {
            "`arbiter --help` lists the commands; `arbiter FILE.md` begins a mission with a file".to_owned()
        }
    };
    let cause = format!("there is neither a command nor a file of the name `{word}`");
    Err(CliError::new(ExitCode::Usage, cause).hint(hint))
}

/// Writes `.arbiter/` into the project's .gitignore. If that fails, the mission begins all the same.
pub(super) fn ignore_missions(root: &Path) {
    let path = root.join(".gitignore");
    let said = fs::read_to_string(&path).unwrap_or_default();
    let apart = if said.is_empty() || said.ends_with('\n') { "" } else { "\n" };
    let file = fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(format!("{apart}{IGNORED}\n").as_bytes()));
    if let Err(error) = written {
        crate::terminal::console::remark(format!("note: {} could not be written: {error}", path.display()));
    }
}
