//! `demo`: plays the built-in rehearsals in a scratch repository, without an account or an agent.

use std::collections::BTreeMap;

use mind::MissionId;
use mind::charter::{Charter, Consent, Patience, Warnings, WhenAway};
use mind::policy::Policy;
use providers::api::ApiOptions;
use providers::claude::Routing;
use providers::{Provider, rehearsal};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{DemoArgs, WayArg};
use crate::mission::opening::{self, NewMission};
use crate::mission::repo_location::{RehearsalPace, RepoLocation};
use crate::mission::run::MissionDeps;
use crate::mission::sandbox_choice::{self, SandboxTerms};
use crate::project::config::CHECK_LIMIT_DEFAULT;
use crate::{clock, terminal};

use super::conducting::Parts;
use super::{CommandContext, conducting, run};

pub fn demo(context: &CommandContext, args: &DemoArgs) -> Result<ExitCode, CliError> {
    let text = match args.way {
        WayArg::Council => rehearsal::DEMO,
        WayArg::Conductor => rehearsal::DEMO_CONDUCTED,
    };
    let script = rehearsal::RehearsalScript::parse(text).map_err(|error| run::bad_script(&error))?;
    let charter = charter(&script, conducting::rehearsed(args.way)?);
    let id = charter.mission.clone();
    let runtime = run::runtime()?;
    let audience = run::audience(context, args.json, !args.headless && terminal::is_there());
    if let Some(theme) = audience.theme {
        run::raise(&runtime, theme, context.prefs().manner);
    }
    run::greet(&charter, audience);
    let journals = context.journals_to_write()?;
    let location = runtime.block_on(scratch(context, args.pace, &id, &script))?;
    let new = NewMission { charter, location, script: Some(text.to_owned()) };
    let hold =
        sandbox_choice::choose_sandbox(SandboxTerms::default(), false, &context.places, &id, &new.location)?;
    let folder = opening::open(new, &journals, &context.registry(), clock::now())?;
    let (docket, away_after) = run::docket_of(context, None);
    let means = MissionDeps {
        journals,
        store: context.places.rehearsal(),
        claude: None,
        api: ApiOptions::default(),
        hold,
        docket,
        away_after,
        limits: None,
        conducting: Default::default(),
        sound: context.sound(),
    };
    run::perform(runtime, folder, means, audience)
}

fn charter(script: &rehearsal::RehearsalScript, parts: Parts) -> Charter {
    let Parts { agents, notes, conducting } = parts;
    Charter {
        away: WhenAway::Scripted,
        mission: run::new_id(),
        seed: host::dice(),
        scroll: run::scripted(script),
        consent: Consent::Ask,
        checks: script.checks.clone(),
        check_limit_ms: CHECK_LIMIT_DEFAULT.as_millis() as u64,
        seats: run::seats(Provider::Rehearsal, None, None),
        providers: run::capabilities(Routing::default(), true, false),
        warnings: Warnings::default(),
        patience: Patience::default(),
        prompts: BTreeMap::new(),
        rules: None,
        policy: Policy::default(),
        agents,
        notes,
        limits: None,
        conducting,
    }
}

/// Makes the scratch repository with the script's files.
async fn scratch(
    context: &CommandContext,
    pace: RehearsalPace,
    mission: &MissionId,
    script: &rehearsal::RehearsalScript,
) -> Result<RepoLocation, CliError> {
    let source = context.places.scratch_of(mission);
    let files: Vec<(&str, &str)> =
        script.files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let base = workspace::scratch(&source, &files).await?;
    Ok(RepoLocation {
        project: context.here.clone(),
        source,
        base: base.commit,
        clone: context.places.clone_of(mission),
        scratch: true,
        snapshot: false,
        in_place: false,
        pace,
    })
}
