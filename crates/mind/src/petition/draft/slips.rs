//! Misspelt fields: a name that is nearly one of the known fields is a fault, because its value would be lost silently. A
//! name that is like none of them is ignored.

use serde_json::{Map, Value};

use crate::petition::fields::AskField;

/// How many fields of one object are looked at.
const FIELDS_MAX: usize = 100;

/// A fault for each name that is nearly one of these fields'.
pub(super) fn slips<T>(map: &Map<String, Value>, fields: &[AskField<T>]) -> Vec<String> {
    let known = &names(fields);
    let unknown = map.keys().take(FIELDS_MAX).filter(|name| !known.contains(&name.as_str()));
    let meant = unknown.filter_map(|name| Some((name, nearest(name, known)?)));
    // A field that stands there under its right name was not misspelt.
    let meant = meant.filter(|(_, meant)| !map.contains_key(*meant));
    meant.map(|(name, meant)| format!("`{name}` is no field: did you mean `{meant}`?")).collect()
}

fn names<T>(fields: &[AskField<T>]) -> Vec<&'static str> {
    fields.iter().flat_map(AskField::names).collect()
}

fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let near = known.iter().filter(|word| {
        // Two slips make another word of a short one.
        let most = match word.len() {
            0..=3 => return false,
            4..=5 => 1,
            _ => 2,
        };
        // `sessionId` is no misspelt `session`.
        name.len().abs_diff(word.len()) <= 1 && distance(name.as_bytes(), word.as_bytes()) <= most
    });
    near.copied().min_by_key(|word| distance(name.as_bytes(), word.as_bytes()))
}

/// How many letters were left out, put in, changed or swapped with their neighbour.
fn distance(name: &[u8], word: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=word.len()).collect();
    for (row, sign) in name.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in word.iter().enumerate() {
            let changed = last[column] + usize::from(sign != other);
            let mut least = changed.min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *sign == word[column - 1] && name[row - 1] == *other {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut last, current);
    }
    last[word.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petition::fields::{DECISION, PETITION};

    #[test]
    fn a_slip_of_the_finger_is_found_and_another_word_is_not() {
        for (name, meant) in [
            ("defualt", "default"),
            ("optoins", "options"),
            ("reqires", "requires"),
            ("titel", "title"),
            ("mutli", "multi"),
            ("depends-on", "depends_on"),
            ("require_human", "requires_human"),
        ] {
            assert_eq!(nearest(name, &names(DECISION)), Some(meant), "{name}");
        }
        for name in ["x", "ids", "status", "answer", "question", "type", "url", "contextual", "défàült"] {
            assert_eq!(nearest(name, &names(DECISION)), None, "{name}");
        }
        for name in ["sessionId", "tags", "kind", "wait_seconds", "wait", "planId", "project", "agentId"] {
            assert_eq!(nearest(name, &names(PETITION)), None, "{name}");
        }
    }
}
