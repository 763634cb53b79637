//! How long files and functions are, how many lines each room has, and which files use the crate `tui`.

use std::collections::BTreeMap;

use super::{Figure, SourceFile, figure, without_tests};
use crate::tidy::names_tui;

/// A function that fits a screen has no more lines.
const SCREEN: usize = 60;

pub(super) fn figures(all: &[SourceFile<'_>], product: &[SourceFile<'_>]) -> Vec<Figure> {
    let mut files: Vec<usize> = product.iter().map(|source| source.text.lines().count()).collect();
    let mut functions: Vec<usize> =
        product.iter().flat_map(|source| functions(without_tests(source.text))).collect();
    files.sort_unstable();
    functions.sort_unstable();
    let long = functions.iter().filter(|lines| **lines > SCREEN).count();
    let (p90, p99) = (at(&functions, 90), at(&functions, 99));
    let mut figures = vec![
        figure("lines of a file, p90", at(&files, 90), "300"),
        figure("lines of a function, p90 and p99", format!("{p90}, {p99}"), "-"),
        figure(format!("functions of more than {SCREEN} lines"), long, "0"),
        figure("files that know `tui` and are not the terminal's", knowing_tui(product), "0"),
    ];
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    for source in all {
        *rooms.entry(source.room).or_default() += source.text.lines().count();
    }
    figures.extend(rooms.iter().map(|(room, lines)| figure(format!("lines of `{room}`"), lines, "-")));
    let lines: usize = files.iter().sum();
    figures.push(figure("lines of the product", lines, "-"));
    figures
}

/// The lines of each function, by how it is indented.
fn functions(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate().filter(|(_, line)| begins_function(line)) {
        // A declaration of several lines has no body.
        let ends = lines[first..].iter().find(|line| line.ends_with(['{', '}', ';']));
        if ends.is_some_and(|line| line.ends_with(';')) {
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = format!("{indent}}}");
        let last = lines[first..].iter().position(|line| *line == end);
        found.push(if line.ends_with('}') { 1 } else { last.map_or(1, |last| last + 1) });
    }
    found
}

fn begins_function(line: &str) -> bool {
    let mut words = line.trim_start();
    for word in ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", "unsafe "] {
        words = words.strip_prefix(word).unwrap_or(words);
    }
    words.starts_with("fn ") && !line.trim_end().ends_with(';')
}

/// The entry below which so many of a hundred lie.
fn at(sorted: &[usize], percent: usize) -> usize {
    sorted.get(sorted.len() * percent / 100).or(sorted.last()).copied().unwrap_or(0)
}

/// How many files name the crate `tui` although they are not the terminal's.
pub(super) fn knowing_tui(product: &[SourceFile<'_>]) -> usize {
    product.iter().filter(|source| knows_tui(source)).count()
}

fn knows_tui(source: &SourceFile<'_>) -> bool {
    let own = source.room == "tui" || source.path.starts_with("crates/arbiter/src/terminal/");
    !own && source.text.lines().any(names_tui)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_ends_where_its_indent_does() {
        let text = "pub fn a() {\n    if b {\n    }\n}\n\nimpl C {\n    async fn d(&self) {\n        e();\n    }\n\n    fn f() {}\n}\n";
        assert_eq!(functions(text), [4, 3, 1]);
        assert_eq!(
            functions("trait T {\n    fn a(&self);\n    fn b(\n        &self,\n    ) -> C;\n}\n"),
            [0; 0]
        );
    }

    #[test]
    fn a_file_that_renames_tui_knows_it() {
        let source = |path, text| SourceFile { room: "arbiter", path, text };
        let text = "//! A.\nuse tui as screen;\n";
        assert!(knows_tui(&source("crates/arbiter/src/commands/a.rs", text)));
        assert!(!knows_tui(&source("crates/arbiter/src/terminal/a.rs", text)));
    }

    #[test]
    fn a_percentile_is_an_entry() {
        let sorted: Vec<usize> = (1..=100).collect();
        assert_eq!((at(&sorted, 90), at(&sorted, 99), at(&[], 90)), (91, 100, 0));
    }
}
