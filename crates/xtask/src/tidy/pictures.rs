//! Every picture in the documents shows what the terminal's snapshot of it shows.

use super::{Problem, Tree};
use crate::pictures::untrue;

pub const HINT: &str = "`cargo xtask pictures` draws the pictures again; look at those that changed";

pub fn check(tree: &Tree) -> Vec<Problem> {
    untrue(tree).into_iter().map(|(path, what)| Problem::at(path, 1, what)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_picture_of_nothing_is_a_problem() {
        let tree = Tree::of(&[("docs/pictures/old.svg", "<svg/>")]);
        let told = "docs/pictures/old.svg:1: no snapshot is behind the picture".to_owned();
        assert!(lines(&check(&tree)).contains(&told));
    }
}
