//! What each command does. This file only routes; `Desk` holds what every command needs.

mod agents;
mod attach;
mod claude;
mod conducted;
mod conducting;
mod decide;
mod demo;
mod desk;
mod discard;
mod docket;
mod doctor;
mod export;
mod ground_finding;
mod leftovers;
mod mcp;
mod merge;
mod missions;
mod replay;
mod resume;
mod run;
mod start;
mod steer;
mod trust;

pub use desk::Desk;

use clap::CommandFactory;

use crate::cli::{AgentsCommand, Cli, Command, ConfigCommand, ResumeArgs, RunArgs};
use crate::complaint::{Code, Complaint};

/// Runs what was typed.
pub fn run(cli: Cli) -> Result<Code, Complaint> {
    let plain = cli.plain;
    match cli.command {
        Some(Command::Actor { args }) => Ok(run::act(args)),
        // Its exit status is the program's own, and not one of ours.
        Some(Command::Cage { args }) => std::process::exit(providers::cage::enter(args).into()),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "arbiter", &mut script);
            let _ = std::io::Write::write_all(&mut std::io::stdout(), &script);
            Ok(Code::Done)
        }
        Some(Command::Run(args)) => run::mission(&Desk::find(plain)?, args),
        Some(Command::Demo(args)) => demo::demo(&Desk::find(plain)?, &args),
        Some(Command::Resume(args)) => resume::resume(&Desk::find(plain)?, &args),
        Some(Command::Attach { id }) => attach::attach(&Desk::find(plain)?, id.as_deref()),
        Some(Command::Missions { all, json }) => missions::list(&Desk::find(plain)?, all, json),
        Some(Command::Show { id, json }) => missions::show(&Desk::find(plain)?, id.as_deref(), json),
        Some(Command::Replay(args)) => replay::replay(&Desk::find(plain)?, &args),
        Some(Command::Export(args)) => export::export(&Desk::find(plain)?, &args),
        Some(Command::Merge(args)) => merge::merge(&Desk::find(plain)?, &args),
        Some(Command::Discard(args)) => discard::discard(&Desk::find(plain)?, &args),
        Some(Command::Mission { deed }) => steer::steer(&Desk::find(plain)?, deed),
        Some(Command::Decide { command }) => decide::run(&Desk::find(plain)?, &command),
        Some(Command::Docket(command)) => docket::run(command),
        Some(Command::Config { command: None }) => doctor::describe(&Desk::find(plain)?),
        Some(Command::Config { command: Some(ConfigCommand::Check) }) => doctor::check(&Desk::find(plain)?),
        Some(Command::Agents { json, command: None }) => agents::list(&Desk::find(plain)?, json),
        Some(Command::Agents { json, command: Some(AgentsCommand::Show { name }) }) => {
            agents::show(&Desk::find(plain)?, &name, json)
        }
        Some(Command::Trust(args)) => trust::trust(&Desk::find(plain)?, &args),
        Some(Command::Mcp) => mcp::serve(),
        Some(Command::Doctor) => doctor::doctor(&Desk::find(plain)?),
        None if cli.resume => resume::resume(&Desk::find(plain)?, &ResumeArgs::default()),
        None => match cli.file {
            Some(file) => run::mission(&Desk::find(plain)?, RunArgs::with(file)),
            None => start::start(&Desk::find(plain)?),
        },
    }
}
