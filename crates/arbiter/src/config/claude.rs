//! The section `claude`: how Claude Code is run. What would let a repository choose what runs on the user's machine is
//! honoured only from the user's own file.

use std::path::PathBuf;

use providers::claude::{Routing, Settings};

use super::node::{Node, Value};
use super::reader::{Found, Owner, Reader};

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["program", "settings", "routing", "model"];
pub(super) const SETTINGS: [(&str, Settings); 2] =
    [("isolated", Settings::Isolated), ("project", Settings::Project)];
pub(super) const ROUTINGS: [(&str, Routing); 2] = [("typed", Routing::Typed), ("tools", Routing::Tools)];

/// The longest name of a model, in bytes.
const MODEL_BYTES_MAX: usize = 200;

/// What one file says of Claude Code.
#[derive(Debug, Default)]
pub(super) struct Claude {
    pub(super) program: Found<PathBuf>,
    pub(super) settings: Found<Settings>,
    pub(super) routing: Found<Routing>,
    pub(super) model: Found<String>,
}

/// The word for a value.
pub(super) fn word<T: PartialEq>(words: &[(&'static str, T)], meant: &T) -> &'static str {
    words.iter().find(|(_, value)| value == meant).map_or("", |(word, _)| word)
}

impl Reader<'_> {
    pub(super) fn claude(&mut self, node: &Node) -> Claude {
        let mut claude = Claude::default();
        for (key, node) in self.entries("claude", node) {
            match key.as_str() {
                "program" if self.is_own("claude.program", node, "which program runs") => {
                    claude.program = self.program(node);
                }
                "settings" if self.is_own("claude.settings", node, "whose hooks and tools run") => {
                    claude.settings = self.choice("claude.settings", node, ["value", "values"], &SETTINGS);
                }
                "routing" => {
                    claude.routing = self.choice("claude.routing", node, ["routing", "routings"], &ROUTINGS);
                }
                "model" => claude.model = self.model("claude.model", node),
                _ => {}
            }
        }
        claude
    }

    /// Whether the file may say this; `what` is what it would choose.
    pub(super) fn is_own(&mut self, key: &str, node: &Node, what: &str) -> bool {
        let Owner::Project { own } = self.owner else { return true };
        let file = own.map_or_else(|| "your own file".to_owned(), |own| own.display().to_string());
        let hint = format!("write it into {file}: a repository must not choose {what}");
        self.bad(key, node, "this counts only in your own file".to_owned(), Some(hint));
        false
    }

    fn program(&mut self, node: &Node) -> Found<PathBuf> {
        let hint = "write the whole path: /usr/local/bin/claude";
        let Value::Text(path) = &node.value else {
            self.bad_kind("claude.program", node, "a path", hint);
            return None;
        };
        let program = PathBuf::from(path);
        if !program.is_absolute() {
            let problem = format!("{} is not an absolute path", super::error::shown(path));
            self.bad("claude.program", node, problem, Some(hint.to_owned()));
            return None;
        }
        Some((program, self.place(node)))
    }

    pub(crate) fn model(&mut self, key: &str, node: &Node) -> Found<String> {
        let hint = "write its name: opus, sonnet, or a full name";
        let Value::Text(name) = &node.value else {
            self.bad_kind(key, node, "the name of a model", hint);
            return None;
        };
        // It becomes a word of a command line, and is printed.
        let is_name = name.bytes().all(|sign| sign.is_ascii_graphic())
            && name.starts_with(|sign: char| sign.is_ascii_alphanumeric())
            && name.len() <= MODEL_BYTES_MAX;
        if !is_name {
            let problem = format!("{} is not the name of a model", super::error::shown(name));
            self.bad(key, node, problem, Some(hint.to_owned()));
            return None;
        }
        Some((name.clone(), self.place(node)))
    }
}
