//! Starting other programs from the repository's root. Their output goes straight to the terminal
//! unless it is asked for; a program that cannot be started is an error, one that fails is an
//! answer.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

/// How much of a program's complaint is repeated.
const LOG_LINES_MAX: usize = 8;

/// The cargo that runs us, so that all steps use one toolchain.
pub fn cargo(root: &Path) -> Command {
    program(root, env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub fn program(root: &Path, name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root);
    command
}

/// Where cargo puts what it builds.
pub fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Runs to the end with output streaming; tells the exit code, none for a death by signal.
pub fn exit_code(command: &mut Command) -> anyhow::Result<Option<i32>> {
    let status = command.status().with_context(|| cannot_start(command))?;
    Ok(status.code())
}

/// Runs to the end with output streaming; tells whether it succeeded.
pub fn succeeds(command: &mut Command) -> anyhow::Result<bool> {
    Ok(exit_code(command)? == Some(0))
}

/// Takes the standard output while errors and progress stream on; none when the program fails.
pub fn output(command: &mut Command) -> anyhow::Result<Option<String>> {
    let (succeeded, said) = said(command)?;
    Ok(succeeded.then_some(said))
}

/// Takes the standard output while errors and progress stream on, whether the program succeeds or not.
pub fn said(command: &mut Command) -> anyhow::Result<(bool, String)> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| cannot_start(command))?;
    Ok((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Asks in silence: is this program there and content?
pub fn answers(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Waits for the end of a process, and ends it when the time is over.
pub fn finish(mut child: Child, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// The end of what a program had to say.
pub fn last_words(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES_MAX)..].join("\n!!!     ")
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start {}", command.get_program().display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(arg: &str) -> Command {
        let mut git = program(Path::new("."), "git");
        git.arg(arg);
        git
    }

    #[test]
    fn success_and_failure_are_answers() {
        assert!(answers(&mut git("--version")));
        assert!(!answers(&mut git("--no-such-flag")));
        assert!(output(&mut git("--version")).unwrap().unwrap().starts_with("git version"));
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = succeeds(&mut program(Path::new("."), "no-such-program")).unwrap_err();
        assert_eq!(error.to_string(), "cannot start no-such-program");
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let child = program(Path::new("."), "sleep").arg("60").spawn().unwrap();
        assert_eq!(finish(child, Duration::from_millis(30)).unwrap(), None);
    }
}
