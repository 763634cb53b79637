//! A word about a git command that takes long. The workspace knows no terminal: whoever has one says how to tell.

use std::future::Future;
use std::sync::OnceLock;
use std::time::Duration;

use tokio::time::timeout;

static TELL: OnceLock<fn(&str)> = OnceLock::new();

/// Has `tell` called with what git is doing whenever a git command has not ended after some seconds. The first call counts.
pub fn on_slow_git(tell: fn(&str)) {
    let _ = TELL.set(tell);
}

/// Waits for `work`, and tells of it once if it takes longer than `word`.
pub(super) async fn with_a_word<T>(doing: &str, word: Duration, work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    if let Ok(done) = timeout(word, &mut work).await {
        return done;
    }
    if let Some(tell) = TELL.get() {
        tell(&format!("git has not ended after {} s: {doing}", word.as_secs()));
    }
    work.await
}
