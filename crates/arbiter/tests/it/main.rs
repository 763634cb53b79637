//! The real binary in a world of its own: what a person meets, and what happens when it dies.

mod bad_input;
mod base;
mod claude;
mod commands;
mod config;
#[cfg(feature = "die-at")]
mod death;
mod demo;
mod discard;
mod export;
mod faults;
mod house;
mod merge;
mod mission;
mod offers;
mod readers;
mod replay;
mod rooms;
mod steering;

use sim::Theatre;

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
