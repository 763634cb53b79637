//! Processes that an earlier run of Arbiter left: a check or an agent's tool that outlived a SIGKILL of Arbiter.
//!
//! Every process of a mission carries the mission's name in its environment, and hands it on to what it starts.

use std::collections::BTreeSet;
use std::thread;

use crate::limits::{HUNT_PAUSE, HUNT_ROUNDS_MAX};
use crate::process_tree;

/// The variable that names the mission a process belongs to.
pub const MISSION: &str = "ARBITER_MISSION";

/// Kills every process of our user that carries exactly this mission, with everything that descends from it, and
/// returns how many there were. This process, those it was started by and those it started itself are spared.
///
/// Only the process that holds the mission's journal may call it.
pub fn strike_leftovers(mission: &str) -> usize {
    if mission.is_empty() {
        return 0;
    }
    let pair = format!("{MISSION}={mission}").into_bytes();
    let mut struck = BTreeSet::new();
    for _ in 0..HUNT_ROUNDS_MAX {
        let found = process_tree::strike_carriers(&pair);
        if found.is_empty() {
            break;
        }
        struck.extend(found);
        thread::sleep(HUNT_PAUSE);
    }
    struck.len()
}
