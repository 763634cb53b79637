//! Waits for an event without a signal: polls for it, but not for ever.

use std::time::{Duration, Instant};

/// How long an event may take.
const PATIENCE: Duration = Duration::from_secs(20);
const GLANCE: Duration = Duration::from_millis(10);

/// Waits until `done` says so, while other tasks go on.
///
/// # Panics
///
/// If it never does.
pub async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(GLANCE).await;
    }
}

/// Waits until `done` says so.
///
/// # Panics
///
/// If it never does.
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(GLANCE);
    }
}
