//! A login that only a person can mend: who wants one, and what to run.

use mind::State;
use mind::session::Session;

/// The first session that waits for a login.
#[must_use]
pub fn wants_login(state: &State) -> Option<&Session> {
    state.live_sessions().find(|session| session.wants_login())
}

/// What to run, in as few words as a status line has room for.
#[must_use]
pub fn login_command(provider: &str) -> String {
    match provider {
        "claude" => "run `claude auth login`".to_owned(),
        "api" => "mend the API key".to_owned(),
        other => format!("mend the login of provider {other}"),
    }
}

/// The same with every way to mend it.
#[must_use]
pub fn login_hint(provider: &str) -> String {
    match provider {
        "claude" => "run `claude auth login`, or set a valid ANTHROPIC_API_KEY".to_owned(),
        "api" => "set a valid key of the API in the environment (docs/api.md)".to_owned(),
        other => login_command(other),
    }
}
