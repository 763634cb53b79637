//! `cargo xtask names [FOLDER]`: how well the code can be searched and guessed, in figures with their goals. Public names
//! that mean two things, words that hide the noun, comments that say nothing, long files and functions, and who knows the
//! terminal. Another checkout can be measured by its folder.

mod definitions;
mod prose;
mod sizes;

use std::path::{Path, PathBuf};

use crate::Verdict;
use crate::tidy::Tree;

/// The rooms that are shipped.
const PRODUCT: [&str; 11] = [
    "arbiter",
    "docket",
    "doors",
    "host",
    "journal",
    "mind",
    "providers",
    "sandbox",
    "tui",
    "view",
    "workspace",
];

/// A file of Rust below a crate's `src`.
#[derive(Debug, Clone, Copy)]
struct SourceFile<'a> {
    room: &'a str,
    path: &'a str,
    text: &'a str,
}

/// One figure, and what it should be.
#[derive(Debug, PartialEq, Eq)]
struct Figure {
    what: String,
    measured: String,
    goal: &'static str,
}

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let folder = match args {
        [] => root.to_path_buf(),
        [folder] if !folder.starts_with('-') => PathBuf::from(folder),
        _ => {
            eprintln!("error: `cargo xtask names` takes one folder at most");
            return Ok(Verdict::Misused);
        }
    };
    let tree = Tree::load(&folder)?;
    let sources: Vec<SourceFile<'_>> = tree.sources().filter_map(|(path, text)| source(path, text)).collect();
    for Figure { what, measured, goal } in figures(&sources) {
        println!("{what:<58} {measured:>16}   {goal}");
    }
    Ok(Verdict::Passed)
}

fn source<'a>(path: &'a str, text: &'a str) -> Option<SourceFile<'a>> {
    let (room, inside) = path.strip_prefix("crates/")?.split_once('/')?;
    let is_ours = inside.starts_with("src/") && !inside.ends_with("tests.rs") && !inside.contains("/tests/");
    is_ours.then_some(SourceFile { room, path, text })
}

fn figures(sources: &[SourceFile<'_>]) -> Vec<Figure> {
    let product: Vec<SourceFile<'_>> =
        sources.iter().copied().filter(|source| PRODUCT.contains(&source.room)).collect();
    let mut figures = definitions::figures(&product);
    figures.extend(prose::figures(&product));
    figures.extend(sizes::figures(sources, &product));
    figures
}

fn figure(what: impl Into<String>, measured: impl ToString, goal: &'static str) -> Figure {
    Figure { what: what.into(), measured: measured.to_string(), goal }
}

/// The part of a source before its tests.
fn without_tests(text: &str) -> &str {
    let opens =
        |after: &str| after.lines().next().is_some_and(|line| line.contains("mod ") && line.ends_with('{'));
    let mark = "#[cfg(test)]\n";
    let found = text.match_indices(mark).find(|(at, _)| opens(&text[at + mark.len()..]));
    found.map_or(text, |(at, _)| &text[..at])
}
