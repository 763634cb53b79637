//! `run`: a new mission is put on the stage; and what `demo` and `resume` share with it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use mind::MissionId;
use mind::charter::{Capabilities, Charter, Consent, RoleProviders, Scroll, Seat, WhenAway};
use mind::policy::Mode;
use providers::claude::Routing;
use providers::{Provider, api, rehearsal};
use tui::manner::Manner;
use tui::narrate::Ink;
use tui::theme::Theme;

use crate::commands::cli::{RunArgs, Way};
use crate::complaint::{Code, Complaint};
use crate::mission::ground::Pace;
use crate::mission::hold::Terms;
use crate::mission::opening::{self, NewMission};
use crate::mission::stage::{self, Audience, Means};
use crate::project::config::{self, Config, Headless};
use crate::project::papers::Papers;
use crate::project::{home, scroll};
use crate::terminal::console::Style;
use crate::terminal::{console, screen, signals};
use crate::{clock, limits, terminal};

use super::conducting::Parts;
use super::ground_finding::Site;
use super::{Desk, claude, conducting, trust};

/// What the screen says where nothing asks.
pub(super) const OPEN: &str = "  ! policy open: agents run every command unasked";

impl RunArgs {
    /// `arbiter FILE.md`.
    pub fn with(file: PathBuf) -> RunArgs {
        RunArgs { file: Some(file), ..RunArgs::blank() }
    }

    /// As if nothing had been typed.
    pub fn blank() -> RunArgs {
        RunArgs {
            file: None,
            task: None,
            way: Way::Council,
            dry_run: false,
            headless: false,
            json: false,
            yes: false,
            provider: None,
            rehearsal: None,
            pace: Pace::Fast,
            dirty: None,
            init: false,
            in_place: false,
            without_scroll: false,
            gitignore: false,
        }
    }
}

/// Runs a mission over this repository.
pub fn mission(desk: &Desk, args: RunArgs) -> Result<Code, Complaint> {
    let conducted = args.way == Way::Conductor;
    if args.dry_run && !conducted {
        return Err(Complaint::new(Code::Usage, "a council makes no plan beforehand")
            .hint("--dry-run goes with --way conductor"));
    }
    let scroll = match (&args.file, &args.task) {
        (Some(file), _) => Some(scroll::read_scroll(file)?),
        (None, Some(task)) => Some(scroll::from_task(task)?),
        (None, None) => args.without_scroll.then(scroll::none),
    };
    let runtime = runtime()?;
    let typing = !args.headless && terminal::is_there();
    // A dry run is a plan, printed.
    let lines = |audience: Audience| Audience { theme: audience.theme.filter(|_| !args.dry_run), ..audience };
    if let Some(theme) = lines(audience(desk, args.json, typing)).theme {
        raise(&runtime, theme, desk.manners().manner);
    }
    let site = runtime.block_on(Site::look(desk, &args))?;
    let papers = Papers::read(&site.root);
    let config = trust::sound(desk, &papers)?;
    let provider = provider(&args, &config.provider.value)?;
    let script = match provider.as_str() {
        name if name == Provider::Claude.name() => None,
        _ => Some(read_script(args.rehearsal.as_deref())?),
    };
    let (text, script) = script.unzip();
    if let Some(script) = &script {
        fits(script, conducted)?;
    }
    let scroll = scroll.or_else(|| script.as_ref().map(scripted)).ok_or_else(|| {
        Complaint::new(Code::Usage, "nothing says what the mission is to do")
            .hint("name the requirements: `arbiter run FILE.md`, or `arbiter run --task TEXT`")
    })?;
    let routing = config.claude_routing.value;
    let claude = match claude::options(&config, routing) {
        Err(missing) if provider == Provider::Claude.name() => return Err(claude::complain(&missing)),
        found => found.ok(),
    };
    let played = script.as_ref().is_some_and(|script| !script.human.is_empty());
    // The conductor begins by itself.
    if !typing && !args.headless && !args.yes && !played && !conducted {
        return Err(Complaint::new(Code::Usage, "nobody is at the terminal to say yes").hint(
            "--headless puts its questions, the yes too, into the docket (`arbiter inbox`); with --yes it begins by policy",
        ));
    }
    let away = match config.headless.value {
        // Whoever plays the human's part is there.
        Headless::Petition if !played => WhenAway::Petition,
        Headless::Petition | Headless::Refuse => WhenAway::Refuse,
    };
    let consent = match (args.yes, typing || played || away == WhenAway::Petition) {
        _ if conducted => Consent::Policy("conductor".to_owned()),
        (true, _) => Consent::Policy("yes-flag".to_owned()),
        (false, true) => Consent::Ask,
        (false, false) => Consent::Policy("headless".to_owned()),
    };
    let config = trust::settle(desk, &papers, config, typing && !args.json)?;
    let mut checks = config.check_argvs();
    if checks.is_empty() {
        checks = script.map(|script| script.checks).unwrap_or_default();
    }
    let Parts { agents, notes, conducting } = conducting::parts(desk, &papers, &config, &args, &provider)?;
    let means = conducting::means(desk, &site.root, Some(&config), &agents, &notes);
    let api = match config.by_api.value {
        true if !conducted => Some(conducting::arbiter_options(&config)?),
        true | false => None,
    };
    let id = new_id();
    let charter = Charter {
        away,
        mission: id.clone(),
        seed: host::dice(),
        scroll,
        consent,
        checks,
        check_limit_ms: config.check_limit.value.as_millis() as u64,
        seats: seats(&provider, config.claude_model.value.as_deref(), api.as_ref()),
        providers: capabilities(routing, text.is_some(), api.is_some()),
        warnings: config.warnings(),
        patience: config.patience(),
        prompts: config.prompts.clone(),
        rules: scroll::read_rules(&site.root)?,
        policy: config.policy(),
        agents,
        notes,
        conducting,
    };
    let site_root = site.root.clone();
    let survey = sandbox::survey();
    let terms = Terms::of(&config);
    let level = terms.level(&survey, provider == Provider::Claude.name())?;
    let journals = desk.journals_to_write()?;
    let ground = runtime.block_on(site.settle(desk, &args, &id))?;
    let hold = Arc::new(terms.site(survey, level, &desk.places, &id, &ground));
    let audience = lines(audience(desk, args.json, typing));
    greet(&charter, audience);
    let source = ground.source.clone();
    let new = NewMission { charter, ground, script: text };
    let opened = opening::open(new, &journals, &desk.registry(), clock::now());
    let folder = opened.inspect_err(|_| drop(runtime.block_on(workspace::forget_base(&source, &id.0))))?;
    if args.gitignore {
        // Not before the mission has its base: the change is the user's, and none that it should ask about.
        super::start::ignore_missions(&site_root);
    }
    let (docket, away_after) = docket_of(desk, Some(&config));
    perform(
        runtime,
        folder,
        Means {
            journals,
            store: desk.places.rehearsal(),
            claude,
            hold,
            docket,
            away_after,
            conducting: means,
            api: conducting::api_of(Some(&config), api),
            sound: desk.sound(),
        },
        audience,
    )
}

/// Where questions wait for somebody who is away, and when they are. A configuration that cannot be read moves nothing.
pub(super) fn docket_of(desk: &Desk, config: Option<&Config>) -> (Docket, Duration) {
    match config {
        Some(config) => (Docket::at(config.docket_dir.value.clone()), config.away_after.value),
        None => (Docket::at(desk.places.home.join("queue")), config::AWAY_AFTER_DEFAULT),
    }
}

/// An actor of the rehearsal.
pub fn act(args: Vec<OsString>) -> Code {
    let code = rehearsal::actor::run(std::io::stdin(), std::io::stdout(), args);
    if code == std::process::ExitCode::SUCCESS { Code::Done } else { Code::Failed }
}

pub(super) fn perform(
    runtime: tokio::runtime::Runtime,
    folder: PathBuf,
    means: Means,
    audience: Audience,
) -> Result<Code, Complaint> {
    home::make_private(&means.store)?;
    let code = runtime.block_on(stage::perform(folder, means, audience));
    // What is still stuck somewhere ends with the program.
    runtime.shutdown_timeout(limits::SHUTDOWN);
    code
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Complaint> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Complaint::new(Code::Failed, format!("the system gives no threads: {error}")))
}

pub(super) fn new_id() -> MissionId {
    home::new_mission_id(clock::now(), &jiff::tz::TimeZone::system(), host::dice())
}

fn provider(args: &RunArgs, configured: &str) -> Result<String, Complaint> {
    if args.rehearsal.is_some() {
        return Ok("rehearsal".to_owned());
    }
    let name = args.provider.as_deref().unwrap_or(configured);
    if !super::desk::workers().contains(&name) {
        let known = super::desk::workers().join(", ");
        return Err(Complaint::new(Code::Usage, format!("there is no provider {name:?}"))
            .hint(format!("this version has: {known}")));
    }
    Ok(name.to_owned())
}

/// A rehearsal without a script.
pub(super) fn no_script() -> Complaint {
    Complaint::new(Code::Provider, "the rehearsal provider plays a script, and none was named")
        .hint("name one with `arbiter run --rehearsal SCRIPT`, or see `arbiter demo` play the built-in one")
}

/// Reads a script and judges it whole, before anything begins.
fn read_script(path: Option<&std::path::Path>) -> Result<(String, rehearsal::Script), Complaint> {
    let Some(path) = path else {
        return Err(no_script());
    };
    let script = rehearsal::Script::load(path).map_err(|error| bad_script(&error))?;
    for argv in &script.checks {
        workspace::Check::parse(workspace::Written::Argv(argv.clone()))?;
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Complaint::new(Code::Usage, format!("cannot read {}: {error}", path.display())))?;
    Ok((text, script))
}

pub(super) fn bad_script(error: &rehearsal::ScriptError) -> Complaint {
    let mut complaint = Complaint::of(Code::Usage, error);
    complaint.hint = Some(error.hint());
    complaint
}

pub(super) fn scripted(script: &rehearsal::Script) -> Scroll {
    let text = script.scroll.as_str().into();
    Scroll { name: script.title.clone(), path: scroll::SCROLL_PATH.to_owned(), text }
}

/// All seats for one provider. The configured model is one of Claude Code.
pub(super) fn seats(provider: &str, model: Option<&str>, api: Option<&api::Options>) -> RoleProviders {
    let model = model.filter(|_| provider == Provider::Claude.name()).map(str::to_owned);
    let seat = Seat { provider: provider.to_owned(), model };
    let by_api =
        api.map(|api| Seat { provider: Provider::Api.name().to_owned(), model: Some(api.model.clone()) });
    RoleProviders {
        arbiter: by_api.unwrap_or_else(|| seat.clone()),
        orchestrator: seat.clone(),
        verifier: seat,
    }
}

/// Who may be summoned: an actor only where there is a script to play.
pub(super) fn capabilities(routing: Routing, scripted: bool, by_api: bool) -> BTreeMap<String, Capabilities> {
    let typed = routing == Routing::Typed;
    let claude = (Provider::Claude.name().to_owned(), Capabilities { steers: true, typed });
    let actor = ("rehearsal".to_owned(), Capabilities { steers: true, typed: true });
    let api = by_api.then(|| (Provider::Api.name().to_owned(), Provider::Api.entry().capabilities));
    [claude].into_iter().chain(scripted.then_some(actor)).chain(api).collect()
}

/// A script is for one way of working, or for both.
fn fits(script: &rehearsal::Script, conducted: bool) -> Result<(), Complaint> {
    let (played, is, other) = if conducted {
        (!script.agents.is_empty(), "no `agents:` to play", "leave out --way conductor")
    } else {
        (!script.arbiter.is_empty(), "`agents:` only, for a conducted mission", "add --way conductor")
    };
    if played {
        return Ok(());
    }
    Err(Complaint::new(Code::Usage, format!("the rehearsal {:?} has {is}", script.title))
        .hint(format!("{other}, or choose another script (docs/rehearsal.md)")))
}

pub(super) fn audience(desk: &Desk, json: bool, typing: bool) -> Audience {
    let style = if json { Style::Json } else { Style::Text };
    let theme = desk.theme.filter(|_| typing && !json);
    let manner = theme.map(|_| desk.manners().manner).unwrap_or_default();
    Audience { style, typing, from_start: true, theme, manner }
}

/// What takes time is done behind a curtain.
pub(super) fn raise(runtime: &tokio::runtime::Runtime, theme: Theme, manner: Manner) {
    let _inside = runtime.enter();
    signals::watch_curtain();
    screen::raise(theme, manner);
}

pub(super) fn greet(charter: &Charter, audience: Audience) {
    if audience.prints() {
        let _ = console::write(&[
            (Ink::Name, "THE ARBITER".to_owned()),
            (Ink::House, format!("  = mission {}: {}", charter.mission, scroll::title(&charter.scroll))),
        ]);
        if charter.policy.mode == Mode::Open {
            let _ = console::write(&[(Ink::Bad, OPEN.to_owned())]);
        }
    }
}
