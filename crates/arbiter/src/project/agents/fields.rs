//! Reads the fields of an agent's file that limit it: tools, limits, provider.

use std::sync::Arc;

use mind::conductor::agent::{AgentLimits, AgentProvider, AgentTools, BashLimits};
use providers::Provider;
use view::near::nearest;
use workspace::{Check, WorkspaceError, Written};

use crate::project::config::node::{Node, Value};
use crate::project::config::reader::Reader;
use crate::project::config::shown;

/// The tools that an agent can have, besides those of servers (`mcp__...`).
pub(super) const TOOLS: [&str; 21] = [
    "Read",
    "Glob",
    "Grep",
    "LS",
    "Edit",
    "MultiEdit",
    "Write",
    "NotebookRead",
    "NotebookEdit",
    "Bash",
    "BashOutput",
    "KillShell",
    "WebSearch",
    "WebFetch",
    "Task",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TodoRead",
    "TodoWrite",
];
/// How a command looks.
const COMMAND_HINT: &str = r#"write the first words of the command: ["git", "log"]"#;

pub(super) fn tools(reader: &mut Reader<'_>, node: &Node) -> AgentTools {
    let mut tools = AgentTools::default();
    let mut bash_node = None;
    let example = "tools: { allowed: [Read, Grep] }";
    for (key, node) in reader.map("tools", node, &["allowed", "blocked", "bash"], example) {
        match key.as_str() {
            "allowed" => tools.allowed = names(reader, "tools.allowed", node),
            "blocked" => tools.blocked = names(reader, "tools.blocked", node).unwrap_or_default(),
            _ => {
                tools.bash = bash(reader, node);
                bash_node = Some(node);
            }
        }
    }
    if let Some(node) = bash_node
        && !tools.allows("Bash")
    {
        let hint = "add Bash to `tools.allowed`, or leave `tools.bash` out".to_owned();
        reader.bad("tools.bash", node, "this agent may not use Bash at all".to_owned(), Some(hint));
    }
    tools
}

fn names(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<Vec<Arc<str>>> {
    let wanted = ("a list of tools", "write it as a list: [Read, Grep]");
    let listed = reader.list(key, node, wanted, |reader, key, node| {
        let name = reader.word(node).unwrap_or_default().to_owned();
        if TOOLS.contains(&name.as_str()) || is_served(&name) {
            return Some(Arc::from(name));
        }
        let hint = match nearest(&name, TOOLS) {
            Some(meant) => format!("did you mean {}?", shown(meant)),
            None => format!("known tools: {}, and those of servers: mcp__SERVER__TOOL", TOOLS.join(", ")),
        };
        reader.bad(key, node, format!("unknown tool {}", shown(&name)), Some(hint));
        None
    });
    listed.map(|(names, _)| names)
}

/// A tool of a server.
fn is_served(name: &str) -> bool {
    name.strip_prefix("mcp__").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"_-".contains(&sign))
    })
}

fn bash(reader: &mut Reader<'_>, node: &Node) -> BashLimits {
    let mut bash = BashLimits::default();
    let wanted = ("a list of commands", r#"write one list for each: [["git", "log"]]"#);
    for (key, node) in reader.map("tools.bash", node, &["allow", "deny"], "bash: { allow: [[git, log]] }") {
        // A shell may be denied. It may not be allowed: that would allow every command.
        let is_allowed = key == "allow";
        let read = |reader: &mut Reader<'_>, key: &str, node: &Node| command(reader, key, node, is_allowed);
        let listed = reader.list(&format!("tools.bash.{key}"), node, wanted, read);
        let commands = listed.map(|(commands, _)| commands).unwrap_or_default();
        match key.as_str() {
            "allow" => bash.allow = commands,
            _ => bash.deny = commands,
        }
    }
    bash
}

/// The first words of a command: a list of words, or one word.
fn command(reader: &mut Reader<'_>, key: &str, node: &Node, is_allowed: bool) -> Option<Vec<Arc<str>>> {
    let words = match &node.value {
        Value::List(items) => reader.words(key, items, COMMAND_HINT)?,
        Value::Text(word) => vec![word.clone()],
        Value::Null | Value::Bool(_) | Value::Whole(_) | Value::Number(_) | Value::Map(_) => {
            reader.bad_kind(key, node, "a list of words", COMMAND_HINT);
            return None;
        }
    };
    let problem = match Check::parse(Written::Argv(words.clone())) {
        Ok(_) => return Some(words.into_iter().map(Arc::from).collect()),
        Err(WorkspaceError::EmptyCheck) => "this means every command".to_owned(),
        Err(_) if !is_allowed => return Some(words.into_iter().map(Arc::from).collect()),
        Err(_) => format!("{} is a line for a shell", shown(&words.join(" "))),
    };
    reader.bad(key, node, problem, Some(COMMAND_HINT.to_owned()));
    None
}

pub(super) fn limits(reader: &mut Reader<'_>, node: &Node) -> AgentLimits {
    let mut limits = AgentLimits::default();
    let keys = &["maxIterations", "timeout", "maxTokens", "maxToolCalls"];
    let count = |found: Option<(u64, _)>| found.and_then(|(count, _)| u32::try_from(count).ok());
    for (key, node) in reader.map("limits", node, keys, "limits: { maxIterations: 10, timeout: 20m }") {
        let path = format!("limits.{key}");
        match key.as_str() {
            "maxIterations" => limits.max_iterations = count(reader.whole(&path, node, 1..=100_000)),
            "timeout" => {
                let found = reader.duration(&path, node);
                limits.timeout_ms = found.map(|(timeout, _)| timeout.as_millis() as u64);
            }
            "maxTokens" => {
                limits.max_tokens = reader.whole(&path, node, 1..=u64::MAX).map(|(tokens, _)| tokens);
            }
            _ => limits.max_tool_calls = count(reader.whole(&path, node, 1..=1_000_000)),
        }
    }
    limits
}

pub(super) fn provider(reader: &mut Reader<'_>, node: &Node) -> AgentProvider {
    let mut provider = AgentProvider::default();
    let mut model_node = None;
    let example = "provider: { name: claude, model: sonnet }";
    for (key, node) in reader.map("provider", node, &["name", "model", "routes"], example) {
        let path = format!("provider.{key}");
        match key.as_str() {
            "name" => provider.name = reader.provider_name(&path, node).map(|(name, _)| name),
            "model" => {
                provider.model = reader.model(&path, node).map(|(model, _)| model);
                model_node = Some(node);
            }
            _ => provider.routes = reader.routes(&path, node).map(|(routes, _)| routes).unwrap_or_default(),
        }
    }
    if let Some(node) = model_node
        && provider.name.as_deref() == Some(Provider::Rehearsal.name())
    {
        let hint = "a rehearsal plays a script: leave the model out".to_owned();
        reader.bad("provider.model", node, "a rehearsal has no model".to_owned(), Some(hint));
    }
    provider
}
