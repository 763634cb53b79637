//! Output that cannot be written: every command says so and ends as failed; a reader that went away is no failure.

use std::fs::{File, OpenOptions};
use std::process::Stdio;

use arbiter::commands::cli::Cli;
use clap::CommandFactory as _;
use sim::{Ran, Theatre};

use crate::DEMO;
use crate::mission::{repository, run};

/// How a command is made to print, `ID` being a mission and `P` a petition; or why it prints nothing here.
enum Printing {
    By(&'static [&'static str]),
    Not(#[expect(dead_code, reason = "it is for whoever reads the table")] &'static str),
}

use Printing::{By, Not};

/// Every command of the command line. One that is missing here fails the test.
const ROWS: &[(&str, Printing)] = &[
    ("run", By(&["run", "--rehearsal", "../script.yaml", "--headless", "--yes"])),
    ("demo", By(&DEMO)),
    ("resume", Not("it prints what the mission does, as `run`")),
    ("attach", Not("it follows a running mission")),
    ("missions", By(&["missions"])),
    ("show", By(&["show", "ID"])),
    ("replay", By(&["replay", "ID"])),
    ("export", By(&["export", "ID"])),
    ("merge", By(&["merge", "ID", "--patch"])),
    ("discard", Not("it is tried last")),
    ("mission say", Not("the mission is over")),
    ("mission pause", Not("the mission is over")),
    ("mission resume", Not("the mission is over")),
    ("mission interrupt", Not("the mission is over")),
    ("mission release", Not("the mission is over")),
    ("mission force", Not("the mission is over")),
    ("mission skip", Not("the mission is over")),
    ("mission retry", Not("the mission is over")),
    ("mission cancel", Not("the mission is over")),
    ("mission allow", Not("the mission is over")),
    ("mission deny", Not("the mission is over")),
    ("decide replay", Not("no conducted mission is here")),
    ("decide stats", Not("no conducted mission is here")),
    ("ask", By(&["ask", "Which way?", "--option", "left", "--option", "right"])),
    ("status", By(&["status", "P"])),
    ("get", By(&["get", "P", "--partial"])),
    ("await", Not("it waits for an answer")),
    ("inbox", By(&["inbox", "--list"])),
    ("answer", Not("it is `submit`'s way of printing")),
    ("skip", Not("it is `submit`'s way of printing")),
    ("submit", Not("the petition is open")),
    ("withdraw", By(&["withdraw", "P", "--why", "not needed"])),
    ("audit", By(&["audit"])),
    ("audit verify", By(&["audit", "verify"])),
    ("audit mend", Not("there is nothing to mend")),
    ("stats", By(&["stats"])),
    ("config", By(&["config"])),
    ("config check", By(&["config", "check"])),
    ("config keys", By(&["config", "keys"])),
    ("config schema", By(&["config", "schema"])),
    ("agents", By(&["agents"])),
    ("agents show", By(&["agents", "show", "developer"])),
    ("trust", By(&["trust", "--list"])),
    ("mcp", Not("it speaks with a program")),
    ("doctor", Not("its exit code is that of the machine")),
    ("completions", By(&["completions", "bash"])),
];

/// What is no command, and prints.
const OTHERS: &[&[&str]] = &[&["--help"], &["--version"], &["help", "run"], &["__commands"]];

fn names(command: &clap::Command, above: &str) -> Vec<String> {
    let subcommands = command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help");
    subcommands
        .flat_map(|one| {
            let name = format!("{above}{}", one.get_name());
            let below = names(one, &format!("{name} "));
            let is_alone = below.is_empty() || !one.is_subcommand_required_set();
            is_alone.then_some(name).into_iter().chain(below)
        })
        .collect()
}

#[test]
fn every_command_has_its_row() {
    let mut known: Vec<&str> = ROWS.iter().map(|(name, _)| *name).collect();
    let mut found = names(&Cli::command(), "");
    (known.sort_unstable(), found.sort_unstable());
    assert_eq!(found, known, "each command says here how it prints");
}

/// A world with a mission that is complete and a petition that is open.
fn world() -> (Theatre, String, String) {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let asked = theatre.run(&["ask", "Which way?", "--option", "left", "--option", "right"]);
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    (theatre, id, asked.out.split_whitespace().next().expect("an id").to_owned())
}

fn printed_to(theatre: &Theatre, arguments: &[String], stdout: impl Into<Stdio>) -> Ran {
    Ran::from(theatre.command(arguments).stdout(stdout).output().expect("the binary starts"))
}

#[test]
fn output_that_cannot_be_written_ends_every_command_as_failed() {
    let (theatre, id, petition) = world();
    let rows = ROWS.iter().filter_map(|(_, printing)| match printing {
        By(arguments) => Some(*arguments),
        Not(_) => None,
    });
    let mut quiet = Vec::new();
    for arguments in rows.chain(OTHERS.iter().copied()) {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|word| word.replace("ID", &id))
            .map(|word| if word == "P" { petition.clone() } else { word })
            .collect();
        // A reader that went away first: that is no failure of ours.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let changes = ["withdraw", "run", "demo", "ask"].contains(&&*arguments[0]);
        if !changes {
            let ran = printed_to(&theatre, &arguments, writer);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
        }
        let full: File = OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let ran = printed_to(&theatre, &arguments, full);
        if ran.code != Some(1) || !ran.err.contains("No space left on device") || !ran.err.contains("hint: ")
        {
            quiet.push(format!("{arguments:?}: {:?} {}", ran.code, ran.err));
        }
    }
    assert!(quiet.is_empty(), "{}", quiet.join("\n"));
}
