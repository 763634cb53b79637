//! The commands. `cli` parses what a person types, this file routes it, each command has its own file, and `Desk` holds
//! what every command needs.

mod agents;
mod attach;
mod claude;
pub mod cli;
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
pub mod moment;
mod replay;
mod resume;
mod run;
mod show;
mod start;
mod steer;
mod trust;

pub use desk::Desk;

use clap::CommandFactory;

use crate::commands::cli::{AgentsCommand, Cli, Command, ConfigCommand, ResumeArgs, RunArgs};
use crate::complaint::{Code, Complaint};

pub fn run(cli: Cli) -> Result<Code, Complaint> {
    let (plain, mute) = (cli.plain, cli.mute);
    let desk = || Desk::find(plain, mute);
    match cli.command {
        Some(Command::Actor { args }) => Ok(run::act(args)),
        // The exit status is that of the program in the sandbox.
        Some(Command::Cage { args }) => std::process::exit(sandbox::enter(args).into()),
        Some(Command::Commands) => {
            let _ = std::io::Write::write_all(&mut std::io::stdout(), cli::document().as_bytes());
            Ok(Code::Done)
        }
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "arbiter", &mut script);
            let _ = std::io::Write::write_all(&mut std::io::stdout(), &script);
            Ok(Code::Done)
        }
        Some(Command::Run(args)) => run::mission(&desk()?, args),
        Some(Command::Demo(args)) => demo::demo(&desk()?, &args),
        Some(Command::Resume(args)) => resume::resume(&desk()?, &args),
        Some(Command::Attach { id }) => attach::attach(&desk()?, id.as_deref()),
        Some(Command::Missions { all, json }) => missions::list(&desk()?, all, json),
        Some(Command::Show { id, json }) => show::show(&desk()?, id.as_deref(), json),
        Some(Command::Replay(args)) => replay::replay(&desk()?, &args),
        Some(Command::Export(args)) => export::export(&desk()?, &args),
        Some(Command::Merge(args)) => merge::merge(&desk()?, &args),
        Some(Command::Discard(args)) => discard::discard(&desk()?, &args),
        Some(Command::Mission { action }) => steer::steer(&desk()?, action),
        Some(Command::Decide { command }) => decide::run(&desk()?, &command),
        Some(Command::Docket(command)) => docket::run(command),
        Some(Command::Config { command: None }) => doctor::describe(&desk()?),
        Some(Command::Config { command: Some(ConfigCommand::Check) }) => doctor::check(&desk()?),
        Some(Command::Config { command: Some(ConfigCommand::Keys) }) => Ok(doctor::keys()),
        Some(Command::Config { command: Some(ConfigCommand::Schema) }) => Ok(doctor::schema()),
        Some(Command::Agents { json, command: None }) => agents::list(&desk()?, json),
        Some(Command::Agents { json, command: Some(AgentsCommand::Show { name }) }) => {
            agents::show(&desk()?, &name, json)
        }
        Some(Command::Trust(args)) => trust::trust(&desk()?, &args),
        Some(Command::Mcp) => mcp::serve(),
        Some(Command::Doctor) => doctor::doctor(&desk()?),
        None if cli.resume => resume::resume(&desk()?, &ResumeArgs::default()),
        None => match cli.file {
            Some(file) => {
                start::refuse_unknown_word(&file)?;
                run::mission(&desk()?, RunArgs::with(file))
            }
            None => start::start(&desk()?, cli.quick),
        },
    }
}
