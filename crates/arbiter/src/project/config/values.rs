//! Reads and checks single values of the configuration: names, addresses, paths, variables. Each is checked where it is
//! read, because it becomes an argument, a path of a sandbox, or is printed.

use std::path::{Component, Path, PathBuf};

use super::error::shown;
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// The longest name of a model, in bytes.
pub(super) const MODEL_BYTES_MAX: usize = 200;
/// The longest address of an API, in bytes.
const URL_BYTES_MAX: usize = 500;

/// How a place looks.
const PATH_HINT: &str = "write the whole path, or one from your home: /data/models, ~/.cache/models";
/// The hint for a path that would open everything.
const WHOLE_HINT: &str = "name the folders that are needed: ~/.cargo/registry";
/// How a variable looks.
const NAME_HINT: &str = "write its name only, the value stays in your environment: [GOPATH, CI]";

impl Reader<'_> {
    pub(super) fn percent(&mut self, key: &str, node: &Node) -> Found<u8> {
        let hint = "write percent of the context window as a plain number: 70";
        let Value::Whole(number) = node.value else {
            self.bad_kind(key, node, "a whole number from 1 to 99", hint);
            return None;
        };
        match u8::try_from(number) {
            Ok(percent @ 1..=99) => Some((percent, self.place(node))),
            Ok(_) | Err(_) => {
                self.bad(key, node, format!("{number} is not from 1 to 99"), Some(hint.to_owned()));
                None
            }
        }
    }

    /// Any word: whether the agent exists is checked once the agents' files are read.
    pub(super) fn agent_name(&mut self, key: &str, node: &Node) -> Found<String> {
        let Value::Text(name) = &node.value else {
            self.bad_kind(key, node, "the name of an agent", "`arbiter agents` lists them");
            return None;
        };
        Some((name.clone(), self.place(node)))
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
            self.bad(key, node, format!("{} is not the name of a model", shown(name)), Some(hint.to_owned()));
            return None;
        }
        Some((name.clone(), self.place(node)))
    }

    pub(super) fn address(&mut self, key: &str, node: &Node) -> Found<String> {
        self.address_of_api(key, node, "write the beginning of its address: http://localhost:11434/v1")
    }

    /// The address of a Bot API; null is written for the vendor's own.
    pub(super) fn bot_api(&mut self, key: &str, node: &Node) -> Found<String> {
        if matches!(node.value, Value::Null) {
            return None;
        }
        self.address_of_api(key, node, "write where your own Bot API is: http://127.0.0.1:8081")
    }

    fn address_of_api(&mut self, key: &str, node: &Node, hint: &str) -> Found<String> {
        let Value::Text(written) = &node.value else {
            self.bad_kind(key, node, "an address", hint);
            return None;
        };
        if !is_address(written) {
            // What stands before an `@` may be a secret, and is not printed.
            let problem = match written.contains('@') {
                true => "a name or a password stands in it".to_owned(),
                false => format!("{} is not the address of an API", shown(written)),
            };
            self.bad(key, node, problem, Some(hint.to_owned()));
            return None;
        }
        Some((written.trim_end_matches('/').to_owned(), self.place(node)))
    }

    pub(super) fn program(&mut self, key: &str, node: &Node) -> Found<PathBuf> {
        let hint = "write the whole path: /usr/local/bin/claude";
        let Value::Text(path) = &node.value else {
            self.bad_kind(key, node, "a path", hint);
            return None;
        };
        let program = PathBuf::from(path);
        if !program.is_absolute() {
            self.bad(key, node, format!("{} is not an absolute path", shown(path)), Some(hint.to_owned()));
            return None;
        }
        Some((program, self.place(node)))
    }

    pub(super) fn path(&mut self, key: &str, node: &Node) -> Option<PathBuf> {
        // YAML reads a bare `~` as null; here it means the home folder.
        let is_path = matches!(node.value, Value::Text(_)) || self.word(node) == Some("~");
        let Some(written) = self.word(node).filter(|_| is_path).map(str::to_owned) else {
            self.bad_kind(key, node, "a path", PATH_HINT);
            return None;
        };
        if is_below_home(&written) && self.home.is_none() {
            let hint = "set HOME, or write the whole path".to_owned();
            self.bad(key, node, "HOME is not set".to_owned(), Some(hint));
            return None;
        }
        let path = plain_path(&written, self.home);
        if path.is_none() {
            let problem = format!("{} is not an absolute path without `..`", shown(&written));
            self.bad(key, node, problem, Some(PATH_HINT.to_owned()));
        }
        path
    }

    pub(super) fn paths(
        &mut self,
        key: &str,
        node: &Node,
        read: impl Fn(&mut Self, &str, &Node) -> Option<PathBuf>,
    ) -> Found<Vec<PathBuf>> {
        self.list(key, node, ("a list of paths", "write it as a list: [/data/models]"), read)
    }

    /// Places where agents may write.
    pub(super) fn writable(&mut self, key: &str, node: &Node) -> Found<Vec<PathBuf>> {
        self.paths(key, node, |reader, key, node| {
            let path = reader.path(key, node)?;
            let is_whole = path.parent().is_none() || reader.home.is_some_and(|home| home.starts_with(&path));
            if is_whole {
                let written = shown(reader.word(node).unwrap_or_default());
                let problem = format!(
                    "{written} holds your whole home: a sandbox that may write there protects nothing"
                );
                reader.bad(key, node, problem, Some(WHOLE_HINT.to_owned()));
                return None;
            }
            Some(path)
        })
    }

    /// Variables of the user's, by name.
    pub(super) fn variables(&mut self, key: &str, node: &Node) -> Found<Vec<String>> {
        self.list(key, node, ("a list of names", NAME_HINT), |reader, key, node| {
            let name = reader.word(node).unwrap_or_default().to_owned();
            let is_name = !name.starts_with(|sign: char| sign.is_ascii_digit())
                && !name.is_empty()
                && name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'_');
            if is_name {
                return Some(name);
            }
            // What stands behind an equals sign may be a secret, and is not printed.
            let problem = match name.split_once('=') {
                Some((told, _)) => format!("a value follows {}", shown(told)),
                None => format!("{} is not the name of a variable", shown(&name)),
            };
            reader.bad(key, node, problem, Some(NAME_HINT.to_owned()));
            None
        })
    }
}

/// Whether it is the beginning of an address, without a name, a password or a query.
pub(crate) fn is_address(written: &str) -> bool {
    let rest = written.strip_prefix("https://").or_else(|| written.strip_prefix("http://"));
    rest.is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '['))
        && written.bytes().all(|sign| sign.is_ascii_graphic() && !b"\"<>\\^`{|}?#@".contains(&sign))
        && written.len() <= URL_BYTES_MAX
}

fn is_below_home(written: &str) -> bool {
    written.strip_prefix('~').is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An absolute path, or one from `home`, without doubled or trailing slashes and dots. None if it is not
/// absolute or has `..`.
pub(super) fn plain_path(written: &str, home: Option<&Path>) -> Option<PathBuf> {
    let path = match home.filter(|_| is_below_home(written)) {
        Some(home) => home.join(written.trim_start_matches('~').trim_start_matches('/')),
        None => PathBuf::from(written),
    };
    let is_plain = path.is_absolute()
        && !written.contains('\0')
        && !path.components().any(|part| part == Component::ParentDir);
    is_plain.then(|| path.components().collect())
}
