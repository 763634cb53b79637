//! The prompts: Markdown files of the program, rendered in one pass. A value is never scanned again, so a scroll may
//! contain `{tasks}` and stays as it is. A project's file of the same name replaces it.

use std::sync::Arc;

use crate::charter::Charter;
use crate::conductor::texts::{inline, quoted};
use crate::conductor::{Agent, Note, limits, memory};

/// What prompts may speak of besides the charter.
#[derive(Debug, Clone, Default)]
pub struct PromptContext {
    /// The Orchestrator's Roman numeral.
    pub numeral: String,
    /// How many Orchestrators came before it.
    pub count_before: u32,
    pub folder: Option<Arc<str>>,
    /// The quest log so far.
    pub tasks: String,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Our prompt files by name.
        pub const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../prompts/", $name)))),*];
    };
}

files!(
    "arbiter.md",
    "orchestrator.md",
    "verifier.md",
    "scout.md",
    "successor.md",
    "opening.md",
    "introduce.md",
    "introduce-verifier.md",
    "continue.md",
    "warn-first.md",
    "warn-last.md",
    "malformed.md",
    "muse-again.md",
    "consent-policy.md",
    "turned-back.md",
    "nobody-there.md",
    "nudge.md",
    "taken-up.md",
    "may-have-run.md",
    "clone-rebuilt.md",
    "testament.md",
    "inheritance.md",
    "handoff-now.md",
    "handoff-please.md",
    "handoff-limit.md",
    "agent-limit.md",
    "limit-raised.md",
    "petition-answered.md",
    "agent.md",
    "agent-warn-first.md",
    "agent-warn-last.md",
    "agent-conclude.md",
    "conduct-system.md",
    "conduct-select.md",
    "conduct-evaluate.md",
    "conduct-again.md",
    "conduct-brief.md",
    "conduct-keep.md",
    "conduct-verify.md",
);

/// Renders a prompt with the mission's facts.
pub fn render(charter: &Charter, file: &str, setting: &PromptContext) -> Arc<str> {
    render_with(charter, file, setting, &[])
}

/// Renders a prompt with the mission's facts and a few values of the moment.
pub fn render_with(
    charter: &Charter,
    file: &str,
    setting: &PromptContext,
    extra: &[(&str, &str)],
) -> Arc<str> {
    let ours = FILES.iter().find(|(name, _)| *name == file).map_or("", |(_, text)| *text);
    let template = charter.prompts.get(file).map_or(ours, |own| own.as_ref());
    let value = |name: &str| -> Option<String> {
        if let Some((_, value)) = extra.iter().find(|(known, _)| *known == name) {
            return Some((*value).to_owned());
        }
        Some(match name {
            "mission" => charter.mission.to_string(),
            "numeral" => setting.numeral.clone(),
            "count_before" => setting.count_before.to_string(),
            "scroll_name" => charter.scroll.name.clone(),
            "scroll_path" => charter.scroll.path.clone(),
            "scroll_text" => charter.scroll.text.trim_end().to_owned(),
            "warn_first" => charter.warnings.first.to_string(),
            "warn_last" => charter.warnings.last.to_string(),
            "checks" => checks(charter),
            "agents" => agents(charter),
            "notes" => notes(charter),
            "project_rules" => charter.rules.as_deref().unwrap_or("none").to_owned(),
            "tasks" => setting.tasks.clone(),
            "folder" => setting.folder.as_deref().unwrap_or("(not made yet)").to_owned(),
            _ => return None,
        })
    };
    Arc::from(fill(template.trim_end(), value))
}

/// Who may be summoned by name.
fn agents(charter: &Charter) -> String {
    let offered = charter.agents.iter().filter(|agent| !agent.internal);
    let line = |agent: &Agent| {
        let when = agent.when_to_use.as_deref().unwrap_or("No description");
        format!("- `{}`: {}", agent.name, when.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let lines: Vec<String> = offered.map(line).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("\n") }
}

/// What of the notes bears on this mission: data of the project, each line of it behind a margin.
fn notes(charter: &Charter) -> String {
    let all: Vec<Arc<Note>> = charter.notes.iter().cloned().map(Arc::new).collect();
    let chosen = memory::relevant(all.iter(), &charter.scroll.text, limits::NOTES_CHARS_MAX);
    // They lie in the project, where anybody may have written them: no line of one can pass for the program's.
    let line = |note: &&Arc<Note>| format!("- {}\n{}", inline(&note.title), quoted(note.text.trim()));
    let lines: Vec<String> = chosen.iter().map(line).collect();
    if lines.is_empty() { "none".to_owned() } else { lines.join("\n") }
}

fn checks(charter: &Charter) -> String {
    if charter.checks.is_empty() {
        return "none are configured: the verifier's word alone decides".to_owned();
    }
    let lines: Vec<String> = charter.checks.iter().map(|argv| format!("- `{}`", argv.join(" "))).collect();
    lines.join("\n")
}

/// Replaces every `{name}` that `value` knows, in one pass; everything else stays as it is.
pub fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        text.push_str(&rest[..open]);
        let inside = &rest[open + 1..];
        let name_len = inside.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(inside.len());
        let filled = inside[name_len..].starts_with('}').then(|| value(&inside[..name_len])).flatten();
        match filled {
            Some(value) => {
                text.push_str(&value);
                rest = &inside[name_len + 1..];
            }
            None => {
                text.push('{');
                rest = inside;
            }
        }
    }
    text.push_str(rest);
    text
}
