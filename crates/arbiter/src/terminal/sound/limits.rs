//! The bounds of sound: times and tries.

use std::time::Duration;

use tui::decoration::Tune;

/// How often the program checks whether a killed player is gone, and how often it tries for the lock of the players' list
/// before it ends without it.
pub const TRIES: u32 = 250;
/// The pause between two tries.
pub const TRY_PAUSE: Duration = Duration::from_millis(2);
/// How long all players that were killed are waited for.
pub const FAREWELL: Duration = Duration::from_secs(1);

/// How long a player may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundLimits {
    /// A player that takes so much longer than the effect lasts hangs. It needs some time to start and to end.
    pub slack: Duration,
    /// A player that ends the theme sooner did not play it, and would be started again and again.
    pub theme_least: Duration,
    /// A player that takes longer for the theme hangs.
    pub theme_most: Duration,
    /// How long an effect may wait for the one before it; later it would be misleading.
    pub waiting_max: Duration,
}

impl Default for SoundLimits {
    fn default() -> SoundLimits {
        let slack = Duration::from_secs(3);
        let theme = Duration::from_millis(Tune::Theme.length_ms().into());
        let waiting_max = Duration::from_millis(1_500);
        SoundLimits { slack, theme_least: theme / 2, theme_most: theme + slack, waiting_max }
    }
}
