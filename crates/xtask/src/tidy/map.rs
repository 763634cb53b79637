//! ARCHITECTURE.md is a map, read in five minutes: what a module owns stands in the module.

use super::{Problem, Tree};

const DOCUMENT: &str = "ARCHITECTURE.md";
const BYTES_MAX: usize = 12 * 1024;
pub const HINT: &str = "ARCHITECTURE.md tells the way round, the rooms and the invariants; the rest belongs into the first \
                        lines of the module it is about";

pub fn check(tree: &Tree) -> Vec<Problem> {
    match tree.text(DOCUMENT) {
        None => vec![Problem::missing(DOCUMENT)],
        Some(text) if text.len() > BYTES_MAX => {
            let what = format!("the map has {} bytes, more than {BYTES_MAX}", text.len());
            vec![Problem::at(DOCUMENT, 1, what)]
        }
        Some(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn a_map_that_became_a_book_is_told() {
        let problems = |bytes: usize| lines(&check(&Tree::of(&[(DOCUMENT, &"x".repeat(bytes))])));
        assert_eq!(problems(BYTES_MAX), [""; 0]);
        assert_eq!(problems(BYTES_MAX + 1), ["ARCHITECTURE.md:1: the map has 12289 bytes, more than 12288"]);
    }
}
