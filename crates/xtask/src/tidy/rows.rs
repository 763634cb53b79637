//! Every row of the specification has a play. `rows.md` maps each row to the tests that walk it; a
//! play is a function with `#[test]` above it in mind's tests.

use std::collections::{BTreeMap, BTreeSet};

use super::{Problem, Tree, markdown};

pub const ROWS: &str = "crates/mind/tests/it/rows.md";
const TESTS: &str = "crates/mind/tests/";
/// The specification is not shorter than this; fewer rows mean that some were lost.
const ROWS_MIN: usize = 40;
pub const HINT: &str =
    "a row of rows.md is `| sentence of the specification | `name_of_a_test`, `another` |`";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let Some(text) = tree.text(ROWS) else {
        return vec![Problem::missing(ROWS)];
    };
    let tests = tree.sources().filter(|(path, _)| path.starts_with(TESTS));
    let plays: BTreeSet<&str> = tests.flat_map(|(_, text)| plays(text)).collect();

    let mut problems = Vec::new();
    let mut seen = BTreeMap::new();
    let rows = markdown::rows(&markdown::outside_blocks(text));
    for row in &rows {
        let sentence = row.cells.first().map(String::as_str).unwrap_or_default();
        if sentence.is_empty() {
            problems.push(Problem::at(ROWS, row.line, "the row says nothing"));
        }
        if let Some(first) = seen.insert(sentence, row.line) {
            problems.push(Problem::at(ROWS, row.line, format!("the row stands in line {first} already")));
        }
        let named: Vec<&str> =
            row.cells.get(1).into_iter().flat_map(|cell| markdown::backticked(cell)).collect();
        if named.is_empty() {
            problems.push(Problem::at(ROWS, row.line, format!("no play for: {sentence}")));
        }
        for name in named.into_iter().filter(|name| !plays.contains(name)) {
            problems.push(Problem::at(ROWS, row.line, format!("there is no test `{name}` in {TESTS}")));
        }
    }
    if rows.len() < ROWS_MIN {
        problems.push(Problem::at(ROWS, 1, format!("there are {} rows, fewer than {ROWS_MIN}", rows.len())));
    }
    problems
}

/// The names of the test functions of a file: `fn name(` with `#[test]` above it, other attributes
/// and comments between.
fn plays(source: &str) -> Vec<&str> {
    let mut plays = Vec::new();
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("fn ") {
            plays.extend(rest.split_once('(').filter(|_| marked).map(|(name, _)| name));
        }
        marked = line == "#[test]" || marked && (line.starts_with("#[") || line.starts_with("//"));
    }
    plays
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    /// A repository with forty good rows and these in front of them.
    fn problems(rows: &str) -> Vec<String> {
        let good: String = (0..ROWS_MIN).map(|n| format!("| sentence {n} | `it_plays` |\n")).collect();
        let text = format!("| row | play |\n| --- | --- |\n{rows}{good}");
        let tests = "#[test]\nfn it_plays() {}\n\nfn helper() {}\n";
        lines(&check(&Tree::of(&[(ROWS, &text), ("crates/mind/tests/it/council.rs", tests)])))
    }

    #[test]
    fn rows_with_plays_are_fine() {
        assert_eq!(problems(""), [""; 0]);
        assert_eq!(problems("| a musing is dimmed | `it_plays`, `it_plays` |\n"), [""; 0]);
    }

    #[test]
    fn a_row_without_a_play_is_told() {
        let told = "crates/mind/tests/it/rows.md:3: no play for: a musing is dimmed";
        assert_eq!(problems("| a musing is dimmed | |\n"), [told]);
        assert_eq!(problems("| a musing is dimmed |\n"), [told]);
        assert_eq!(problems("| a musing is dimmed | it_plays |\n"), [told]);
    }

    #[test]
    fn a_play_must_exist_and_be_a_test() {
        let expected = [
            "crates/mind/tests/it/rows.md:3: there is no test `it_sings` in crates/mind/tests/",
            "crates/mind/tests/it/rows.md:3: there is no test `helper` in crates/mind/tests/",
        ];
        assert_eq!(problems("| a musing is dimmed | `it_plays`, `it_sings`, `helper` |\n"), expected);
    }

    #[test]
    fn the_same_row_twice_counts_once() {
        let told = problems("| sentence 0 | `it_plays` |\n");
        assert_eq!(told, ["crates/mind/tests/it/rows.md:4: the row stands in line 3 already"]);
    }

    #[test]
    fn too_few_rows_are_told() {
        let tree = Tree::of(&[(ROWS, "| row | play |\n|-|-|\n"), ("crates/mind/src/lib.rs", "")]);
        assert_eq!(lines(&check(&tree)), ["crates/mind/tests/it/rows.md:1: there are 0 rows, fewer than 40"]);
    }

    #[test]
    fn a_test_may_have_more_above_it_but_nothing_between() {
        let source = "#[test]\n#[should_panic]\n// why\nfn a() {}\nfn b() {}\n// #[test]\nfn c() {}\n  #[test]\n  fn d(x in 0..9) {}\n";
        assert_eq!(plays(source), ["a", "d"]);
    }
}
