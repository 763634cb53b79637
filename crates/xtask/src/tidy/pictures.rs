//! Every picture in the documents shows what the terminal's snapshot of it shows; the recording of the demo is well formed,
//! and linked.

use super::{Problem, Tree};
use crate::{film, pictures};

pub const HINT: &str = "`cargo xtask pictures` draws the pictures again, `cargo xtask film` records the demo; look at what changed";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let wrong = pictures::untrue(tree).into_iter().chain(film::untrue(tree));
    wrong.map(|(path, what)| Problem::at(path, 1, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_picture_of_nothing_is_a_problem() {
        let tree = Tree::of(&[("docs/pictures/old.svg", "<svg/>")]);
        let told = "docs/pictures/old.svg:1: no snapshot is behind the picture".to_owned();
        let problems = lines(&check(&tree));
        assert!(problems.contains(&told));
        assert!(problems.contains(&"docs/demo.cast:1: the recording is missing".to_owned()), "{problems:?}");
    }
}
