//! The id line: the providers' own session ids, so that each can be opened by hand with the provider's program.

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

/// Keeps the line in the project, at every new session: so it is there after a crash too.
pub fn write(project: &Path, state: &State) {
    write_line(project, line(state));
}

/// The same with a line that was made before.
pub fn write_line(project: &Path, line: String) {
    let path = Project { root: project.to_path_buf() }.last_session();
    // It tells of the mission and is no part of it: without it nothing is lost.
    let _ = host::files::replace_lightly(&path, (line + "\n").as_bytes());
}
