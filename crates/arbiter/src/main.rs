//! The binary: parses what was typed, runs it, and ends with the exit code.

use std::process::ExitCode;

use arbiter::cli::Cli;

fn main() -> ExitCode {
    providers::api::install_tls();
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => return arbiter::cli::refuse(&error),
    };
    let ended = arbiter::commands::run(cli);
    arbiter::sound::silence();
    arbiter::console::lower();
    match ended {
        Ok(code) => ExitCode::from(code as u8),
        Err(complaint) => {
            arbiter::console::remark(&complaint);
            ExitCode::from(complaint.code as u8)
        }
    }
}
