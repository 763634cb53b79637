//! What an actor really does in the clone: it writes files, commits, and runs programs. Each of these may be done twice
//! without harm, because a crash can come between the act and its record.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::limits::GIT_LOCK_TIME_MAX;

/// Every commit of a rehearsal has the same author and the same time, so that the same work is the same commit.
const AUTHOR: &str = "Rehearsal";
const EMAIL: &str = "rehearsal@localhost";
const DATE: &str = "2026-01-01T00:00:00Z";

/// Writes a file; the same text again changes nothing, not even its time.
pub(super) fn write(folder: &Path, path: &str, text: &str) -> io::Result<()> {
    let file = folder.join(path);
    if fs::read(&file).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(());
    }
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&file, text)
}

/// Commits everything; with nothing to commit, nothing is done.
pub(super) fn commit(folder: &Path, message: &str) -> io::Result<bool> {
    clear_locks(folder);
    if !git(folder, &["add", "--all"])? {
        return Ok(false);
    }
    let made = git(folder, &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", message])?;
    Ok(made || git(folder, &["diff", "--cached", "--quiet"])?)
}

/// Starts a program in a group of its own. What it prints goes to our stderr, and so to the logbook.
pub(super) fn start(folder: &Path, argv: &[String]) -> io::Result<Child> {
    let (program, arguments) = argv.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(io::stderr());
    command.process_group(0).spawn()
}

/// Ends a program and its group.
pub(super) fn stop(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

fn git(folder: &Path, arguments: &[&str]) -> io::Result<bool> {
    let options = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "maintenance.auto=false"];
    let mut command = Command::new("git");
    command.args(options.iter().flat_map(|option| ["-c", option])).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).stdout(io::stderr());
    command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), AUTHOR).env(format!("GIT_{role}_EMAIL"), EMAIL);
        command.env(format!("GIT_{role}_DATE"), DATE);
    }
    Ok(command.status()?.success())
}

/// A git that was killed leaves its locks behind. We are alone in the clone, so a lock that stays belongs to
/// a dead process.
fn clear_locks(folder: &Path) {
    let door = folder.join(".git");
    let branch = fs::read_to_string(door.join("HEAD")).unwrap_or_default();
    let branch = branch.trim().strip_prefix("ref: ").map(|name| door.join(format!("{name}.lock")));
    let locks = [Some(door.join("index.lock")), Some(door.join("HEAD.lock")), branch];
    let locks: Vec<PathBuf> = locks.into_iter().flatten().collect();
    let deadline = Instant::now() + GIT_LOCK_TIME_MAX;
    while locks.iter().any(|lock| lock.exists()) {
        if Instant::now() >= deadline {
            for lock in &locks {
                let _ = fs::remove_file(lock);
            }
            return;
        }
        sleep(Duration::from_millis(20));
    }
}
