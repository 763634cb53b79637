//! `resume`: continues an unfinished mission, if it is the user's own, not too old, and run by no other process.

use std::path::Path;
use std::time::Duration;

use mind::conductor::{Agent, ConductorState, Note};
use mind::policy::PolicyMode;
use mind::state::Ended;
use mind::{Charter, MissionId, State};
use providers::Provider;
use providers::api::ApiOptions;
use view::told;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::ResumeArgs;
use crate::mission::port::MissionPort as _;
use crate::mission::run::{MissionDeps, Presentation};
use crate::mission::sandbox_choice::{self, SandboxTerms};
use crate::mission::{effect_runner, port, refusal, repo_location};
use crate::project::config::{Config, RESUME_LIMIT_DEFAULT};
use crate::project::home::MissionPlaces;
use crate::terminal::console::{self, LineInk};
use crate::{clock, limits, terminal};

use super::ownership::Ownership;
use super::run::{OPEN, audience, docket_of, perform, raise, runtime};
use super::{CommandContext, claude, conducting, discard, leftovers, ownership, trust};

pub fn resume(context: &CommandContext, args: &ResumeArgs) -> Result<ExitCode, CliError> {
    let (id, places) = match &args.id {
        Some(typed) => context.named(typed)?,
        None => newest_unfinished(context)?,
    };
    // A mission holds commands that run here: one that came with a repository must not.
    ownership::require_own(
        context,
        &id,
        &places,
        "its checks and programs would run here; read it with `arbiter show`",
    )?;
    discard::refuse_discarded(&id, &places)?;
    let state = context.port(&places)?.state()?;
    refuse_at_limit(context, &id, &places, &state)?;
    if state.ended.as_ref().is_some_and(|ended| !matches!(ended, Ended::Exhausted(_))) {
        if living_holder(&places).is_none() {
            leftovers::withdraw(context, &places, &state);
        }
        return Err(CliError::new(ExitCode::Usage, format!("mission {id} is over"))
            .hint(format!("`arbiter show {id}` shows how it ended; `arbiter run FILE.md` begins another")));
    }
    let typing = !args.headless && terminal::is_there();
    if !args.yes {
        // A configuration that cannot be read is reported later; until then the default counts.
        let config = repo_location::ground_of(&places.folder)
            .ok()
            .and_then(|location| context.config(&location.project).ok());
        let limit = config.map_or(RESUME_LIMIT_DEFAULT, |config| config.resume_limit.value);
        mind_the_age(&id, &state, limit, typing)?;
    }
    if let Some(pid) = living_holder(&places) {
        let held = journal::JournalError::Held { path: places.journal(), pid };
        return Err(refusal::refuse(&held.into(), &places.folder));
    }
    let runtime = runtime()?;
    if let Some(theme) = audience(context, args.json, typing).theme {
        raise(&runtime, theme, context.prefs().manner);
    }
    let means = take_up(context, &id, &places, &state)?;
    let audience = Presentation { from_start: false, ..audience(context, args.json, typing) };
    recall(&id, &state, audience);
    // The run reads the journal again: two states would cost twice the memory.
    drop(state);
    perform(runtime, places.folder, means, audience)
}

/// A mission that a limit ended goes on only if the limit was raised since.
fn refuse_at_limit(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
    state: &State,
) -> Result<(), CliError> {
    if !matches!(state.ended, Some(Ended::Exhausted(_))) {
        return Ok(());
    }
    let location = repo_location::ground_of(&places.folder)?;
    let config = context.config(&location.project)?;
    let Some(reached) = state.stops_again(&config.limits(), clock::now()) else { return Ok(()) };
    Err(CliError::new(ExitCode::Limit, format!("mission {id} is at its limit: {}", reached.why)).hint(format!(
        "raise `{}` in your configuration, then `arbiter resume {id}` continues; `arbiter merge {id}` brings over what \
         there is",
        reached.kind.key()
    )))
}

/// The process that runs the mission. A process that was killed may leave a child between fork and exec, which holds the
/// lock for another moment.
pub(super) fn living_holder(places: &MissionPlaces) -> Option<u32> {
    for _ in 0..limits::DEAD_HOLDER_TRIES {
        let pid = port::holder(places)?;
        let holder = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        if holder.is_none_or(|holder| rustix::process::test_kill_process(holder).is_ok()) {
            return Some(pid);
        }
        std::thread::sleep(limits::DEAD_HOLDER_PAUSE);
    }
    port::holder(places)
}

/// What a resumed mission is run with. A mission that needs no Claude Code needs no valid configuration either.
fn take_up(
    context: &CommandContext,
    id: &MissionId,
    places: &MissionPlaces,
    state: &State,
) -> Result<MissionDeps, CliError> {
    let location = repo_location::ground_of(&places.folder)?;
    let is_needed = state.charter.as_deref().is_some_and(claude::is_needed);
    let config = context.config(&location.project);
    let found = match (&config, &state.charter) {
        (Ok(config), Some(charter)) => {
            trust::remind(config);
            claude::options(config, claude::routing(charter)).map_err(|missing| claude::complain(&missing))
        }
        (Ok(_), None) | (Err(_), _) => Err(CliError::new(ExitCode::Provider, "Claude Code is not known")),
    };
    let terms = config.as_ref().map(SandboxTerms::of).unwrap_or_default();
    let (docket, away_after) = docket_of(context, config.as_ref().ok());
    let conducting = taken_up(context, &location.project, config.as_ref().ok(), state);
    let by_api =
        state.charter.as_ref().is_some_and(|charter| charter.seats.arbiter.provider == Provider::Api.name());
    let api = match &config {
        Ok(config) if by_api => Some(conducting::arbiter_options(config)?),
        Ok(_) | Err(_) => None,
    };
    let api = conducting::api_of(config.as_ref().ok(), api);
    if let (Ok(config), Some(charter)) = (&config, &state.charter) {
        refuse_unpriced(config, charter, &api)?;
    }
    let limits = config.as_ref().ok().map(Config::limits);
    if is_needed || by_api {
        config?;
    }
    let claude = if is_needed { Some(found?) } else { found.ok() };
    if let Some(claude) = claude.as_ref().filter(|_| is_needed) {
        claude::warn_of_version(claude);
    }
    let are_real = state.charter.as_deref().is_some_and(sandbox_choice::has_real_agents);
    let hold = sandbox_choice::choose_sandbox(terms, are_real, &context.places, id, &location)?;
    let (store, sound) = (context.places.rehearsal(), context.sound());
    Ok(MissionDeps {
        journals: context.journals()?,
        store,
        claude,
        api,
        hold,
        docket,
        away_after,
        limits,
        conducting,
        sound,
    })
}

/// A mission keeps its models, whatever the configuration names by now: a limit in money must know what these cost.
fn refuse_unpriced(config: &Config, charter: &Charter, api: &ApiOptions) -> Result<(), CliError> {
    if config.limits().budget_microusd.is_none() {
        return Ok(());
    }
    let decider = charter.conducting.as_ref().and_then(|conducting| conducting.decider.as_ref());
    let arbiter = &charter.seats.arbiter;
    let models = [
        (
            decider.map(|decider| &*decider.provider),
            decider.and_then(|decider| decider.model.as_deref()),
            &api.decisions,
        ),
        (Some(arbiter.provider.as_str()), arbiter.model.as_deref(), &api.sessions),
    ];
    for (provider, own, options) in models {
        let Some(options) = options.as_ref().filter(|_| provider == Some(Provider::Api.name())) else {
            continue;
        };
        let model = own.unwrap_or(&options.model);
        if options.price_of(model).is_none() {
            let told = format!(
                "mission {} keeps the model it was opened with, and the price of {model} is not known, so \
                 limits.budgetUsd cannot count its calls",
                charter.mission
            );
            return Err(CliError::new(ExitCode::Usage, told).hint(format!(
                "write `arbiter: {{ model: {model}, price: {{ input: 3, output: 15 }} }}` into your own configuration, with \
                 the vendor's prices in dollars per million tokens (0 for a server of your own)"
            )));
        }
    }
    Ok(())
}

/// Agents and notes as the mission knows them; their files are read again.
fn taken_up(
    context: &CommandContext,
    project: &Path,
    config: Option<&Config>,
    state: &State,
) -> effect_runner::conducting::ConductorDeps {
    let charter = state.charter.as_deref();
    let known = |conductor: &ConductorState| -> (Vec<Agent>, Vec<Note>) {
        (conductor.agents.to_vec(), conductor.notes.iter().map(|note| note.as_ref().clone()).collect())
    };
    let opened = || charter.map(|charter| (charter.agents.clone(), charter.notes.clone()));
    let (agents, notes) = state.conductor.as_ref().map(known).or_else(opened).unwrap_or_default();
    conducting::means(context, project, config, &agents, &notes)
}

fn recall(id: &MissionId, state: &State, audience: Presentation) {
    if audience.prints() {
        let said = state.talk.len();
        let mut lines = vec![
            (LineInk::Name, "THE ARBITER".to_owned()),
            (LineInk::House, format!("  = mission {id} resumed: {said} messages so far")),
        ];
        if state.charter.as_ref().is_some_and(|charter| charter.policy.mode == PolicyMode::Open) {
            lines.push((LineInk::Bad, OPEN.to_owned()));
        }
        for (session, ask) in state.permissions().filter(|(_, ask)| ask.answer.is_none()) {
            let (name, what) = (session.profile.speaker(), mind::show::line(&ask.request.what));
            // One line here: the whole command is shown when it is asked again.
            lines.push((
                LineInk::House,
                format!("  = {} of {name} waits for your permission: {what}", ask.id),
            ));
        }
        if state.paused {
            lines.push((
                LineInk::Bad,
                format!("  = it is paused: `arbiter mission resume {id}` continues it"),
            ));
        }
        // A person who comes back wants to know what is asked.
        let question = state.question.and_then(|question| state.message(question));
        lines.extend(question.map(|question| console::told(&told::message(question))).unwrap_or_default());
        let _ = console::write(&lines);
    }
}

/// The newest mission that can be resumed. One that cannot be read is reported, and the next one is tried.
fn newest_unfinished(context: &CommandContext) -> Result<(MissionId, MissionPlaces), CliError> {
    let mut unreadable = Vec::new();
    let mut found = None;
    // Named only if there is no other: one at its limit, or a copy.
    let mut instead = None;
    for (id, places) in context.newest_first()? {
        match context.port(&places)?.state() {
            Ok(_) if places.is_discarded()? => {}
            Ok(state) if matches!(state.ended, Some(Ended::Exhausted(_))) => {
                if refuse_at_limit(context, &id, &places, &state).is_ok() {
                    found = Some((id, places));
                    break;
                }
                instead.get_or_insert((id, places));
            }
            Ok(state) if state.ended.is_some() => {
                if port::holder(&places).is_none() {
                    leftovers::withdraw(context, &places, &state);
                }
            }
            Ok(_) if matches!(Ownership::of(context, &id, &places)?, Ownership::Copy { .. }) => {
                instead.get_or_insert((id, places));
            }
            Ok(_) => {
                found = Some((id, places));
                break;
            }
            Err(error) => unreadable.push((id, error.into())),
        }
    }
    if found.is_none() && !unreadable.is_empty() {
        return Err(unreadable.swap_remove(0).1);
    }
    for (id, cli_error) in &unreadable {
        console::remark(format!("note: mission {id} is skipped: {}", cli_error.cause));
    }
    found.or(instead).ok_or_else(|| {
        CliError::new(ExitCode::Usage, "there is no unfinished mission here")
            .hint("`arbiter missions --all` lists the missions of all projects; `arbiter demo` plays one")
    })
}

/// Asks before a mission is continued that rested for longer than `limit`: it may no longer be wanted.
fn mind_the_age(id: &MissionId, state: &State, limit: Duration, typing: bool) -> Result<(), CliError> {
    let age = clock::now().0.saturating_sub(state.now.0);
    if u128::from(age) <= limit.as_millis() {
        return Ok(());
    }
    let age = clock::span(age);
    if !typing {
        return Err(CliError::new(ExitCode::Usage, format!("mission {id} has rested for {age}"))
            .hint(format!("`arbiter resume {id} --yes` continues it without asking")));
    }
    let _ = console::ask(&format!("Mission {id} has rested for {age}. Continue it? [y/N]"));
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(CliError::new(ExitCode::Cancelled, "stopped: the mission was not resumed")),
    }
}
