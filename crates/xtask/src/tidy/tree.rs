//! The repository as a value: every file that git tracks or would track, and the edges between its
//! crates. Only this file reads the disk; the checks see the value, so their tests make
//! repositories up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;

use super::released;
use super::rooms::{self, Edge};
use crate::shell;

#[derive(Debug, Default)]
pub struct Tree {
    /// Text by path from the root, with `/` between folders.
    files: BTreeMap<String, String>,
    /// The real dependencies between crates, by `cargo metadata`.
    pub edges: BTreeSet<Edge>,
    /// Crates of the product that turn on what only tests may have.
    pub for_tests: Vec<String>,
}

impl Tree {
    pub fn load(root: &Path) -> anyhow::Result<Tree> {
        let mut files = BTreeMap::new();
        for path in paths(root)? {
            let full = root.join(&path);
            // Git still lists a file that was deleted a moment ago.
            if full.is_file() {
                let bytes = fs::read(&full).with_context(|| format!("cannot read {path}"))?;
                files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
            }
        }
        let mut metadata = shell::cargo(root);
        metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata = shell::output(&mut metadata)?.context("cargo metadata failed")?;
        Ok(Tree { files, edges: rooms::real_edges(&metadata)?, for_tests: released::turned_on(&metadata)? })
    }

    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Every file: path and text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Every Rust file: path and text.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files().filter(|(path, _)| path.ends_with(".rs"))
    }

    #[cfg(test)]
    pub fn of(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        Tree { files: files.collect(), ..Tree::default() }
    }
}

/// What git tracks or would track; without git (an unpacked archive), what lies in the folder.
pub fn paths(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut git = shell::program(root, "git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listed = git.output().ok().filter(|output| output.status.success());
    let listed =
        listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if !listed.is_empty() {
        return Ok(listed.split_terminator('\0').map(str::to_owned).collect());
    }
    let mut paths = Vec::new();
    walk(root, "", &mut paths).with_context(|| format!("cannot list {}", root.display()))?;
    Ok(paths)
}

fn walk(folder: &Path, prefix: &str, paths: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if !matches!(path.as_str(), ".git" | "target" | ".arbiter") {
                walk(&entry.path(), &format!("{path}/"), paths)?;
            }
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This crate's own folder.
    fn here() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn this_repository_is_read() {
        let tree = Tree::load(&crate::root()).unwrap();
        assert_eq!(tree.text("crates/xtask/src/tidy/tree.rs"), Some(include_str!("tree.rs")));
        assert!(tree.files().all(|(path, _)| !path.starts_with("target/")));
    }

    #[test]
    fn a_folder_without_git_is_walked() {
        let mut paths = Vec::new();
        walk(here(), "", &mut paths).unwrap();
        paths.sort();
        assert!(paths.contains(&"Cargo.toml".to_owned()));
        assert!(paths.contains(&"src/tidy/tree.rs".to_owned()));
    }
}
