//! Every bound of what is played.

use std::time::Duration;

use tui::decoration::sound::theme_length_ms;

/// How long a player may take beyond the piece itself, to find a loudspeaker and to leave.
const SLACK: Duration = Duration::from_secs(3);
/// How long a player that was killed is waited for.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long an effect may wait for the one before it: later it would tell of something else.
const WAITING_MAX: Duration = Duration::from_millis(1_500);

/// How long anything may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// A player hangs if it takes so much longer than the effect is.
    pub slack: Duration,
    /// A player that ends the theme sooner did not play it: it would be started again and again.
    pub theme_least: Duration,
    /// A player hangs if it takes so long for the theme.
    pub theme_most: Duration,
    /// How long a player that was killed is waited for.
    pub farewell: Duration,
    /// How long an effect may wait for the one before it.
    pub waiting_max: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let theme = Duration::from_millis(theme_length_ms().into());
        Limits {
            slack: SLACK,
            theme_least: theme / 2,
            theme_most: theme + SLACK,
            farewell: FAREWELL,
            waiting_max: WAITING_MAX,
        }
    }
}
