//! Every bound of what is played.

use std::time::Duration;

use tui::decoration::Tune;

/// How often a player that was killed is looked for before it is let be, and the list of players asked for before a program
/// leaves without it.
pub const TRIES: u32 = 250;
/// How long between.
pub const TRY_PAUSE: Duration = Duration::from_millis(2);
/// How long all players that were killed are waited for.
pub const FAREWELL: Duration = Duration::from_secs(1);

/// How long a player may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoundLimits {
    /// It hangs if it takes so much longer than the effect is: it has to find a loudspeaker, and to leave.
    pub slack: Duration,
    /// One that ends the theme sooner did not play it: it would be started again and again.
    pub theme_least: Duration,
    /// It hangs if it takes so long for the theme.
    pub theme_most: Duration,
    /// How long an effect may wait for the one before it: later it would tell of something else.
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
