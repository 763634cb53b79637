//! The commands. `cli` parses what a person types, this file routes it, each command has its own file, and `Desk` holds
//! what every command needs.

mod adopt;
mod agents;
mod attach;
mod claude;
pub mod cli;
mod conducting;
mod context;
mod decide;
mod demo;
mod discard;
mod docket;
mod doctor;
mod export;
pub mod journal_position;
mod leftovers;
mod locate_repo;
mod mcp;
mod merge;
mod mission;
mod missions;
mod own_config;
mod ownership;
mod replay;
mod resume;
mod run;
mod serve;
mod setup;
mod show;
mod start;
mod trust;

pub use context::CommandContext;

use clap::CommandFactory;

use crate::cli_error::{CliError, ExitCode};
use crate::commands::cli::{
    AgentsCommand, Cli, CliCommand, ConfigCommand, ResumeArgs, RunArgs, ServeCommand, SetupCommand,
};
use crate::terminal::console;

pub fn run(cli: Cli) -> Result<ExitCode, CliError> {
    let (plain, mute) = (cli.plain, cli.mute);
    workspace::on_slow_git(|word| console::remark(format!("note: {word}")));
    let context = || CommandContext::find(plain, mute);
    match cli.command {
        Some(CliCommand::Actor { args }) => Ok(run::act(args)),
        // The exit status is that of the program in the sandbox.
        Some(CliCommand::Cage { args }) => std::process::exit(sandbox::enter(args).into()),
        Some(CliCommand::Commands) => {
            let _ = console::print(cli::document().as_bytes());
            Ok(ExitCode::Done)
        }
        Some(CliCommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "arbiter", &mut script);
            let _ = console::print(script.as_slice());
            Ok(ExitCode::Done)
        }
        Some(CliCommand::Run(args)) => run::mission(&context()?, args),
        Some(CliCommand::Demo(args)) => demo::demo(&context()?, &args),
        Some(CliCommand::Resume(args)) => resume::resume(&context()?, &args),
        Some(CliCommand::Attach { id }) => attach::attach(&context()?, id.as_deref()),
        Some(CliCommand::Missions { all, json }) => missions::list(&context()?, all, json),
        Some(CliCommand::Show { id, json }) => show::show(&context()?, id.as_deref(), json),
        Some(CliCommand::Replay(args)) => replay::replay(&context()?, &args),
        Some(CliCommand::Export(args)) => export::export(&context()?, &args),
        Some(CliCommand::Merge(args)) => merge::merge(&context()?, &args),
        Some(CliCommand::Discard(args)) => discard::discard(&context()?, &args),
        Some(CliCommand::Adopt(args)) => adopt::adopt(&context()?, &args),
        Some(CliCommand::Mission { action }) => mission::steer(&context()?, action),
        Some(CliCommand::Decide { command }) => decide::run(&context()?, &command),
        Some(CliCommand::Docket(command)) => docket::run(command),
        Some(CliCommand::Config { command: None }) => doctor::describe(&context()?),
        Some(CliCommand::Config { command: Some(ConfigCommand::Check) }) => doctor::check(&context()?),
        Some(CliCommand::Config { command: Some(ConfigCommand::Keys) }) => Ok(doctor::keys()),
        Some(CliCommand::Config { command: Some(ConfigCommand::Schema) }) => Ok(doctor::schema()),
        Some(CliCommand::Agents { json, command: None }) => agents::list(&context()?, json),
        Some(CliCommand::Agents { json, command: Some(AgentsCommand::Show { name }) }) => {
            agents::show(&context()?, &name, json)
        }
        Some(CliCommand::Trust(args)) => trust::trust(&context()?, &args),
        Some(CliCommand::Mcp) => mcp::serve(),
        Some(CliCommand::Serve { command: None }) => serve::serve(),
        Some(CliCommand::Serve { command: Some(ServeCommand::Unit) }) => serve::unit(),
        Some(CliCommand::Setup { command: SetupCommand::Telegram }) => setup::telegram(),
        Some(CliCommand::Doctor) => doctor::doctor(&context()?),
        None if cli.resume => resume::resume(&context()?, &ResumeArgs::default()),
        None => match cli.file {
            Some(file) => {
                start::refuse_unknown_word(&file)?;
                run::mission(&context()?, RunArgs::with(file))
            }
            None => start::start(&context()?, cli.quick),
        },
    }
}
