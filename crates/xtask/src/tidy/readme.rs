//! README.md is one page, and every `cargo xtask` command in it exists.

use super::{Problem, Tree, markdown};
use crate::COMMANDS;

const DOCUMENT: &str = "README.md";
const BYTES_MAX: usize = 4 * 1024;
pub const HINT: &str =
    "README.md is one page of 4 kB, the rest goes to docs/; `cargo xtask help` lists the commands";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else {
        return vec![Problem::missing(DOCUMENT)];
    };
    let mut problems = Vec::new();
    if text.len() > BYTES_MAX {
        let what = format!("the file has {} bytes, more than {BYTES_MAX}", text.len());
        problems.push(Problem::at(DOCUMENT, 1, what));
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
        assert_eq!(problems(&"x".repeat(4096)), [""; 0]);
        assert_eq!(problems(&"x".repeat(4097)), ["README.md:1: the file has 4097 bytes, more than 4096"]);
    }
}
