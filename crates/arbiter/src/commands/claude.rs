//! Claude Code for a mission: found anew at every start, run as the configuration says.

use mind::Charter;
use providers::Provider;
use providers::claude::program::{self, Missing};
use providers::claude::{Options, Routing};

use crate::complaint::{Code, Complaint};
use crate::project::config::Config;

/// How its sessions are started, if it is on this machine.
pub fn options(config: &Config, routing: Routing) -> Result<Options, Missing> {
    let program = program::find(config.claude_program.value.as_deref())?;
    let settings = config.claude_settings.value;
    Ok(Options { program, settings, routing, env: Vec::new() })
}

/// How its sessions speak in a mission: as when it was opened, whatever the configuration says by now.
pub fn routing(charter: &Charter) -> Routing {
    match charter.providers.get(Provider::Claude.name()) {
        Some(can) if !can.typed => Routing::Tools,
        Some(_) | None => Routing::Typed,
    }
}

/// Whether a mission cannot begin without it.
pub fn is_needed(charter: &Charter) -> bool {
    let seats = &charter.seats;
    [&seats.arbiter, &seats.orchestrator, &seats.verifier]
        .iter()
        .any(|seat| seat.provider == Provider::Claude.name())
}

/// A mission needs it and it is not there.
pub fn complain(missing: &Missing) -> Complaint {
    Complaint::new(Code::Provider, missing.to_string()).hint(hint(missing))
}

/// How to get it, and what can be had without it.
pub fn hint(missing: &Missing) -> String {
    format!("{}; `arbiter demo` plays a mission without any account", missing.hint())
}
