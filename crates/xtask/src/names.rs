//! `cargo xtask names [FOLDER]`: how well the code can be searched and guessed, in figures with their goals. Public names
//! that mean two things, words that hide the noun, comments that say nothing, long files and functions, and files that
//! use `tui`. Another checkout can be measured by its folder. `tidy` holds some of the figures below a ceiling.

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

/// The figures that `tidy` holds below a ceiling.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Measures {
    pub of_mind_elsewhere: usize,
    pub twice_in_a_crate: usize,
    pub homonyms_per_mille: usize,
    pub hiding_words: usize,
    pub filler_comments: usize,
    pub knowing_tui: usize,
}

/// Measures the product's sources in `tree`.
pub fn measures(tree: &Tree) -> Measures {
    let product = product(&sources(tree));
    let homonyms = definitions::homonyms(&product);
    let prose = prose::counts(&product);
    Measures {
        of_mind_elsewhere: homonyms.of_mind.len(),
        twice_in_a_crate: homonyms.within.iter().map(|(_, names)| names.len()).sum(),
        homonyms_per_mille: homonyms.per_mille(),
        hiding_words: prose.hiding(),
        filler_comments: prose.filler,
        knowing_tui: sizes::knowing_tui(&product),
    }
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
    for Figure { what, measured, goal } in figures(&sources(&tree)) {
        println!("{what:<58} {measured:>16}   {goal}");
    }
    Ok(Verdict::Passed)
}

fn sources(tree: &Tree) -> Vec<SourceFile<'_>> {
    tree.sources().filter_map(|(path, text)| source(path, text)).collect()
}

fn product<'a>(sources: &[SourceFile<'a>]) -> Vec<SourceFile<'a>> {
    sources.iter().copied().filter(|source| PRODUCT.contains(&source.room)).collect()
}

fn source<'a>(path: &'a str, text: &'a str) -> Option<SourceFile<'a>> {
    let (room, inside) = path.strip_prefix("crates/")?.split_once('/')?;
    let is_ours = inside.starts_with("src/") && !inside.ends_with("tests.rs") && !inside.contains("/tests/");
    is_ours.then_some(SourceFile { room, path, text })
}

fn figures(sources: &[SourceFile<'_>]) -> Vec<Figure> {
    let product = product(sources);
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
