//! Some folders stand behind a wall: the compiler lets the rest name only what their `mod.rs` hands out, and what it hands
//! to the tests of its own crate besides, nothing else names.

use super::{Problem, Tree};

pub const HINT: &str =
    "name what the wall's `mod.rs` hands out; `inside` is for the tests in `tests/` of its own crate";

/// How the insides of a wall are named, and the tests that may.
const WALLS: &[(&str, &str)] = &[("decoration::inside", "crates/tui/tests/")];

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources().filter(|(path, _)| !path.starts_with("crates/xtask/")) {
        for (number, line) in (1..).zip(text.lines()) {
            let through = |(name, tests): &&(&str, &str)| line.contains(name) && !path.starts_with(tests);
            if let Some((name, _)) = WALLS.iter().find(through) {
                problems.push(Problem::at(path, number, format!("goes through a wall: `{name}`")));
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
    fn the_inside_of_a_wall_is_for_its_own_tests() {
        let text = "//! A.\nuse tui::decoration::inside::Pose;\nuse tui::decoration::Scene;\n";
        let problems = |path| lines(&check(&Tree::of(&[(path, text)])));
        for path in ["crates/arbiter/src/a.rs", "crates/arbiter/tests/it/a.rs", "crates/tui/src/draw/a.rs"] {
            assert_eq!(problems(path), [format!("{path}:2: goes through a wall: `decoration::inside`")]);
        }
        assert_eq!(problems("crates/tui/tests/it/a.rs"), [""; 0]);
    }
}
