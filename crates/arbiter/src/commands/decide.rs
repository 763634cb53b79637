//! `decide`: the moves of conducted missions, chosen again (`again`) and counted (`stats`). Journals are read as any
//! other process would read them (`walk`); no model is asked and nothing is written.

mod again;
mod policy;
mod stats;
mod walk;

use mind::charter::Way;
use mind::{MissionId, State};

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::DecideCommand;

use super::CommandContext;

/// Runs one of the commands.
pub fn run(context: &CommandContext, command: &DecideCommand) -> Result<ExitCode, CliError> {
    match command {
        DecideCommand::Replay(args) => again::replay(context, args),
        DecideCommand::Stats { mission, json } => stats::stats(context, mission.as_deref(), *json),
    }
}

/// Why a mission of the council has nothing to show here.
fn not_conducted(id: &MissionId, state: &State) -> Option<CliError> {
    (state.way() == Way::Council).then(|| {
        let why = format!("mission {id} is a council's: it has no moves");
        CliError::new(ExitCode::Usage, why)
            .hint(format!("`arbiter replay {id}` shows it again, fact by fact"))
    })
}
