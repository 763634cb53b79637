//! `attach`: watches a mission that runs in another process, and speaks to it through its inbox.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use mind::{MissionId, State};
use view::typed::{self, Typed};

use crate::cli_error::{CliError, ExitCode};
use crate::mission::port::{self, FolderPort, MissionPort as _};
use crate::mission::{refusal, repo_location};
use crate::project::home::MissionPlaces;
use crate::terminal::console::{self, LineInk};
use crate::terminal::presence::HumanPresence;
use crate::terminal::screen::{self, Showing};
use crate::terminal::{Attachment, Theme};

use super::context::refuse_agents;
use super::{CommandContext, discard, ownership, run};

/// Watches a mission.
pub fn attach(context: &CommandContext, typed: Option<&str>) -> Result<ExitCode, CliError> {
    refuse_agents()?;
    let (id, places) = match typed {
        Some(typed) => context.named(typed)?,
        None => newest_running(context)?,
    };
    discard::refuse_discarded(&id, &places)?;
    ownership::refuse_copy(context, &id, &places)?;
    let runtime = run::runtime()?;
    if let Some(theme) = context.theme {
        run::raise(&runtime, theme, context.prefs().manner);
    }
    match context.theme {
        Some(theme) => {
            let project = repo_location::ground_of(&places.folder)
                .map_or_else(|_| context.root(), |location| location.project);
            let port = context.port(&places)?;
            let code = watch(&runtime, theme, showing(context, port.clone(), project))?;
            let left = if port.is_running() {
                format!("  = mission {id} keeps running; `arbiter attach {id}` shows it again")
            } else {
                format!("  = mission {id} is not running; `arbiter show {id}` tells how it stands")
            };
            let _ = console::write(&[(LineInk::House, left)]);
            Ok(code)
        }
        None => listen(&context.port(&places)?),
    }
}

fn newest_running(context: &CommandContext) -> Result<(MissionId, MissionPlaces), CliError> {
    let running = |places: &MissionPlaces| port::holder(places).is_some();
    context.newest_first()?.into_iter().find(|(_, places)| running(places)).ok_or_else(|| {
        CliError::new(ExitCode::Usage, "no mission runs here").hint(
            "`arbiter missions` lists them; `arbiter attach ID` looks at one, `arbiter resume` continues one",
        )
    })
}

fn showing(context: &CommandContext, port: FolderPort, project: PathBuf) -> Showing {
    Showing {
        port: Arc::new(port),
        project,
        seat: Attachment::Beside,
        leave: Box::new(|| {}),
        from: 0,
        docket: super::docket::open().ok(),
        manner: context.prefs().manner,
        sound: context.sound(),
        presence: HumanPresence::begin(),
    }
}

/// Shows a mission until the person leaves, whether another process runs it or none.
pub(super) fn watch(
    runtime: &tokio::runtime::Runtime,
    theme: Theme,
    showing: Showing,
) -> Result<ExitCode, CliError> {
    let folder = showing.port.places().folder.clone();
    let shown =
        screen::taken_terminal().and_then(|glass| screen::show(glass, theme, showing)).map_err(|error| {
            CliError::new(ExitCode::Failed, format!("the terminal cannot be used: {error}"))
                .hint("--plain prints lines instead")
        })?;
    runtime.block_on(async move {
        crate::terminal::signals::watch_screen(&shown.news);
        match shown.closed.await {
            Ok(Ok(())) => Ok(ExitCode::Done),
            Ok(Err(error)) => Err(refusal::refuse(&error, &folder)),
            Err(_) => Err(CliError::new(ExitCode::Failed, "a defect in arbiter: the screen is gone")),
        }
    })
}

/// What ends the wait of a reader of lines.
enum AttachInput {
    Typed(String),
    /// Standard input is closed.
    Closed,
    /// The mission moved; several moves are one until it is looked at.
    Moved,
}

/// The same as lines: what happens is printed, what is typed is sent.
fn listen(port: &FolderPort) -> Result<ExitCode, CliError> {
    let mut facts = port.facts()?;
    let mut state = State::default();
    let pending = Arc::new(AtomicBool::new(false));
    let heard = hear(port, &pending);
    if !port.is_running() {
        tell(port::not_running(port.mission()));
    }
    let mut open = true;
    loop {
        pending.store(false, Ordering::SeqCst);
        for fact in facts.by_ref() {
            let (_, entry) = fact?;
            let before = state.clone();
            state.apply(&entry);
            if console::write(&console::of_entry(&entry, &before, &state)).is_err() {
                return Ok(ExitCode::Done);
            }
        }
        // A reader goes on reading while a process runs the mission.
        if state.ended.is_some() || !open && !port.is_running() {
            return Ok(ExitCode::Done);
        }
        match heard.recv() {
            Ok(AttachInput::Typed(line)) => {
                if obey(port, &state, &line).is_break() {
                    return Ok(ExitCode::Done);
                }
            }
            Ok(AttachInput::Moved) => {}
            Ok(AttachInput::Closed) => open = false,
            Err(_) => return Ok(ExitCode::Done),
        }
    }
}

/// Hears what is typed and that the mission moved; `pending` says that a move was told and not yet looked at.
fn hear(port: &FolderPort, pending: &Arc<AtomicBool>) -> Receiver<AttachInput> {
    let (hear, heard) = channel();
    let keys = hear.clone();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        let mut line = String::new();
        while matches!(input.read_line(&mut line), Ok(1..)) {
            if keys.send(AttachInput::Typed(std::mem::take(&mut line))).is_err() {
                return;
            }
        }
        let _ = keys.send(AttachInput::Closed);
    });
    let moved = Arc::clone(pending);
    port.follow(Box::new(move |_| {
        moved.swap(true, Ordering::SeqCst) || hear.send(AttachInput::Moved).is_ok()
    }));
    heard
}

/// Does what a typed line means; breaks off when the person leaves.
fn obey(port: &FolderPort, state: &State, line: &str) -> ControlFlow<()> {
    match typed::read(line.trim(), state) {
        Typed::Nothing => {}
        Typed::Actions(actions) => {
            let told = actions.into_iter().map(|action| match port.say(action) {
                Ok(receipt) => receipt.note(port.mission()),
                Err(error) => Some(error.to_string()),
            });
            told.flatten().for_each(tell);
        }
        Typed::Unclear(why) => tell(why),
        Typed::Help => tell(typed::help(state).to_owned()),
        Typed::Quit => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

fn tell(text: String) {
    drop(console::write(&[(LineInk::House, format!("  = {text}"))]));
}
