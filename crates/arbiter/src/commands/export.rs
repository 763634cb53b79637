//! `export`: a mission as a Markdown report, on stdout or in a file. One pass over the journal gathers what happened
//! (`account`), then it is written down (`report`); what agents wrote cannot break the report's form (`markdown`).

mod account;
mod course;
mod markdown;
mod petitions;
mod report;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::ExportArgs;
use crate::mission::port::MissionPort as _;
use crate::mission::refusal;
use crate::terminal::console;

use self::account::Account;
use super::CommandContext;

/// Writes the report of a mission.
pub fn export(context: &CommandContext, args: &ExportArgs) -> Result<ExitCode, CliError> {
    let (id, places) = context.named(&args.id)?;
    let port = context.port(&places)?;
    let account = Account::read(&port).map_err(|error| refusal::refuse(&error, &places.folder))?;
    let report = report::write(&id, &account, port.is_running());
    let Some(file) = &args.output else {
        // Whether it could be written is told when the program ends.
        let _ = console::print(report.as_bytes());
        return Ok(ExitCode::Done);
    };
    save(file, &report, args.force)?;
    console::remark(format!("the report of {id} is in {}", file.display()));
    Ok(ExitCode::Done)
}

/// Writes the file; one that is there is kept unless `force`.
fn save(file: &Path, report: &str, force: bool) -> Result<(), CliError> {
    let mut how = OpenOptions::new();
    how.write(true);
    if force {
        how.create(true).truncate(true);
    } else {
        how.create_new(true);
    }
    let written = how.open(file).and_then(|mut file| file.write_all(report.as_bytes()));
    written.map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return CliError::new(ExitCode::Usage, format!("{} is there already", file.display()))
                .hint("name another file, or overwrite it with --force");
        }
        CliError::new(ExitCode::Failed, format!("{} cannot be written: {error}", file.display()))
            .hint("name a file in a folder that exists and can be written")
    })
}
