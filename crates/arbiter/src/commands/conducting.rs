//! The parts of a charter that both ways of working share: agents, notes of earlier missions, the conductor's settings;
//! and what the effect runner (`mission/effect_runner`) needs for them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use mind::conductor::limits::DECISION_TOKENS_DEFAULT;
use mind::conductor::{Agent, Conducting, Decider, Limits, Note, NoteKeeping};
use providers::Provider;
use providers::api::{self, ApiOptions};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{RunArgs, WayArg};
use crate::limits;
use crate::mission::effect_runner::conducting::{ConductorDeps, ConductorFiles};
use crate::project::agents::{AgentFiles, AgentSources, Agents};
use crate::project::config::{AGENT_DEFAULT, Api, ApiKind, Config};
use crate::project::memory::Notes;
use crate::project::project_files::ProjectFiles;
use crate::terminal::console;

use super::CommandContext;
use super::context::workers;

/// The parts, as the charter takes them.
#[derive(Debug, Default)]
pub struct Parts {
    /// The agents, for both ways of working.
    pub agents: Vec<Agent>,
    /// What earlier missions learned.
    pub notes: Vec<Note>,
    /// The conductor's settings; none for a council.
    pub conducting: Option<Box<Conducting>>,
}

/// Reads the agents, the notes and the conductor's settings.
pub fn parts(
    context: &CommandContext,
    project_files: &ProjectFiles,
    config: &Config,
    args: &RunArgs,
    provider: &str,
) -> Result<Parts, CliError> {
    let (_, agents) = context.read_config(project_files)?;
    let mut notes = Notes::open(&project_files.root);
    let found = notes.read_changed().unwrap_or_default();
    for damaged in notes.damaged() {
        console::remark(format!("note: {damaged}"));
    }
    let conducted = args.way == WayArg::Conductor;
    let conducting = conducted.then(|| Box::new(config.conducting(args.dry_run, provider)));
    let decides = conducting.as_ref().and_then(|conducting| conducting.decider.as_ref());
    if decides.is_some_and(|decider| &*decider.provider == Provider::Api.name())
        && let Some(api) = api_options(config)
        && let Err(trouble) = api.endpoint()
    {
        console::remark(format!("note: the model that decides cannot be asked: {trouble}"));
    }
    Ok(Parts { agents: agents.agents, notes: found, conducting })
}

/// The parts for the built-in rehearsal: the agents that come with the program.
pub fn rehearsed(way: WayArg) -> Result<Parts, CliError> {
    if way == WayArg::Council {
        return Ok(Parts::default());
    }
    let none = AgentFiles::default();
    let conducting = Conducting {
        default_agent: Arc::from(AGENT_DEFAULT),
        limits: Limits::default(),
        decider: Some(Decider {
            provider: Arc::from(Provider::Rehearsal.name()),
            model: None,
            max_tokens: DECISION_TOKENS_DEFAULT,
            temperature_milli: None,
            cache: false,
        }),
        routes: Vec::new(),
        keeping: NoteKeeping::default(),
        dry_run: false,
    };
    let agents = Agents::load(&AgentSources {
        user: &none,
        project: &none,
        counts: false,
        providers: workers(),
        default: (AGENT_DEFAULT, None),
        waiting: None,
    })?;
    Ok(Parts { agents: agents.agents, notes: Vec::new(), conducting: Some(Box::new(conducting)) })
}

/// What the effect runner needs for a mission of `project` that knows these agents and notes.
pub fn means(
    context: &CommandContext,
    project: &Path,
    config: Option<&Config>,
    agents: &[Agent],
    notes: &[Note],
) -> ConductorDeps {
    let look = config.map(|config| context.shelf(project, config, agents.to_vec()).into_look());
    let (mut read, kept, mut known) = (Notes::open(project), Notes::open(project), notes.to_vec());
    let news = move || {
        let found = read.read_changed().filter(|found| *found != known)?;
        known.clone_from(&found);
        Some(found)
    };
    let shelf = ConductorFiles {
        agents: look,
        notes: Some(Box::new(news)),
        keep: Some(Box::new(move |note| kept.save(note))),
    };
    ConductorDeps { shelf: Arc::new(Mutex::new(shelf)), ..ConductorDeps::default() }
}

/// The options of the configured model; its key comes from the environment.
pub fn api_options(config: &Config) -> Option<api::ModelOptions> {
    let Api { kind, base_url, model, max_tokens, temperature_milli, price } = config.api()?;
    let kind = match kind {
        ApiKind::Anthropic => api::ApiDialect::Anthropic,
        ApiKind::OpenAi => api::ApiDialect::OpenAi,
    };
    let mut options = api::ModelOptions::new(kind, &model);
    if let Some(base_url) = base_url {
        options.base_url = base_url;
    }
    options.max_tokens = max_tokens;
    options.price = price;
    options.temperature = temperature_milli.map(|milli| milli as f32 / 1000.0);
    Some(options)
}

/// The API options of a mission: for the Arbiter's own session, if it runs over an API, and for the conductor's moves.
pub fn api_of(config: Option<&Config>, sessions: Option<api::ModelOptions>) -> ApiOptions {
    let decisions = config.and_then(api_options);
    ApiOptions { sessions, decisions, patience: limits::DECISION_PATIENCE }
}

/// The options of the Arbiter's own session over the API: its replies are longer than the choice of a move.
pub fn arbiter_options(config: &Config) -> Result<api::ModelOptions, CliError> {
    let options = api_options(config).ok_or_else(|| {
        CliError::new(
            ExitCode::Usage,
            "the Arbiter is configured to run over an API, but no model is configured",
        )
        .hint("write `arbiter: { provider: api, model: NAME }` beside `provider: { arbiter: api }`")
    })?;
    let endpoint =
        options.endpoint().map_err(|trouble| CliError::new(ExitCode::Provider, trouble.to_string()));
    endpoint.map(|_| api::ModelOptions { max_tokens: limits::ARBITER_TOKENS, ..options })
}
