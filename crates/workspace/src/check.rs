//! One check of the completion gate, as the configuration may write it: a program and its arguments.
//!
//! A shell is refused, however it is wrapped: `cargo test || true` would make every mission complete.

use serde::Deserialize;

use super::error::WorkspaceError;
use super::hint;

/// A command whose exit status 0 means that the check passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    argv: Vec<String>,
}

/// A check as it stands in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Written {
    /// One word: a program without arguments.
    Line(String),
    /// A program and its arguments.
    Argv(Vec<String>),
}

impl Check {
    /// Makes a check of what was written, or says what to write instead.
    pub fn parse(written: Written) -> Result<Self, WorkspaceError> {
        match written {
            Written::Line(line) => Self::from_argv(vec![line]),
            Written::Argv(argv) => Self::from_argv(argv),
        }
    }

    /// The program and its arguments.
    #[must_use]
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    fn from_argv(argv: Vec<String>) -> Result<Self, WorkspaceError> {
        let Some(program) = argv.first().filter(|program| !program.trim().is_empty()) else {
            return Err(WorkspaceError::EmptyCheck);
        };
        let line = if needs_shell(program) || argv.iter().any(|word| is_operator(word)) {
            Some(argv.join(" "))
        } else {
            shell_script(&argv)
        };
        match line {
            Some(line) => {
                Err(WorkspaceError::ShellCheck { given: argv.join(" "), instead: hint::instead_of(&line) })
            }
            None => Ok(Self { argv }),
        }
    }
}

/// The line that `argv` hands to a shell, directly or through a program that runs another.
pub(super) fn shell_script(argv: &[String]) -> Option<String> {
    let [program, rest @ ..] = argv else {
        return None;
    };
    if SHELLS.contains(&base_name(program)) {
        return script_of(rest);
    }
    if !WRAPPERS.contains(&base_name(program)) {
        return None;
    }
    if base_name(program) == "env"
        && let Some(line) = split_by_env(rest)
    {
        return Some(line);
    }
    // Which of the words a wrapper takes for itself differs from one to the next, so each may be the program.
    rest.iter().enumerate().find_map(|(index, word)| {
        let is_program = SHELLS.contains(&base_name(word)) || WRAPPERS.contains(&base_name(word));
        is_program.then(|| shell_script(&rest[index..])).flatten()
    })
}

const SHELLS: &[&str] = &[
    "ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "ksh93", "mksh", "nu", "oksh", "pwsh", "rbash",
    "rksh", "rzsh", "sh", "tcsh", "xonsh", "yash", "zsh",
];

const WRAPPERS: &[&str] = &[
    "busybox",
    "bwrap",
    "caffeinate",
    "chroot",
    "chrt",
    "doas",
    "env",
    "firejail",
    "flock",
    "gtimeout",
    "ionice",
    "nice",
    "nohup",
    "nsenter",
    "prlimit",
    "script",
    "setpriv",
    "setsid",
    "stdbuf",
    "sudo",
    "systemd-run",
    "taskset",
    "time",
    "timeout",
    "toybox",
    "unshare",
    "xargs",
    "xvfb-run",
];

/// Signs that a shell would act on, and a program's name does not have.
fn needs_shell(program: &str) -> bool {
    program.starts_with('~')
        || program.contains(|sign: char| sign.is_whitespace() || "|&;<>()$`\"'\\*?{}#!".contains(sign))
}

/// A word that only a shell understands: `||`, `;`, `2>&1`.
fn is_operator(word: &str) -> bool {
    let word = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let word = word.trim_end_matches(|sign: char| sign.is_ascii_digit());
    !word.is_empty() && word.chars().all(|sign| "|&;<>".contains(sign))
}

/// The line behind a shell's `-c`, `-lc`, `-o pipefail -c` or `--command`; a script's own arguments do not count.
fn script_of(arguments: &[String]) -> Option<String> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(line) = word.strip_prefix("--command=") {
            return Some(line.into());
        }
        if matches!(word.to_ascii_lowercase().as_str(), "--command" | "--commands" | "-command") {
            return Some(words.as_slice().join(" "));
        }
        match word.strip_prefix(['-', '+']) {
            Some(long) if long.starts_with('-') => {
                if matches!(long, "-rcfile" | "-init-file") {
                    words.next();
                }
            }
            Some(flags) if word.starts_with('-') && flags.contains('c') => {
                // Further options may stand between the flag and the line.
                let line = words.find(|word| !word.starts_with(['-', '+']));
                return Some(line.cloned().unwrap_or_default());
            }
            Some(flags) => {
                if flags.ends_with(['o', 'O']) {
                    words.next();
                }
            }
            None => return None,
        }
    }
    None
}

/// The line that `env -S` would take apart.
fn split_by_env(arguments: &[String]) -> Option<String> {
    let mut words = arguments.iter().take_while(|word| word.starts_with('-') || word.contains('='));
    let word = words.find(|word| {
        let is_short = !word.starts_with("--") && word.starts_with('-');
        word.starts_with("--split-string") || (is_short && word.contains('S'))
    })?;
    let glued = word.split_once(['=', 'S']).map_or("", |(_, line)| line);
    let line =
        if glued.is_empty() { arguments.iter().skip_while(|other| *other != word).nth(1)? } else { glued };
    Some(line.to_string())
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
