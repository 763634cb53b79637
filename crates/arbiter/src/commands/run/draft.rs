//! A new mission before anything of it is written: its provider, who answers its questions, and its charter. Everything
//! that can be refused is refused here, and the person is asked whether they trust the project.

use std::collections::BTreeMap;
use std::path::Path;

use mind::charter::{Capabilities, Charter, Consent, ProviderChoice, Requirements, RoleProviders, WhenAway};
use providers::claude::{ClaudeOptions, Routing};
use providers::registry::ProviderEntry;
use providers::{Provider, api};

use super::new_id;
use super::script::{RunScript, scripted};
use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{RunArgs, WayArg};
use crate::commands::conducting::Parts;
use crate::commands::{CommandContext, claude, conducting, context, trust};
use crate::mission::effect_runner;
use crate::project::config::{Config, Headless};
use crate::project::project_files::ProjectFiles;
use crate::project::requirements;

pub(super) struct MissionDraft {
    pub(super) charter: Charter,
    pub(super) workers: Workers,
    /// The configuration as far as it counts: without untrusted settings.
    pub(super) config: Config,
    pub(super) api: Option<api::ModelOptions>,
    pub(super) conducting: effect_runner::conducting::ConductorDeps,
}

impl MissionDraft {
    /// Drafts a mission over the project at `root`; `typing` says that a person can be asked.
    pub(super) fn decide(
        context: &CommandContext,
        args: &RunArgs,
        scroll: Option<Requirements>,
        root: &Path,
        typing: bool,
    ) -> Result<MissionDraft, CliError> {
        let project_files = ProjectFiles::read(root);
        let (config, _) = trust::sound(context, &project_files)?;
        let (workers, scroll) = Workers::choose(args, &config, scroll)?;
        let Attendance { away, consent } = Attendance::of(args, &config, typing, workers.play_human())?;
        let config = trust::resolve_trust(context, &project_files, config, typing && !args.json)?;
        let Parts { agents, notes, conducting } =
            conducting::parts(context, &project_files, &config, args, workers.provider.name())?;
        let means = conducting::means(context, root, Some(&config), &agents, &notes);
        let api = match config.by_api.value {
            true if args.way == WayArg::Council => Some(conducting::arbiter_options(&config)?),
            true | false => None,
        };
        let charter = Charter {
            away,
            mission: new_id(),
            seed: host::dice(),
            scroll,
            consent,
            checks: workers.checks(&config),
            check_limit_ms: config.check_limit.value.as_millis() as u64,
            seats: seats(workers.provider, config.claude_model.value.as_deref(), api.as_ref()),
            providers: capabilities(workers.routing, workers.script.is_some(), api.is_some()),
            warnings: config.warnings(),
            patience: config.patience(),
            prompts: config.prompts.clone(),
            rules: requirements::read_rules(root)?,
            policy: config.policy(),
            agents,
            notes,
            limits: (args.way == WayArg::Council).then(|| config.limits()),
            conducting,
        };
        Ok(MissionDraft { charter, workers, config, api, conducting: means })
    }
}

/// The provider of the sessions, and what it needs.
pub(super) struct Workers {
    provider: Provider,
    routing: Routing,
    /// The script that a rehearsal plays.
    pub(super) script: Option<RunScript>,
    /// How sessions of Claude Code are started; none if it is not installed.
    pub(super) claude: Option<ClaudeOptions>,
}

impl Workers {
    /// Chooses the provider by the arguments and the configuration. Without other requirements, the script's
    /// own count.
    fn choose(
        args: &RunArgs,
        config: &Config,
        scroll: Option<Requirements>,
    ) -> Result<(Workers, Requirements), CliError> {
        let provider = provider(args, &config.provider.value)?;
        let script = if provider.entry().plays_script { Some(RunScript::read(args)?) } else { None };
        let brought = || script.as_ref().map(|read| scripted(&read.script));
        let scroll = scroll.or_else(brought).ok_or_else(|| {
            CliError::new(ExitCode::Usage, "the mission has no requirements")
                .hint("name the requirements: `arbiter run FILE.md`, or `arbiter run --task TEXT`")
        })?;
        let routing = config.claude_routing.value;
        let claude = match claude::options(config, routing) {
            Err(missing) if provider == Provider::Claude => return Err(claude::complain(&missing)),
            found => found.ok(),
        };
        if let Some(claude) = claude.as_ref().filter(|_| provider == Provider::Claude) {
            claude::warn_of_version(claude);
        }
        Ok((Workers { provider, routing, script, claude }, scroll))
    }

    /// Whether the script plays the human's part.
    fn play_human(&self) -> bool {
        self.script.as_ref().is_some_and(|read| !read.script.human.is_empty())
    }

    /// The gate's checks: the script's where the project has none.
    fn checks(&self, config: &Config) -> Vec<Vec<String>> {
        let configured = config.check_argvs();
        match &self.script {
            Some(read) if configured.is_empty() => read.script.checks.clone(),
            Some(_) | None => configured,
        }
    }
}

fn provider(args: &RunArgs, configured: &str) -> Result<Provider, CliError> {
    if args.rehearsal.is_some() {
        return Ok(Provider::Rehearsal);
    }
    let name = args.provider.as_deref().unwrap_or(configured);
    let known = Provider::named(name).ok().filter(|provider| provider.entry().works);
    known.ok_or_else(|| {
        CliError::new(ExitCode::Usage, format!("there is no provider {name:?}"))
            .hint(format!("this version has: {}", context::workers().join(", ")))
    })
}

/// How the mission's questions are answered, and the one before it begins.
struct Attendance {
    away: WhenAway,
    consent: Consent,
}

impl Attendance {
    /// `played` says that a script plays the human's part.
    fn of(args: &RunArgs, config: &Config, typing: bool, played: bool) -> Result<Attendance, CliError> {
        let conducted = args.way == WayArg::Conductor;
        // The conductor begins by itself.
        if !typing && !args.headless && !args.yes && !played && !conducted {
            return Err(CliError::new(ExitCode::Usage, "the mission needs your yes, and there is no terminal to ask at").hint(
                "--headless asks in the docket (`arbiter inbox`), before the mission begins too; --yes begins it by policy",
            ));
        }
        let away = match config.headless.value {
            Headless::Petition | Headless::Refuse if played => WhenAway::Scripted,
            Headless::Petition => WhenAway::Petition,
            Headless::Refuse => WhenAway::Refuse,
        };
        let consent = match (args.yes, typing || played || away == WhenAway::Petition) {
            _ if conducted => Consent::Policy("conductor".to_owned()),
            (true, _) => Consent::Policy("yes-flag".to_owned()),
            (false, true) => Consent::Ask,
            (false, false) => Consent::Policy("headless".to_owned()),
        };
        Ok(Attendance { away, consent })
    }
}

/// The same provider for every role. A configured model is one of Claude Code's.
pub(in crate::commands) fn seats(
    provider: Provider,
    model: Option<&str>,
    api: Option<&api::ModelOptions>,
) -> RoleProviders {
    let model = model.filter(|_| provider == Provider::Claude).map(str::to_owned);
    let seat = ProviderChoice { provider: provider.name().to_owned(), model };
    let by_api = api.map(|api| ProviderChoice {
        provider: Provider::Api.name().to_owned(),
        model: Some(api.model.clone()),
    });
    RoleProviders {
        arbiter: by_api.unwrap_or_else(|| seat.clone()),
        orchestrator: seat.clone(),
        verifier: seat,
    }
}

/// Which providers a mission may use: the rehearsal only where there is a script to play.
pub(in crate::commands) fn capabilities(
    routing: Routing,
    scripted: bool,
    by_api: bool,
) -> BTreeMap<String, Capabilities> {
    let may = |entry: &ProviderEntry| match entry.works {
        true => scripted || !entry.plays_script,
        false => by_api,
    };
    let can = |provider: Provider| {
        let can = provider.entry().capabilities;
        // Claude Code's routing is configured, whatever its registry row says.
        let typed = if provider == Provider::Claude { routing == Routing::Typed } else { can.typed };
        (provider.name().to_owned(), Capabilities { typed, ..can })
    };
    Provider::ALL.iter().filter(|provider| may(provider.entry())).map(|provider| can(*provider)).collect()
}
