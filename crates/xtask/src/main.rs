//! `cargo xtask NAME`: the project's own commands for developers. This file routes to them; each command has its own
//! file. Nothing here is part of the product.

mod advisories;
mod bench;
mod bubblewrap;
mod ci;
mod claude;
mod commands;
mod compat;
mod deny;
mod faults;
mod film;
mod golden;
mod keys;
mod mcp;
mod mutants;
mod names;
mod pictures;
mod plants;
mod shell;
mod sim;
mod steps;
mod test;
mod tidy;
mod tool;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One chore. A new one is its module and one row of [`COMMANDS`].
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(root: &Path, args: &[String]) -> anyhow::Result<Verdict>,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "test", about: "builds and runs every test, then deny and tidy; words after `--` select tests by name", run: test::run },
    Command { name: "ci", about: "the whole gate: fmt, clippy, tidy, deny, test", run: ci::run },
    Command { name: "tidy", about: "checks the repository: documents, drawing, plays, prompts, files", run: tidy::run },
    Command { name: "deny", about: "judges the dependencies by deny.toml: licences, bans, sources, versions side by side", run: deny::run },
    Command { name: "advisories", about: "asks the database of advisories about the dependencies; exit code 3 when it is out of reach", run: advisories::run },
    Command { name: "bench", about: "measures the release binary, the journal, the docket, the mind, the conductor and the screen, with the goal beside each figure; `conductor`, `docket`, `screen`, `scene` or `live`: only that", run: bench::run },
    Command { name: "sim", about: "runs whole houses from seeds with faults: --seeds N [--from S], or --seed S", run: sim::run },
    Command { name: "faults", about: "brings a fault to every file-system call of the binary: [COMMAND...] [--mode M] [--every K] [--from N] [--only WORDS] [--release]", run: faults::run },
    Command { name: "compat", about: "runs the contract suite and a council mission with other versions of Claude Code, `claude@V ...`, and writes the table in docs/claude.md", run: compat::run },
    Command { name: "mutants", about: "mutates a sample of mind and names what no test notices; takes cargo-mutants' own flags", run: mutants::run },
    Command { name: "plants", about: "plants bugs in the mind's round, in a copy of the tree; worlds and missions have to see each", run: plants::run },
    Command { name: "pictures", about: "draws docs/pictures from snapshots of the terminal and the Telegram door", run: pictures::run },
    Command { name: "keys", about: "writes the configuration's keys into docs/configuration.md, and docs/config.schema.json", run: keys::run },
    Command { name: "commands", about: "writes docs/commands.md from the command line's own definitions", run: commands::run },
    Command { name: "names", about: "how well the code can be searched and guessed, in figures with their goals; a FOLDER measures another checkout", run: names::run },
    Command { name: "film", about: "plays a demo mission in a real terminal and records it as docs/demo.cast, for asciinema", run: film::run },
    Command { name: "golden", about: "writes what programs read into the golden files, from runs of the binary, and adds their forms to crates/xtask/frozen.txt; --list only adds", run: golden::run },
    Command { name: "help", about: "lists the commands", run: help },
];

/// How a chore ended, when it could be done at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    /// What it needs could not be had, so it was not done: neither a pass nor a failure. Exit code 3.
    Skipped,
    /// The command line made no sense. Exit code 2, as everywhere in the project.
    Misused,
}

impl Verdict {
    fn of(passed: bool) -> Verdict {
        if passed { Verdict::Passed } else { Verdict::Failed }
    }
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> ExitCode {
        match verdict {
            Verdict::Passed => ExitCode::SUCCESS,
            Verdict::Failed => ExitCode::FAILURE,
            Verdict::Skipped => ExitCode::from(3),
            Verdict::Misused => ExitCode::from(2),
        }
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let verdict = match route(&args) {
        Ok((command, rest)) => (command.run)(&root(), rest),
        Err(name) => {
            eprintln!("error: there is no command `{name}`");
            print_commands();
            return Verdict::Misused.into();
        }
    };
    match verdict {
        Ok(verdict) => verdict.into(),
        Err(error) => {
            eprintln!("error: {error:#}");
            Verdict::Failed.into()
        }
    }
}

/// Finds the command and what is meant for it, or gives back the name that is none. No name at all
/// asks for help.
fn route(args: &[String]) -> Result<(&'static Command, &[String]), &str> {
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("help", args),
    };
    let name = if matches!(name, "-h" | "--help") { "help" } else { name };
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => Ok((command, rest)),
        None => Err(name),
    }
}

fn help(_root: &Path, _args: &[String]) -> anyhow::Result<Verdict> {
    print_commands();
    Ok(Verdict::Passed)
}

fn print_commands() {
    println!("usage: cargo xtask NAME\n");
    for command in COMMANDS {
        println!("  {:<10} {}", command.name, command.about);
    }
}

/// A command that takes no arguments says so instead of ignoring them.
fn refuse_arguments(name: &str, args: &[String]) -> Option<Verdict> {
    let first = args.first()?;
    eprintln!("error: `cargo xtask {name}` takes no arguments, but got `{first}`");
    Some(Verdict::Misused)
}

/// The repository's root, wherever the command was typed.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = PathBuf::from(here);
    here.ancestors().nth(2).map_or_else(|| here.clone(), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_command_gets_the_words_after_its_name() {
        let args = words("test -- name");
        let (command, rest) = route(&args).unwrap();
        assert_eq!((command.name, rest), ("test", &args[1..]));
    }

    #[test]
    fn no_words_ask_for_help() {
        assert_eq!(route(&[]).unwrap().0.name, "help");
        assert_eq!(route(&words("--help")).unwrap().0.name, "help");
    }

    #[test]
    fn an_unknown_command_is_named() {
        assert_eq!(route(&words("tset")).err(), Some("tset"));
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("crates/xtask/Cargo.toml").is_file());
    }
}
