//! The policy: what a tool call is allowed. Pure, and asked before every tool runs, in subagents too. It never asks
//! for what it would refuse anyway.

mod bench;
mod builds;
mod builtins;
mod casting;
mod commands;
mod editors;
mod findings;
mod git;
mod git_paths;
mod interpreters;
mod jobs;
mod measures;
mod names;
mod network;
mod options;
mod packages;
mod paths;
mod quote;
mod script;
mod settings;
mod shell;
mod signs;
mod tools;
mod variables;
mod word;
mod wrappers;
mod writers;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::AccessMap;
use crate::conductor::agent::AgentTools;
use crate::session::Role;

/// How far sessions are trusted. It is part of the charter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Policy {
    #[serde(default)]
    pub mode: PolicyMode,
    /// Commands that run unasked, each by its first words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Vec<String>>,
}

/// How far sessions are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyMode {
    /// Edits in the clone are free, known commands run, anything else asks.
    #[default]
    Guarded,
    /// Nothing asks. The sandbox holds all the same.
    Open,
}

/// A tool call.
#[derive(Debug, Clone, Copy)]
pub struct JudgedCall<'a> {
    /// The tool's name, as the provider has it.
    pub tool: &'a str,
    /// What it is given.
    pub input: &'a Value,
    /// What the session is for.
    pub role: Role,
    /// A subagent of the session calls.
    pub subagent: bool,
    /// What the agent that the session plays may use, if it plays one.
    pub tools: Option<&'a AgentTools>,
}

/// What the judge cannot know by itself: how paths stand on the disk.
pub trait PathLookup {
    /// The absolute `path` with every link on it followed, as far as it exists; dots are resolved along the way.
    fn real(&self, path: &str) -> String;
    /// Whether the file has a second name elsewhere (a hard link), so that changing it changes something else.
    fn is_shared(&self, path: &str) -> bool;
}

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    Allow,
    /// It does not, and the model hears why.
    Deny {
        /// Why, and what to do instead.
        why: String,
    },
    /// A person decides.
    Ask(PermissionRequest),
}

/// What a person is asked: exactly what would run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionRequest {
    pub tool: Arc<str>,
    /// The exact command, or what would change.
    pub what: Arc<str>,
    pub folder: Arc<str>,
    /// Why the policy asks.
    pub why: Arc<str>,
    /// How much is at stake.
    pub risk: Risk,
    /// What a lasting yes would cover, each by its shape; none if there can be no lasting yes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Arc<str>>,
    /// What a yes is bound to: the SHA-256 of the tool, its input and the folder.
    pub digest: Arc<str>,
}

/// How far a yes reaches. Where it lasts, it covers whatever has the same shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// This exact call, once.
    #[default]
    Once,
    /// For an hour.
    Hour,
    /// To the mission's end.
    Mission,
}

/// How much is at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// It stays in the clone, but we do not know the command.
    Unknown,
    /// It reaches the network.
    Network,
    /// It destroys what cannot be brought back, or speaks to the outside in the user's name.
    Grave,
}

/// What becomes of `call`, in a session that works in the clone of `lay`.
#[must_use]
pub fn judge(policy: &Policy, lay: &AccessMap, eyes: &dyn PathLookup, call: &JudgedCall<'_>) -> Ruling {
    let role = casting::role(call.role, call.tools);
    let mut bench = bench::Bench::new(policy, lay, eyes, role);
    bench.tools = call.tools;
    bench.tool_call(call);
    let mut found = bench.found;
    if role != call.role {
        // It is none, but may as little.
        found
            .refusals
            .iter_mut()
            .for_each(|refusal| refusal.why = refusal.why.replace("a verifier", "this agent"));
    }
    if found.refusals.is_empty() && found.doubts.is_empty() {
        return Ruling::Allow;
    }
    let digest = digest_of(call.tool, call.input, &lay.clone);
    let what = tools::shown(call);
    let asked =
        findings::PermissionSubject { tool: call.tool, what: &what, folder: &lay.clone, digest: &digest };
    found.ruling(policy.mode, asked)
}

/// What a yes to a call is bound to: the SHA-256 of the tool, its input and the folder, each after its length.
#[must_use]
pub fn digest_of(tool: &str, input: &Value, folder: &str) -> String {
    crate::digest::of_parts([tool, &crate::canonical::json(input), folder])
}

/// Whether an agent may use a tool of this name, or one that goes by another name besides.
#[must_use]
pub fn may_use(tools: &AgentTools, tool: &str) -> bool {
    casting::may_use(tools, tool)
}

/// Whether lasting yeses that were given cover everything that a question asks.
#[must_use]
pub fn covers(granted: &BTreeSet<Arc<str>>, question: &PermissionRequest) -> bool {
    !question.shapes.is_empty() && question.shapes.iter().all(|shape| granted.contains(shape))
}
