//! Files are as the style wants them: a source is short or says why not, opens with what it owns,
//! and leaves nothing undone; no file has spaces at the ends of lines or carriage returns.

use super::{Problem, Tree};

/// At 400 lines one looks for the second idea; from here on one must have looked.
const LINES_MAX: usize = 500;
/// Where the reason of a long file stands.
const REASON: &str = "// tidy: long because ";
const REASON_LINE_MAX: usize = 10;
/// What stands for work not done. In pieces, so that this file does not find itself.
const UNDONE: [&str; 3] = [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("#[", "ignore")];
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];
pub const HINT: &str = "a file too long is split by idea, or says `// tidy: long because ...` in its first 10 lines; a \
                        source opens with `//!` and what it owns; work left over belongs in an issue";

pub fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, text) in tree.sources() {
        problems.extend(length(path, text));
        problems.extend(opening(path, text));
        problems.extend(undone(path, text));
    }
    let clean = |path: &str| [".rs", ".md", ".toml"].iter().any(|end| path.ends_with(end));
    for (path, text) in tree.files().filter(|(path, _)| clean(path)) {
        problems.extend(line_ends(path, text));
    }
    problems
}

fn length(path: &str, text: &str) -> Option<Problem> {
    let lines = text.lines().count();
    let reason = text.lines().take(REASON_LINE_MAX).any(|line| line.trim_start().starts_with(REASON));
    let what = || format!("the file has {lines} lines, more than {LINES_MAX}, and no reason");
    (lines > LINES_MAX && !reason).then(|| Problem::at(path, LINES_MAX + 1, what()))
}

fn opening(path: &str, text: &str) -> Option<Problem> {
    let script = path == "build.rs" || path.ends_with("/build.rs");
    let says = text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("//!"));
    (!script && !says).then(|| Problem::at(path, 1, "the file does not open with `//!` and what it owns"))
}

fn undone(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let macros = UNDONE.into_iter().filter(|mark| line.contains(mark));
        let words = MARKS.into_iter().filter(|mark| has_word(line, mark));
        problems.extend(
            macros.chain(words).map(|mark| Problem::at(path, number, format!("`{mark}` is left over"))),
        );
    }
    problems
}

fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

fn line_ends(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.split('\n')) {
        let bare = line.trim_end_matches('\r');
        if bare != line {
            problems.push(Problem::at(path, number, "the line ends with a carriage return"));
        }
        if bare.ends_with([' ', '\t']) {
            problems.push(Problem::at(path, number, "the line ends with spaces"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::problem::lines;
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        lines(&check(&Tree::of(&[(path, text)])))
    }

    #[test]
    fn a_plain_source_is_fine() {
        assert_eq!(problems("src/a.rs", "//! Owns a.\n\nfn todos() { ignore() }\n"), [""; 0]);
    }

    #[test]
    fn a_long_file_gives_its_reason_early() {
        let long = "x\n".repeat(LINES_MAX);
        let told = "a.rs:501: the file has 501 lines, more than 500, and no reason";
        assert_eq!(problems("a.rs", &format!("//! Owns a.\n{}", "x\n".repeat(LINES_MAX - 1))), [""; 0]);
        assert_eq!(problems("a.rs", &format!("//! Owns a.\n{long}")), [told]);
        assert_eq!(
            problems("a.rs", &format!("//! Owns a.\n// tidy: long because it is one table.\n{long}")),
            [""; 0]
        );
        let late = format!("//! Owns a.\n{}// tidy: long because.\n{long}", "\n".repeat(REASON_LINE_MAX));
        assert_eq!(problems("a.rs", &late).len(), 1);
    }

    #[test]
    fn a_source_opens_with_what_it_owns() {
        let told = "src/a.rs:1: the file does not open with `//!` and what it owns";
        assert_eq!(problems("src/a.rs", "use std::fs;\n//! Late.\n"), [told]);
        assert_eq!(problems("src/a.rs", ""), [told]);
        assert_eq!(problems("crates/a/build.rs", "fn main() {}\n"), [""; 0]);
    }

    #[test]
    fn work_left_over_is_told() {
        for mark in UNDONE.into_iter().chain(MARKS) {
            let told = format!("a.rs:2: `{mark}` is left over");
            assert_eq!(problems("a.rs", &format!("//! Owns a.\n  {mark}: x\n")), [told]);
        }
        assert_eq!(problems("a.md", &format!("{}\n", MARKS[0])), [""; 0]);
        assert_eq!(problems("a.rs", &format!("//! Owns a.\n// {}S is another word\n", MARKS[0])), [""; 0]);
    }

    #[test]
    fn line_ends_are_clean() {
        let expected = ["a.md:1: the line ends with spaces", "a.md:2: the line ends with a carriage return"];
        assert_eq!(problems("a.md", "a \nb\r\nc"), expected);
        assert_eq!(problems("a.snap", "a \n"), [""; 0]);
    }
}
