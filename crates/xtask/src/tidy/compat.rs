//! The table of tested versions in docs/claude.md is true of the range that the tests run with: both ends are in it, and
//! nothing within failed.

use super::{Problem, Tree};
use crate::claude;
use crate::compat::{DOCUMENT, table};

pub const HINT: &str = "`cargo xtask compat claude@VERSION` runs the tests with a version and writes its row";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(DOCUMENT) else { return vec![Problem::missing(DOCUMENT)] };
    let Some(rows) = table(text) else {
        return vec![Problem::at(DOCUMENT, 1, "there is no table of versions")];
    };
    let mut problems = Vec::new();
    for version in claude::tested() {
        if !rows.iter().any(|(row, _)| row == version) {
            problems.push(Problem::at(DOCUMENT, 1, format!("the table has no row for {version}")));
        }
    }
    for (version, _) in rows.iter().filter(|(_, is_clean)| !is_clean) {
        problems.push(Problem::at(DOCUMENT, 1, format!("not everything passed with {version}")));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    #[test]
    fn both_ends_of_the_range_are_in_the_table_and_passed() {
        let told = |rows: &str| {
            let text = format!("<!-- begin: compat -->\n{rows}<!-- end: compat -->\n");
            lines(&check(&Tree::of(&[(DOCUMENT, text.as_str())]))).len()
        };
        let row = |version: &str, failed: &str| format!("| {version} | 3 of 3 | passed | {failed} |\n");
        let both: String = claude::tested().map(|version| row(version, "none")).collect();
        assert_eq!(told(&both), 0);
        assert_eq!(told(""), 2);
        assert_eq!(told(&(both + &row("2.1.200", "`a`"))), 1);
        assert_eq!(check(&Tree::of(&[(DOCUMENT, "no table")])).len(), 1);
    }
}
