//! The bounds of a walk.

use std::time::Duration;

/// How long a command of the docket may take before it counts as hung. A busy machine is slow, a hang is endless.
pub const COMMAND_MAX: Duration = Duration::from_secs(40);
/// How long processes may outlive the command that started them.
pub const LEFTOVER_MAX: Duration = Duration::from_secs(15);
/// The longest path that is read out of a process.
pub const PATH_BYTES_MAX: usize = 4096;
/// How long a whole mission may take; undisturbed it takes two seconds, and with pauses before all retries some twenty more.
pub const MISSION_MAX: Duration = Duration::from_secs(60);
/// How often a user takes a mission up again, or repeats a command, before it counts as stuck.
pub const REPAIRS_MAX: u32 = 3;
/// How often a person looks into the inbox.
pub const GLANCE: Duration = Duration::from_millis(150);
/// How often a person looks at the phone.
pub const TAP_EVERY: Duration = Duration::from_millis(5);
/// How long a tap may change nothing before it is made again.
pub const TAP_PATIENCE: Duration = Duration::from_secs(3);
