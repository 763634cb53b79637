//! The section `sandbox`: what holds the processes of agents, and what is different inside. It is only read here; what of a
//! project's file counts is decided above. One word in place of the section says its level.

use std::path::{Component, PathBuf};

use super::claude::word;
use super::error::shown;
use super::node::{Node, Value};
use super::reader::{Found, Reader};
use super::{Origin, Setting, add_up, pick};

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["level", "write", "hide", "environment"];
const LEVELS: [(&str, SandboxLevel); 2] = [("auto", SandboxLevel::Auto), ("off", SandboxLevel::Off)];

/// How a place looks.
const PATH_HINT: &str = "write the whole path, or one from your home: /data/models, ~/.cache/models";
/// What to write in place of everything.
const WHOLE_HINT: &str = "name the folders that are needed: ~/.cargo/registry";
/// How a variable looks.
const NAME_HINT: &str = "write its name only, the value stays in your environment: [GOPATH, CI]";

/// Whether the processes of agents are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxLevel {
    /// By the best that this system has.
    #[default]
    Auto,
    /// By nothing. Only the user's own file can say so.
    Off,
}

/// What is configured of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// `sandbox.level`: off only from the user's own file.
    pub level: Setting<SandboxLevel>,
    /// `sandbox.write`: further places where agents may write, absolute; those of both files.
    pub write: Setting<Vec<PathBuf>>,
    /// `sandbox.hide`: further places that agents may not see, absolute; those of both files.
    pub hide: Setting<Vec<PathBuf>>,
    /// `sandbox.environment`: variables of the user's that agents and checks see, by name; those of both files.
    pub environment: Setting<Vec<String>>,
}

/// What one file says of it.
#[derive(Debug, Default)]
pub(super) struct SandboxLayer {
    pub(super) level: Found<SandboxLevel>,
    pub(super) write: Found<Vec<PathBuf>>,
    pub(super) hide: Found<Vec<PathBuf>>,
    pub(super) environment: Found<Vec<String>>,
}

impl Sandbox {
    pub(super) fn join(own: SandboxLayer, user: SandboxLayer) -> Sandbox {
        Sandbox {
            level: pick(own.level, user.level, SandboxLevel::default()),
            write: add_up(own.write, user.write),
            hide: add_up(own.hide, user.hide),
            environment: add_up(own.environment, user.environment),
        }
    }

    /// Each key, its value and where it comes from.
    pub(super) fn values(&self) -> [(&'static str, String, &Origin); 4] {
        let list = |values: Vec<String>| format!("[{}]", values.join(", "));
        [
            ("sandbox.level", word(&LEVELS, &self.level.value).to_owned(), &self.level.origin),
            ("sandbox.write", list(shown_paths(&self.write.value)), &self.write.origin),
            ("sandbox.hide", list(shown_paths(&self.hide.value)), &self.hide.origin),
            ("sandbox.environment", list(self.environment.value.clone()), &self.environment.origin),
        ]
    }
}

impl Reader<'_> {
    pub(super) fn sandbox(&mut self, node: &Node) -> SandboxLayer {
        let mut sandbox = SandboxLayer::default();
        match &node.value {
            Value::Text(_) | Value::Bool(_) | Value::Whole(_) | Value::Number(_) => {
                sandbox.level = self.sandbox_level("sandbox", node);
            }
            Value::Null | Value::List(_) | Value::Map(_) => {
                for (key, node) in self.entries("sandbox", node) {
                    match key.as_str() {
                        "level" => sandbox.level = self.sandbox_level("sandbox.level", node),
                        "write" => sandbox.write = self.paths("sandbox.write", node, Reader::writable),
                        "hide" => sandbox.hide = self.paths("sandbox.hide", node, Reader::path),
                        _ => sandbox.environment = self.environment(node),
                    }
                }
            }
        }
        sandbox
    }

    fn sandbox_level(&mut self, key: &str, node: &Node) -> Found<SandboxLevel> {
        let found = self.choice(key, node, ["value", "values"], &LEVELS)?;
        let may_say = found.0 != SandboxLevel::Off
            || self.is_own(&format!("{key}: off"), node, "that agents run without a sandbox");
        may_say.then_some(found)
    }

    fn paths(
        &mut self,
        key: &str,
        node: &Node,
        read: fn(&mut Self, &str, &Node) -> Option<PathBuf>,
    ) -> Found<Vec<PathBuf>> {
        self.list(key, node, ("a list of paths", "write it as a list: [/data/models]"), read)
    }

    fn environment(&mut self, node: &Node) -> Found<Vec<String>> {
        self.list("sandbox.environment", node, ("a list of names", NAME_HINT), Reader::variable)
    }

    pub(super) fn path(&mut self, key: &str, node: &Node) -> Option<PathBuf> {
        // To YAML a bare `~` is nothing; to whoever writes it here it is the home.
        let is_path = matches!(node.value, Value::Text(_)) || self.word(node) == Some("~");
        let Some(written) = self.word(node).filter(|_| is_path).map(str::to_owned) else {
            self.bad_kind(key, node, "a path", PATH_HINT);
            return None;
        };
        let below_home = written.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let path = match (below_home, self.home) {
            (Some(rest), Some(home)) => home.join(rest.trim_start_matches('/')),
            (Some(_), None) => {
                self.bad(
                    key,
                    node,
                    "HOME is not set".to_owned(),
                    Some("set HOME, or write the whole path".to_owned()),
                );
                return None;
            }
            (None, _) => PathBuf::from(&written),
        };
        let is_plain = path.is_absolute()
            && !written.contains('\0')
            && !path.components().any(|part| part == Component::ParentDir);
        if !is_plain {
            let problem = format!("{} is not an absolute path without `..`", shown(&written));
            self.bad(key, node, problem, Some(PATH_HINT.to_owned()));
            return None;
        }
        // Made of its parts again, it has no doubled or trailing slashes and no dots.
        Some(path.components().collect())
    }

    /// A place where agents may write.
    fn writable(&mut self, key: &str, node: &Node) -> Option<PathBuf> {
        let path = self.path(key, node)?;
        let is_whole = path.parent().is_none() || self.home.is_some_and(|home| home.starts_with(&path));
        if is_whole {
            let written = shown(self.word(node).unwrap_or_default());
            let problem =
                format!("{written} holds your whole home: agents that may write there are not held");
            self.bad(key, node, problem, Some(WHOLE_HINT.to_owned()));
            return None;
        }
        Some(path)
    }

    fn variable(&mut self, key: &str, node: &Node) -> Option<String> {
        let name = self.word(node).unwrap_or_default().to_owned();
        let is_name = !name.starts_with(|sign: char| sign.is_ascii_digit())
            && !name.is_empty()
            && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_');
        if !is_name {
            // What stands behind an equals sign may be a secret, and is not printed.
            let told = name.split('=').next().unwrap_or_default();
            let problem = format!("{} is not the name of a variable", shown(told));
            let problem =
                if name.contains('=') { format!("a value follows {}", shown(told)) } else { problem };
            self.bad(key, node, problem, Some(NAME_HINT.to_owned()));
            return None;
        }
        Some(name)
    }
}

/// Paths as they are shown.
pub(super) fn shown_paths(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| format!("{path:?}")).collect()
}
