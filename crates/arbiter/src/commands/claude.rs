//! How a mission finds and starts Claude Code: looked for at every start, run as the configuration says.

use mind::Charter;
use providers::Provider;
use providers::claude::program::{self, Missing};
use providers::claude::versions::{self, ClaudeVersion, VersionStanding};
use providers::claude::{ClaudeOptions, Routing};

use crate::cli_error::{CliError, ExitCode};
use crate::project::config::Config;
use crate::terminal::console;

/// How sessions of Claude Code are started, if it is installed.
pub fn options(config: &Config, routing: Routing) -> Result<ClaudeOptions, Missing> {
    let program = program::find(config.claude_program.value.as_deref())?;
    let settings = config.claude_settings.value;
    Ok(ClaudeOptions { program, settings, routing, env: Vec::new() })
}

/// The routing of a mission: as when the mission was opened, even if the configuration has changed since.
pub fn routing(charter: &Charter) -> Routing {
    match charter.providers.get(Provider::Claude.name()) {
        Some(can) if !can.typed => Routing::Tools,
        Some(_) | None => Routing::Typed,
    }
}

/// Whether the mission cannot begin without Claude Code.
pub fn is_needed(charter: &Charter) -> bool {
    let seats = &charter.seats;
    [&seats.arbiter, &seats.orchestrator, &seats.verifier]
        .iter()
        .any(|seat| seat.provider == Provider::Claude.name())
}

/// The error of a mission that needs Claude Code where it is not installed.
pub fn complain(missing: &Missing) -> CliError {
    CliError::new(ExitCode::Provider, missing.to_string()).hint(hint(missing))
}

/// Warns, in one line, of a version that was not tested. One that does not tell its version shows in the mission.
pub fn warn_of_version(options: &ClaudeOptions) {
    let warning = program::version(&options.program).ok().and_then(ClaudeVersion::warning);
    if let Some(warning) = warning {
        console::remark(format!("warning: Claude Code {warning} (`arbiter doctor` says more)"));
    }
}

/// What to do about a version that was not tested.
pub fn version_hint(version: ClaudeVersion) -> String {
    let newest = versions::newest();
    let install = format!("`npm install -g @anthropic-ai/claude-code@{newest}`");
    match version.standing() {
        VersionStanding::OlderThanTested => format!("{install} installs the newest that is tested"),
        VersionStanding::NewerThanTested | VersionStanding::Tested => {
            format!(
                "it may work as well; if sessions misbehave, {install} installs the newest that is tested"
            )
        }
    }
}

/// How to install Claude Code, and what works without it.
pub fn hint(missing: &Missing) -> String {
    format!("{}; `arbiter demo` plays a mission without any account", missing.hint())
}
