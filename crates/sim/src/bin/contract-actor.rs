//! An actor of a rehearsal as a program of its own, for the contract that every provider keeps.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    providers::rehearsal::actor::run(io::stdin(), io::stdout(), std::env::args_os().skip(1))
}
