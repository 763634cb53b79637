//! How long one call may wait: every client gives up on a call after some time of its own, and a call that is given up is
//! worth less than one that says `pending`. The figures are what was measured, with a margin.

use std::time::Duration;

use crate::limits;

/// Clients by the beginning of their name, how long each lets a call take, and whether it does so only if it is told now
/// and then that the call is alive.
const CLIENTS: [(&str, u64, bool); 5] = [
    // Moves a call to the background after 120 s.
    ("claude-code", 100, false),
    // Gives up after 300 s.
    ("codex", 240, false),
    ("goose", 240, false),
    // Gives up after 600 s.
    ("gemini-cli", 540, false),
    // Gives up after 60 s of silence.
    ("opencode", 240, true),
];

/// The longest wait of a client with this name. `hears` if it asked for progress.
pub(super) fn longest(client: &str, hears: bool) -> Duration {
    let known = CLIENTS.iter().find(|(name, _, _)| client.starts_with(name));
    match known {
        Some((_, seconds, wants_progress)) if hears || !wants_progress => Duration::from_secs(*seconds),
        Some(_) | None => limits::WAIT,
    }
}

/// How long a call waits that asked for so many seconds.
pub(super) fn granted(asked: Option<u64>, longest: Duration) -> Duration {
    asked.map_or(limits::WAIT, Duration::from_secs).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_is_answered_before_it_gives_up() {
        let limits = [
            ("claude-code", true, 100),
            ("codex-mcp-client", false, 240),
            ("goose", false, 240),
            ("goose-desktop", false, 240),
            ("gemini-cli", true, 540),
            ("opencode", true, 240),
            ("opencode", false, 45),
            ("mcp", true, 45),
            ("", false, 45),
        ];
        for (client, hears, seconds) in limits {
            assert_eq!(longest(client, hears), Duration::from_secs(seconds), "{client}");
        }
    }

    #[test]
    fn a_call_waits_as_long_as_it_asks_and_no_longer_than_its_client() {
        let longest = Duration::from_secs(100);
        for (asked, seconds) in [(None, 45), (Some(0), 0), (Some(60), 60), (Some(u64::MAX), 100)] {
            assert_eq!(granted(asked, longest), Duration::from_secs(seconds), "{asked:?}");
        }
        assert_eq!(granted(None, Duration::from_secs(10)), Duration::from_secs(10));
    }
}
