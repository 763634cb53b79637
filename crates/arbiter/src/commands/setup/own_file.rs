//! Adds the bot to the user's own configuration file, in place: everything that stands there stays as it is. What comes out
//! is checked by the caller, who reads it as a configuration.

use crate::project::config::node::{self, Node, Value};

/// A user who is let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewUser {
    pub id: i64,
    pub name: String,
}

/// The text with the token's file and the users in its section `telegram`; none if it is written in a way that only its
/// author can add to.
pub(super) fn with_bot(text: &str, token_file: Option<&str>, users: &[NewUser]) -> Option<String> {
    let mut text = text.to_owned();
    for user in users.iter().rev() {
        text = with(&text, "allowedUsers", &format!("[{}]", item(user)), Some(&item(user)))?;
    }
    if let Some(file) = token_file {
        text = with(&text, "token_file", &quoted(file), None)?;
    }
    Some(text)
}

/// The lines that a person adds by hand where we cannot.
pub(super) fn by_hand(token_file: Option<&str>, users: &[NewUser]) -> String {
    let file = token_file.map(|file| format!("token_file: {}", quoted(file)));
    let items: Vec<String> = users.iter().map(item).collect();
    let users = (!items.is_empty()).then(|| format!("allowedUsers: [{}]", items.join(", ")));
    let entries: Vec<String> = file.into_iter().chain(users).collect();
    format!("telegram: {{{}}}", entries.join(", "))
}

/// Sets a key of the section; where it is a list already, `more` is added to that.
fn with(text: &str, key: &str, value: &str, more: Option<&str>) -> Option<String> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let root = node::parse(text).ok()?;
    let Some(root) = root else {
        return Some(format!("{}telegram:{end}  {key}: {value}{end}", whole_lines(text, end)));
    };
    let Value::Map(entries) = &root.value else { return None };
    let Some((name, section)) = entry(entries, "telegram") else {
        // Beside the other sections of the file, as deep as they are.
        let (first, _) = entries.first()?;
        if starts_with(text, &root, '{') {
            return insert(text, start(first)?, &format!("telegram: {{{key}: {value}}}, "));
        }
        return insert(
            text,
            start(first)?,
            &format!("telegram:{end}{0}  {key}: {value}{end}{0}", indent(text, first)?),
        );
    };
    let fields = match &section.value {
        Value::Map(fields) => fields,
        Value::Null => {
            let after = start(name)? + text[start(name)?..].find(':')? + 1;
            return insert(text, after, &format!(" {{{key}: {value}}}"));
        }
        Value::Bool(_) | Value::Whole(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => return None,
    };
    let Some((name, found)) = entry(fields, key) else {
        let Some((first, _)) = fields.first() else {
            return insert(text, start(section)? + 1, &format!("{key}: {value}"));
        };
        let entry = match starts_with(text, section, '{') {
            true => format!("{key}: {value}, "),
            false => format!("{key}: {value}{end}{}", indent(text, first)?),
        };
        return insert(text, start(first)?, &entry);
    };
    match (&found.value, more) {
        (Value::Null, _) => {
            let after = start(name)? + text[start(name)?..].find(':')? + 1;
            insert(text, after, &format!(" {value}"))
        }
        (Value::List(items), Some(more)) if starts_with(text, found, '[') => {
            let comma = if items.is_empty() { "" } else { ", " };
            insert(text, start(found)? + 1, &format!("{more}{comma}"))
        }
        (Value::List(items), Some(more)) => {
            let dash = text[..start(items.first()?)?].rfind('-')?;
            let line = text[..dash].rfind('\n').map_or(0, |end| end + 1);
            let before = &text[line..dash];
            insert(
                text,
                dash,
                &format!("- {more}{end}{}", before.chars().all(|sign| sign == ' ').then_some(before)?),
            )
        }
        (
            Value::Bool(_)
            | Value::Whole(_)
            | Value::Number(_)
            | Value::Text(_)
            | Value::Map(_)
            | Value::List(_),
            _,
        ) => None,
    }
}

fn item(user: &NewUser) -> String {
    let NewUser { id, name } = user;
    if name.is_empty() { id.to_string() } else { format!("{{id: {id}, name: {}}}", quoted(name)) }
}

/// Text as YAML reads it back, in quotes where it could be read as something else.
fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '/' || sign == '~')
        && text.len() > 1
        && text.bytes().all(|sign| sign.is_ascii_alphanumeric() || b"/._-".contains(&sign))
        && !["true", "false", "null", "yes", "no", "on", "off"].contains(&text.to_lowercase().as_str());
    if is_plain { text.to_owned() } else { format!("{text:?}") }
}

fn entry<'n>(entries: &'n [(Node, Node)], wanted: &str) -> Option<(&'n Node, &'n Node)> {
    let is_wanted = |key: &Node| matches!(&key.value, Value::Text(name) if name == wanted);
    entries.iter().find(|(key, _)| is_wanted(key)).map(|(key, value)| (key, value))
}

/// Where a node begins in the text, in bytes.
fn start(node: &Node) -> Option<usize> {
    usize::try_from(node.defined.span().byte_offset()?).ok()
}

fn starts_with(text: &str, node: &Node, sign: char) -> bool {
    start(node).and_then(|at| text.get(at..)).is_some_and(|rest| rest.starts_with(sign))
}

/// What stands before a key in its line, if that is nothing but blanks.
fn indent<'t>(text: &'t str, key: &Node) -> Option<&'t str> {
    let at = start(key)?;
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = text[line..at].trim_start_matches('\u{feff}');
    before.chars().all(|sign| sign == ' ').then_some(before)
}

fn insert(text: &str, at: usize, more: &str) -> Option<String> {
    let (before, after) = text.split_at_checked(at)?;
    Some(format!("{before}{more}{after}"))
}

/// The text, ending with a line end if it has anything.
fn whole_lines(text: &str, end: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_owned() } else { format!("{text}{end}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(text: &str) -> Option<String> {
        let user = NewUser { id: 7, name: "ada".to_owned() };
        with_bot(text, Some("/k/telegram.token"), &[user])
    }

    #[test]
    fn what_stands_there_stays() {
        for (before, after) in [
            ("", "telegram:\n  token_file: /k/telegram.token\n  allowedUsers: [{id: 7, name: ada}]\n"),
            (
                "# mine\nscene: off   # quiet\n",
                "# mine\ntelegram:\n  token_file: /k/telegram.token\n  allowedUsers: [{id: 7, name: ada}]\nscene: off   # quiet\n",
            ),
            (
                "telegram:\n    # people\n    allowedUsers:\n      - 5 # me\nscene: off\n",
                "telegram:\n    # people\n    token_file: /k/telegram.token\n    allowedUsers:\n      - {id: 7, name: ada}\n      - 5 # me\nscene: off\n",
            ),
            (
                "telegram: { allowedUsers: [5] } # flow\n",
                "telegram: { token_file: /k/telegram.token, allowedUsers: [{id: 7, name: ada}, 5] } # flow\n",
            ),
            (
                "telegram:\r\n",
                "telegram: {token_file: /k/telegram.token, allowedUsers: [{id: 7, name: ada}]}\r\n",
            ),
            (
                "telegram: {}\n",
                "telegram: {token_file: /k/telegram.token, allowedUsers: [{id: 7, name: ada}]}\n",
            ),
            (
                "{scene: off}",
                "{telegram: {token_file: /k/telegram.token, allowedUsers: [{id: 7, name: ada}]}, scene: off}",
            ),
        ] {
            assert_eq!(added(before).as_deref(), Some(after), "{before}");
        }
    }

    #[test]
    fn what_cannot_be_added_to_is_left() {
        for before in ["telegram: here\n", "[1]\n", "a: [\n", "telegram: {token_file: /other}\n"] {
            assert_eq!(added(before), None, "{before}");
        }
    }

    #[test]
    fn a_name_that_yaml_would_read_as_something_else_is_quoted() {
        for (name, written) in [("ada", "ada"), ("yes", "\"yes\""), ("Ada L", "\"Ada L\""), ("7", "\"7\"")] {
            assert_eq!(quoted(name), written);
        }
    }
}
