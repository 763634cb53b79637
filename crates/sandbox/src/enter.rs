//! The hidden command of our own binary, with which each step of a sandbox begins.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, getppid, pidfd_open, set_parent_process_death_signal};

use super::spawn_orders::{SandboxStep, SpawnOrders};
use super::{NOT_MADE, inner_domain, self_test, supervisor};

/// Does the step that the first word names, for the program that stands after `--`. The innermost step becomes the
/// program and does not return; the other steps return an exit status.
pub fn enter(words: impl IntoIterator<Item = OsString>) -> u8 {
    match step(words.into_iter()) {
        Ok(status) => status,
        Err(why) => {
            complain(&why);
            NOT_MADE
        }
    }
}

fn step(mut words: impl Iterator<Item = OsString>) -> Result<u8, String> {
    let step = words.next().and_then(|word| SandboxStep::of(word.to_str()?));
    let step = step.ok_or("the sandbox has no orders")?;
    let file = match step {
        SandboxStep::Command => words.next(),
        SandboxStep::Keep | SandboxStep::Tie | SandboxStep::Inside => None,
    };
    if words.next().is_none_or(|word| word != "--") {
        return Err("the sandbox has no program to start".into());
    }
    let program: Vec<OsString> = words.collect();
    if program.is_empty() {
        return Err("the sandbox has no program to start".into());
    }
    match step {
        SandboxStep::Keep => supervisor::keep(&SpawnOrders::given()?, &program),
        SandboxStep::Tie => {
            tie(SpawnOrders::given()?.keeper)?;
            let error = Command::new(&program[0]).args(&program[1..]).exec();
            Err(format!("{} cannot be started: {error}", program[0].display()))
        }
        SandboxStep::Inside => self_test::become_program(&SpawnOrders::given()?, &program),
        SandboxStep::Command => inner_domain::become_command(file.unwrap_or_default().as_ref(), &program),
    }
}

/// A handle on the parent, if that is the process with this number. Opened first and compared then, so it cannot be
/// another one that got the number since.
pub(super) fn parent(number: i32) -> Result<OwnedFd, String> {
    let gone = || "arbiter is gone already".to_owned();
    let pid = Pid::from_raw(number).ok_or_else(gone)?;
    let handle = pidfd_open(pid, PidfdFlags::empty()).map_err(|_| gone())?;
    if getppid() == Some(pid) { Ok(handle) } else { Err(gone()) }
}

/// Ends this process when its parent dies.
pub(super) fn tie(number: i32) -> Result<(), String> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| format!("cannot tie: {error}"))?;
    // It may have died before the tie was there.
    parent(number).map(drop)
}

/// Writes an error to stderr, where the process that started us reads it.
pub(super) fn complain(why: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "sandbox: {why}");
}
