//! `last-session.json`: one line of JSON with the providers' own session ids, so that a person can open each session with the
//! provider's program.

use std::path::Path;

use mind::State;
use mind::session::Role;
use serde_json::json;

use crate::project::home::Project;

/// The line, as JSON.
pub fn line(state: &State) -> String {
    let key = |role: fn(Role) -> bool| {
        let newest = state.sessions.values().rev().find(|session| role(session.profile.role));
        newest.map(|session| session.profile.key.clone())
    };
    json!({
        "arbiter": key(|role| role == Role::Arbiter),
        "lastOrchestrator": key(|role| role != Role::Arbiter),
        "orchestratorNumber": state.orchestrators,
    })
    .to_string()
}

/// Writes the line into the project, at every new session, so that it is there after a crash too.
pub fn write(project: &Path, state: &State) {
    write_line(project, line(state));
}

/// Writes a line that was made before.
pub fn write_line(project: &Path, line: String) {
    let path = Project { root: project.to_path_buf() }.last_session();
    // The journal has the same ids: if this fails, nothing is lost.
    let _ = host::files::replace_lightly(&path, (line + "\n").as_bytes());
}
