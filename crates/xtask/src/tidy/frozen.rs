//! Forms are only added: what a golden file of the journal, the ledger or `--json` ever held, a reader of today meets tomorrow.
//! A list has a line for each form; one that no golden file has any more, or that the list has not, is told.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Problem, Tree};

/// The forms that stay.
pub const LIST: &str = "crates/xtask/frozen.txt";
/// Golden files of which each line is a form: byte for byte, because that is what lies on disks.
const LINES: [(&str, &str); 2] = [
    ("fact", "crates/mind/tests/it/facts.golden.jsonl"),
    ("ledger", "crates/docket/tests/it/ledger.golden.jsonl"),
];
/// Golden files of values that are printed: a form is a name and its type.
const VALUES: (&str, &str) = ("crates/arbiter/tests/it/json/", ".golden.json");
/// So much of a line is shown beside its digest.
const SHOWN_CHARS: usize = 60;

pub const HINT: &str = "forms are only added: put back the line or the field that is gone, and give what is new a name of its own; \
                        `cargo xtask golden` adds new forms to the list";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(list) = tree.text(LIST) else { return vec![Problem::missing(LIST)] };
    let listed: BTreeSet<&str> = list.lines().collect();
    let forms = forms(tree);
    let is_gone = |(_, form): &(usize, &str)| !forms.contains_key(*form);
    let gone = (1..).zip(list.lines()).filter(is_gone).map(|(number, form)| {
        Problem::at(LIST, number, format!("forms are only added: no golden file has `{form}` any more"))
    });
    let is_new = |(form, _): &(&String, &(String, usize))| !listed.contains(form.as_str());
    let new = forms.iter().filter(is_new).map(|(form, (file, number))| {
        Problem::at(file.clone(), *number, format!("`{form}` is not in {LIST}"))
    });
    gone.chain(new).collect()
}

/// The list with every form that it has not yet.
pub fn with_new(tree: &Tree) -> String {
    let listed = tree.text(LIST).unwrap_or_default().lines().map(str::to_owned);
    let all: BTreeSet<String> = listed.chain(forms(tree).into_keys()).collect();
    all.into_iter().map(|form| form + "\n").collect()
}

/// Every form with the place of a golden file that has it.
fn forms(tree: &Tree) -> BTreeMap<String, (String, usize)> {
    let mut forms = BTreeMap::new();
    for (kind, file) in LINES {
        for (number, line) in (1..).zip(tree.text(file).unwrap_or_default().lines()) {
            let shown: String = line.chars().take(SHOWN_CHARS).collect();
            forms.insert(format!("{kind} {:016x} {shown}", digest(line)), (file.to_owned(), number));
        }
    }
    let (folder, ending) = VALUES;
    for (file, text) in tree.files() {
        let Some(name) = file.strip_prefix(folder).and_then(|name| name.strip_suffix(ending)) else {
            continue;
        };
        let situations: Value = serde_json::from_str(text).unwrap_or_default();
        for value in situations.as_object().into_iter().flat_map(|situations| situations.values()) {
            let mut add = |form: String| {
                forms.entry(form).or_insert_with(|| (file.to_owned(), 1));
            };
            walk(&format!("json {name}: "), &value["printed"], &mut add);
        }
    }
    forms
}

/// Tells the name and the type of a value and of all that it holds. The items of a list share one name.
fn walk(name: &str, value: &Value, tell: &mut impl FnMut(String)) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(items) => {
            items.iter().for_each(|item| walk(&format!("{name}[]"), item, tell));
            "list"
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(field, value)| walk(&format!("{name}.{field}"), value, tell));
            "object"
        }
    };
    tell(format!("{name} {kind}"));
}

/// FNV-1a: it guards against a slip, not against malice.
fn digest(line: &str) -> u64 {
    line.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    const FACTS: &str = LINES[0].1;
    const SHOW: &str = "crates/arbiter/tests/it/json/show.golden.json";
    const PRINTED: &str =
        r#"{"a council": {"exit": 0, "printed": {"id": "M", "sessions": [{"live": true}], "at": 1}}}"#;

    /// What is told when the golden files, listed as they were, have become these.
    fn told(before: [&str; 2], after: [&str; 2]) -> Vec<String> {
        let list = with_new(&Tree::of(&[(FACTS, before[0]), (SHOW, before[1])]));
        lines(&check(&Tree::of(&[(FACTS, after[0]), (SHOW, after[1]), (LIST, &list)])))
    }

    #[test]
    fn what_stays_is_not_told() {
        assert_eq!(told(["{\"a\":1}\n", PRINTED], ["{\"a\":1}\n", PRINTED]), [""; 0]);
        let other_text = PRINTED.replace("\"M\"", "\"another\"");
        assert_eq!(told(["{\"a\":1}\n", PRINTED], ["{\"a\":1}\n", &other_text]), [""; 0]);
    }

    #[test]
    fn a_line_that_was_changed_is_told_twice() {
        let told = told(["{\"a\":1}\n", PRINTED], ["{\"a\":2}\n", PRINTED]);
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(
            told[0].contains("forms are only added") && told[0].ends_with("{\"a\":1}` any more"),
            "{told:#?}"
        );
        assert!(told[1].starts_with(FACTS) && told[1].contains("is not in"), "{told:#?}");
    }

    #[test]
    fn a_field_that_is_gone_or_of_another_type_is_told() {
        for (from, to, form) in [
            ("\"live\"", "\"alive\"", "json show: .sessions[].live boolean"),
            ("\"at\": 1", "\"at\": \"1\"", "json show: .at number"),
        ] {
            let told = told(["", PRINTED], ["", &PRINTED.replace(from, to)]);
            assert!(told[0].contains(&format!("no golden file has `{form}` any more")), "{told:#?}");
        }
    }

    #[test]
    fn nothing_is_taken_off_the_list() {
        let tree = Tree::of(&[(LIST, "fact 1 old\n"), (SHOW, PRINTED)]);
        let list = with_new(&tree);
        assert!(list.starts_with("fact 1 old\njson show: "), "{list}");
        assert!(list.contains("json show: .sessions list\n"), "{list}");
    }
}
