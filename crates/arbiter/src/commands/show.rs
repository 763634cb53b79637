//! `show`: one mission, read from its journal without disturbing the process that writes it. Text and JSON are laid out
//! from the same `MissionView`.

mod conducted;
mod lines;

use serde_json::json;
use view::mission::{MissionMoment, MissionView};

use super::CommandContext;
use crate::cli_error::{CliError, ExitCode};
use crate::clock;
use crate::mission::port::{self, MissionPort as _};
use crate::terminal::console;

/// Shows one mission.
pub fn show(context: &CommandContext, typed: Option<&str>, as_json: bool) -> Result<ExitCode, CliError> {
    let (id, places) = match typed {
        Some(typed) => context.named(typed)?,
        None => context.newest_first()?.into_iter().next().ok_or_else(|| {
            CliError::new(ExitCode::Usage, "there is no mission here")
                .hint("`arbiter missions --all` lists all")
        })?,
    };
    let state = context.port(&places)?.state()?;
    let view = MissionView::of(MissionMoment {
        id: &id,
        state: &state,
        process: port::holder(&places),
        discarded: places.is_discarded()?,
        now: clock::now(),
    });
    if as_json {
        console::line(json!(view));
        return Ok(ExitCode::Done);
    }
    for line in lines::describe(&view, &places.journal()) {
        console::line(line);
    }
    Ok(ExitCode::Done)
}
