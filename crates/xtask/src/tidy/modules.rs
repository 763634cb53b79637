//! ARCHITECTURE.md names every module. In the section `### <crate>` each module of the crate stands
//! in backticks, by its name or any longer end of its path (`handoff`, `council/handoff`,
//! `council::handoff`); and each word in backticks in the first column of a table there is a module
//! of the crate. `lib`, `main` need no mention; a `mod.rs` goes by its folder.

use std::collections::{BTreeMap, BTreeSet};

use super::{Problem, Tree, markdown};

const DOCUMENT: &str = "ARCHITECTURE.md";
pub const HINT: &str = "ARCHITECTURE.md has a section `### <crate>` for each crate, with a table that has each module in \
                        backticks in its first column";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else {
        return vec![Problem::missing(DOCUMENT)];
    };
    let sections = markdown::sections(text, 3);
    let mut problems = Vec::new();
    for (name, modules) in crates(tree) {
        let Some(section) = sections.iter().find(|section| crate_of(section.title) == name) else {
            problems.push(Problem::at(DOCUMENT, 1, format!("there is no section `### {name}`")));
            continue;
        };
        let words = section.body.iter().flat_map(|(_, text)| markdown::backticked(text));
        let named: BTreeSet<String> = words.map(|word| word.replace("::", "/")).collect();
        for module in modules.iter().filter(|module| module.needs_mention()) {
            if !named.iter().any(|word| module.is_named(word)) {
                let what = format!("{DOCUMENT} does not name `{}` in its section `### {name}`", module.path);
                problems.push(Problem::at(module.file, 1, what));
            }
        }
        for row in markdown::rows(&section.body) {
            for word in row.cells.first().into_iter().flat_map(|cell| markdown::backticked(cell)) {
                let path = word.replace("::", "/");
                if !modules.iter().any(|module| module.is_named(&path)) {
                    problems.push(Problem::at(
                        DOCUMENT,
                        row.line,
                        format!("`{name}` has no module `{word}`"),
                    ));
                }
            }
        }
    }
    problems
}

struct Module<'a> {
    file: &'a str,
    /// From the crate's name: `mind/council/handoff`.
    path: String,
}

impl Module<'_> {
    /// A word names a module when it is the end of its path.
    fn is_named(&self, word: &str) -> bool {
        self.path.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }

    fn needs_mention(&self) -> bool {
        !(self.is_named("lib") || self.is_named("main"))
    }
}

/// The crates in `crates/`, each with the modules under its `src`.
fn crates(tree: &Tree) -> BTreeMap<&str, Vec<Module<'_>>> {
    let mut crates: BTreeMap<&str, Vec<Module>> = BTreeMap::new();
    for (file, _) in tree.sources() {
        let Some((name, inner)) = file.strip_prefix("crates/").and_then(|path| path.split_once("/src/"))
        else {
            continue;
        };
        let inner = inner.trim_end_matches(".rs").trim_end_matches("/mod");
        crates.entry(name).or_default().push(Module { file, path: format!("{name}/{inner}") });
    }
    crates
}

/// The crate that a heading is about: its first word.
fn crate_of(title: &str) -> &str {
    title.split([' ', ':', ',']).next().unwrap_or_default().trim_matches('`')
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    const SOURCES: [(&str, &str); 5] = [
        ("crates/mind/src/lib.rs", ""),
        ("crates/mind/src/state.rs", ""),
        ("crates/mind/src/council/mod.rs", ""),
        ("crates/mind/src/council/handoff.rs", ""),
        ("crates/mind/tests/it/main.rs", ""),
    ];

    fn problems(document: &str) -> Vec<String> {
        let mut files = SOURCES.to_vec();
        files.push((DOCUMENT, document));
        lines(&check(&Tree::of(&files)))
    }

    #[test]
    fn a_document_that_names_every_module_is_fine() {
        let text = "### `mind`: decides\n\n| module | owns |\n|-|-|\n| `state`, `council::handoff` | x |\nand `mind/council`\n";
        assert_eq!(problems(text), [""; 0]);
    }

    #[test]
    fn a_module_without_mention_is_named_where_it_lives() {
        let text =
            "### mind\n\n`council/handoff`, `council`, and state without backticks\n### sim\n`state`\n";
        let expected = "crates/mind/src/state.rs:1: ARCHITECTURE.md does not name `mind/state` in its section `### mind`";
        assert_eq!(problems(text), [expected]);
    }

    #[test]
    fn half_a_name_is_no_mention() {
        let text = "### mind\n`state` `council` `off`\n";
        assert_eq!(problems(text).len(), 1);
    }

    #[test]
    fn a_table_that_names_what_is_gone_is_pointed_at() {
        let text = "### mind\n`state` `council` `handoff`\n\n| module | owns |\n|-|-|\n| `gauge` | `nothing` |\n| `lib` | x |\n";
        assert_eq!(problems(text), ["ARCHITECTURE.md:6: `mind` has no module `gauge`"]);
    }

    #[test]
    fn a_crate_needs_a_section() {
        assert_eq!(problems("## mind\n"), ["ARCHITECTURE.md:1: there is no section `### mind`"]);
    }
}
