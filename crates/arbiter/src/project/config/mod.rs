//! The configuration: the project's file over the user's file over the defaults, key by key. It holds only keys that are
//! honoured; an unknown key is refused. Each value knows where it comes from. Settings of the project's file that loosen a
//! rule count only if the user trusts the project.

mod commands;
mod conduct;
mod document;
mod duration;
mod error;
mod existing;
mod kind;
mod layer;
mod loosening;
pub(crate) mod node;
mod notifications;
mod people;
pub(crate) mod reader;
mod row;
mod table;
mod tell;
mod values;
mod words;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mind::charter::{Patience, Warnings};
use mind::policy::Policy;

pub use conduct::Api;
pub use document::{keys, schema};
pub(crate) use duration::show as show_duration;
pub(crate) use error::shown;
pub use error::{ConfigError, ConfigErrors, ConfigPlace};
pub(crate) use existing::token as existing_token;
pub use kind::ShownValue;
pub use loosening::Loosening;
pub use notifications::{AlsoChannel, WebhookUrl};
use reader::Found;
pub(crate) use reader::read_file;
use table::Layer;
pub use table::{
    AGENT_DEFAULT, AWAY_AFTER_DEFAULT, CHECK_LIMIT_DEFAULT, Config, RESUME_LIMIT_DEFAULT, TELEGRAM_API,
};
pub(crate) use values::is_address;
pub use words::{ApiKind, CeremonyWanted, Headless, Judge, MotionWanted, SandboxWanted, SoundWanted};

use crate::project::project_files::ProjectFiles;
use crate::project::trust::Standing;

/// Where the project keeps its configuration, below its root.
pub const PROJECT_FILE: &str = ".arbiter/config.yaml";

/// What the files are read with.
#[derive(Debug, Clone, Copy)]
pub struct ConfigTerms<'a> {
    /// The user's own file.
    pub user_config: Option<&'a Path>,
    /// The user's home: what `~` means.
    pub home: Option<&'a Path>,
    /// ARBITER_HOME: where the docket is unless a file says otherwise.
    pub arbiter_home: &'a Path,
    /// The providers that may be chosen.
    pub providers: &'a [&'a str],
    /// Whether the user trusts the project's files.
    pub standing: Standing,
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<T> {
    pub value: T,
    /// Who set it.
    pub origin: SettingOrigin,
}

/// Who set a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingOrigin {
    Default,
    /// The user's own file.
    User(ConfigPlace),
    /// The `config.json` of an existing installation.
    Existing(Arc<Path>),
    /// The project's file.
    Project(ConfigPlace),
    /// Both: what they list is added up.
    Both {
        /// The user's own file.
        user: ConfigPlace,
        /// The project's file.
        project: ConfigPlace,
    },
}

impl Config {
    /// Joins the user's file and the project's.
    pub fn load(project_files: &ProjectFiles, terms: &ConfigTerms<'_>) -> Result<Config, ConfigErrors> {
        let (config, faults) = Config::read(project_files, terms);
        ConfigErrors::from_faults(faults).map_or(Ok(config), Err)
    }

    /// Every fault, and the settings that could be read.
    pub(crate) fn read(project_files: &ProjectFiles, terms: &ConfigTerms<'_>) -> (Config, Vec<ConfigError>) {
        let mut faults = Vec::new();
        let ConfigTerms { home, arbiter_home, standing, .. } = *terms;
        let user = Layer::of_user(terms, &mut faults);
        let mut own = Layer::of_project(project_files, terms, &mut faults);
        let default_agent = own.default_agent.clone();
        let mut loosenings = own.loosenings(&user, standing.counts());
        // `agents.default` is shown after the limits.
        loosenings.sort_by_key(|loosening| loosening.key == "agents.default");
        let waiting_agent = default_agent.filter(|_| own.default_agent.is_none());
        let mut config = Config::join(own, user, standing);
        config.waiting_agent = waiting_agent;
        config.loosenings = loosenings;
        config.loosenings.extend(loosening::prompts(project_files));
        config.loosenings.extend(loosening::agents(project_files));
        let prompts = project_files.prompts.iter().flatten().filter(|_| standing.counts());
        config.prompts = prompts.map(|(name, prompt)| (name.clone(), Arc::clone(&prompt.text))).collect();
        existing::complete(&mut config, arbiter_home, home);
        config.weigh_warnings(&mut faults);
        config.check_judge(&mut faults);
        (config, faults)
    }

    /// The policy, as a charter holds it.
    #[must_use]
    pub fn policy(&self) -> Policy {
        Policy { mode: self.policy_mode.value, allow: self.policy_allow.value.clone() }
    }

    /// The project's settings that do not count, because the user does not trust it.
    #[must_use]
    pub fn ignored(&self) -> &[Loosening] {
        if self.standing.counts() { &[] } else { &self.loosenings }
    }

    /// The context warnings, as a charter holds them.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        let policy = self.warning_policy.value;
        Warnings { first: self.first_warning.value, last: self.last_warning.value, policy }
    }

    /// The limits of silence, as a charter holds them.
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

    /// Refuses two thresholds in the wrong order, also if they come from two files.
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
            let hint = format!(
                "warnings.first is {} ({}), warnings.last is {} ({})",
                first.value, first.origin, last.value, last.origin
            );
            faults.push(place.refuse(key, "the first warning must come before the last", &hint));
        }
    }
}

impl SettingOrigin {
    /// The place in a configuration file, if the value comes from one.
    #[must_use]
    pub fn place(&self) -> Option<&ConfigPlace> {
        match self {
            SettingOrigin::Default | SettingOrigin::Existing(_) => None,
            SettingOrigin::User(place)
            | SettingOrigin::Project(place)
            | SettingOrigin::Both { project: place, .. } => Some(place),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            SettingOrigin::Default => 0,
            SettingOrigin::User(_) | SettingOrigin::Existing(_) => 1,
            SettingOrigin::Project(_) | SettingOrigin::Both { .. } => 2,
        }
    }
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingOrigin::Default => f.write_str("default"),
            SettingOrigin::User(place) => write!(f, "user file {}:{}", place.file.display(), place.line),
            SettingOrigin::Existing(file) => write!(f, "existing file {}", file.display()),
            SettingOrigin::Project(place) => {
                write!(f, "project file {}:{}", place.file.display(), place.line)
            }
            SettingOrigin::Both { user, project } => {
                write!(
                    f,
                    "{}, {}",
                    SettingOrigin::User(user.clone()),
                    SettingOrigin::Project(project.clone())
                )
            }
        }
    }
}

fn pick<T>(own: Found<T>, user: Found<T>, default: T) -> Setting<T> {
    match (own, user) {
        (Some((value, place)), _) => Setting { value, origin: SettingOrigin::Project(place) },
        (None, Some((value, place))) => Setting { value, origin: SettingOrigin::User(place) },
        (None, None) => Setting { value: default, origin: SettingOrigin::Default },
    }
}

/// The lists of both files together, the user's first.
fn add_up<T: PartialEq>(own: Found<Vec<T>>, user: Found<Vec<T>>) -> Setting<Vec<T>> {
    match (own, user) {
        (Some((more, project)), Some((mut value, user))) => {
            for item in more {
                if !value.contains(&item) {
                    value.push(item);
                }
            }
            Setting { value, origin: SettingOrigin::Both { user, project } }
        }
        (own, user) => pick(own, user, Vec::new()),
    }
}

/// Makes a value optional.
fn some<T>(found: Found<T>) -> Found<Option<T>> {
    found.map(|(value, place)| (Some(value), place))
}
