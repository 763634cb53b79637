//! `run`, `demo` and `resume`: three ways to put a mission on the stage.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use docket::Docket;
use mind::charter::{Away, Capabilities, Charter, Consent, Patience, Scroll, Seat, Seats, Warnings};
use mind::conductor::{Agent, Note, Podium};
use mind::policy::{Mode, Policy};
use mind::{MissionId, State};
use providers::claude::Routing;
use providers::{api, cage, rehearsal, workshop};
use tui::theme::Theme;

use crate::chronicle::Chronicle;
use crate::cli::{DemoArgs, ResumeArgs, RunArgs, Way};
use crate::complaint::{Code, Complaint};
use crate::config::{self, CHECK_LIMIT_DEFAULT, Config, Headless};
use crate::console::Style;
use crate::ground::{Ground, Pace};
use crate::hold::{self, Terms};
use crate::home::MissionPlaces;
use crate::opening::{self, NewMission};
use crate::papers::Papers;
use crate::stage::{self, Audience, Means};
use crate::{clock, console, hands, home, limits, screen, scroll, signals, terminal};
use tui::narrate::{self, Ink};

use super::conducting::Parts;
use super::ground_finding::Site;
use super::{Desk, claude, conducting, discard, leftovers, trust};

/// What the screen says where nothing asks.
const OPEN: &str = "  ! policy open: agents run every command unasked";

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
    if let Some(theme) = audience(desk, args.json, typing).theme {
        raise(&runtime, theme);
    }
    let site = runtime.block_on(Site::look(desk, &args))?;
    let papers = Papers::read(&site.root);
    let config = trust::sound(desk, &papers)?;
    let provider = provider(&args, &config.provider.value)?;
    let script = match provider.as_str() {
        claude::NAME => None,
        _ => Some(read_script(args.rehearsal.as_deref())?),
    };
    let (text, script) = script.unzip();
    let scroll = scroll.or_else(|| script.as_ref().map(scripted)).ok_or_else(|| {
        Complaint::new(Code::Usage, "nothing says what the mission is to do")
            .hint("name the requirements: `arbiter run FILE.md`, or `arbiter run --task TEXT`")
    })?;
    let routing = config.claude_routing.value;
    let claude = match claude::options(&config, routing) {
        Err(missing) if provider == claude::NAME => return Err(claude::complain(&missing)),
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
        Headless::Petition if !played => Away::Petition,
        Headless::Petition | Headless::Refuse => Away::Refuse,
    };
    let consent = match (args.yes, typing || played || away == Away::Petition) {
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
    let api = match config.conduct.by_api.value {
        true if !conducted => Some(conducting::arbiter_options(&config)?),
        true | false => None,
    };
    let id = new_id();
    let charter = Charter {
        away,
        mission: id.clone(),
        seed: home::throw_dice(),
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
    let survey = cage::survey();
    let terms = Terms::of(&config);
    let level = terms.level(&survey, provider == claude::NAME)?;
    let ground = runtime.block_on(site.settle(desk, &args, &id))?;
    let hold = Arc::new(terms.site(survey, level, &desk.places, &id, &ground));
    let audience = audience(desk, args.json, typing);
    greet(&charter, audience);
    let source = ground.source.clone();
    let opened = opening::open(NewMission { charter, ground, script: text }, &desk.registry(), clock::now());
    let folder = opened.inspect_err(|_| drop(runtime.block_on(workshop::forget_base(&source, &id.0))))?;
    if args.gitignore {
        // Not before the mission has its base: the change is the user's, and none that it should ask about.
        super::start::ignore_missions(&site_root);
    }
    let (docket, away_after) = docket_of(desk, Some(&config));
    perform(
        runtime,
        folder,
        Means { store: desk.places.rehearsal(), claude, hold, docket, away_after, conducting: means, api },
        audience,
    )
}

/// Plays the built-in rehearsal in a scratch repository.
pub fn demo(desk: &Desk, args: &DemoArgs) -> Result<Code, Complaint> {
    let text = match args.way {
        Way::Council => rehearsal::DEMO,
        Way::Conductor => rehearsal::DEMO_CONDUCTED,
    };
    let script = rehearsal::Script::parse(text).map_err(|error| bad_script(&error))?;
    let Parts { agents, notes, conducting } = conducting::rehearsed(args.way)?;
    let id = new_id();
    let runtime = runtime()?;
    let typing = !args.headless && terminal::is_there();
    if let Some(theme) = audience(desk, args.json, typing).theme {
        raise(&runtime, theme);
    }
    let charter = Charter {
        away: Away::Refuse,
        mission: id.clone(),
        seed: home::throw_dice(),
        scroll: scripted(&script),
        consent: Consent::Ask,
        checks: script.checks,
        check_limit_ms: CHECK_LIMIT_DEFAULT.as_millis() as u64,
        seats: seats("rehearsal", None, None),
        providers: capabilities(Routing::default(), true, false),
        warnings: Warnings::default(),
        patience: Patience::default(),
        prompts: BTreeMap::new(),
        rules: None,
        policy: Policy::default(),
        agents,
        notes,
        conducting,
    };
    let audience = audience(desk, args.json, typing);
    greet(&charter, audience);
    let source = desk.places.scratch_of(&id);
    let files: Vec<(&str, &str)> =
        script.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let base = runtime.block_on(workshop::scratch(&source, &files))?;
    let ground = Ground {
        project: desk.here.clone(),
        source,
        base: base.commit,
        clone: desk.places.clone_of(&id),
        scratch: true,
        snapshot: false,
        in_place: false,
        pace: args.pace,
    };
    let new = NewMission { charter, ground, script: Some(text.to_owned()) };
    let hold = hold::settle(Terms::default(), false, &desk.places, &id, &new.ground)?;
    let folder = opening::open(new, &desk.registry(), clock::now())?;
    let (docket, away_after) = docket_of(desk, None);
    let store = desk.places.rehearsal();
    perform(
        runtime,
        folder,
        Means { store, claude: None, api: None, hold, docket, away_after, conducting: Default::default() },
        audience,
    )
}

/// Goes on with a mission.
pub fn resume(desk: &Desk, args: &ResumeArgs) -> Result<Code, Complaint> {
    let (id, places) = match &args.id {
        Some(typed) => desk.named(typed)?,
        None => newest_unfinished(desk)?,
    };
    // A mission holds commands that run here: one that came with a repository must not.
    desk.own(&id, "its checks and programs would run here; look at it with `arbiter show`, and begin your own with `arbiter run`")?;
    discard::refuse_discarded(&id, &places)?;
    let state = Chronicle::peek(&places.journal()).map_err(|error| stage::refuse(&error, &places.folder))?;
    if state.ended.is_some() {
        if living_holder(&places.journal()).is_none() {
            leftovers::withdraw(desk, &places, &state);
        }
        return Err(Complaint::new(Code::Usage, format!("mission {id} is over"))
            .hint(format!("`arbiter show {id}` tells how it ended; `arbiter run FILE.md` begins another")));
    }
    let typing = !args.headless && terminal::is_there();
    if !args.yes {
        mind_the_age(&id, &state, typing)?;
    }
    if let Some(pid) = living_holder(&places.journal()) {
        let held = journal::JournalError::Held { path: places.journal(), pid };
        return Err(stage::refuse(&held.into(), &places.folder));
    }
    let runtime = runtime()?;
    if let Some(theme) = audience(desk, args.json, typing).theme {
        raise(&runtime, theme);
    }
    let means = take_up(desk, &id, &places, &state)?;
    let audience = Audience { from_start: false, ..audience(desk, args.json, typing) };
    recall(&id, &state, audience);
    // The stage reads its own.
    drop(state);
    perform(runtime, places.folder, means, audience)
}

/// Who holds a journal and lives. A house that was killed may leave a child between fork and exec, which holds the lock
/// for another moment.
pub(super) fn living_holder(journal: &std::path::Path) -> Option<u32> {
    for _ in 0..limits::DEAD_HOLDER_TRIES {
        let pid = journal::holder(journal)?;
        let holder = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        if holder.is_none_or(|holder| rustix::process::test_kill_process(holder).is_ok()) {
            return Some(pid);
        }
        std::thread::sleep(limits::DEAD_HOLDER_PAUSE);
    }
    journal::holder(journal)
}

/// Claude Code for a mission that goes on, and what holds its processes now. One that can go on without Claude Code needs
/// no sound configuration either.
fn take_up(desk: &Desk, id: &MissionId, places: &MissionPlaces, state: &State) -> Result<Means, Complaint> {
    let ground = stage::ground_of(&places.folder)?;
    let is_needed = state.charter.as_deref().is_some_and(claude::is_needed);
    let config = desk.config(&ground.project);
    let found = match (&config, &state.charter) {
        (Ok(config), Some(charter)) => {
            trust::remind(config);
            claude::options(config, claude::routing(charter)).map_err(|missing| claude::complain(&missing))
        }
        (Ok(_), None) | (Err(_), _) => Err(Complaint::new(Code::Provider, "Claude Code is not known")),
    };
    let terms = config.as_ref().map(Terms::of).unwrap_or_default();
    let (docket, away_after) = docket_of(desk, config.as_ref().ok());
    let conducting = taken_up(desk, &ground.project, config.as_ref().ok(), state);
    let by_api = state.charter.as_ref().is_some_and(|charter| charter.seats.arbiter.provider == api::NAME);
    let api = match &config {
        Ok(config) if by_api => Some(conducting::arbiter_options(config)?),
        Ok(_) | Err(_) => None,
    };
    if is_needed || by_api {
        config?;
    }
    let claude = if is_needed { Some(found?) } else { found.ok() };
    let hold = hold::settle(terms, is_needed, &desk.places, id, &ground)?;
    Ok(Means { store: desk.places.rehearsal(), claude, api, hold, docket, away_after, conducting })
}

/// Agents and notes as the mission knows them, to be looked at again.
fn taken_up(desk: &Desk, project: &Path, config: Option<&Config>, state: &State) -> hands::conducting::Means {
    let charter = state.charter.as_deref();
    let known = |podium: &Podium| -> (Vec<Agent>, Vec<Note>) {
        (podium.agents.to_vec(), podium.notes.iter().map(|note| note.as_ref().clone()).collect())
    };
    let opened = || charter.map(|charter| (charter.agents.clone(), charter.notes.clone()));
    let (agents, notes) = state.podium.as_ref().map(known).or_else(opened).unwrap_or_default();
    conducting::means(desk, project, config, &agents, &notes)
}

/// Where questions wait for somebody who is away, and when they are. A configuration that cannot be read moves nothing.
fn docket_of(desk: &Desk, config: Option<&Config>) -> (Docket, Duration) {
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

fn perform(
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

fn new_id() -> MissionId {
    home::new_mission_id(clock::now(), &jiff::tz::TimeZone::system(), home::throw_dice())
}

fn provider(args: &RunArgs, configured: &str) -> Result<String, Complaint> {
    if args.rehearsal.is_some() {
        return Ok("rehearsal".to_owned());
    }
    let name = args.provider.as_deref().unwrap_or(configured);
    if !super::desk::PROVIDERS.contains(&name) {
        let known = super::desk::PROVIDERS.join(", ");
        return Err(Complaint::new(Code::Usage, format!("there is no provider {name:?}"))
            .hint(format!("this version has: {known}")));
    }
    Ok(name.to_owned())
}

/// Reads a script and judges it whole, before anything begins.
fn read_script(path: Option<&std::path::Path>) -> Result<(String, rehearsal::Script), Complaint> {
    let Some(path) = path else {
        return Err(Complaint::new(
            Code::Provider,
            "the rehearsal provider plays a script, and none was named",
        )
        .hint("name one with --rehearsal SCRIPT, or see `arbiter demo` play the built-in one"));
    };
    let script = rehearsal::Script::load(path).map_err(|error| bad_script(&error))?;
    for argv in &script.checks {
        workshop::Check::parse(workshop::Written::Argv(argv.clone()))?;
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Complaint::new(Code::Usage, format!("cannot read {}: {error}", path.display())))?;
    Ok((text, script))
}

fn bad_script(error: &rehearsal::ScriptError) -> Complaint {
    let mut complaint = Complaint::of(Code::Usage, error);
    complaint.hint = Some(error.hint());
    complaint
}

fn scripted(script: &rehearsal::Script) -> Scroll {
    let text = script.scroll.as_str().into();
    Scroll { name: script.title.clone(), path: scroll::SCROLL_PATH.to_owned(), text }
}

/// All seats for one provider. The configured model is one of Claude Code.
fn seats(provider: &str, model: Option<&str>, api: Option<&api::Options>) -> Seats {
    let model = model.filter(|_| provider == claude::NAME).map(str::to_owned);
    let seat = Seat { provider: provider.to_owned(), model };
    let by_api = api.map(|api| Seat { provider: api::NAME.to_owned(), model: Some(api.model.clone()) });
    Seats { arbiter: by_api.unwrap_or_else(|| seat.clone()), orchestrator: seat.clone(), verifier: seat }
}

/// Who may be summoned: an actor only where there is a script to play.
fn capabilities(routing: Routing, scripted: bool, by_api: bool) -> BTreeMap<String, Capabilities> {
    let typed = routing == Routing::Typed;
    let claude = (claude::NAME.to_owned(), Capabilities { steers: true, typed });
    let actor = ("rehearsal".to_owned(), Capabilities { steers: true, typed: true });
    let api = by_api.then(|| (api::NAME.to_owned(), api::CAPABILITIES));
    [claude].into_iter().chain(scripted.then_some(actor)).chain(api).collect()
}

fn audience(desk: &Desk, json: bool, typing: bool) -> Audience {
    let style = if json { Style::Json } else { Style::Text };
    let theme = desk.theme.filter(|_| typing && !json);
    Audience { style, typing, from_start: true, theme }
}

/// What takes time is done behind a curtain.
pub(super) fn raise(runtime: &tokio::runtime::Runtime, theme: Theme) {
    let _inside = runtime.enter();
    signals::watch_curtain();
    screen::raise(theme);
}

fn greet(charter: &Charter, audience: Audience) {
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

fn recall(id: &MissionId, state: &State, audience: Audience) {
    if audience.prints() {
        let said = state.talk.len();
        let mut lines = vec![
            (Ink::Name, "THE ARBITER".to_owned()),
            (Ink::House, format!("  = mission {id} goes on: {said} messages so far")),
        ];
        if state.charter.as_ref().is_some_and(|charter| charter.policy.mode == Mode::Open) {
            lines.push((Ink::Bad, OPEN.to_owned()));
        }
        for (session, ask) in state.asks().filter(|(_, ask)| ask.answer.is_none()) {
            let (name, what) = (session.profile.speaker(), mind::show::line(&ask.question.what));
            // It is shown whole when it is asked again.
            lines.push((Ink::House, format!("  = {} of {name} waits for your word: {what}", ask.id)));
        }
        if state.paused {
            lines.push((Ink::Bad, format!("  = it is paused: `arbiter mission resume {id}` goes on")));
        }
        // Whoever comes back wants to know what is asked.
        let question = state.question.and_then(|question| state.message(question));
        lines.extend(question.map(narrate::said).unwrap_or_default());
        let _ = console::write(&lines);
    }
}

/// The newest mission that can go on. One that cannot be read is told, and hides no other.
fn newest_unfinished(desk: &Desk) -> Result<(MissionId, MissionPlaces), Complaint> {
    let mut unreadable = Vec::new();
    let mut found = None;
    for (id, places) in desk.newest_first()? {
        match Chronicle::peek(&places.journal()) {
            Ok(_) if places.discarded().exists() => {}
            Ok(state) if state.ended.is_some() => {
                if journal::holder(&places.journal()).is_none() {
                    leftovers::withdraw(desk, &places, &state);
                }
            }
            Ok(_) => {
                found = Some((id, places));
                break;
            }
            Err(error) => unreadable.push((id, stage::refuse(&error, &places.folder))),
        }
    }
    if found.is_none() && !unreadable.is_empty() {
        return Err(unreadable.swap_remove(0).1);
    }
    for (id, complaint) in &unreadable {
        console::remark(format!("note: mission {id} is passed over: {}", complaint.cause));
    }
    found.ok_or_else(|| {
        Complaint::new(Code::Usage, "there is no unfinished mission here")
            .hint("`arbiter missions --all` lists those of all projects; `arbiter demo` plays one")
    })
}

/// A mission that rested for long may no longer be wanted.
fn mind_the_age(id: &MissionId, state: &State, typing: bool) -> Result<(), Complaint> {
    let age = clock::now().0.saturating_sub(state.now.0);
    if age <= limits::RESUME_AGE_MS {
        return Ok(());
    }
    let age = clock::span(age);
    if !typing {
        return Err(Complaint::new(Code::Usage, format!("mission {id} has rested for {age}"))
            .hint(format!("`arbiter resume {id} --yes` goes on all the same")));
    }
    let _ = console::ask(&format!("Mission {id} has rested for {age}. Go on? [y/N]"));
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Complaint::new(Code::Cancelled, "left as it is")),
    }
}
