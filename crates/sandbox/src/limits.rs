//! Every bound of the sandbox and of the processes it holds.

use std::time::Duration;

/// How long a killed process may take to be reaped.
pub(crate) const REAP_TIME_MAX: Duration = Duration::from_secs(2);
/// How long an agent may take to leave after its input was closed.
pub(crate) const LEAVE_TIME_MAX: Duration = Duration::from_secs(2);
/// How long it may take after SIGTERM.
pub(crate) const TERM_TIME_MAX: Duration = Duration::from_secs(1);
/// How often we look for descendants that are still alive.
pub(crate) const HUNT_ROUNDS_MAX: usize = 200;
/// The pause between two such looks.
pub(crate) const HUNT_PAUSE: Duration = Duration::from_millis(10);
/// How long the keeper of a cage hunts for what its program left, before it leaves too.
pub(crate) const HUNT_TIME_MAX: Duration = Duration::from_secs(5);
/// How long it waits between two looks.
pub(crate) const HUNT_PAUSE_MIN: Duration = Duration::from_micros(50);
/// Signals on their way through the keeper of a cage.
pub(crate) const SIGNALS_MAX: usize = 16;
/// Entries of one folder that get a rule of their own; what is beyond them stays unseen.
pub(crate) const ENTRIES_MAX: usize = 4096;
/// How many sockets of other programs the sandbox takes out of sight one by one.
pub(crate) const SOCKETS_MAX: usize = 256;
/// How long a level of the sandbox may take to show that it holds.
pub(crate) const PROBE_TIME_MAX: Duration = Duration::from_secs(5);
