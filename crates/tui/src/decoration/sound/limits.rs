//! Every bound of what is heard.

/// Samples of a second. Plenty for chimes, and every player takes it.
pub const SAMPLES_PER_SECOND: u32 = 22_050;
/// The loudest sample of anything, of 1: about 11 dB below what the format can say. No sound should startle.
pub const PEAK: f32 = 0.28;
/// A whole piece fades in and out within so many samples, whatever its notes do: an edge would click.
pub const EDGE_SAMPLES: usize = 96;
