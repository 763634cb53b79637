//! Finds and ends the whole tree of a process: everything it started, and everything those started.
//!
//! A process can leave its group (`setsid`), lose its parent (double fork) and clear its environment (`env -i`), so we
//! look for four traces: the process group, a variable with a unique name in the environment, a brand in the resource
//! limits, and descent from any process found by the others. Shedding the brand takes intent; against intent there is
//! the sandbox's own process namespace.

#[cfg_attr(target_os = "linux", path = "process_tree/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "process_tree/elsewhere.rs")]
mod traces;

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process_group};

use traces::Traces;

/// The tree of one process that leads its own group.
#[derive(Debug, Clone)]
pub(crate) struct ProcessTree {
    root: Pid,
    traces: Traces,
}

/// A name for an environment variable that no other process on this machine has.
///
/// The name is unique, not the value: a workshop inside a workshop adds its mark and leaves ours in place.
pub(crate) fn unique_mark() -> String {
    format!("ARBITER_MARK_{:016x}", host::dice())
}

/// Kills the processes of our user, outside our own tree, that have `pair` in their environment, and their descendants;
/// returns the numbers of those that were still alive.
pub(super) fn strike_carriers(pair: &[u8]) -> BTreeSet<i32> {
    traces::strike_carriers(pair)
}

/// Kills every descendant of this process, and returns how many were still alive.
#[cfg(target_os = "linux")]
pub(crate) fn strike_below_us() -> usize {
    traces::strike_below_us()
}

/// The first program in the process namespace that `wrapper` made, by its number out here.
#[cfg(target_os = "linux")]
pub(crate) fn first_in_namespace_of(wrapper: Pid) -> Option<Pid> {
    traces::first_in_namespace_of(wrapper)
}

impl ProcessTree {
    /// Records a process that waits at its gate, in its own group, with `mark` in its environment.
    pub(crate) fn of(root: Pid, mark: &str) -> Self {
        Self { root, traces: Traces::of(root, mark) }
    }

    /// Kills every member that can be found now, and returns how many were still alive.
    pub(crate) fn strike(&self) -> usize {
        // The group's number cannot belong to strangers yet: the kernel hands numbers out in a circle, and we come
        // within moments of the leader's end.
        let _ = kill_process_group(self.root, Signal::KILL);
        self.traces.strike(self.root)
    }
}
