//! What is Claude's own (its variables, its files) is named in `providers/claude` and nowhere else in the product. Tests, and
//! what scripts a Claude for them, are free; so is the policy, which has to know whose files a command touches.

use super::{Problem, Tree};

const HOME: &str = "crates/providers/src/claude/";
const FREE: [&str; 4] = ["crates/sim/", "crates/xtask/", "crates/mind/src/policy/", "/tests"];
/// In pieces, so that this file does not find itself.
const WORDS: [&str; 5] = [
    concat!("CLAUDE", "_CO"),
    concat!("CLAUDE", "_CONFIG"),
    concat!("\".cla", "ude"),
    concat!(".creden", "tials.json"),
    concat!("\"CLA", "UDE.md"),
];
pub const HINT: &str = "say it in `providers/claude`, as data that the others are handed";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let product = tree.sources().filter(|(path, _)| path.contains("/src/") && !path.starts_with(HOME));
    for (path, text) in product.filter(|(path, _)| !FREE.iter().any(|free| path.contains(free))) {
        for (number, line) in (1..).zip(text.lines()) {
            for word in WORDS.into_iter().filter(|word| line.contains(word)) {
                problems.push(Problem::at(path, number, format!("`{word}` is Claude's own")));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_file_of_claudes_is_named_behind_its_wall_only() {
        let text = concat!("join(\".cla", "ude\")");
        let problems = |path: &str| lines(&check(&Tree::of(&[(path, text)]))).len();
        assert_eq!(problems("crates/arbiter/src/commands/merge.rs"), 1);
        for free in [
            "crates/providers/src/claude/files.rs",
            "crates/sim/src/claude.rs",
            "crates/arbiter/tests/it/a.rs",
        ] {
            assert_eq!(problems(free), 0, "{free}");
        }
    }
}
