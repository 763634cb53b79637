//! One option of a decision on its line: a key, some dash or a colon, and a label.

use mind::talk::DecisionOption;

use super::scalar;

/// Reads a line of a list of options.
pub(super) fn read(line: &str) -> Option<DecisionOption> {
    let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?.trim();
    of(rest)
}

/// Reads an option without the dash or star before it.
pub(super) fn of(rest: &str) -> Option<DecisionOption> {
    let quoted = rest.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    let (key, behind) = match quoted {
        Some((key, behind)) => (key.trim(), behind.trim_start()),
        None => bare(rest),
    };
    if key.is_empty() {
        return None;
    }
    let label = label(without_dash(behind));
    let label = if label.is_empty() && !behind.ends_with('"') { key.to_owned() } else { label };
    Some(DecisionOption { key: key.to_owned(), label })
}

/// A key without backticks ends at the first dash between blanks, or at a colon before a blank.
fn bare(rest: &str) -> (&str, &str) {
    let mut ends = Vec::new();
    for dash in [" — ", " – ", " -- ", " - ", ": "] {
        ends.extend(rest.find(dash));
    }
    match ends.into_iter().min() {
        Some(at) => (rest[..at].trim(), rest[at..].trim_start()),
        None => (rest.trim(), ""),
    }
}

fn without_dash(behind: &str) -> &str {
    let label = ["—", "–", "--", "-", ":"].iter().find_map(|dash| behind.strip_prefix(dash));
    label.unwrap_or(behind).trim()
}

/// A label that blanks at its ends would be lost from is in quotes.
fn label(text: &str) -> String {
    quoted(text).unwrap_or_else(|| text.to_owned())
}

fn quoted(text: &str) -> Option<String> {
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str::<String>(text).ok()
}

/// The option as a line of a file.
pub(super) fn write(option: &DecisionOption) -> String {
    let DecisionOption { key, label } = option;
    // A backtick would end the key.
    let key = if key.contains('`') { key.clone() } else { format!("`{key}`") };
    if *label == option.key {
        return format!("- {key}");
    }
    let is_safe = !label.is_empty()
        && label.trim() == label
        && quoted(label).is_none()
        && !label.contains(['\n', '\r']);
    let label = if is_safe { label.clone() } else { scalar::quote(label) };
    format!("- {key} — {label}")
}
