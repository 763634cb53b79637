//! README.md is one page, and the chores it tells people to type exist.

use super::{Problem, Tree, markdown};
use crate::COMMANDS;

const DOCUMENT: &str = "README.md";
const LINES_MAX: usize = 120;
pub const HINT: &str =
    "the README is one page, the rest goes to docs/; `cargo xtask help` lists the commands";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else {
        return vec![Problem::missing(DOCUMENT)];
    };
    let mut problems = Vec::new();
    let lines = text.lines().count();
    if lines > LINES_MAX {
        let what = format!("the file has {lines} lines, more than {LINES_MAX}");
        problems.push(Problem::at(DOCUMENT, LINES_MAX + 1, what));
    }
    for (line, text) in markdown::blocks(text, "sh").into_iter().flat_map(|block| block.lines) {
        let text = text.trim().trim_start_matches("$ ");
        let Some(rest) = text.strip_prefix("cargo xtask") else {
            continue;
        };
        let name = rest.split_whitespace().next().unwrap_or_default();
        if !COMMANDS.iter().any(|command| command.name == name) {
            problems.push(Problem::at(DOCUMENT, line, format!("there is no command `cargo xtask {name}`")));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(DOCUMENT, text)])))
    }

    #[test]
    fn commands_that_exist_are_fine() {
        assert_eq!(problems("```sh\ncargo xtask test -- name # why\n$ cargo xtask ci\nls\n```\n"), [""; 0]);
    }

    #[test]
    fn a_command_that_does_not_exist_is_told() {
        let text = "# A\n```sh\ncargo xtask tset\n```\n```\ncargo xtask other\n```\n";
        assert_eq!(problems(text), ["README.md:3: there is no command `cargo xtask tset`"]);
    }

    #[test]
    fn the_readme_is_one_page() {
        assert_eq!(problems(&"x\n".repeat(120)), [""; 0]);
        assert_eq!(problems(&"x\n".repeat(121)), ["README.md:121: the file has 121 lines, more than 120"]);
    }
}
