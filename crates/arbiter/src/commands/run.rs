//! `run`: opens and runs a new mission; and what `demo` and `resume` share with it.

mod draft;
mod script;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use mind::MissionId;
use mind::charter::{Charter, Requirements};
use mind::policy::PolicyMode;
use providers::rehearsal;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{RunArgs, WayArg};
use crate::mission::opening::{self, NewMission};
use crate::mission::repo_location::RehearsalPace;
use crate::mission::run::{self, MissionDeps, Presentation};
use crate::mission::sandbox_choice::{SandboxTerms, has_real_agents};
use crate::project::config::{self, Config};
use crate::project::{home, requirements};
use crate::terminal::console::{LineInk, Style};
use crate::terminal::{Manner, Theme};
use crate::terminal::{console, screen, signals};
use crate::{clock, limits, terminal};

use super::CommandContext;
use super::locate_repo::LaunchFolder;
use draft::MissionDraft;
pub(super) use draft::{capabilities, seats};
pub(super) use script::{bad_script, no_script, scripted};

/// The warning of a mission whose policy asks nothing.
pub(super) const OPEN: &str = "  ! policy open: agents run every command without asking you";

impl RunArgs {
    /// The arguments of `arbiter FILE.md`.
    pub fn with(file: PathBuf) -> RunArgs {
        RunArgs { file: Some(file), ..RunArgs::blank() }
    }

    /// The defaults, as if nothing had been typed.
    pub fn blank() -> RunArgs {
        RunArgs {
            file: None,
            task: None,
            way: WayArg::Council,
            dry_run: false,
            headless: false,
            json: false,
            yes: false,
            provider: None,
            rehearsal: None,
            pace: RehearsalPace::Fast,
            dirty: None,
            init: false,
            in_place: false,
            without_scroll: false,
            gitignore: false,
        }
    }
}

pub fn mission(context: &CommandContext, args: RunArgs) -> Result<ExitCode, CliError> {
    let scroll = asked(&args)?;
    let runtime = runtime()?;
    let typing = !args.headless && terminal::is_there();
    let audience = audience(context, args.json, typing);
    // A dry run prints its plan and needs no screen.
    let audience = Presentation { theme: audience.theme.filter(|_| !args.dry_run), ..audience };
    if let Some(theme) = audience.theme {
        raise(&runtime, theme, context.prefs().manner);
    }
    let site = runtime.block_on(LaunchFolder::find(context, &args))?;
    let draft = MissionDraft::decide(context, &args, scroll, &site.root, typing)?;
    let (folder, means) = open(context, &args, &runtime, site, draft, audience)?;
    perform(runtime, folder, means, audience)
}

/// The requirements that the arguments name, if they do.
fn asked(args: &RunArgs) -> Result<Option<Requirements>, CliError> {
    if args.dry_run && args.way == WayArg::Council {
        return Err(CliError::new(
            ExitCode::Usage,
            "--dry-run prints a plan, and only the conductor makes one",
        )
        .hint("add --way conductor"));
    }
    Ok(match (&args.file, &args.task) {
        (Some(file), _) => Some(requirements::read_scroll(file)?),
        (None, Some(task)) => Some(requirements::from_task(task)?),
        (None, None) => args.without_scroll.then(requirements::none),
    })
}

/// Makes the mission's clone source and folder. From here on it can be resumed.
fn open(
    context: &CommandContext,
    args: &RunArgs,
    runtime: &tokio::runtime::Runtime,
    site: LaunchFolder,
    draft: MissionDraft,
    audience: Presentation,
) -> Result<(PathBuf, MissionDeps), CliError> {
    let MissionDraft { charter, workers, config, api, conducting } = draft;
    let (id, root) = (charter.mission.clone(), site.root.clone());
    let (survey, terms) = (sandbox::survey(), SandboxTerms::of(&config));
    let level = terms.level(&survey, has_real_agents(&charter))?;
    let journals = context.journals_to_write()?;
    let location = runtime.block_on(site.prepare(context, args, &id))?;
    let hold = Arc::new(terms.site(survey, level, &context.places, &id, &location));
    greet(&charter, audience);
    let source = location.source.clone();
    let new = NewMission { charter, location, script: workers.script.map(|read| read.text) };
    let opened = opening::open(new, &journals, &context.registry(), clock::now());
    let folder = opened.inspect_err(|_| drop(runtime.block_on(workspace::forget_base(&source, &id.0))))?;
    if args.gitignore {
        // Only now that the mission has its base commit: before, the change would count as uncommitted work.
        super::start::ignore_missions(&root);
    }
    let (docket, away_after) = docket_of(context, Some(&config));
    let api = super::conducting::api_of(Some(&config), api);
    let (store, claude, sound) = (context.places.rehearsal(), workers.claude, context.sound());
    Ok((
        folder,
        MissionDeps {
            journals,
            store,
            claude,
            hold,
            docket,
            away_after,
            limits: None,
            conducting,
            api,
            sound,
        },
    ))
}

/// The docket, and after how long a person counts as away. Without a readable configuration, the defaults.
pub(super) fn docket_of(context: &CommandContext, config: Option<&Config>) -> (Docket, Duration) {
    match config {
        Some(config) => (Docket::at(config.docket_dir.value.clone()), config.away_after.value),
        None => (Docket::at(context.places.home.join("queue")), config::AWAY_AFTER_DEFAULT),
    }
}

/// Runs an actor of the rehearsal.
pub fn act(args: Vec<OsString>) -> ExitCode {
    let code = rehearsal::actor::run(std::io::stdin(), std::io::stdout(), args);
    if code == std::process::ExitCode::SUCCESS { ExitCode::Done } else { ExitCode::Failed }
}

pub(super) fn perform(
    runtime: tokio::runtime::Runtime,
    folder: PathBuf,
    means: MissionDeps,
    audience: Presentation,
) -> Result<ExitCode, CliError> {
    home::make_private(&means.store)?;
    let code = runtime.block_on(run::run(folder, means, audience));
    // A task that is still stuck ends with the program.
    runtime.shutdown_timeout(limits::SHUTDOWN);
    code
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, CliError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| CliError::new(ExitCode::Failed, format!("cannot start threads: {error}")))
}

pub(super) fn new_id() -> MissionId {
    home::new_mission_id(clock::now(), &jiff::tz::TimeZone::system(), host::dice())
}

pub(super) fn audience(context: &CommandContext, json: bool, typing: bool) -> Presentation {
    let style = if json { Style::Json } else { Style::Text };
    let theme = context.theme.filter(|_| typing && !json);
    let manner = theme.map(|_| context.prefs().manner).unwrap_or_default();
    Presentation { style, typing, from_start: true, theme, manner }
}

/// Draws the startup screen: what follows takes time.
pub(super) fn raise(runtime: &tokio::runtime::Runtime, theme: Theme, manner: Manner) {
    let _inside = runtime.enter();
    signals::watch_curtain();
    screen::raise(theme, manner);
}

pub(super) fn greet(charter: &Charter, audience: Presentation) {
    if audience.prints() {
        let _ = console::write(&[
            (LineInk::Name, "THE ARBITER".to_owned()),
            (
                LineInk::House,
                format!("  = mission {}: {}", charter.mission, requirements::title(&charter.scroll)),
            ),
        ]);
        if charter.policy.mode == PolicyMode::Open {
            let _ = console::write(&[(LineInk::Bad, OPEN.to_owned())]);
        }
    }
}
