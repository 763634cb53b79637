//! The binary: parses what was typed, runs it, and ends with the exit code.

use std::process::ExitCode;

use arbiter::commands::cli::Cli;

fn main() -> ExitCode {
    providers::api::install_tls();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return arbiter::commands::cli::refuse(&error),
    };
    let ended = arbiter::commands::run(cli);
    arbiter::terminal::sound::silence();
    arbiter::terminal::console::lower();
    match ended {
        Ok(code) => ExitCode::from(code as u8),
        Err(cli_error) => {
            arbiter::terminal::console::remark(&cli_error);
            ExitCode::from(cli_error.code as u8)
        }
    }
}
