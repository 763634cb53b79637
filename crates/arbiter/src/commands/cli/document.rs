//! docs/commands.md, made of the command line's own definitions. `cargo xtask commands` writes the file; a test compares it.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use super::Cli;

/// What stands above the first command.
const HEAD: &str = "\
# Commands

<!-- Written by `cargo xtask commands` from the command line's own definitions: change crates/arbiter/src/commands/cli. -->

`arbiter COMMAND --help` prints the same. In a terminal, `arbiter` alone opens the screen
([terminal.md](terminal.md)). Exit codes: 0 done and verified, 1 failed, 2 wrong use or configuration, 3 a limit was reached,
4 cancelled or stopped, 5 a provider is not available. What `--json` prints: [json.md](json.md).
";

/// The page of docs/ that tells more about a command.
const PAGES: &[(&str, &str)] = &[
    ("run", "claude.md"),
    ("demo", "rehearsal.md"),
    ("attach", "terminal.md"),
    ("replay", "replay.md"),
    ("export", "replay.md"),
    ("merge", "ground.md"),
    ("discard", "ground.md"),
    ("adopt", "ground.md"),
    ("decide", "moves.md"),
    ("ask", "docket.md"),
    ("inbox", "docket.md"),
    ("audit", "docket.md"),
    ("config", "configuration.md"),
    ("agents", "agents.md"),
    ("trust", "trust.md"),
    ("mcp", "mcp.md"),
    ("serve", "telegram.md"),
    ("setup", "telegram.md"),
];

/// The whole document.
#[must_use]
pub fn document() -> String {
    let mut root = Cli::command();
    root.build();
    let mut text = HEAD.to_owned();
    section(&mut text, &root, "arbiter", 2);
    for command in visible(&root) {
        section(&mut text, command, &format!("arbiter {}", command.get_name()), 2);
        for inner in visible(command) {
            let name = format!("arbiter {} {}", command.get_name(), inner.get_name());
            section(&mut text, inner, &name, 3);
        }
    }
    text
}

/// The subcommands for people, without the `help` that clap adds.
fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help")
}

fn section(text: &mut String, command: &Command, name: &str, level: usize) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let page = PAGES.iter().find(|(known, _)| name.strip_prefix("arbiter ") == Some(known));
    let page = page.map(|(_, page)| format!(" ([more]({page}))")).unwrap_or_default();
    let about = about.trim_end_matches('.');
    let _ = write!(text, "\n{} {name}\n\n{about}.{page}\n\n```\n", "#".repeat(level));
    usage.lines().for_each(|line| text.push_str(&format!("{}\n", line.trim())));
    text.push_str("```\n");
    let is_inner = level > 2 || name != "arbiter";
    let own = command.get_arguments().filter(|arg| is_told(arg) && !(is_inner && is_inherited(arg)));
    let rows: Vec<String> = own.map(row).collect();
    if !rows.is_empty() {
        let _ = write!(text, "\n| argument | meaning |\n| --- | --- |\n{}", rows.concat());
    }
    if let Some(examples) = command.get_after_help() {
        let examples = examples.to_string();
        let lines = examples.trim_start_matches("Examples:").trim_matches('\n').lines();
        text.push_str("\n```sh\n");
        lines.for_each(|line| text.push_str(&format!("{}\n", line.trim_start())));
        text.push_str("```\n");
    }
}

fn is_told(arg: &Arg) -> bool {
    !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version")
}

/// Flags of `arbiter` itself that every command takes: they are told once, at the top.
fn is_inherited(arg: &Arg) -> bool {
    matches!(arg.get_id().as_str(), "plain" | "mute")
}

fn row(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|");
    let mut more = String::new();
    let takes_value = arg.get_action().takes_values();
    for value in arg.get_possible_values().iter().filter(|_| takes_value) {
        let about = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
        let _ = write!(more, "<br>`{}`{about}", value.get_name());
    }
    let default = arg.get_default_values().first().filter(|default| takes_value && !default.is_empty());
    if let Some(default) = default {
        let _ = write!(more, "<br>Without it: `{}`", default.to_string_lossy());
    }
    format!("| `{}` | {help}{more} |\n", written(arg).replace('|', "\\|"))
}

/// How an argument is typed: `--from N|TIME`, `-o, --output FILE`, `ID`.
fn written(arg: &Arg) -> String {
    let value = arg.get_value_names().map(|names| names.join(" ")).unwrap_or_default();
    let value = if value.is_empty() { arg.get_id().as_str().to_uppercase() } else { value.to_uppercase() };
    let Some(long) = arg.get_long() else { return value };
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    if arg.get_action().takes_values() {
        format!("{short}--{long} {value}")
    } else {
        format!("{short}--{long}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_belongs_to_a_command_and_exists() {
        let root = Cli::command();
        for (command, page) in PAGES {
            assert!(root.find_subcommand(command).is_some(), "{command}");
            let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
            assert!(std::path::Path::new(&path).is_file(), "{page}");
        }
    }

    #[test]
    fn hidden_commands_are_not_told() {
        let text = document();
        assert!(text.contains("## arbiter run\n") && text.contains("### arbiter mission say\n"));
        assert!(!text.contains("__cage") && !text.contains("arbiter help"));
    }
}
