//! The configuration: the project's file over the user's file over the defaults, key by key. It holds only what
//! is honoured; a key that nothing would obey is refused. Each value knows where it comes from. What loosens counts from
//! the project's file only if the user trusts it.

mod claude;
mod conduct;
mod docket;
mod duration;
mod error;
mod layer;
mod loosening;
pub(crate) mod node;
mod policy;
pub(crate) mod reader;
mod sandbox;
mod tell;
mod terminal;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mind::charter::{Patience, WarningPolicy, Warnings};
use mind::policy::{Mode, Policy};
use providers::claude::{Routing, Settings};
use providers::workshop::Check;

pub use conduct::{AGENT_DEFAULT, Api, ApiKind, Conduct, Judge};
pub use docket::{AWAY_AFTER_DEFAULT, Headless};
pub(crate) use duration::show as show_duration;
pub(crate) use error::shown;
pub use error::{ConfigError, ConfigErrors, Place};
use layer::{Layer, Scope};
pub use loosening::Loosening;
pub(crate) use reader::read_file;
use reader::{Found, Owner};
pub use sandbox::{Sandbox, SandboxLevel};
pub use terminal::{Ceremony, Terminal};

use crate::papers::Papers;
use crate::trust::Standing;

/// Where the project keeps its configuration, below its root.
pub const PROJECT_FILE: &str = ".arbiter/config.yaml";
/// The provider if no file names one.
pub const PROVIDER_DEFAULT: &str = "claude";
/// How long one check may run if no file says so.
pub const CHECK_LIMIT_DEFAULT: Duration = Duration::from_secs(20 * 60);

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `provider.default`: what sessions are made of.
    pub provider: Setting<String>,
    /// `claude.program`: Claude Code; without it, what PATH has. Only from the user's own file.
    pub claude_program: Setting<Option<PathBuf>>,
    /// `claude.settings`: whose settings count in its sessions. Only from the user's own file.
    pub claude_settings: Setting<Settings>,
    /// `claude.routing`: how its sessions say what a turn comes to.
    pub claude_routing: Setting<Routing>,
    /// `claude.model`: without it, the default of Claude Code.
    pub claude_model: Setting<Option<String>>,
    /// `policy.mode`: how far sessions are trusted.
    pub policy_mode: Setting<Mode>,
    /// `policy.allow`: commands that run unasked, by their first words; those of both files.
    pub policy_allow: Setting<Vec<Vec<String>>>,
    /// What holds the processes of agents.
    pub sandbox: Sandbox,
    /// `checks`: what must pass before a mission is complete.
    pub checks: Setting<Vec<Check>>,
    /// `check_limit`: how long one check may run.
    pub check_limit: Setting<Duration>,
    /// `warnings.first`: begin to conclude, in percent of the window.
    pub first_warning: Setting<u8>,
    /// `warnings.last`: cease and report, in percent of the window.
    pub last_warning: Setting<u8>,
    /// `warnings.policy`: who speaks of it.
    pub warning_policy: Setting<WarningPolicy>,
    /// `silence`: how long a session may give no sign.
    pub silence: Setting<Duration>,
    /// `tool_silence`: the same while a tool runs.
    pub tool_silence: Setting<Duration>,
    /// `docket.dir`: where petitions lie. Only from the user's own file.
    pub docket_dir: Setting<PathBuf>,
    /// `docket.away_after`: how long a person may be silent before a question becomes a petition.
    pub away_after: Setting<Duration>,
    /// `docket.headless`: what becomes of a question when nobody is at the terminal.
    pub headless: Setting<Headless>,
    /// What a conducted mission is configured with.
    pub conduct: Conduct,
    /// What the terminal is wanted to be like. Only from the user's own file.
    pub terminal: Terminal,
    /// What was passed over and is no fault of these files.
    pub notes: Vec<String>,
    /// The project's own prompts, as far as they count.
    pub prompts: BTreeMap<String, Arc<str>>,
    /// What the project sets that loosens, whether or not it counts.
    pub loosenings: Vec<Loosening>,
    /// Whether it counts.
    pub standing: Standing,
}

/// By what the files are understood.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The user's own file.
    pub user_config: Option<&'a Path>,
    /// The user's home: what `~` means.
    pub home: Option<&'a Path>,
    /// ARBITER_HOME: where the docket is unless a file says otherwise.
    pub arbiter_home: &'a Path,
    /// The providers that may be chosen.
    pub providers: &'a [&'a str],
    /// How the project's papers stand with the user.
    pub standing: Standing,
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Who set it.
    pub origin: Origin,
}

/// Who set a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody.
    Default,
    /// The user's own file.
    User(Place),
    /// The `config.json` of an existing installation.
    Existing(Arc<Path>),
    /// The project's file.
    Project(Place),
    /// Both: what they list is added up.
    Both {
        /// The user's own file.
        user: Place,
        /// The project's file.
        project: Place,
    },
}

impl Config {
    /// Joins the user's file and the project's.
    pub fn load(papers: &Papers, terms: &Terms<'_>) -> Result<Config, ConfigErrors> {
        let (config, faults) = Config::look(papers, terms);
        ConfigErrors::from_faults(faults).map_or(Ok(config), Err)
    }

    /// The same with every fault, and what could be read all the same.
    pub(crate) fn look(papers: &Papers, terms: &Terms<'_>) -> (Config, Vec<ConfigError>) {
        let mut faults = Vec::new();
        let Terms { user_config, home, arbiter_home, providers, standing } = *terms;
        let mut user = user_config.map_or_else(Layer::default, |file| {
            let bytes = read_file(file, file).unwrap_or_else(|fault| {
                faults.push(fault);
                None
            });
            Layer::parse(file, bytes.as_deref(), Scope { owner: Owner::User, home, providers }, &mut faults)
        });
        let bytes = papers.config.as_ref().map_or_else(
            |fault| {
                faults.push(fault.clone());
                None
            },
            Option::as_deref,
        );
        let scope = Scope { owner: Owner::Project { own: user_config }, home, providers };
        let mut own = Layer::parse(&papers.config_file, bytes, scope, &mut faults);
        let mut loosenings = loosening::set_apart(&mut own, &user, standing.counts());
        loosenings.extend(loosening::prompts(papers));
        loosenings.extend(loosening::agents(papers));
        let prompts = papers.prompts.iter().flatten().filter(|_| standing.counts());
        let prompts = prompts.map(|(name, prompt)| (name.clone(), Arc::clone(&prompt.text))).collect();
        let mut notes = Vec::new();
        let docket_dir = docket::place(user.docket.dir.take(), arbiter_home, home, &mut notes);
        let config = Config::join(own, user, (docket_dir, notes), (prompts, loosenings, standing));
        config.weigh_warnings(&mut faults);
        config.conduct.weigh(&mut faults);
        (config, faults)
    }

    /// What counts of two files. What may not count is no longer in them.
    fn join(
        own: Layer,
        user: Layer,
        (docket_dir, notes): (Setting<PathBuf>, Vec<String>),
        trusted: (BTreeMap<String, Arc<str>>, Vec<Loosening>, Standing),
    ) -> Config {
        let (warnings, patience) = (Warnings::default(), Patience::default());
        let (prompts, loosenings, standing) = trusted;
        Config {
            provider: pick(own.provider, user.provider, PROVIDER_DEFAULT.to_owned()),
            claude_program: pick(some(own.claude.program), some(user.claude.program), None),
            claude_settings: pick(own.claude.settings, user.claude.settings, Settings::default()),
            claude_routing: pick(own.claude.routing, user.claude.routing, Routing::default()),
            claude_model: pick(some(own.claude.model), some(user.claude.model), None),
            policy_mode: pick(own.policy.mode, user.policy.mode, Mode::default()),
            policy_allow: add_up(own.policy.allow, user.policy.allow),
            sandbox: Sandbox::join(own.sandbox, user.sandbox),
            checks: pick(own.checks, user.checks, Vec::new()),
            check_limit: pick(own.check_limit, user.check_limit, CHECK_LIMIT_DEFAULT),
            first_warning: pick(own.first, user.first, warnings.first),
            last_warning: pick(own.last, user.last, warnings.last),
            warning_policy: pick(own.warning_policy, user.warning_policy, warnings.policy),
            silence: pick(own.silence, user.silence, Duration::from_millis(patience.silence_ms)),
            tool_silence: pick(own.tool_silence, user.tool_silence, Duration::from_millis(patience.tool_ms)),
            docket_dir,
            away_after: pick(own.docket.away_after, user.docket.away_after, docket::AWAY_AFTER_DEFAULT),
            headless: pick(own.docket.headless, user.docket.headless, Headless::default()),
            conduct: Conduct::join(own.conduct, user.conduct),
            terminal: Terminal::join(own.terminal, user.terminal),
            notes,
            prompts,
            loosenings,
            standing,
        }
    }

    /// How far sessions are trusted, as a charter holds it.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy { mode: self.policy_mode.value, allow: self.policy_allow.value.clone() }
    }

    /// What the project sets and what does not count, because the user does not trust it.
    #[must_use]
    pub fn ignored(&self) -> &[Loosening] {
        if self.standing.counts() { &[] } else { &self.loosenings }
    }

    /// Where the warnings stand.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        let policy = self.warning_policy.value;
        Warnings { first: self.first_warning.value, last: self.last_warning.value, policy }
    }

    /// How long silence may last.
    #[must_use]
    pub fn patience(&self) -> Patience {
        let ms = |setting: &Setting<Duration>| setting.value.as_millis() as u64;
        Patience { silence_ms: ms(&self.silence), tool_ms: ms(&self.tool_silence) }
    }

    /// The checks as a charter holds them.
    #[must_use]
    pub fn check_argvs(&self) -> Vec<Vec<String>> {
        self.checks.value.iter().map(|check| check.argv().to_vec()).collect()
    }

    /// Two thresholds that are each in bounds may still be the wrong way round, even if they come from two files.
    fn weigh_warnings(&self, faults: &mut Vec<ConfigError>) {
        let (first, last) = (&self.first_warning, &self.last_warning);
        let is_known_bad =
            faults.iter().any(|fault| fault.key().is_some_and(|key| key.starts_with("warnings")));
        if first.value < last.value || is_known_bad {
            return;
        }
        let blamed = [(first, "warnings.first"), (last, "warnings.last")]
            .into_iter()
            .max_by_key(|(setting, _)| setting.origin.rank());
        if let Some((setting, key)) = blamed
            && let Some(place) = setting.origin.place()
        {
            faults.push(ConfigError::BadValue {
                place: place.clone(),
                key: key.to_owned(),
                problem: "the first warning must come before the last".to_owned(),
                hint: Some(format!(
                    "warnings.first is {} ({}), warnings.last is {} ({})",
                    first.value, first.origin, last.value, last.origin
                )),
            });
        }
    }
}

impl Origin {
    /// Where it is said, if a file of ours says it.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        match self {
            Origin::Default | Origin::Existing(_) => None,
            Origin::User(place) | Origin::Project(place) | Origin::Both { project: place, .. } => Some(place),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Origin::Default => 0,
            Origin::User(_) | Origin::Existing(_) => 1,
            Origin::Project(_) | Origin::Both { .. } => 2,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::User(place) => write!(f, "user file {}:{}", place.file.display(), place.line),
            Origin::Existing(file) => write!(f, "existing file {}", file.display()),
            Origin::Project(place) => write!(f, "project file {}:{}", place.file.display(), place.line),
            Origin::Both { user, project } => {
                write!(f, "{}, {}", Origin::User(user.clone()), Origin::Project(project.clone()))
            }
        }
    }
}

fn pick<T>(own: Found<T>, user: Found<T>, default: T) -> Setting<T> {
    match (own, user) {
        (Some((value, place)), _) => Setting { value, origin: Origin::Project(place) },
        (None, Some((value, place))) => Setting { value, origin: Origin::User(place) },
        (None, None) => Setting { value: default, origin: Origin::Default },
    }
}

/// What both files list, the user's first.
fn add_up<T: PartialEq>(own: Found<Vec<T>>, user: Found<Vec<T>>) -> Setting<Vec<T>> {
    match (own, user) {
        (Some((more, project)), Some((mut value, user))) => {
            for item in more {
                if !value.contains(&item) {
                    value.push(item);
                }
            }
            Setting { value, origin: Origin::Both { user, project } }
        }
        (own, user) => pick(own, user, Vec::new()),
    }
}

/// A value that need not be set.
fn some<T>(found: Found<T>) -> Found<Option<T>> {
    found.map(|(value, place)| (Some(value), place))
}
