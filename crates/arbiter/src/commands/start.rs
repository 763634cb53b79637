//! `arbiter` alone: the ceremony, unless it is unwanted; a person chooses the requirements, and a mission begins.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use providers::Provider;

use crate::commands::cli::{Cli, RunArgs};
use crate::complaint::{Code, Complaint};
use crate::terminal::ceremony::Before;
use crate::terminal::{console, picking};

use super::{Desk, claude, run};

/// What `.gitignore` is offered to say.
const IGNORED: &str = ".arbiter/";

/// Chooses the requirements and runs a mission with them, after the ceremony unless it is to be `quick`. Where no screen can
/// be shown, help is printed.
pub fn start(desk: &Desk, quick: bool) -> Result<Code, Complaint> {
    let Some(theme) = desk.theme else {
        let _ = Cli::command().print_help();
        return Ok(Code::Usage);
    };
    let root = desk.root();
    // Whoever cannot begin should not have to choose first.
    let config = desk.config(&root)?;
    if config.provider.value == Provider::Claude.name() {
        claude::options(&config, config.claude_routing.value)
            .map_err(|missing| claude::complain(&missing))?;
    } else {
        return Err(run::no_script());
    }
    let mut manners = desk.manners_by(&config);
    let sound = manners.sound(&desk.places);
    let mut before = Before { quick, manners: &mut manners, places: &desk.places, unsaid: None, sound };
    // A signal must find somebody who gives the terminal back.
    let runtime = run::runtime()?;
    let chosen = picking::choose(theme, &root, &mut before, &runtime)?;
    drop(runtime);
    let unsaid = before.unsaid.take();
    drop(before);
    if let Some(note) = unsaid {
        console::remark(note);
    }
    desk.settle(manners);
    let Some((scroll, gitignore)) = chosen else {
        return Err(Complaint::new(Code::Cancelled, "nothing was begun"));
    };
    let file = scroll.map(|name| root.join(&*name));
    let without_scroll = file.is_none();
    run::mission(desk, RunArgs { file, without_scroll, gitignore, ..RunArgs::blank() })
}

/// Writes `.arbiter/` into the project's .gitignore. A disk that refuses costs nothing but that line.
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
