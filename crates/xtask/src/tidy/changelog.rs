//! The release notes are kept while the work is done: CHANGELOG.md says something under
//! `## Unreleased`.

use super::{Problem, Tree, markdown};

const DOCUMENT: &str = "CHANGELOG.md";
pub const HINT: &str = "say under `## Unreleased` in CHANGELOG.md what changes for the user";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else {
        return vec![Problem::missing(DOCUMENT)];
    };
    let sections = markdown::sections(text, 2);
    let Some(section) = sections.iter().find(|section| section.title == "Unreleased") else {
        return vec![Problem::at(DOCUMENT, 1, "there is no section `## Unreleased`")];
    };
    let says = section.body.iter().any(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'));
    if says { Vec::new() } else { vec![Problem::at(DOCUMENT, section.line, "`## Unreleased` says nothing")] }
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(DOCUMENT, text)])))
    }

    #[test]
    fn notes_are_found() {
        assert_eq!(problems("# Changes\n## Unreleased\n\n- It begins.\n## 0.1\n"), [""; 0]);
    }

    #[test]
    fn no_notes_are_told() {
        assert_eq!(problems("## 0.1\n- x\n"), ["CHANGELOG.md:1: there is no section `## Unreleased`"]);
        let empty = "# Changes\n## Unreleased\n\n### Added\n\n## 0.1\n- x\n";
        assert_eq!(problems(empty), ["CHANGELOG.md:2: `## Unreleased` says nothing"]);
    }
}
