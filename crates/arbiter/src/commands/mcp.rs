//! `arbiter mcp`: the docket for agents, over standard input and output. Stdout is the protocol's alone; it ends when whoever
//! started it closes stdin.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use docket::Docket;
use doors::mcp::{Mcp, Surroundings};

use super::desk::PROVIDERS;
use super::run;
use crate::complaint::{Code, Complaint};
use crate::config::{Config, Terms};
use crate::home::{self, Places};
use crate::papers::Papers;
use crate::trust::Standing;
use crate::{clock, console};

/// Serves until the client goes.
pub fn serve() -> Result<Code, Complaint> {
    let mcp = Mcp::new(Docket::at(folder()?), surroundings());
    if io::stdin().is_terminal() {
        console::remark(
            "this speaks MCP with a program, and waits for one\nhint: `claude mcp add arbiter -- arbiter mcp`, or the like",
        );
    }
    let runtime = run::runtime()?;
    let served = runtime.block_on(mcp.serve_stdio());
    // A thread may still be reading from whoever is gone.
    runtime.shutdown_background();
    match served {
        Ok(()) => Ok(Code::Done),
        Err(error) => Err(Complaint::of(Code::Failed, &error)),
    }
}

/// Where petitions lie. That is the user's word alone: no project is looked at, and a broken one does not matter.
fn folder() -> Result<PathBuf, Complaint> {
    let places = Places::find(|name| std::env::var_os(name))?;
    let terms = Terms {
        user_config: places.user_config.as_deref(),
        home: places.user.as_deref(),
        arbiter_home: &places.home,
        providers: &PROVIDERS,
        standing: Standing::Untrusted,
    };
    let config = Config::load(&Papers::none(), &terms)?;
    config.notes.iter().for_each(|note| console::remark(format!("note: {note}")));
    Ok(config.docket_dir.value)
}

fn surroundings() -> Surroundings {
    let first = |names: [&str; 2]| {
        names.into_iter().filter_map(|name| std::env::var(name).ok()).find(|value| !value.is_empty())
    };
    Surroundings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: first(["ARBITER_AGENT", "CLAWDBOT_AGENT"]),
        session: first(["ARBITER_SESSION", "CLAWDBOT_SESSION"]),
        now: clock::now,
        dice: home::throw_dice,
        progress_every: doors::limits::PROGRESS_EVERY,
    }
}
