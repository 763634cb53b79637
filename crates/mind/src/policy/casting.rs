//! An agent's own limits, applied to a call: its tools, and its commands by their first words. They hold in every mode,
//! in subagents too, and no person is asked to lift them.

use super::bench::Bench;
use super::tools::is_ours;
use super::word::Flat;
use crate::conductor::agent::{AgentTools, BashLimits};
use crate::session::Role;

/// The tool by which a turn gives its typed answer.
const ANSWER: &str = "StructuredOutput";

/// Commands of the shell that touch nothing beyond it.
const SHELLS_OWN: &[&str] = &[
    ":", "true", "false", "test", "[", "shift", "wait", "break", "continue", "exit", "return", "cd", "pushd",
    "popd", "chdir", "pwd", "set", "unset", "export", "local", "read", "type",
];

/// Programs and words of the shell that only carry another command: that one counts.
const CARRIERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "ash",
    "mksh",
    "env",
    "nice",
    "ionice",
    "stdbuf",
    "timeout",
    "gtimeout",
    "time",
    "gtime",
    "command",
    "builtin",
    "exec",
    "eval",
    "xargs",
    "noglob",
    "nocorrect",
    "unbuffer",
    "chronic",
];

/// What a session is judged as: one that may change nothing is as good as a verifier.
pub fn role(role: Role, tools: Option<&AgentTools>) -> Role {
    match role {
        Role::Orchestrator | Role::Agent if tools.is_some_and(AgentTools::read_only) => Role::Verifier,
        Role::Arbiter | Role::Orchestrator | Role::Verifier | Role::Agent => role,
    }
}

/// Whether an agent may use a tool. What its turn ends in, and what Arbiter itself offers, is everybody's.
pub fn may_use(tools: &AgentTools, tool: &str) -> bool {
    // Each group is one tool under several names.
    let names: &[&str] = match tool {
        "Task" | "Agent" => &["Task", "Agent"],
        "BashOutput" | "KillShell" | "KillBash" => &["Bash"],
        "MultiEdit" => &["MultiEdit", "Edit"],
        _ => &[],
    };
    let blocked = |name: &str| tools.blocked.iter().any(|blocked| blocked.as_ref() == name);
    let listed = || names.iter().any(|name| tools.allows(name)) || tools.allows(tool);
    tool == ANSWER || is_ours(tool) || (!blocked(tool) && !names.iter().any(|name| blocked(name)) && listed())
}

impl Bench<'_> {
    /// Refuses a tool that is not this agent's; says whether it did.
    pub fn refuses_tool(&mut self, tool: &str) -> bool {
        let Some(tools) = self.tools.filter(|tools| !may_use(tools, tool)) else { return false };
        self.found.forbid(match &tools.allowed {
            Some(allowed) => {
                let rest = allowed.iter().filter(|name| tools.allows(name));
                let names: Vec<&str> = rest.map(AsRef::as_ref).collect();
                format!("this agent may not use {tool}: its tools are {}", list(&names))
            }
            None => format!("this agent may not use {tool}: it is blocked for it"),
        });
        true
    }

    /// A line that cannot be parsed cannot be held against limits.
    pub fn refuses_unclear(&mut self, why: &str) {
        if self.limits().is_some() {
            self.found.forbid(format!(
                "this agent's commands are limited, and this line cannot be taken apart: {why}. Write it more plainly"
            ));
        }
    }

    /// What a line may run without being seen cannot be held against limits either.
    pub fn refuses_unseen(&mut self) {
        for why in std::mem::take(&mut self.found.unseen) {
            self.refuses_unclear(&why);
        }
    }

    /// Holds a command against this agent's limits. `before` is how many commands were held so before it was judged: the
    /// ones since are those it carries; and `unseen` how much was not seen.
    pub fn hold(&mut self, argv: &[Flat], before: usize, unseen: usize) {
        let carries = self.held > before;
        self.held += 1;
        let Some(bash) = self.limits() else { return };
        let words: Vec<Option<&str>> = argv.iter().map(Flat::fixed).collect();
        let Some(name) = words.first() else { return };
        let Some(name) = *name else {
            let why =
                "this agent's commands are limited, and which program this is is not known until it runs";
            return self.found.forbid(why);
        };
        if let Some(denied) = bash.deny.iter().find(|denied| is_denied(denied, &words)) {
            return self.found.forbid(format!("this agent may not run `{}`", denied.join(" ")));
        }
        let is_named = bash.allow.iter().any(|allowed| begins_with(&words, allowed));
        // An agent that may run a program may run what it runs, unless some of that is denied.
        if is_named && !bash.deny.iter().any(|denied| denied.first().is_some_and(|own| **own == *name)) {
            self.found.unseen.truncate(unseen);
        }
        let is_open = bash.allow.is_empty() || is_named;
        if is_open || SHELLS_OWN.contains(&name) || (carries && CARRIERS.contains(&name)) {
            return;
        }
        let allowed: Vec<String> = bash.allow.iter().map(|words| format!("`{}`", words.join(" "))).collect();
        let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
        self.found.forbid(format!("this agent may not run {name}: its commands are {}", list(&allowed)));
    }
}

impl<'a> Bench<'a> {
    fn limits(&self) -> Option<&'a BashLimits> {
        self.tools.map(|tools| &tools.bash).filter(|bash| !bash.is_unlimited())
    }
}

fn begins_with(words: &[Option<&str>], prefix: &[std::sync::Arc<str>]) -> bool {
    !prefix.is_empty()
        && prefix.len() <= words.len()
        && prefix.iter().zip(words).all(|(own, word)| *word == Some(own.as_ref()))
}

/// Whether the words begin with what is denied, wherever the program lies and whatever options stand between them. What
/// is not known may be the next word.
fn is_denied(denied: &[std::sync::Arc<str>], words: &[Option<&str>]) -> bool {
    let (Some((program, rest)), Some((Some(name), args))) = (denied.split_first(), words.split_first())
    else {
        return false;
    };
    if name.rsplit('/').next() != Some(program.as_ref()) {
        return false;
    }
    let mut wanted = rest.iter().peekable();
    let mut after_option = false;
    for word in args {
        let Some(next) = wanted.peek() else { return true };
        match word {
            None => return true,
            Some(word) if *word == next.as_ref() => {
                wanted.next();
                after_option = false;
            }
            Some(word) if word.starts_with('-') => after_option = true,
            // It may be the value of the option before it.
            Some(_) if after_option => after_option = false,
            Some(_) => return false,
        }
    }
    wanted.peek().is_none()
}

fn list(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
