//! `adopt`: takes up missions that the registry does not have in their folder. One of this user's, by its seal, goes on
//! under its id: entry and `ground.json` are written anew, and nothing that the seal does not cover is believed. A copy,
//! and one of another user's, becomes a new mission with its charter and its work; the other user's after a look.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mind::charter::{Charter, Consent, WhenAway};
use mind::policy::PolicyMode;
use mind::{MissionId, State};
use providers::Provider;
use providers::limits::SCRIPT_BYTES_MAX;
use providers::rehearsal::RehearsalScript;
use view::refusal::JournalTrouble;
use workspace::WorkspaceError;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{AdoptArgs, RunArgs};
use crate::mission::fact_log::{self, FactLogError};
use crate::mission::opening::{self, NewMission};
use crate::mission::port::MissionPort as _;
use crate::mission::refusal;
use crate::mission::repo_location::RepoLocation;
use crate::project::home::{MissionPlaces, Project, parse_mission_id};
use crate::project::registry::{self, RegistryEntry};
use crate::project::requirements;
use crate::terminal::console::{self, LineInk};
use crate::{clock, terminal};

use super::locate_repo::{self, LaunchFolder};
use super::ownership::Ownership;
use super::{CommandContext, context, resume, run};

/// A copy, or another user's mission: a new one can be made of it.
struct MissionTemplate {
    id: MissionId,
    places: MissionPlaces,
    /// What the journal of a copy adds up to; none if it is another user's.
    copied: Option<Arc<State>>,
}

/// What became of one mission of the folder.
enum Looked {
    Listed,
    Discarded,
    TakenUp(Arc<State>),
    Template(MissionTemplate),
}

pub fn adopt(context: &CommandContext, args: &AdoptArgs) -> Result<ExitCode, CliError> {
    context::refuse_agents()?;
    let (named, is_one) = named(&args.path)?;
    let (mut others, mut failed) = (Vec::new(), Vec::new());
    let mut is_mine = false;
    for (id, places) in named {
        match look(context, &id, &places) {
            Ok(Looked::Template(other)) => others.push(other),
            Ok(looked) => {
                is_mine = true;
                tell(&id, &looked);
            }
            Err(error) if is_one => return Err(error),
            Err(error) => failed.push((id, error)),
        }
    }
    for (id, error) in &failed {
        let hint = error.hint.as_ref().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
        console::remark(format!("note: mission {id} is not taken up: {}{hint}", error.cause));
    }
    match others.as_slice() {
        [other] if !is_mine && failed.is_empty() => return begin_anew(context, args, other),
        // A project with missions in good order may hold copies: each is begun anew only by its own name.
        [first, ..] if !is_mine && failed.is_empty() => {
            let cause =
                format!("{} missions in {} are copies, or not yours", others.len(), args.path.display());
            return Err(CliError::new(ExitCode::Usage, cause)
                .hint(format!("name the folder of one: `arbiter adopt {}`", first.places.folder.display())));
        }
        others => {
            for MissionTemplate { id, places, copied } in others {
                let what = if copied.is_some() { "a copy" } else { "not yours" };
                let folder = places.folder.display();
                console::remark(format!(
                    "note: mission {id} is {what}; `arbiter adopt {folder}` makes a mission of your own of it"
                ));
            }
        }
    }
    match failed.len() {
        0 => Ok(ExitCode::Done),
        count => Err(CliError::new(
            ExitCode::Failed,
            format!("{count} missions in {} are not taken up", args.path.display()),
        )
        .hint("each is named above, with what to do; then the same command once more")),
    }
}

/// Looks whose a mission is, and takes up one of this user's that the registry does not have there.
fn look(context: &CommandContext, id: &MissionId, places: &MissionPlaces) -> Result<Looked, CliError> {
    let ownership = Ownership::of(context, id, places)?;
    if ownership == Ownership::Listed {
        return Ok(Looked::Listed);
    }
    let state = match context.port(places)?.state() {
        Ok(state) => state,
        Err(refusal) if matches!(refusal.trouble, JournalTrouble::Foreign { line: 1 }) => {
            return Ok(Looked::Template(MissionTemplate {
                id: id.clone(),
                places: places.clone(),
                copied: None,
            }));
        }
        // What cannot be read now is no other user's.
        Err(refusal) => return Err(refusal.into()),
    };
    if places.is_discarded()? {
        return Ok(Looked::Discarded);
    }
    if matches!(ownership, Ownership::Copy { .. }) {
        return Ok(Looked::Template(MissionTemplate {
            id: id.clone(),
            places: places.clone(),
            copied: Some(state),
        }));
    }
    take_up(context, id, places)?;
    Ok(Looked::TakenUp(state))
}

fn tell(id: &MissionId, looked: &Looked) {
    match looked {
        Looked::Listed => console::line(format!("mission {id} is in the list of your missions already")),
        Looked::Discarded => {
            console::line(format!("mission {id} was discarded: there is nothing to take up"));
        }
        Looked::TakenUp(state) => {
            let title = view::mission::title(state);
            console::line(format!("mission {id} is in the list of your missions again: {title}"));
            console::remark(if state.ended.is_some() {
                format!(
                    "hint: it is over: `arbiter show {id}` shows how it ended, `arbiter merge {id}` brings its work over"
                )
            } else {
                format!("hint: `arbiter resume {id}` continues it")
            });
        }
        Looked::Template(_) => {}
    }
}

/// The missions that a path names: a mission's own folder, or all of a project; and whether it is the first.
fn named(path: &Path) -> Result<(Vec<(MissionId, MissionPlaces)>, bool), CliError> {
    let folder = fs::canonicalize(path).map_err(|error| {
        CliError::new(ExitCode::Usage, format!("cannot look at {}: {error}", path.display()))
            .hint("name a project that holds missions in .arbiter/missions, or the folder of one mission")
    })?;
    let own_name = folder.file_name().and_then(|name| parse_mission_id(&name.to_string_lossy()).ok());
    let is_mission = folder.parent().is_some_and(|parent| parent.ends_with(".arbiter/missions"));
    if let Some(id) = own_name.filter(|_| is_mission) {
        return Ok((vec![(id, MissionPlaces { folder })], true));
    }
    let project = Project { root: folder };
    let missions = project.missions()?;
    if missions.is_empty() {
        let cause = format!("there is no mission in {}", project.folder().join("missions").display());
        return Err(CliError::new(ExitCode::Usage, cause).hint("name the project that holds it"));
    }
    Ok((missions.into_iter().map(|id| (id.clone(), project.mission(&id))).collect(), false))
}

/// Takes up a mission of this user's in the folder where it lies now: verifies its journal, finds its repository, and
/// writes its location and its entry of the registry anew.
pub(super) fn take_up(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
) -> Result<(), CliError> {
    let state = context.port(places)?.state()?;
    let charter = state.charter.as_ref().filter(|charter| charter.mission == *id).ok_or_else(|| {
        CliError::new(
            ExitCode::Failed,
            format!("the journal in the folder of mission {id} is that of another"),
        )
        .hint("nothing was changed; put each mission's own journal back, or remove the folder")
    })?;
    if let Some(pid) = resume::living_holder(places) {
        let held = journal::JournalError::Held { path: places.journal(), pid };
        return Err(refusal::refuse(&held.into(), &places.folder));
    }
    let project = project_of(places);
    let location = run::runtime()?.block_on(locate(context, id, places, &project, &state))?;
    let disk = |error: io::Error| {
        CliError::new(ExitCode::Failed, format!("cannot write in {}: {error}", places.folder.display()))
            .hint("is there room on the disk, and may you write there?")
    };
    forget_launches(places).map_err(disk)?;
    location.write(&places.folder).map_err(disk)?;
    let inode = registry::inode_of(&places.folder).map_err(disk)?;
    let title = requirements::title(&charter.scroll);
    // The entry comes last: with it the mission counts as the user's own.
    context.registry().put(&RegistryEntry {
        id: id.clone(),
        project,
        title,
        opened_at_ms: state.opened_at,
        inode: Some(inode),
    })?;
    Ok(())
}

/// The project that a mission's folder lies in.
fn project_of(places: &MissionPlaces) -> PathBuf {
    places.folder.ancestors().nth(3).unwrap_or(&places.folder).to_path_buf()
}

/// What the sessions were started with lies unsealed beside the journal: it is made again from the sealed facts.
fn forget_launches(places: &MissionPlaces) -> io::Result<()> {
    let entries = match fs::read_dir(places.sessions()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".start.json") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Where the mission works now. Its repository is the one that holds the ref of its base; its clone is where this user's
/// clones are.
async fn locate(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
    project: &Path,
    state: &State,
) -> Result<RepoLocation, CliError> {
    let written = RepoLocation::read(&places.folder).ok();
    let folders = context.places.folders();
    let scratch = context.places.scratch_of(id);
    let kept = written.as_ref().map(|written| written.source.clone());
    let kept = kept.filter(|source| source.parent() == Some(folders.as_path()));
    let own = workspace::own_repository(&folders, project);
    for source in [Some(scratch.clone()), kept, Some(own), Some(project.to_path_buf())].into_iter().flatten()
    {
        let is_folder = host::files::is_folder(&source).map_err(|error| {
            CliError::new(ExitCode::Failed, format!("cannot look at {}: {error}", source.display()))
        })?;
        let base = match is_folder {
            true => found(workspace::pinned_base(&source, &id.0).await)?,
            false => None,
        };
        let Some(base) = base else { continue };
        let sealed = state.clone_place.as_ref().map(|place| place.base.to_string());
        return Ok(RepoLocation {
            project: project.to_path_buf(),
            base: sealed.unwrap_or(base),
            clone: context.places.clone_of(id),
            scratch: source == scratch,
            snapshot: written.as_ref().is_some_and(|written| written.snapshot),
            in_place: source.parent() == Some(folders.as_path()),
            pace: written.map(|written| written.pace).unwrap_or_default(),
            source,
        });
    }
    let cause =
        format!("no repository here has the work of mission {id}: {} has no such ref", project.display());
    Err(CliError::new(ExitCode::Failed, cause).hint(format!(
        "bring the repository back in which `git rev-parse refs/arbiter-base/{id}` finds a commit; nothing was changed"
    )))
}

/// A folder that is no repository has no commit of the mission's.
fn found(answer: Result<Option<String>, WorkspaceError>) -> Result<Option<String>, CliError> {
    match answer {
        Err(WorkspaceError::Git { said, .. }) if said.contains("not a git repository") => Ok(None),
        answer => Ok(answer?),
    }
}

/// Makes a new mission of a copy or of another user's: the same charter under a new id, from the work that was fetched.
fn begin_anew(
    context: &CommandContext,
    args: &AdoptArgs,
    other: &MissionTemplate,
) -> Result<ExitCode, CliError> {
    let MissionTemplate { id: old, places, copied } = other;
    let charter = match copied {
        Some(state) => state.charter.as_deref().cloned(),
        None => {
            let read = fact_log::unsealed_charter(&places.journal());
            read.map_err(|error: FactLogError| refusal::refuse(&error, &places.folder))?
        }
    };
    let charter = charter.ok_or_else(|| {
        CliError::new(
            ExitCode::Failed,
            format!("the journal of mission {old} does not say how it was opened"),
        )
        .hint("nothing was changed; `arbiter run FILE.md` begins a mission of your own")
    })?;
    let project = project_of(places);
    let written = RepoLocation::read(&places.folder).ok();
    if written.as_ref().is_some_and(|written| written.scratch) {
        return Err(CliError::new(
            ExitCode::Usage,
            format!("mission {old} is a demo over a repository of its own"),
        )
        .hint("`arbiter demo` plays another"));
    }
    let new = run::new_id();
    // What is shown is what will run: the same charter and the same bytes of the script. A script that no role plays from
    // would only answer in the person's place.
    let seats = [&charter.seats.arbiter, &charter.seats.orchestrator, &charter.seats.verifier];
    let is_played = seats
        .iter()
        .any(|seat| Provider::named(&seat.provider).is_ok_and(|provider| provider.entry().plays_script));
    let script = if is_played { script_of(places)? } else { None };
    let plays_nothing = charter.away == WhenAway::Scripted && script.is_none();
    let away = if plays_nothing { WhenAway::Refuse } else { charter.away };
    if copied.is_none() {
        show(context, old, &new, &charter, script.as_deref())?;
        consent(args)?;
    }
    let runtime = run::runtime()?;
    let journals = context.journals_to_write()?;
    let in_place = written.is_some_and(|written| written.in_place);
    let location = runtime.block_on(ground(context, &project, in_place, old, &new))?;
    let source = location.source.clone();
    let base = location.base.clone();
    // Whoever said yes to the plan said it to the other mission.
    let charter =
        Charter { mission: new.clone(), seed: host::dice(), consent: Consent::Ask, away, ..charter };
    let opened =
        opening::open(NewMission { charter, location, script }, &journals, &context.registry(), clock::now());
    opened.inspect_err(|_| drop(runtime.block_on(workspace::forget_base(&source, &new.0))))?;
    let short = base.get(..12).unwrap_or(&base);
    console::line(format!(
        "mission {new} has the requirements and the settings of {old}, and starts from commit {short}"
    ));
    console::remark(format!("hint: `arbiter resume {new}` begins it; mission {old} stays as it is"));
    Ok(ExitCode::Done)
}

/// The new mission's ground: the project as it is, from the old mission's work if it lies there.
async fn ground(
    context: &CommandContext,
    project: &Path,
    in_place: bool,
    old: &MissionId,
    new: &MissionId,
) -> Result<RepoLocation, CliError> {
    let args =
        RunArgs { in_place, headless: true, dirty: Some(super::cli::Dirty::Leave), ..RunArgs::blank() };
    let launch = LaunchFolder::find_at(project, &args).await?;
    let mut location = launch.prepare(context, &args, new).await?;
    if let Some(work) = found(workspace::fetched_work(&location.source, &old.0).await)? {
        workspace::forget_base(&location.source, &new.0).await?;
        workspace::pin_base(&location.source, &work, &new.0).await?;
        location.base = work;
    }
    Ok(location)
}

/// The script of a rehearsal, if the mission is one.
fn script_of(places: &MissionPlaces) -> Result<Option<String>, CliError> {
    let path = places.folder.join("rehearsal.yaml");
    match host::untrusted_files::read_text(&path, SCRIPT_BYTES_MAX) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            Err(CliError::new(ExitCode::Failed, format!("cannot read {}: {error}", path.display()))
                .hint("nothing was changed"))
        }
    }
}

/// Shows all of another user's mission that would run or bind something here.
fn show(
    context: &CommandContext,
    old: &MissionId,
    new: &MissionId,
    charter: &Charter,
    script: Option<&str>,
) -> Result<(), CliError> {
    let words = |argv: &Vec<String>| console::printable(&format!("{argv:?}"));
    let mut lines = vec![
        format!("mission {old} was not begun by you on this machine. As a mission of yours it would have:"),
        format!("  requirements  {}", console::printable(&requirements::title(&charter.scroll))),
        format!("  clone  {}", context.places.clone_of(new).display()),
        format!(
            "  policy  {}",
            match charter.policy.mode {
                PolicyMode::Guarded => "guarded",
                PolicyMode::Open => "open: agents run every command without asking you",
            }
        ),
    ];
    lines.extend(charter.policy.allow.iter().map(|argv| format!("    runs unasked: {}", words(argv))));
    lines.push("  checks, which run on this machine".to_owned());
    lines.extend(charter.checks.iter().map(|argv| format!("    {}", words(argv))));
    if charter.checks.is_empty() {
        lines.push("    none".to_owned());
    }
    if let Some(script) = script {
        let script = RehearsalScript::parse(script).map_err(|error| {
            CliError::new(ExitCode::Failed, format!("cannot understand the script of mission {old}: {error}"))
                .hint("nothing was changed")
        })?;
        lines.push("  a rehearsal, whose script runs on this machine".to_owned());
        lines.extend(script.runs().map(|argv| format!("    {}", words(argv))));
        if !script.human.is_empty() {
            lines.push(format!("  the script answers {} of its questions in your place", script.human.len()));
        }
    }
    let seats = &charter.seats;
    for (role, seat) in
        [("arbiter", &seats.arbiter), ("orchestrator", &seats.orchestrator), ("verifier", &seats.verifier)]
    {
        let model = seat.model.as_deref().unwrap_or("its default model");
        lines.push(console::printable(&format!("  {role}  {}, {model}", seat.provider)));
    }
    let named = |what: &str, names: Vec<String>| {
        (!names.is_empty()).then(|| console::printable(&format!("  {what}  {}", names.join(", "))))
    };
    lines.extend(named("prompts of its own", charter.prompts.keys().cloned().collect()));
    lines.extend(named("agents", charter.agents.iter().map(|agent| agent.name.to_string()).collect()));
    lines.push(
        "Checks and allowed commands run on this machine, and the project's own code decides what they do."
            .to_owned(),
    );
    let lines: Vec<_> = lines.into_iter().map(|line| (LineInk::Words, line)).collect();
    let _ = console::write(&lines);
    Ok(())
}

fn consent(args: &AdoptArgs) -> Result<(), CliError> {
    if args.yes {
        return Ok(());
    }
    if !terminal::is_there() {
        return Err(CliError::new(
            ExitCode::Usage,
            "another user's mission needs your yes, and there is no terminal to ask at",
        )
        .hint("`arbiter adopt PATH --yes` takes it up without asking"));
    }
    match locate_repo::answer("Make it a mission of yours? [y/N]").as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::new(ExitCode::Cancelled, "stopped: nothing was changed")),
    }
}
