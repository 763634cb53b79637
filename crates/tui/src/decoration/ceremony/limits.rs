//! The bounds of the ceremony.

/// How many columns a forest has: from where one enters to where the Arbiter stands.
pub const COLUMNS: usize = 22;
/// How many rows it has: one window shows them all.
pub const ROWS: usize = 5;
/// Knowing the way, one needs no more turns than this.
pub const TURNS_MAX: usize = 40;
/// How many forests are tried before a plain one is taken.
pub const ATTEMPTS_MAX: usize = 64;
/// How long the Arbiter's greeting stands, in beats, before the ceremony is over by itself.
pub const GREETING_BEATS: u64 = 8;
/// How many beats without a key everything moves before it rests.
pub const REST_BEATS: u64 = 120;
