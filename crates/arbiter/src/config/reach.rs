//! How far agents reach: `policy`, `sandbox`, `write`, `hide` and `environment`. Here they are only read; what of a
//! project's file counts is decided above.

use std::path::{Component, PathBuf};

use mind::policy::Mode;
use providers::workshop::{Check, WorkshopError, Written};

use super::error::shown;
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// The keys of the section `policy`.
pub(super) const KEYS: &[&str] = &["mode", "allow"];
pub(super) const MODES: [(&str, Mode); 2] = [("guarded", Mode::Guarded), ("open", Mode::Open)];
pub(super) const SANDBOXES: [(&str, Sandbox); 2] = [("auto", Sandbox::Auto), ("off", Sandbox::Off)];

/// How an entry of `policy.allow` looks.
const ALLOW_HINT: &str = r#"write the first words of the command: ["npm", "run", "build"]"#;
/// How a place looks.
const PATH_HINT: &str = "write the whole path, or one from your home: /data/models, ~/.cache/models";
/// How a variable looks.
const NAME_HINT: &str = "write its name only, the value stays in your environment: [GOPATH, CI]";

/// Whether the processes of agents are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sandbox {
    /// By the best that this system has.
    #[default]
    Auto,
    /// By nothing. Only the user's own file can say so.
    Off,
}

/// What one file says of it.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) mode: Found<Mode>,
    pub(super) allow: Found<Vec<Vec<String>>>,
    pub(super) sandbox: Found<Sandbox>,
    pub(super) write: Found<Vec<PathBuf>>,
    pub(super) hide: Found<Vec<PathBuf>>,
    pub(super) environment: Found<Vec<String>>,
}

impl Reader<'_> {
    /// The section `policy`.
    pub(super) fn policy(&mut self, node: &Node, reach: &mut Reach) {
        for (key, node) in self.entries("policy", node) {
            match key.as_str() {
                "mode" => reach.mode = self.choice("policy.mode", node, ["mode", "modes"], &MODES),
                "allow" => {
                    let wanted = ("a list of commands", r#"write one list for each: [["npm", "run"]]"#);
                    reach.allow = self.list("policy.allow", node, wanted, Reader::allowed);
                }
                _ => {}
            }
        }
    }

    pub(super) fn sandbox(&mut self, node: &Node) -> Found<Sandbox> {
        let found = self.choice("sandbox", node, ["value", "values"], &SANDBOXES)?;
        let is_off = found.0 == Sandbox::Off;
        (!is_off || self.is_own("sandbox: off", node, "that agents run without a sandbox")).then_some(found)
    }

    pub(super) fn paths(&mut self, key: &str, node: &Node) -> Found<Vec<PathBuf>> {
        self.list(key, node, ("a list of paths", "write it as a list: [/data/models]"), Reader::path)
    }

    pub(super) fn environment(&mut self, node: &Node) -> Found<Vec<String>> {
        self.list("environment", node, ("a list of names", NAME_HINT), Reader::variable)
    }

    /// A list whose items `read` reads; nothing of it counts if one of them cannot be meant.
    pub(crate) fn list<T>(
        &mut self,
        key: &str,
        node: &Node,
        (wanted, hint): (&str, &str),
        read: impl Fn(&mut Self, &str, &Node) -> Option<T>,
    ) -> Found<Vec<T>> {
        let Value::List(items) = &node.value else {
            self.bad_kind(key, node, wanted, hint);
            return None;
        };
        let read = |(index, item)| read(self, &format!("{key}[{index}]"), item);
        let values: Vec<T> = items.iter().enumerate().filter_map(read).collect();
        (values.len() == items.len()).then(|| (values, self.place(node)))
    }

    /// The first words of commands that need no question: a list of words, or one word.
    pub(crate) fn allowed(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        let words = match &node.value {
            Value::List(items) => self.words(key, items, ALLOW_HINT)?,
            Value::Text(word) => vec![word.clone()],
            Value::Null | Value::Bool(_) | Value::Whole(_) | Value::Number(_) | Value::Map(_) => {
                self.bad_kind(key, node, "a list of words", ALLOW_HINT);
                return None;
            }
        };
        let (problem, hint) = match Check::parse(Written::Argv(words.clone())) {
            Ok(_) => return Some(words),
            Err(WorkshopError::EmptyCheck) => ("this would allow every command".to_owned(), None),
            Err(error) => {
                let hint = error.hint().map(|hint| hint.replace("one check for", "one list for"));
                (format!("{} is a line for a shell", shown(&words.join(" "))), hint)
            }
        };
        self.bad(key, node, problem, Some(hint.unwrap_or_else(|| ALLOW_HINT.to_owned())));
        None
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
                self.bad(key, node, "nobody says where your home is".to_owned(), Some("set HOME".to_owned()));
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
        let path: PathBuf = path.components().collect();
        let is_whole = path.parent().is_none() || self.home.is_some_and(|home| home.starts_with(&path));
        if key == "write" && is_whole {
            let problem = format!("{} is all you have: that is no sandbox any more", shown(&written));
            self.bad(
                key,
                node,
                problem,
                Some("name the folders that are needed: ~/.cargo/registry".to_owned()),
            );
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
