//! `cargo xtask tidy`: checks what a reviewer would otherwise check by hand. The repository is read once into a value,
//! each check is a pure function of it, and all problems are printed at once.

mod changelog;
mod claude_words;
mod compat;
mod files;
mod folders;
pub mod frozen;
mod hygiene;
mod map;
mod markdown;
mod missions;
mod names;
mod pictures;
mod problem;
mod readme;
mod released;
mod rooms;
mod rows;
mod topics;
mod tree;
mod unknowns;
mod walls;
mod ways;

use std::path::Path;

use self::problem::Problem;
pub use self::tree::{Tree, paths};
pub use self::walls::names_tui;
use crate::{Verdict, refuse_arguments};

struct Check {
    run: fn(&Tree) -> Vec<Problem>,
    /// How to mend what this check finds.
    hint: &'static str,
}

const CHECKS: &[Check] = &[
    Check { run: map::check, hint: map::HINT },
    Check { run: rooms::check, hint: rooms::HINT },
    Check { run: released::check, hint: released::HINT },
    Check { run: rows::check, hint: rows::HINT },
    Check { run: topics::check, hint: topics::HINT },
    Check { run: files::check, hint: files::HINT },
    Check { run: folders::check, hint: folders::HINT },
    Check { run: hygiene::check, hint: hygiene::HINT },
    Check { run: changelog::check, hint: changelog::HINT },
    Check { run: readme::check, hint: readme::HINT },
    Check { run: pictures::check, hint: pictures::HINT },
    Check { run: walls::check, hint: walls::HINT },
    Check { run: unknowns::check, hint: unknowns::HINT },
    Check { run: names::check, hint: names::HINT },
    Check { run: ways::check, hint: ways::HINT },
    Check { run: missions::check, hint: missions::HINT },
    Check { run: claude_words::check, hint: claude_words::HINT },
    Check { run: compat::check, hint: compat::HINT },
    Check { run: frozen::check, hint: frozen::HINT },
];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    match refuse_arguments("tidy", args) {
        Some(verdict) => Ok(verdict),
        None => is_tidy(root).map(Verdict::of),
    }
}

/// Runs every check and prints what they find.
pub fn is_tidy(root: &Path) -> anyhow::Result<bool> {
    let (report, problems) = report(&Tree::load(root)?, CHECKS);
    print!("{report}");
    Ok(problems == 0)
}

/// The problems, then the hints of the checks that found them, then the closing line; and the number of problems.
fn report(tree: &Tree, checks: &[Check]) -> (String, usize) {
    let mut lines = Vec::new();
    let mut hints = Vec::new();
    for check in checks {
        let problems = (check.run)(tree);
        if !problems.is_empty() {
            hints.push(format!("hint: {}\n", check.hint));
        }
        for line in problems.iter().map(|problem| format!("{problem}\n")) {
            // Two checks that miss the same document say so once.
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let problems = lines.len();
    let closing = format!("tidy: {} checks, {problems} problems\n", checks.len());
    (lines.concat() + &hints.concat() + &closing, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_come_first_then_hints_then_the_count() {
        let two = |_: &Tree| vec![Problem::at("a.rs", 3, "is wrong"), Problem::at("b.rs", 1, "too")];
        let checks = [Check { run: two, hint: "mend a" }, Check { run: |_| Vec::new(), hint: "never said" }];
        let (report, problems) = report(&Tree::default(), &checks);
        assert_eq!(report, "a.rs:3: is wrong\nb.rs:1: too\nhint: mend a\ntidy: 2 checks, 2 problems\n");
        assert_eq!(problems, 2);
    }

    #[test]
    fn a_folder_without_our_documents_is_not_tidy() {
        assert!(!is_tidy(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap());
    }

    #[test]
    fn an_empty_repository_has_problems_and_no_panic() {
        let (report, _) = report(&Tree::default(), CHECKS);
        for file in ["ARCHITECTURE.md", "README.md", "CHANGELOG.md", rows::ROWS, topics::TOPICS] {
            assert!(report.contains(&format!("{file}:1: the file is missing")), "{file} is not in {report}");
        }
    }
}
