//! Which agent a person means: by its name, whatever the case, or by how people call it.

use std::sync::Arc;

use mind::conductor::{Agent, ConductorState};

use crate::near::nearest;

/// The agent that is meant, or what is wrong with what was typed.
pub fn named(typed: &str, conductor: &ConductorState) -> Result<Arc<str>, String> {
    // Agents that the program calls by itself cannot be forced.
    let offered = || conductor.agents.iter().filter(|agent| !agent.internal);
    let names = || offered().map(|agent| agent.name.as_ref());
    let all = names().collect::<Vec<_>>().join(", ");
    if typed.is_empty() {
        return Err(format!("which agent? /force AGENT; there are {all}"));
    }
    let alike = |name: &str| name.to_lowercase() == typed.to_lowercase();
    let exactly = |agent: &&Agent| agent.name.as_ref() == typed;
    let found = offered().find(exactly).or_else(|| {
        offered()
            .find(|agent| alike(&agent.name))
            .or_else(|| offered().find(|agent| alike(&agent.display_name)))
    });
    found.map(|agent| agent.name.clone()).ok_or_else(|| {
        let typed = mind::limits::cut(typed, 60);
        match nearest(&typed, names()) {
            Some(meant) => format!("there is no agent {typed:?}; did you mean {meant}? nothing was done"),
            None => format!("there is no agent {typed:?}, and nothing was done; there are {all}"),
        }
    })
}
