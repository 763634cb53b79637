//! Output that cannot be written: every command says so and ends as failed; a reader that went away is no failure.

use std::fs::{File, OpenOptions};
use std::process::Stdio;

use arbiter::commands::cli::Cli;
use clap::CommandFactory as _;
use sim::{BridgeScript, Ran, Theatre};

use crate::mission::{repository, run};
use crate::{BINARY, DEMO, wait_until};

/// How a command is made to print, `ID` being a mission, `P` and `Q` petitions; or why it prints nothing here.
enum Printing {
    By(&'static [&'static str]),
    /// By words to the mission that waits for an answer.
    Waiting(&'static [&'static str]),
    Not(#[expect(dead_code, reason = "it is for whoever reads the table")] &'static str),
}

use Printing::{By, Not, Waiting};

/// Every command of the command line, in the order in which they are tried. One that is missing here fails the test.
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
    ("adopt", By(&["adopt", "."])),
    ("mission pause", Waiting(&["mission", "pause", "ID"])),
    ("mission resume", Waiting(&["mission", "resume", "ID"])),
    ("mission say", Waiting(&["mission", "say", "ID", "Of rope."])),
    ("mission interrupt", Not("it prints as `mission say` does")),
    ("mission release", Not("it prints as `mission say` does")),
    ("mission force", Not("it prints as `mission say` does")),
    ("mission skip", Not("it prints as `mission say` does")),
    ("mission retry", Not("it prints as `mission say` does")),
    ("mission cancel", Waiting(&["mission", "cancel", "ID"])),
    ("mission allow", Not("it prints as `mission say` does")),
    ("mission deny", Not("it prints as `mission say` does")),
    ("decide replay", Not("no conducted mission is here")),
    ("decide stats", Not("no conducted mission is here")),
    ("ask", By(&["ask", "Which way?", "--option", "left", "--option", "right"])),
    ("status", By(&["status", "P"])),
    ("get", By(&["get", "P", "--partial"])),
    ("inbox", By(&["inbox", "--list"])),
    ("answer", By(&["answer", "P", "which-way", "left"])),
    ("skip", By(&["skip", "Q", "how-far"])),
    ("assign", By(&["assign", "Q", "sam"])),
    ("submit", By(&["submit", "P"])),
    ("await", By(&["await", "P", "--timeout", "10s"])),
    ("withdraw", By(&["withdraw", "Q", "--why", "not needed"])),
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
    ("serve", Not("it writes its log to stderr")),
    ("serve unit", By(&["serve", "unit"])),
    ("setup telegram", Not("it asks, and needs a server")),
    ("doctor", Not("its exit code is that of the machine")),
    ("completions", By(&["completions", "bash"])),
    ("discard", By(&["discard", "ID", "--yes"])),
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
    known.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, known, "each command says here how it prints");
}

fn asked(theatre: &Theatre, title: &str) -> String {
    let asked = theatre.run(&["ask", title, "--option", "left", "--option", "right"]);
    assert_eq!(asked.code, Some(0), "{}", asked.err);
    asked.out.split_whitespace().next().expect("an id").to_owned()
}

fn printed_to(theatre: &Theatre, arguments: &[String], stdout: impl Into<Stdio>) -> Ran {
    Ran::from(theatre.command(arguments).stdout(stdout).output().expect("the binary starts"))
}

/// What is wrong with how a command ends whose output cannot be written.
fn fault(theatre: &Theatre, arguments: &[String]) -> Option<String> {
    let full: File = OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    let ran = printed_to(theatre, arguments, full);
    let is_told = ran.err.contains("No space left on device") && ran.err.contains("hint: ");
    (ran.code != Some(1) || !is_told).then(|| format!("{arguments:?}: {:?} {}", ran.code, ran.err))
}

fn words(arguments: &[&str], names: &[(&str, &str)]) -> Vec<String> {
    let mut words: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
    for word in &mut words {
        if let Some((_, id)) = names.iter().find(|(name, _)| name == word) {
            *word = (*id).to_owned();
        }
    }
    words
}

/// Commands that change something when they are run once more.
const CHANGING: &[&str] =
    &["answer", "ask", "assign", "demo", "discard", "run", "skip", "submit", "withdraw"];

#[test]
fn output_that_cannot_be_written_ends_every_command_as_failed() {
    let theatre = repository();
    let id = run(&theatre, &[]);
    let (answered, withdrawn) = (asked(&theatre, "Which way?"), asked(&theatre, "How far?"));
    let names = [("ID", id.as_str()), ("P", &answered), ("Q", &withdrawn)];
    let rows = ROWS.iter().filter_map(|(_, printing)| match printing {
        By(arguments) => Some(*arguments),
        Waiting(_) | Not(_) => None,
    });
    let mut faults = Vec::new();
    for arguments in rows.chain(OTHERS.iter().copied()) {
        let arguments = words(arguments, &names);
        faults.extend(fault(&theatre, &arguments));
        if !CHANGING.contains(&&*arguments[0]) {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let ran = printed_to(&theatre, &arguments, writer);
            assert_eq!(ran.code, Some(0), "a reader that went away, {arguments:?}: {}", ran.err);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn words_to_a_mission_are_taken_and_the_failed_output_is_told() {
    let turn = r#"says: {intent: address_human, message: "Of stone, or of rope?"}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().opens_with(&[turn, turn]))
        .with_config("docket: { headless: refuse }\n");
    let mut child = theatre.start_rehearsal(&["--headless"]);
    wait_until("it asks", || !theatre.missions().is_empty() && theatre.mission_state().question.is_some());
    let id = theatre.mission_id();
    let mut faults = Vec::new();
    for (_, printing) in ROWS {
        if let Waiting(arguments) = printing {
            faults.extend(fault(&theatre, &words(arguments, &[("ID", &id)])));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(child.wait().expect("it ends").code(), Some(4), "the last of them cancels it");
}
