//! The bounds of the scripted Messages API.

use std::time::Duration;

/// The largest request that is read: a whole context of a million tokens, and images with it.
pub(super) const BODY_BYTES_MAX: usize = 64 << 20;
/// How many requests are logged with their bodies. Older ones keep everything else.
pub(super) const BODIES_MAX: usize = 1_000;
/// How many pieces of an answer wait for a client that reads slowly.
pub(super) const PIECES_MAX: usize = 16;
/// How long the last bytes before a cut have to be sent.
pub(super) const FLUSH: Duration = Duration::from_millis(20);
