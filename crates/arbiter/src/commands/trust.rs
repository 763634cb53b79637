//! `trust`: shows which of the project's own settings need trust, and asks. `run` asks the same before a mission begins.

use std::io::BufRead as _;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::TrustArgs;
use crate::project::agents::Agents;
use crate::project::config::{Config, Loosening};
use crate::project::project_files::ProjectFiles;
use crate::project::trust::Standing;
use crate::terminal::console::{self, LineInk};
use crate::{clock, terminal};

use super::CommandContext;
use super::context::{is_agent, refuse_agents};

/// The hint for settings that do not count yet.
pub const MEND: &str = "`arbiter trust` shows it and asks you";
/// What trust means, printed wherever it is asked for.
const MEANING: &str =
    "Checks and allowed commands run on this machine, and the project's own code decides what they do.";

/// Trusts the project, revokes that, or lists the trusted projects.
pub fn trust(context: &CommandContext, args: &TrustArgs) -> Result<ExitCode, CliError> {
    if args.list {
        return list(context);
    }
    refuse_agents()?;
    let project_files = ProjectFiles::read(&context.root());
    if args.revoke {
        return revoke(context, &project_files);
    }
    let (config, _) = sound(context, &project_files)?;
    let project = project_files.root.display();
    if config.loosenings.is_empty() {
        console::line(format!("{project} needs no trust: none of its settings loosens a rule"));
        return Ok(ExitCode::Done);
    }
    show(&config, &project_files);
    if config.standing.counts() {
        console::line(format!("{project} is {}", config.standing));
        return Ok(ExitCode::Done);
    }
    if !args.yes {
        if !terminal::is_there() {
            return Err(CliError::new(
                ExitCode::Usage,
                "trust needs your yes, and there is no terminal to ask at",
            )
            .hint("`arbiter config` shows the settings; `arbiter trust --yes` trusts without asking"));
        }
        if ask("Trust it? [y/N]") != Answer::Yes {
            return Err(CliError::new(ExitCode::Cancelled, "not trusted"));
        }
    }
    context.trust_book().trust(&project_files, clock::now())?;
    console::line(format!(
        "{project} is trusted until a byte of its configuration, its prompts or its agents changes"
    ));
    console::line("`arbiter trust --revoke` takes it back");
    Ok(ExitCode::Done)
}

fn list(context: &CommandContext) -> Result<ExitCode, CliError> {
    let records = context.trust_book().list()?;
    if records.is_empty() {
        console::line("no project is trusted");
    }
    for record in records {
        let told = match host::files::is_folder(&record.project) {
            Ok(true) => record.judge(&ProjectFiles::read(&record.project)).to_string(),
            Ok(false) => "gone".to_owned(),
            Err(error) => format!("it cannot be looked at: {error}"),
        };
        console::line(format!("{}  ({told})", record.project.display()));
    }
    Ok(ExitCode::Done)
}

fn revoke(context: &CommandContext, project_files: &ProjectFiles) -> Result<ExitCode, CliError> {
    let project = project_files.root.display();
    console::line(if context.trust_book().revoke(&project_files.root)? {
        format!("{project} is no longer trusted; missions that were begun keep what they were opened with")
    } else {
        format!("{project} was not trusted")
    });
    Ok(ExitCode::Done)
}

/// The configuration, if it, the prompts and the agents are all valid.
pub fn sound(context: &CommandContext, project_files: &ProjectFiles) -> Result<(Config, Agents), CliError> {
    let read = context.read_config(project_files)?;
    match &project_files.prompts {
        Ok(_) => Ok(read),
        Err(error) => Err(CliError::from(error)),
    }
}

/// The configuration of a new mission. If the project is not trusted but loosens something, the person at the terminal is
/// asked; without one, those settings do not count, and a warning says so.
pub fn resolve_trust(
    context: &CommandContext,
    project_files: &ProjectFiles,
    config: Config,
    typing: bool,
) -> Result<Config, CliError> {
    if config.ignored().is_empty() {
        return Ok(config);
    }
    if !typing || is_agent() {
        warn(config.standing, config.ignored().iter());
        return Ok(config);
    }
    show(&config, project_files);
    match ask("Trust it? y yes, N begin without it, q stop [y/N/q]") {
        Answer::Yes => {
            context.trust_book().trust(project_files, clock::now())?;
            context.config_of(project_files)
        }
        Answer::No => {
            console::line(format!("the mission begins without: {}", keys(&config)));
            Ok(config)
        }
        Answer::Quit => Err(CliError::new(ExitCode::Cancelled, "stopped: no mission was begun").hint(MEND)),
    }
}

/// The keys that a project sets and that need trust.
pub fn keys(config: &Config) -> String {
    let keys: Vec<&str> = config.loosenings.iter().map(|loosening| loosening.key.as_str()).collect();
    keys.join(", ")
}

/// Warns of settings that do not count in a resumed mission: it keeps its checks, policy and prompts,
/// and reads the rest again.
pub fn remind(config: &Config) {
    let anew =
        |loosening: &&Loosening| matches!(loosening.key.as_str(), "sandbox.write" | "sandbox.environment");
    warn(config.standing, config.ignored().iter().filter(anew));
}

/// Warns of the settings that do not count, each with its file and line.
fn warn<'a>(standing: Standing, ignored: impl Iterator<Item = &'a Loosening>) {
    let told =
        |ignored: &Loosening| format!("\n  {}: {} = {}", ignored.whereabouts(), ignored.key, ignored.value());
    let lines: String = ignored.map(told).collect();
    if !lines.is_empty() {
        console::remark(format!(
            "warning: settings of the project do not count ({standing}), the mission runs without:{lines}\n\
             hint: {MEND}"
        ));
    }
}

/// Shows every setting that trust would make count, without anything that could make a terminal hide a part.
fn show(config: &Config, project_files: &ProjectFiles) {
    let project = project_files.root.display();
    let mut lines = vec![match config.standing {
        Standing::Untrusted => format!("{project} has settings that count only if you trust it:"),
        Standing::Changed { .. } => format!("{project} was {}. It sets:", config.standing),
        Standing::Trusted { .. } => format!("{project} sets, and you trust it:"),
    }];
    for loosening in &config.loosenings {
        lines.push(format!("  {}  ({})", loosening.key, loosening.whereabouts()));
        lines.extend(loosening.shown.values.iter().map(|value| format!("    {value}")));
        if loosening.key == "policy.mode" {
            lines.push("    agents then run every command without asking you".to_owned());
        }
        if loosening.shown.values.is_empty() {
            lines.push("    none".to_owned());
        }
    }
    lines.push(MEANING.to_owned());
    let lines: Vec<_> = lines.into_iter().map(|line| (LineInk::Words, line)).collect();
    let _ = console::write(&lines);
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Quit,
}

/// Any answer but a yes or a quit is a no.
fn ask(question: &str) -> Answer {
    let _ = console::ask(question);
    let mut answer = String::new();
    let _ = std::io::stdin().lock().read_line(&mut answer);
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Answer::Yes,
        "q" | "quit" => Answer::Quit,
        _ => Answer::No,
    }
}
