//! The tools of an agent: which read, which write, which run, which reach out.

use serde_json::Value;

use super::bench::Bench;
use super::network::{host_of, is_private};
use super::paths::{CommandFolders, How};
use super::word::Flat;
use super::{JudgedCall, Risk, signs};
use crate::limits::{QUESTION_LINES_MAX, cut};
use crate::session::Role;

impl Bench<'_> {
    /// Judges a call of any tool.
    pub fn tool_call(&mut self, call: &JudgedCall<'_>) {
        let (tool, input) = (call.tool, call.input);
        if call.subagent && is_ours(tool) {
            return self.found.forbid(
                "only the session itself may say what its turn comes to: report to the session that started you",
            );
        }
        if self.refuses_tool(tool) {
            return;
        }
        if !matches!(input.get("run_in_background"), None | Some(Value::Null | Value::Bool(false))) {
            return self.found.forbid(format!(
                "{tool} may not run in the background here: your turn would end before it does. Run it in the foreground \
                 and wait for it."
            ));
        }
        let text = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or("");
        match tool {
            "Read" | "NotebookRead" => {
                self.read_path(text(if tool == "Read" { "file_path" } else { "notebook_path" }))
            }
            "Glob" | "Grep" | "LS" => {
                self.read_path(text("path"));
                let pattern = if tool == "Glob" { text("pattern") } else { text("glob") };
                let below = if text("path").is_empty() {
                    pattern.to_owned()
                } else {
                    format!("{}/{pattern}", text("path"))
                };
                let word = Flat {
                    text: if pattern.starts_with('/') { pattern.to_owned() } else { below },
                    glob: true,
                    open: false,
                };
                self.look(&word, &self.clone_place());
            }
            "Edit" | "MultiEdit" | "Write" => self.edit(tool, text("file_path")),
            "NotebookEdit" => self.edit(tool, text("notebook_path")),
            "Bash" => self.bash(tool, input),
            "BashOutput" | "KillShell" | "KillBash" => {
                if self.role == Role::Arbiter {
                    self.forbid_manager(tool);
                }
            }
            "Task" | "Agent" => self.subagent(tool, input),
            "WebSearch" | "TaskCreate" | "TaskUpdate" | "TaskGet" | "TaskList" | "TodoWrite" | "TodoRead"
            | "StructuredOutput" | "TaskOutput" => {}
            "WebFetch" => self.web_fetch(text("url")),
            _ if is_ours(tool) => {}
            _ => {
                let shape = Some(tool.to_owned()).filter(|_| tool.is_ascii() && tool.len() <= 64);
                self.found.ask(Risk::Unknown, format!("we do not know the tool {tool:?}"), shape);
            }
        }
    }

    /// A subagent works where the session works: what it does elsewhere is in no commit, and may be left in the clone.
    fn subagent(&mut self, tool: &str, input: &Value) {
        if !matches!(input.get("isolation"), None | Some(Value::Null)) {
            self.found.forbid(format!(
                "{tool} may not have a place of its own here (`isolation`): its work would not be in the mission's branch, \
                 and would leave a worktree behind. Call it again without `isolation`, one that changes files at a time."
            ));
        }
    }

    fn clone_place(&self) -> CommandFolders {
        [Some(self.lay.clone.clone())].into()
    }

    fn forbid_manager(&mut self, tool: &str) {
        self.found.forbid(format!(
            "{tool} is not for the Arbiter, which changes and runs nothing: summon an Orchestrator"
        ));
    }

    fn suspicious(&mut self, path: &str) {
        if let Some(why) = signs::hidden(path).or_else(|| signs::lookalike(path)) {
            self.found.doubt(Risk::Grave, why);
        }
    }

    fn read_path(&mut self, path: &str) {
        if !path.is_empty() {
            self.suspicious(path);
            let text = path.replace('\0', "");
            self.look(&Flat::of(self.at_home(&text)), &self.clone_place());
        }
    }

    fn at_home(&self, path: &str) -> String {
        match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", self.lay.home),
            Some(_) | None => path.to_owned(),
        }
    }

    fn edit(&mut self, tool: &str, path: &str) {
        match self.role {
            Role::Arbiter => return self.forbid_manager(tool),
            Role::Verifier => {
                return self.found.forbid("a verifier changes nothing: report what you found instead");
            }
            Role::Orchestrator | Role::Agent => {}
        }
        if path.is_empty() || path.contains('\0') {
            return self.found.doubt(Risk::Unknown, format!("{tool} does not say which file it changes"));
        }
        self.suspicious(path);
        let word = Flat::of(self.at_home(path));
        self.look(&word, &self.clone_place());
        self.write(&word, How::Write, &self.clone_place());
    }

    fn bash(&mut self, tool: &str, input: &Value) {
        if self.role == Role::Arbiter {
            return self.forbid_manager(tool);
        }
        if !matches!(input.get("dangerouslyDisableSandbox"), None | Some(Value::Null | Value::Bool(false))) {
            self.found.forbid("nothing runs outside the sandbox: run it inside, or report what you need");
        }
        match input.get("command").and_then(Value::as_str) {
            Some(command) if !command.contains('\0') => self.line(command),
            Some(_) | None => {
                self.refuses_unclear("there is no plain text");
                self.found.doubt(Risk::Unknown, "we could not take this line apart: there is no plain text")
            }
        }
    }

    fn web_fetch(&mut self, url: &str) {
        let lower = url.to_lowercase();
        let is_web = lower.starts_with("http://") || lower.starts_with("https://");
        let host =
            host_of(url).filter(|_| is_web && !url.contains(['\\', ' ']) && signs::hidden(url).is_none());
        let Some(host) = host.filter(|host| !is_private(host)) else {
            return self.found.deny(format!(
                "{:?} is not on the public web: fetch http or https from a public host",
                cut(url, 200)
            ));
        };
        match self.role {
            Role::Arbiter => {}
            Role::Orchestrator | Role::Verifier | Role::Agent => {
                self.found.ask(
                    Risk::Network,
                    format!("it fetches from {host}"),
                    Some(format!("WebFetch {host}")),
                );
            }
        }
    }
}

/// Whether a tool is one of ours, by which a session says what its turn comes to.
pub fn is_ours(tool: &str) -> bool {
    tool.starts_with("mcp__arbiter__")
}

/// What a person is shown of a call: the exact command, or what would change.
pub fn shown(call: &JudgedCall<'_>) -> String {
    let text = |input: &Value, field: &str| input.get(field).and_then(Value::as_str).unwrap_or("").to_owned();
    let input = call.input;
    match call.tool {
        "Bash" => match input.get("command").and_then(Value::as_str) {
            Some(command) => command.to_owned(),
            None => input.to_string(),
        },
        "Edit" => format!(
            "{}\n{}",
            text(input, "file_path"),
            change(&text(input, "old_string"), &text(input, "new_string"))
        ),
        "MultiEdit" => {
            let edits = input.get("edits").and_then(Value::as_array).cloned().unwrap_or_default();
            let edits = edits.iter().map(|edit| change(&text(edit, "old_string"), &text(edit, "new_string")));
            format!("{}\n{}", text(input, "file_path"), edits.collect::<Vec<_>>().join("\n"))
        }
        "Write" => format!("{}\n{}", text(input, "file_path"), change("", &text(input, "content"))),
        "NotebookEdit" => {
            format!("{}\n{}", text(input, "notebook_path"), change("", &text(input, "new_source")))
        }
        "WebFetch" => text(input, "url"),
        _ => input.to_string(),
    }
}

/// The lines that go and the lines that come; those that both have at either end are left out.
fn change(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - before;
    let after = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut lines = vec![format!("@@ -{} +{} @@", old.len(), new.len())];
    for (mark, side) in [('-', &old), ('+', &new)] {
        let changed = &side[before..side.len() - after];
        lines.extend(changed.iter().take(QUESTION_LINES_MAX).map(|line| format!("{mark}{}", cut(line, 400))));
        if changed.len() > QUESTION_LINES_MAX {
            lines.push(format!("{mark}... {} more lines", changed.len() - QUESTION_LINES_MAX));
        }
    }
    lines.join("\n")
}
