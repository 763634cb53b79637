//! The real binary in a world of its own: what a person meets, and what happens when it dies.

mod agents;
mod bad_input;
mod base;
mod by_api;
mod claude;
mod commands;
mod conducted;
#[cfg(feature = "die-at")]
mod conducted_death;
mod conducted_steering;
mod config;
#[cfg(feature = "die-at")]
mod death;
mod decide;
mod demo;
mod discard;
mod docket;
mod export;
mod faults;
mod house;
mod memory;
mod merge;
mod mission;
mod offers;
mod permission;
mod petitions;
mod port;
mod readers;
mod reload;
mod replay;
mod rooms;
#[cfg(feature = "die-at")]
mod rounds;
mod sealed;
mod slow_disk;
mod sound;
mod steering;
mod terminal;
mod trust;
#[cfg(feature = "die-at")]
mod usage_death;
mod watching;

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;

use sim::{Ran, Theatre};

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_arbiter");

/// A world with an empty project.
fn theatre() -> Theatre {
    Theatre::new(BINARY)
}

/// Waits until `done` says so, but not for ever.
fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !done() {
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "waited in vain until {what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Runs the binary at a terminal, types `words`, and tells what the terminal showed; stderr goes elsewhere.
fn typed(theatre: &Theatre, arguments: &[&str], words: &str) -> Ran {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pty");
    grantpt(&ours).expect("granted");
    unlockpt(&ours).expect("unlocked");
    let name = ptsname(&ours, Vec::new()).expect("a name");
    let theirs =
        File::options().read(true).write(true).open(name.to_str().expect("text")).expect("a terminal");
    let mut ours = File::from(ours);
    let remarks = theatre.path().join("remarks");
    let mut command = theatre.command(arguments);
    command.env("NO_COLOR", "1").stdin(theirs.try_clone().expect("a copy"));
    command.stdout(theirs.try_clone().expect("a copy"));
    command.stderr(Stdio::from(File::create(&remarks).expect("a file")));
    let mut child = command.spawn().expect("the binary starts");
    drop((command, theirs));
    ours.write_all(words.as_bytes()).expect("typed");
    let mut screen = Vec::new();
    let mut piece = [0; 4096];
    // A terminal whose other end is closed cannot be read any more.
    while let Ok(count @ 1..) = ours.read(&mut piece) {
        screen.extend_from_slice(&piece[..count]);
    }
    let code = child.wait().expect("it ends").code();
    let out = String::from_utf8_lossy(&screen).replace("\r\n", "\n");
    Ran { code, out, err: std::fs::read_to_string(remarks).expect("its remarks") }
}
