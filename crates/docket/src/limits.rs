//! Every bound of the docket, in one place.

use std::time::Duration;

/// The largest petition file that is read, in bytes.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// How often what is watched is looked at, whether or not the system told of a change.
pub const SWEEP_EVERY: Duration = Duration::from_secs(2);
/// How deep lists and maps of a petition's frontmatter may nest.
pub const YAML_DEPTH_MAX: usize = 16;
/// How many values the list of decisions in a frontmatter may have.
pub const YAML_NODES_MAX: usize = 100_000;
/// How many values may come from aliases.
pub const YAML_ALIASED_MAX: usize = 10_000;
/// The longest part of a fault that comes from the file, in characters.
pub const WHY_CHARS_MAX: usize = 200;
/// The longest name of a petition or a decision that is read, in characters.
pub const ID_CHARS_MAX: usize = 256;
/// How many options of one decision are read.
pub const OPTIONS_READ_MAX: usize = 500;
