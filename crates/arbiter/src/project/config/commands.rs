//! Reads the commands of the configuration: the gate's (`checks`) and those that run without asking (`policy.allow`). They
//! are programs with arguments, never shell lines.

use workspace::{Check, WorkspaceError, Written};

use super::error::shown;
use super::node::{Node, Value};
use super::reader::{Found, Reader};

/// How a check looks.
const ARGV_HINT: &str = r#"write the program and its arguments: ["cargo", "test"]"#;
/// How an entry of `policy.allow` looks.
const ALLOW_HINT: &str = r#"write the first words of the command: ["npm", "run", "build"]"#;

impl Reader<'_> {
    pub(super) fn checks(&mut self, key: &str, node: &Node) -> Found<Vec<Check>> {
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, r#"write one list for each check: [["cargo", "test"]]"#);
            self.bad_kind(key, node, "a list of checks", &hint);
            return None;
        };
        // `[cargo, test]` would be two checks, and the first of them succeeds without doing anything.
        let words: Option<Vec<&str>> = items.iter().map(|item| self.word(item)).collect();
        if let Some(words) =
            words.filter(|words| words.len() > 1 && !words.iter().any(|word| word.contains(' ')))
        {
            let hint = format!("write one list for each check: [{words:?}]");
            let problem = "a check is a list of words, and this is one list".to_owned();
            self.bad(key, node, problem, Some(hint));
            return None;
        }
        self.list(key, node, ("a list of checks", ""), Reader::check)
    }

    fn check(&mut self, key: &str, node: &Node) -> Option<Check> {
        let Value::List(items) = &node.value else {
            let hint = instead_of(node, ARGV_HINT);
            self.bad_kind(key, node, "a list of words", &hint);
            return None;
        };
        let argv = self.words(key, items, ARGV_HINT)?;
        let refused = |error: WorkspaceError| self.bad(key, node, error.to_string(), error.hint());
        Check::parse(Written::Argv(argv)).map_err(refused).ok()
    }

    /// Commands that run without asking, each by its first words: a list of words, or one word.
    pub(super) fn allowed(&mut self, key: &str, node: &Node) -> Found<Vec<Vec<String>>> {
        let wanted = ("a list of commands", r#"write one list for each: [["npm", "run"]]"#);
        self.list(key, node, wanted, Reader::first_words)
    }

    fn first_words(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
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
            Err(WorkspaceError::EmptyCheck) => ("this would allow every command".to_owned(), None),
            Err(error) => {
                let hint = error.hint().map(|hint| hint.replace("one check for", "one list for"));
                (format!("{} is a line for a shell", shown(&words.join(" "))), hint)
            }
        };
        self.bad(key, node, problem, Some(hint.unwrap_or_else(|| ALLOW_HINT.to_owned())));
        None
    }
}

/// How to write what stands there instead of a check: a line of text is shown as a list.
fn instead_of(node: &Node, otherwise: &str) -> String {
    let Value::Text(line) = &node.value else {
        return otherwise.to_owned();
    };
    let refused = Check::parse(Written::Line(line.clone())).err().and_then(|error| error.hint());
    refused.unwrap_or_else(|| format!("write the program and its arguments as a list: [{line:?}]"))
}
