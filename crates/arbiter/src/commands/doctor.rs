//! `config` and `doctor`: what is configured, what is missing, and how to mend it.

use std::fs;
use std::path::Path;
use std::process::Command;

use mind::lay::Level;
use mind::policy::Mode;
use providers::claude::program::{self, Login};
use providers::{Provider, api};

use crate::complaint::{Code, Complaint};
use crate::project::config::{self, Config, SandboxLevel};
use crate::project::papers::Papers;
use crate::terminal::console;
use crate::terminal::sound;

use super::desk::workers;
use super::{Desk, claude, conducting, trust};

/// What was found: a text, and what helps where something is wrong.
enum Finding {
    Well(String),
    /// A mission can run all the same.
    Odd(String, String),
    Ill(String, String),
}

/// Prints every setting and where it comes from.
pub fn describe(desk: &Desk) -> Result<Code, Complaint> {
    let config = desk.config(&desk.root())?;
    for line in config.describe() {
        console::line(line);
    }
    for note in &config.notes {
        console::remark(format!("note: {note}"));
    }
    Ok(Code::Done)
}

/// Says everything that is wrong with the configuration.
pub fn check(desk: &Desk) -> Result<Code, Complaint> {
    trust::sound(desk, &Papers::read(&desk.root()))?;
    console::line("the configuration is sound");
    Ok(Code::Done)
}

/// Prints every key that can be set.
pub fn keys() -> Code {
    config::keys().into_iter().for_each(console::line);
    Code::Done
}

/// Prints what editors need to know of configuration files.
pub fn schema() -> Code {
    console::line(config::schema());
    Code::Done
}

/// Looks at everything a mission needs, and tells each thing as soon as it is found.
pub fn doctor(desk: &Desk) -> Result<Code, Complaint> {
    let mut health = Health { is_well: true };
    health.tell("git", git());
    health.tell("home", writable(&desk.places.home));
    health.tell("state", writable(&desk.places.state));
    health.tell("project", writable(&desk.project.folder()));
    let config = trust::sound(desk, &Papers::read(&desk.root()));
    health.tell("configuration", configured(&config));
    if let Ok(config) = &config {
        health.tell("docket", writable(&config.docket_dir.value));
        health.tell("trust", trusted(config));
        health.tell("sandbox", sandbox(config));
        if config.policy().mode == Mode::Open {
            let text = "open: agents run every command unasked".to_owned();
            let hint = "`policy: {mode: guarded}` asks before what is not known".to_owned();
            health.tell("policy", Finding::Odd(text, hint));
        }
    }
    health.tell("providers", Finding::Well(workers().join(", ")));
    health.tell("sound", player());
    if let Some(api) = config.as_ref().ok().and_then(conducting::api_options) {
        health.tell(Provider::Api.name(), reachable(&api));
    }
    // Which program is meant, and whether it is needed, is for the configuration to say.
    if let Ok(config) = &config {
        for (what, found) in claude_code(config) {
            health.tell(what, found);
        }
    }
    Ok(if health.is_well { Code::Done } else { Code::Failed })
}

/// What the findings come to.
struct Health {
    is_well: bool,
}

impl Health {
    fn tell(&mut self, what: &str, found: Finding) {
        let (mark, text, hint) = match found {
            Finding::Well(text) => ("ok", text, None),
            Finding::Odd(text, hint) => ("warn", text, Some(hint)),
            Finding::Ill(text, hint) => {
                self.is_well = false;
                ("FAIL", text, Some(hint))
            }
        };
        console::line(format!("{mark:<5} {what:<14} {text}"));
        if let Some(hint) = hint {
            console::line(format!("{:<20} hint: {hint}", ""));
        }
    }
}

fn configured(config: &Result<Config, Complaint>) -> Finding {
    match config {
        Ok(config) => Finding::Well(match config.checks.value.len() {
            0 => "no checks: a mission's end is verified by an agent, never proven".to_owned(),
            count => format!("{count} check(s)"),
        }),
        Err(complaint) => Finding::Ill(
            complaint.cause.clone(),
            complaint.hint.clone().unwrap_or_else(|| "`arbiter config check` says all of it".to_owned()),
        ),
    }
}

/// Whether the model that decides can be asked, as far as one knows without asking it.
fn reachable(api: &api::Options) -> Finding {
    match api.endpoint() {
        Ok(url) => Finding::Well(format!("{} at {}", api.model, url.host_str().unwrap_or_default())),
        Err(trouble) => Finding::Odd(
            trouble.to_string(),
            "until that is mended, rules and the fixed order decide by themselves".to_owned(),
        ),
    }
}

/// What the project sets that counts only by trust.
fn trusted(config: &Config) -> Finding {
    let keys = trust::keys(config);
    if keys.is_empty() {
        Finding::Well("not needed: the project sets nothing that loosens".to_owned())
    } else if config.standing.counts() {
        Finding::Well(format!("{}: {keys}", config.standing))
    } else {
        Finding::Odd(
            format!("{}: {keys} of the project do not count", config.standing),
            trust::MEND.to_owned(),
        )
    }
}

/// What would hold agents here. Without it no mission of real agents starts.
fn sandbox(config: &Config) -> Finding {
    let survey = sandbox::survey();
    match (config.sandbox_level.value, survey.best()) {
        (SandboxLevel::Off, _) => Finding::Odd(
            format!("off, as your configuration says: agents see and write what you can ({survey})"),
            format!("set `sandbox.level` to `auto` ({})", config.sandbox_level.origin),
        ),
        (SandboxLevel::Auto, Some(Level::Bubblewrap)) => Finding::Well(survey.to_string()),
        (SandboxLevel::Auto, Some(Level::Landlock | Level::Off)) => {
            Finding::Odd(survey.to_string(), survey.hint().unwrap_or_default())
        }
        (SandboxLevel::Auto, None) if config.provider.value != Provider::Claude.name() => {
            Finding::Odd(survey.to_string(), survey.hint().unwrap_or_default())
        }
        (SandboxLevel::Auto, None) => Finding::Ill(survey.to_string(), survey.hint().unwrap_or_default()),
    }
}

/// Claude Code and its account. What is wrong with it is a failure only if missions are to use it.
fn claude_code(config: &Config) -> Vec<(&'static str, Finding)> {
    let wrong = if config.provider.value == Provider::Claude.name() { Finding::Ill } else { Finding::Odd };
    let program = match program::find(config.claude_program.value.as_deref()) {
        Ok(program) => program,
        Err(missing) => {
            return vec![(Provider::Claude.name(), wrong(missing.to_string(), claude::hint(&missing)))];
        }
    };
    let found = match program::version(&program) {
        Ok(version) => {
            let text = format!("{version} at {}", program.display());
            if program::is_tested(&version) {
                Finding::Well(text)
            } else {
                let hint = format!("this arbiter is tested with {}; another may work", program::tested());
                Finding::Odd(text, hint)
            }
        }
        Err(mute) => {
            let hint = format!("does `{} --version` work? if not, install it again", program.display());
            return vec![(Provider::Claude.name(), wrong(mute.to_string(), hint))];
        }
    };
    let mend = program::LOGIN_HINT.to_owned();
    let login = match program::login(&program, config.claude_settings.value) {
        Login::LoggedIn { how } => Finding::Well(how),
        Login::NotLoggedIn => wrong("Claude Code is not logged in".to_owned(), mend),
        Login::Unknown(why) => Finding::Odd(why, mend),
    };
    vec![(Provider::Claude.name(), found), ("login", login)]
}

/// What sounds are played by. Many a machine is silent, and nothing is wrong with that.
fn player() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Finding::Well(sound::describe(&path))
}

fn git() -> Finding {
    let missing = |why: String| Finding::Ill(why, "install git 2.30 or newer".to_owned());
    match Command::new("git").arg("--version").output() {
        Ok(output) if output.status.success() => {
            Finding::Well(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        Ok(_) => missing("git does not answer".to_owned()),
        Err(error) => missing(format!("git: {error}")),
    }
}

/// Whether we can keep things there; of a folder that is not there yet, whether it could be made.
fn writable(folder: &Path) -> Finding {
    let standing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let probe = standing.join(format!(".arbiter-probe-{}", std::process::id()));
    if let Err(error) = fs::create_dir(&probe) {
        let hint = format!("make {} writable for you, or choose another place", standing.display());
        return Finding::Ill(format!("{}: {error}", standing.display()), hint);
    }
    let _ = fs::remove_dir(&probe);
    Finding::Well(folder.display().to_string())
}
