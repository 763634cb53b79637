//! The configuration: the project's file over the user's file over the defaults, key by key. It holds only what
//! is honoured; a key that nothing would obey is refused. Each value knows where it comes from.

mod claude;
mod duration;
mod error;
mod layer;
pub(crate) mod near;
mod node;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mind::charter::{Patience, WarningPolicy, Warnings};
use providers::claude::{Routing, Settings};
use providers::workshop::Check;

pub use error::{ConfigError, ConfigErrors, Place};
use layer::{Found, Layer, Owner};

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
    /// The project's file.
    Project(Place),
}

impl Config {
    /// Reads both files. `providers` are the names that may be chosen.
    pub fn load(
        project: &Path,
        user_config: Option<&Path>,
        providers: &[&str],
    ) -> Result<Config, ConfigErrors> {
        let mut faults = Vec::new();
        let user = user_config
            .map(|file| Layer::read(file, Owner::User, providers, &mut faults))
            .unwrap_or_default();
        let owner = Owner::Project { own: user_config };
        let own = Layer::read(&project.join(PROJECT_FILE), owner, providers, &mut faults);
        let (warnings, patience) = (Warnings::default(), Patience::default());
        let config = Config {
            provider: pick(own.provider, user.provider, PROVIDER_DEFAULT.to_owned()),
            claude_program: pick(some(own.claude.program), some(user.claude.program), None),
            claude_settings: pick(own.claude.settings, user.claude.settings, Settings::default()),
            claude_routing: pick(own.claude.routing, user.claude.routing, Routing::default()),
            claude_model: pick(some(own.claude.model), some(user.claude.model), None),
            checks: pick(own.checks, user.checks, Vec::new()),
            check_limit: pick(own.check_limit, user.check_limit, CHECK_LIMIT_DEFAULT),
            first_warning: pick(own.first, user.first, warnings.first),
            last_warning: pick(own.last, user.last, warnings.last),
            warning_policy: pick(own.policy, user.policy, warnings.policy),
            silence: pick(own.silence, user.silence, Duration::from_millis(patience.silence_ms)),
            tool_silence: pick(own.tool_silence, user.tool_silence, Duration::from_millis(patience.tool_ms)),
        };
        config.weigh_warnings(&mut faults);
        ConfigErrors::from_faults(faults).map_or(Ok(config), Err)
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

    /// One line for each key: `key = value  (origin)`.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let Config { provider, checks, check_limit, first_warning, last_warning, .. } = self;
        let policy = match self.warning_policy.value {
            WarningPolicy::Warn => "warn",
            WarningPolicy::Silent => "silent",
            WarningPolicy::Off => "off",
        };
        let program = self.claude_program.value.as_ref().map(|program| program.display().to_string());
        let model = self.claude_model.value.as_deref();
        let settings = claude::word(&claude::SETTINGS, &self.claude_settings.value);
        let routing = claude::word(&claude::ROUTINGS, &self.claude_routing.value);
        vec![
            line("provider.default", &provider.value, &provider.origin),
            line(
                "claude.program",
                program.as_deref().unwrap_or("claude on PATH"),
                &self.claude_program.origin,
            ),
            line("claude.settings", settings, &self.claude_settings.origin),
            line("claude.routing", routing, &self.claude_routing.origin),
            line("claude.model", model.unwrap_or("its own default"), &self.claude_model.origin),
            line("checks", format!("{:?}", self.check_argvs()), &checks.origin),
            line("check_limit", duration::show(check_limit.value), &check_limit.origin),
            line("warnings.first", first_warning.value, &first_warning.origin),
            line("warnings.last", last_warning.value, &last_warning.origin),
            line("warnings.policy", policy, &self.warning_policy.origin),
            line("silence", duration::show(self.silence.value), &self.silence.origin),
            line("tool_silence", duration::show(self.tool_silence.value), &self.tool_silence.origin),
        ]
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
    fn place(&self) -> Option<&Place> {
        match self {
            Origin::Default => None,
            Origin::User(place) | Origin::Project(place) => Some(place),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Origin::Default => 0,
            Origin::User(_) => 1,
            Origin::Project(_) => 2,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::User(place) => write!(f, "user file {}:{}", place.file.display(), place.line),
            Origin::Project(place) => write!(f, "project file {}:{}", place.file.display(), place.line),
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

/// A value that need not be set.
fn some<T>(found: Found<T>) -> Found<Option<T>> {
    found.map(|(value, place)| (Some(value), place))
}

fn line(key: &str, value: impl fmt::Display, origin: &Origin) -> String {
    format!("{key} = {value}  ({origin})")
}
