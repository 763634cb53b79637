//! Starts a program behind a gate, so that it can be marked for what it is before it does anything.
//!
//! A program that forks at once would be gone before its brand (see `kin`) is in place. The gate is a fixed line for
//! `sh` that waits for a word from us and then becomes the program; the program's words are never read by the shell.
//! If we die before the word, the gate closes and nothing ever runs.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::{ChildGuard, Purpose, Sandbox};
use rustix::fs::{Access, access};
use tokio::process::Command;

const GATE: &str = r#"read -r word || exit 125; exec "$@" </dev/null"#;

/// The command that waits at the gate in `folder`, and then runs in the cage, if there is one: with that cage's
/// environment and no other.
pub fn command<S: AsRef<OsStr>>(
    program: &OsStr,
    words: impl IntoIterator<Item = S>,
    folder: &Path,
    cage: Option<&Sandbox>,
) -> io::Result<Command> {
    find(program, folder)?;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", GATE, "gate"]);
    match cage {
        Some(cage) => {
            let inside = cage.command(program, words, folder, Purpose::Command);
            command.arg(inside.get_program()).args(inside.get_args()).env_clear();
            command.envs(inside.get_envs().filter_map(|(name, value)| Some((name, value?))));
        }
        None => _ = command.arg(program).args(words),
    }
    command.current_dir(if cage.is_some() { Path::new("/") } else { folder }).stdin(Stdio::piped());
    Ok(command)
}

/// Starts such a command, and lets the program run once it is marked.
pub fn spawn(command: Command) -> io::Result<ChildGuard> {
    let mut guard = ChildGuard::spawn(command)?;
    let word = guard.child().stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    rustix::io::write(word.into_owned_fd()?, b"go\n")?;
    Ok(guard)
}

/// Says in the system's own words why `program` cannot start; behind the gate it would only be an exit status.
fn find(program: &OsStr, folder: &Path) -> io::Result<()> {
    let places: Vec<PathBuf> = if program.as_encoded_bytes().contains(&b'/') {
        vec![folder.join(program)]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin:/bin"));
        std::env::split_paths(&path).map(|place| folder.join(place).join(program)).collect()
    };
    let mut files = places.iter().filter(|place| place.is_file()).peekable();
    if files.peek().is_none() {
        return Err(io::ErrorKind::NotFound.into());
    }
    if files.any(|file| access(file, Access::EXEC_OK).is_ok()) {
        return Ok(());
    }
    Err(io::ErrorKind::PermissionDenied.into())
}
