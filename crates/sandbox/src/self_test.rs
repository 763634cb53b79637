//! The innermost step: it is where the program will be. It tries what must not work there, says where it is, and becomes
//! the program. If anything works that must not, nothing is started.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use mind::access::SandboxLevel;
use rustix::process::{Pid, setpgid, setsid, test_kill_process};

use super::landlock::{Devices, Listing};
use super::spawn_orders::{Announcement, ORDERS, SandboxedProcess, SpawnOrders};
use super::{enter, landlock};

/// The shell's words for a program that cannot be run, and one that is not there.
const NOT_RUN: u8 = 126;
const NOT_FOUND: u8 = 127;

/// Process numbers that bubblewrap's own first process and this one have inside: Arbiter can have them outside.
const LOW_NUMBERS: i32 = 2;

/// Confines this process where bubblewrap did not, proves it, and becomes the program.
pub(super) fn become_program(spec: &SpawnOrders, program: &[OsString]) -> Result<u8, String> {
    let signals = match spec.level {
        SandboxLevel::Off => {
            enter::tie(spec.keeper)?;
            leave_terminal()?;
            false
        }
        SandboxLevel::Landlock => {
            enter::tie(spec.keeper)?;
            leave_terminal()?;
            let signals = landlock::confine(&spec.lay, Devices::Machine, &Listing::new())?.signals;
            prove(spec, signals)?;
            signals
        }
        SandboxLevel::Bubblewrap => {
            // Signals for the program are for its group, and must not reach bubblewrap's own process.
            setpgid(None, None).map_err(|error| format!("no group of its own: {error}"))?;
            // It has to hold without help.
            prove(spec, true)?;
            // What is hidden by a mount comes back when a process outside replaces it, and what is made later was never
            // hidden: Landlock allows what was there at the start and nothing else.
            if landlock::is_there() {
                landlock::confine(&spec.lay, Devices::Own, &Listing::new())?;
            }
            true
        }
    };
    if spec.announce {
        announce(spec, signals).map_err(|error| format!("cannot say where this is: {error}"))?;
    }
    std::env::set_current_dir(&spec.folder)
        .map_err(|error| format!("the working folder {} cannot be entered: {error}", spec.folder))?;
    exec(program, &spec.loader)
}

/// A session of its own, without the user's terminal: a program that has the terminal can type into it. The session
/// leads its group too, so that signals for the program reach all of it and no other process.
fn leave_terminal() -> Result<(), String> {
    setsid().map(drop).map_err(|error| format!("no session of its own: {error}"))
}

/// Becomes the program, with these variables beside what is there; what comes back is an exit status.
pub(super) fn exec(program: &[OsString], more: &[(String, String)]) -> Result<u8, String> {
    let (first, rest) = program.split_first().ok_or("the sandbox has no program to start")?;
    let more = more.iter().map(|(name, value)| (name, value));
    let error = Command::new(first).args(rest).env_remove(ORDERS).envs(more).exec();
    enter::complain(&format!("{}: {error}", first.to_string_lossy()));
    Ok(if error.kind() == io::ErrorKind::NotFound { NOT_FOUND } else { NOT_RUN })
}

/// Tries what must not work.
fn prove(spec: &SpawnOrders, signals: bool) -> Result<(), String> {
    let breach =
        |what: String| Err(format!("level {} does not hold: {what}; nothing was started", spec.level));
    let canary = Path::new(&spec.canary);
    if fs::read(canary)
        .is_ok_and(|found| found.windows(spec.nonce.len()).any(|part| part == spec.nonce.as_bytes()))
    {
        return breach(format!("{} can be read", spec.canary));
    }
    let closed = spec.closed.iter().map(Path::new).chain(canary.parent());
    for folder in closed {
        let trial = folder.join(format!(".arbiter-trial-{}", spec.nonce));
        if fs::File::create_new(&trial).is_ok() {
            let _ = fs::remove_file(&trial);
            return breach(format!("{} can be written", folder.display()));
        }
    }
    let is_seen = match spec.level {
        SandboxLevel::Bubblewrap => spec.house > LOW_NUMBERS,
        SandboxLevel::Landlock => signals,
        SandboxLevel::Off => false,
    };
    if is_seen && Pid::from_raw(spec.house).is_some_and(|house| test_kill_process(house).is_ok()) {
        return breach(format!("process {} can be signalled", spec.house));
    }
    Ok(())
}

fn announce(spec: &SpawnOrders, signals: bool) -> io::Result<()> {
    let said =
        Announcement { caged: SandboxedProcess { nonce: spec.nonce.clone(), level: spec.level, signals } };
    let mut stdout = io::stdout();
    writeln!(stdout, "{}", serde_json::to_string(&said)?)?;
    stdout.flush()
}
