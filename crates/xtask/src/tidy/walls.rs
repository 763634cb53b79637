//! Some modules and crates are walled off. The inside of the decoration is for the tests of its own crate; the crate
//! `tui` is for the terminal's own files, because what things mean to a person is `view`'s to say, for every door.

use super::{Problem, Tree};

pub const HINT: &str = "name what the wall's `mod.rs` hands out; what a fact or a number means to a person is `view`'s, and \
                        what is printed goes through `terminal/console`";

/// A crate or a module that only some files may use.
struct Wall {
    name: &'static str,
    /// The words by which a line of code uses it.
    uses: &'static [&'static str],
    /// Where it may be used, by how paths begin.
    within: &'static [&'static str],
}

const WALLS: &[Wall] = &[
    Wall { name: "decoration::inside", uses: &["decoration::inside"], within: &["crates/tui/tests/"] },
    Wall {
        name: "tui",
        uses: TUI,
        within: &["crates/tui/", "crates/arbiter/src/terminal/", "crates/arbiter/tests/"],
    },
];

/// A path into the crate `tui`, or the crate under another name.
const TUI: &[&str] = &["tui::", "tui as ", "use tui;", "extern crate tui"];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| !path.starts_with("crates/xtask/")) {
        for (number, line) in (1..).zip(text.lines()) {
            let through = |wall: &&Wall| {
                wall.uses.iter().any(|name| names(line, name))
                    && !wall.within.iter().any(|place| path.starts_with(place))
            };
            if let Some(wall) = WALLS.iter().find(through) {
                problems.push(Problem::at(path, number, format!("goes through a wall: `{}`", wall.name)));
            }
        }
    }
    problems
}

/// Whether a line of code uses the crate `tui`.
pub fn names_tui(line: &str) -> bool {
    TUI.iter().any(|name| names(line, name))
}

/// Whether a line of code uses `name`, and not only the end of a longer word.
fn names(line: &str, name: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    code.match_indices(name).any(|(at, _)| !code[..at].ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(path, text)])))
    }

    #[test]
    fn the_inside_of_the_decoration_is_for_its_own_tests() {
        let text = "//! A.\nuse crate::decoration::inside::Pose;\nuse crate::decoration::Scene;\n";
        for path in ["crates/arbiter/src/terminal/a.rs", "crates/tui/src/draw/a.rs"] {
            assert_eq!(
                problems(path, text),
                [format!("{path}:2: goes through a wall: `decoration::inside`")]
            );
        }
        assert_eq!(problems("crates/tui/tests/it/a.rs", text), [""; 0]);
    }

    #[test]
    fn only_the_terminals_own_files_know_tui() {
        let text = "//! Draws by tui::draw.\nuse tui::draw::frame;\nuse intui::tion;\n";
        for path in ["crates/arbiter/src/commands/a.rs", "crates/doors/src/mcp/a.rs", "crates/view/src/a.rs"]
        {
            assert_eq!(problems(path, text), [format!("{path}:2: goes through a wall: `tui`")]);
        }
        assert_eq!(problems("crates/arbiter/src/terminal/a.rs", text), [""; 0]);
    }

    #[test]
    fn tui_under_another_name_is_seen() {
        for line in ["use tui as screen;", "use {mind, tui as screen};", "use tui;", "extern crate tui as t;"]
        {
            assert!(names_tui(line), "{line}");
        }
        for line in ["// use tui as screen;", "use gtui as screen;", "let tui = 1;"] {
            assert!(!names_tui(line), "{line}");
        }
    }
}
