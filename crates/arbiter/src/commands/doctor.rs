//! `config` and `doctor`: print the configuration, check what a mission needs, and say how to fix what is missing.

use std::fs;
use std::path::Path;

use mind::access::SandboxLevel;
use mind::policy::PolicyMode;
use providers::claude::program::{self, Login};
use providers::{Provider, api};

use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::project::bot_token::{self, TokenError, TokenPlace};
use crate::project::config::{self, Config, SandboxWanted};
use crate::project::project_files::ProjectFiles;
use crate::serving::{lock, standing};
use crate::terminal::console;
use crate::terminal::sound;

use super::context::workers;
use super::{CommandContext, claude, conducting, run, trust};

/// One result of `doctor`: what was found, and a hint if something is wrong.
enum Finding {
    Well(String),
    /// A warning: missions can still run.
    Odd(String, String),
    Ill(String, String),
}

/// Prints every setting and where it comes from.
pub fn describe(context: &CommandContext) -> Result<ExitCode, CliError> {
    let config = context.config(&context.root())?;
    for line in config.describe() {
        console::line(line);
    }
    for note in &config.notes {
        console::remark(format!("note: {note}"));
    }
    Ok(ExitCode::Done)
}

/// Prints everything that is wrong with the configuration, the prompts and the agents.
pub fn check(context: &CommandContext) -> Result<ExitCode, CliError> {
    trust::sound(context, &ProjectFiles::read(&context.root()))?;
    console::line("the configuration is valid");
    Ok(ExitCode::Done)
}

/// Prints every key that can be set.
pub fn keys() -> ExitCode {
    config::keys().into_iter().for_each(console::line);
    ExitCode::Done
}

/// Prints the JSON schema of configuration files.
pub fn schema() -> ExitCode {
    console::line(config::schema());
    ExitCode::Done
}

/// Checks everything a mission needs, and prints each result at once.
pub fn doctor(context: &CommandContext) -> Result<ExitCode, CliError> {
    let mut health = Health { is_well: true };
    health.tell("git", git()?);
    health.tell("home", writable(&context.places.home));
    health.tell("state", writable(&context.places.state));
    health.tell("project", writable(&context.project.folder()));
    let config = trust::sound(context, &ProjectFiles::read(&context.root())).map(|(config, _)| config);
    health.tell("configuration", configured(&config));
    if let Ok(config) = &config {
        health.tell("docket", writable(&config.docket_dir.value));
        for (what, found) in telegram(config, &context.places.home) {
            health.tell(what, found);
        }
        health.tell("trust", trusted(config));
        health.tell("sandbox", sandbox(config));
        if config.policy().mode == PolicyMode::Open {
            let text = "open: agents run every command without asking you".to_owned();
            let hint = "`policy: {mode: guarded}` asks you before commands it does not know".to_owned();
            health.tell("policy", Finding::Odd(text, hint));
        }
    }
    health.tell("providers", Finding::Well(workers().join(", ")));
    health.tell("sound", player());
    if let Some(api) = config.as_ref().ok().and_then(conducting::api_options) {
        health.tell(Provider::Api.name(), reachable(&api));
    }
    // The configuration says which program is meant, and whether missions need it.
    if let Ok(config) = &config {
        for (what, found) in claude_code(config) {
            health.tell(what, found);
        }
    }
    Ok(if health.is_well { ExitCode::Done } else { ExitCode::Failed })
}

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

fn configured(config: &Result<Config, CliError>) -> Finding {
    match config {
        Ok(config) => Finding::Well(match config.checks.value.len() {
            0 => "no checks: an agent verifies a mission's end, and nothing proves it".to_owned(),
            count => format!("{count} check(s)"),
        }),
        Err(cli_error) => Finding::Ill(
            cli_error.cause.clone(),
            cli_error.hint.clone().unwrap_or_else(|| "`arbiter config check` prints all of it".to_owned()),
        ),
    }
}

/// Whether the conductor's model can be reached, as far as that is known without a call.
fn reachable(api: &api::ModelOptions) -> Finding {
    match api.endpoint() {
        Ok(url) => Finding::Well(format!("{} at {}", api.model, url.host_str().unwrap_or_default())),
        Err(trouble) => Finding::Odd(
            trouble.to_string(),
            "until that is fixed, rules and the fixed order choose the conductor's moves".to_owned(),
        ),
    }
}

/// The project's settings that count only by trust.
fn trusted(config: &Config) -> Finding {
    let keys = trust::keys(config);
    if keys.is_empty() {
        Finding::Well("not needed: none of the project's settings loosens a rule".to_owned())
    } else if config.standing.counts() {
        Finding::Well(format!("{}: {keys}", config.standing))
    } else {
        Finding::Odd(
            format!("{}: {keys} of the project do not count", config.standing),
            trust::MEND.to_owned(),
        )
    }
}

/// The sandbox that agents would run in. Without one, no mission of real agents starts.
fn sandbox(config: &Config) -> Finding {
    let survey = sandbox::survey();
    match (config.sandbox_level.value, survey.best()) {
        (SandboxWanted::Off, _) => Finding::Odd(
            format!("off, as your configuration says: agents can read and write all that you can ({survey})"),
            format!("set `sandbox.level` to `auto` ({})", config.sandbox_level.origin),
        ),
        (SandboxWanted::Auto, Some(SandboxLevel::Bubblewrap)) => Finding::Well(survey.to_string()),
        (SandboxWanted::Auto, Some(SandboxLevel::Landlock | SandboxLevel::Off)) => {
            Finding::Odd(survey.to_string(), survey.hint().unwrap_or_default())
        }
        (SandboxWanted::Auto, None) if config.provider.value != Provider::Claude.name() => {
            Finding::Odd(survey.to_string(), survey.hint().unwrap_or_default())
        }
        (SandboxWanted::Auto, None) => Finding::Ill(survey.to_string(), survey.hint().unwrap_or_default()),
    }
}

/// Claude Code and its login. A problem is a failure only if missions are configured to use it.
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
            match version.warning() {
                None => Finding::Well(text),
                Some(warning) => {
                    let text = format!("{warning}, at {}", program.display());
                    Finding::Odd(text, claude::version_hint(version))
                }
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

/// The Telegram bot: its token, who is let in, and whether the door is open. Without a bot nothing is wrong.
fn telegram(config: &Config, home: &Path) -> Vec<(&'static str, Finding)> {
    let token = match bot_token::find(config, home) {
        Err(TokenError::Missing) => {
            let text = "no bot; `arbiter setup telegram` sets one up".to_owned();
            return vec![("telegram", Finding::Well(text))];
        }
        Err(error) => Finding::Ill(error.to_string(), error.hint()),
        Ok((_, TokenPlace::Existing(path))) if matches!(bot_token::open_to_others(&path), Ok(Some(_))) => {
            let hint = format!("`chmod 600 {}`", path.display());
            Finding::Odd(format!("its token is in {}, which others can read", path.display()), hint)
        }
        Ok((token, place)) => Finding::Well(format!("bot {}, its token from {place}", token.bot())),
    };
    let names: Vec<&str> = config.telegram_people.value.iter().map(|person| &*person.name).collect();
    let people = match names.as_slice() {
        [] => {
            let hint = "`arbiter setup telegram` finds your number".to_owned();
            Finding::Ill("the bot lets no user in".to_owned(), hint)
        }
        names => Finding::Well(names.join(", ")),
    };
    let (said, hint) = standing::in_words(home, clock::now());
    let said = said.trim_start_matches("Telegram: ").to_owned();
    let polls = match (hint, lock::holder(home)) {
        (Some(hint), _) => Finding::Odd(said, hint),
        (None, process) => Finding::Well(format!("{said}; process {}", process.unwrap_or_default())),
    };
    vec![("telegram", token), ("users", people), ("serve", polls)]
}

/// The program that plays sounds. A machine without one is fine.
fn player() -> Finding {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Finding::Well(sound::describe(&path))
}

/// The git that missions would use. Each thing that is wrong with it has a hint of its own.
fn git() -> Result<Finding, CliError> {
    let found = run::runtime()?.block_on(workspace::git_version());
    Ok(match found {
        Ok(version) if version.is_guarded => Finding::Well(version.text),
        Ok(version) => Finding::Odd(
            format!("{}: it cannot be told to fetch nothing that a clone lacks", version.text),
            "git 2.45 or newer can; until then let missions run in a sandbox".to_owned(),
        ),
        Err(error) => {
            let told = CliError::from(error);
            Finding::Ill(told.cause, told.hint.unwrap_or_else(|| "does `git version` work?".to_owned()))
        }
    })
}

/// Whether we can write into the folder; if it does not exist yet, whether it could be made.
fn writable(folder: &Path) -> Finding {
    // Of a folder that cannot be looked at, the try below says why.
    let standing = folder.ancestors().find(|folder| folder.try_exists().unwrap_or(true)).unwrap_or(folder);
    let probe = standing.join(format!(".arbiter-probe-{}", std::process::id()));
    if let Err(error) = fs::create_dir(&probe) {
        let hint = format!("make {} writable for you, or choose another folder", standing.display());
        return Finding::Ill(format!("{}: {error}", standing.display()), hint);
    }
    let _ = fs::remove_dir(&probe);
    Finding::Well(folder.display().to_string())
}
