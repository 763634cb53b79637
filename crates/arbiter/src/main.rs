//! The binary: parses what was typed, runs it, and ends with the exit code.

use std::process::ExitCode;

use arbiter::commands::cli::Cli;
use arbiter::project::token_variable;
use arbiter::terminal::{console, sound};
use arbiter::{cli_error, process_limits};

fn main() -> ExitCode {
    if let Err(error) = token_variable::hide() {
        return cli_error::exposed(&error).tell();
    }
    process_limits::outlive_file_size();
    providers::api::install_tls();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return arbiter::commands::cli::refuse(&error),
    };
    let ended = arbiter::commands::run(cli);
    sound::silence();
    console::lower();
    match (ended, console::unwritten()) {
        (Ok(cli_error::ExitCode::Done), Some(why)) => cli_error::unwritten(&why).tell(),
        (Ok(code), _) => ExitCode::from(code as u8),
        (Err(cli_error), _) => cli_error.or_limit().tell(),
    }
}
