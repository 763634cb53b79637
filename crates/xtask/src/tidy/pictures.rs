//! Every picture in the documents shows what the terminal's snapshot of it shows; the film is sound, and shown.

use super::{Problem, Tree};
use crate::{film, pictures};

pub const HINT: &str = "`cargo xtask pictures` draws the pictures again, `cargo xtask film` makes the film; look at those that changed";

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
        assert!(
            problems.contains(&"docs/pictures/demo.svg:1: the film is missing".to_owned()),
            "{problems:?}"
        );
    }
}
