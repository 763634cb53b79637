//! `arbiter mcp`: serves the docket to agents over stdin and stdout. Only the protocol writes to stdout; the command ends
//! when its client closes stdin.

use std::io::{self, IsTerminal};

use doors::mcp::{Mcp, McpSurroundings};

use super::{docket, run};
use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::project::home;
use crate::terminal::console;

/// Serves until the client goes.
pub fn serve() -> Result<ExitCode, CliError> {
    let mcp = Mcp::new(docket::open()?, surroundings());
    if io::stdin().is_terminal() {
        console::remark(
            "`arbiter mcp` serves a program over MCP, and waits for its messages\nhint: `claude mcp add arbiter -- arbiter mcp` lets Claude Code start it",
        );
    }
    let runtime = run::runtime()?;
    let served = runtime.block_on(mcp.serve_stdio());
    // A thread may still be reading from the client that is gone.
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(ExitCode::Done),
        Err(error) => Err(CliError::of(ExitCode::Failed, &error)),
    }
}

fn surroundings() -> McpSurroundings {
    McpSurroundings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: docket::variable(docket::AGENT_VARIABLES).map(|(_, name)| name),
        session: docket::session(),
        now: clock::now,
        draw: || home::new_petition_id(host::dice()),
        when: docket::when,
        progress_every: doors::limits::PROGRESS_EVERY,
    }
}
