//! How a mission finds and starts Claude Code: looked for at every start, run as the configuration says.

use mind::Charter;
use providers::Provider;
use providers::claude::program::{self, Missing};
use providers::claude::{ClaudeOptions, Routing};

use crate::cli_error::{CliError, ExitCode};
use crate::project::config::Config;

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

/// How to install Claude Code, and what works without it.
pub fn hint(missing: &Missing) -> String {
    format!("{}; `arbiter demo` plays a mission without any account", missing.hint())
}
