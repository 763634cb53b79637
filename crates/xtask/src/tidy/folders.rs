//! The crate that joins all rooms stays in order: `crates/arbiter/src` has a few entries at its top, and a new file goes
//! into the folder that owns what it is about. A module's file and its folder of the same name are one entry.

use std::collections::BTreeSet;

use super::{Problem, Tree};

const FOLDER: &str = "crates/arbiter/src/";
const ENTRIES_MAX: usize = 11;
pub const HINT: &str = "put it into `mission`, `project`, `terminal`, `serving` or `commands`: each one's mod.rs says what it owns";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let entries: BTreeSet<&str> = tree.sources().filter_map(|(path, _)| entry(path)).collect();
    let what = || {
        let named: Vec<&str> = entries.iter().copied().collect();
        format!("{} entries stand side by side, more than {ENTRIES_MAX}: {}", entries.len(), named.join(", "))
    };
    let is_full = entries.len() > ENTRIES_MAX;
    is_full.then(|| Problem::at(format!("{FOLDER}lib.rs"), 1, what())).into_iter().collect()
}

/// The entry at the top that a file belongs to.
fn entry(path: &str) -> Option<&str> {
    let inner = path.strip_prefix(FOLDER)?;
    inner.split('/').next().map(|name| name.trim_end_matches(".rs"))
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(entries: &[String]) -> Vec<String> {
        let files: Vec<(&str, &str)> = entries.iter().map(|path| (path.as_str(), "")).collect();
        lines(&check(&Tree::of(&files)))
    }

    fn side_by_side(count: usize) -> Vec<String> {
        (0..count).map(|n| format!("{FOLDER}part{n:02}.rs")).collect()
    }

    #[test]
    fn one_entry_more_than_there_may_be_is_told() {
        assert_eq!(problems(&side_by_side(ENTRIES_MAX)), [""; 0]);
        let told = problems(&side_by_side(ENTRIES_MAX + 1));
        assert_eq!(told.len(), 1);
        let begin =
            "crates/arbiter/src/lib.rs:1: 12 entries stand side by side, more than 11: part00, part01, ";
        assert!(told[0].starts_with(begin), "{}", told[0]);
    }

    #[test]
    fn a_module_with_its_folder_is_one_entry_and_other_crates_are_free() {
        let mut files = side_by_side(ENTRIES_MAX);
        files.push(format!("{FOLDER}part00/child.rs"));
        files.push(format!("{FOLDER}part00/child/grandchild.rs"));
        files.extend((0..20).map(|n| format!("crates/mind/src/part{n}.rs")));
        assert_eq!(problems(&files), [""; 0]);
    }
}
