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
mod effect_runner;
mod export;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod fault_walk;
mod faults;
mod full_disk;
mod full_output;
mod git_falls;
mod git_ways;
mod house;
mod json;
mod limits;
mod memory;
mod merge;
mod merge_falls;
mod mission;
mod odd_files;
mod offers;
#[cfg(feature = "die-at")]
mod out_of_turn;
mod ownership;
mod permission;
mod petitions;
mod port;
mod private_files;
mod process_limits;
mod providers;
mod readers;
mod reload;
mod replay;
mod rooms;
#[cfg(feature = "die-at")]
mod rounds;
mod sealed;
mod serve;
mod slow_disk;
mod sound;
mod steering;
mod telegram;
mod terminal;
mod toy_door;
mod trust;
mod unknowns;
#[cfg(feature = "die-at")]
mod usage_death;
mod watching;

use sim::{DEMO, Theatre, wait_until};

/// The binary under test.
const BINARY: &str = env!("CARGO_BIN_EXE_arbiter");

/// A world with an empty project.
fn theatre() -> Theatre {
    Theatre::new(BINARY)
}
