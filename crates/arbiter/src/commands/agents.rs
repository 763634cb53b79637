//! `agents` and `agents show`: the agents' files as they count here, and one agent in full.

use mind::conductor::Agent;
use mind::conductor::agent::{AgentDuty, AgentTools, Richness, TransitionTarget};
use serde_json::{Value, json};
use view::near::nearest;

use crate::cli_error::{CliError, ExitCode};
use crate::limits;
use crate::project::agents::{AgentOrigin, Agents};
use crate::project::config::show_duration;
use crate::project::project_files::ProjectFiles;
use crate::project::trust::Standing;
use crate::terminal::console::{self, LineInk};

use super::CommandContext;

/// Lists the agents that count, and those that wait for trust.
pub fn list(context: &CommandContext, as_json: bool) -> Result<ExitCode, CliError> {
    let (agents, standing) = find(context)?;
    for (agent, origin) in agents.each() {
        if as_json {
            console::line(as_value(agent, origin, true, false));
        } else {
            print(&summary(agent, &origin.to_string()));
        }
    }
    for (agent, origin) in &agents.waiting {
        if as_json {
            console::line(as_value(agent, origin, false, false));
        } else {
            print(&summary(agent, &waiting(origin, standing)));
        }
    }
    Ok(ExitCode::Done)
}

/// Prints one agent in full.
pub fn show(context: &CommandContext, name: &str, as_json: bool) -> Result<ExitCode, CliError> {
    let (agents, standing) = find(context)?;
    let counted = agents.each().map(|(agent, origin)| (agent, origin, true));
    let brought = agents.waiting.iter().map(|(agent, origin)| (agent, origin, false));
    let found: Vec<_> = counted.chain(brought).filter(|(agent, ..)| agent.name.as_ref() == name).collect();
    if found.is_empty() {
        return Err(unknown(&agents, name));
    }
    for (index, (agent, origin, counts)) in found.into_iter().enumerate() {
        if as_json {
            console::line(as_value(agent, origin, counts, true));
            continue;
        }
        let from = if counts { origin.to_string() } else { waiting(origin, standing) };
        let mut lines = if index > 0 { vec![String::new()] } else { Vec::new() };
        lines.extend(summary(agent, &from));
        lines.extend(details(agent));
        lines.push(String::new());
        lines.extend(agent.prompt.lines().map(str::to_owned));
        print(&lines);
    }
    Ok(ExitCode::Done)
}

fn find(context: &CommandContext) -> Result<(Agents, Standing), CliError> {
    let project_files = ProjectFiles::read(&context.root());
    let (config, agents) = context.read_config(&project_files)?;
    Ok((agents, config.standing))
}

fn unknown(agents: &Agents, name: &str) -> CliError {
    let waiting = agents.waiting.iter().map(|(agent, _)| agent);
    let names: Vec<&str> = agents.agents.iter().chain(waiting).map(|agent| agent.name.as_ref()).collect();
    let shown = mind::limits::cut(name, limits::AGENT_NAME_CHARS_MAX);
    let hint = match nearest(name, names.iter().copied()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("the agents: {}", names.join(", ")),
    };
    CliError::new(ExitCode::Usage, format!("there is no agent {shown:?}")).hint(hint)
}

/// Prints text of a file without anything that a terminal would act on.
fn print(lines: &[String]) {
    let lines: Vec<_> = lines.iter().map(|line| (LineInk::Words, line.clone())).collect();
    let _ = console::write(&lines);
}

fn waiting(origin: &AgentOrigin, standing: Standing) -> String {
    format!("{origin}; not counted: {standing}, `arbiter trust` shows it and asks you")
}

fn summary(agent: &Agent, from: &str) -> Vec<String> {
    let internal = if agent.internal { ", internal" } else { "" };
    let mut lines = vec![format!("{}  {}  ({from}{internal})", agent.name, agent.display_name)];
    lines.extend(agent.when_to_use.iter().map(|when| format!("    {when}")));
    lines.push(format!("    tools: {}", tools(&agent.tools)));
    lines.push(format!("    then: {}", transitions(agent)));
    lines
}

fn tools(tools: &AgentTools) -> String {
    let mut told = match &tools.allowed {
        Some(allowed) if allowed.is_empty() => "none".to_owned(),
        Some(allowed) => allowed.join(", "),
        None => "all".to_owned(),
    };
    if !tools.blocked.is_empty() {
        told.push_str(&format!(", never {}", tools.blocked.join(", ")));
    }
    let commands = |commands: &[Vec<std::sync::Arc<str>>]| {
        commands.iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(", ")
    };
    if !tools.bash.allow.is_empty() {
        told.push_str(&format!("; commands: {}", commands(&tools.bash.allow)));
    }
    if !tools.bash.deny.is_empty() {
        told.push_str(&format!("; never the commands: {}", commands(&tools.bash.deny)));
    }
    if tools.read_only() {
        told.push_str(" (changes nothing)");
    }
    told
}

fn transitions(agent: &Agent) -> String {
    if agent.internal {
        return "the program chooses the next move".to_owned();
    }
    let transitions = &agent.transitions;
    let mut told: Vec<String> =
        transitions.custom.iter().map(|custom| format!("{} -> {}", custom.when, custom.target)).collect();
    told.push(format!("success -> {}", transitions.on_success));
    told.push(format!("failure -> {}", transitions.on_failure));
    if transitions.on_max_iterations != TransitionTarget::Arbiter || agent.limits.max_iterations.is_some() {
        told.push(format!("no iterations left -> {}", transitions.on_max_iterations));
    }
    told.join(", ")
}

/// What the list leaves out, except the prompt.
fn details(agent: &Agent) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tell = |what: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("    {what}: {value}")));
    };
    tell("part", agent.part.map(|part| word(part).to_owned()));
    let limits = &agent.limits;
    tell("runs, or summons by a council, at most", limits.max_iterations.map(|count| count.to_string()));
    let timeout = limits.timeout_ms.map(std::time::Duration::from_millis);
    tell("a run, or a turn in a council, takes at most", timeout.map(show_duration));
    tell("tokens of a session at most", limits.max_tokens.map(|count| count.to_string()));
    tell(
        "tool calls of a run, or of a turn in a council, at most",
        limits.max_tool_calls.map(|count| count.to_string()),
    );
    tell("provider", agent.provider.name.clone());
    tell("model", agent.provider.model.clone());
    let routes = &agent.provider.routes;
    tell("routes", (!routes.is_empty()).then(|| routes.join(", ")));
    tell("notes of earlier missions", Some(if agent.memory { "told" } else { "not told" }.to_owned()));
    tell("input of decisions", (agent.input == Richness::Lean).then(|| "lean".to_owned()));
    tell("answer", agent.response.as_ref().map(ToString::to_string));
    for custom in &agent.transitions.custom {
        let reason = custom.reason.as_ref().map(|reason| format!("because {reason}"));
        tell(&format!("{} -> {}", custom.when, custom.target), reason);
    }
    lines
}

fn word(part: AgentDuty) -> &'static str {
    match part {
        AgentDuty::Planner => "planner",
        AgentDuty::Keeper => "keeper",
        AgentDuty::Verifier => "verifier",
    }
}

/// An agent as JSON, with the prompt only if `whole`.
fn as_value(agent: &Agent, origin: &AgentOrigin, counts: bool, whole: bool) -> Value {
    let mut value = json!(agent);
    let (origin, file) = match origin {
        AgentOrigin::BuiltIn => ("builtIn", None),
        AgentOrigin::User(file) => ("user", Some(file)),
        AgentOrigin::Project(file) => ("project", Some(file)),
    };
    value["origin"] = json!(origin);
    value["counts"] = json!(counts);
    if let Some(file) = file {
        value["file"] = json!(file.display().to_string());
    }
    if !whole && let Some(fields) = value.as_object_mut() {
        fields.remove("prompt");
    }
    value
}
