//! The section `policy`: what agents may do unasked. It is only read here; what of a project's file counts is decided
//! above.

use mind::policy::Mode;
use providers::workshop::{Check, WorkshopError, Written};

use super::error::shown;
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// The keys of the section.
pub(super) const KEYS: &[&str] = &["mode", "allow"];
pub(super) const MODES: [(&str, Mode); 2] = [("guarded", Mode::Guarded), ("open", Mode::Open)];

/// How an entry of `policy.allow` looks.
const ALLOW_HINT: &str = r#"write the first words of the command: ["npm", "run", "build"]"#;

/// What one file says of the policy.
#[derive(Debug, Default)]
pub(super) struct PolicyLayer {
    pub(super) mode: Found<Mode>,
    pub(super) allow: Found<Vec<Vec<String>>>,
}

impl Reader<'_> {
    pub(super) fn policy(&mut self, node: &Node) -> PolicyLayer {
        let mut policy = PolicyLayer::default();
        for (key, node) in self.entries("policy", node) {
            match key.as_str() {
                "mode" => policy.mode = self.choice("policy.mode", node, ["mode", "modes"], &MODES),
                "allow" => {
                    let wanted = ("a list of commands", r#"write one list for each: [["npm", "run"]]"#);
                    policy.allow = self.list("policy.allow", node, wanted, Reader::allowed);
                }
                _ => {}
            }
        }
        policy
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
}
