//! A copy of the tree below `target/plants`, changes that are not committed included: the user's own files are never edited.
//! It and what is built from it stay from run to run; only files that changed are copied again, so that cargo builds little.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::shell;
use crate::tidy;

/// What cargo keeps of crates that are not ours, by folder of its target.
const KEPT: [&str; 3] = ["deps", "build", ".fingerprint"];

pub struct TreeCopy {
    folder: PathBuf,
    target: PathBuf,
}

impl TreeCopy {
    pub fn make(root: &Path) -> anyhow::Result<TreeCopy> {
        let plants = shell::target(root).join("plants");
        let copy = TreeCopy { folder: plants.join("tree"), target: plants.join("target") };
        let mut known = BTreeSet::new();
        for path in tidy::paths(root)? {
            let (from, to) = (root.join(&path), copy.folder.join(&path));
            // Git still lists a file that was deleted a moment ago.
            if from.is_file() {
                bring(&from, &to).with_context(|| format!("cannot copy {path}"))?;
                known.insert(to);
            }
        }
        sweep(&copy.folder, &known).with_context(|| format!("cannot sweep {}", copy.folder.display()))?;
        if !copy.target.exists() {
            copy.seed(root)?;
        }
        Ok(copy)
    }

    pub fn read(&self, path: &str) -> anyhow::Result<String> {
        fs::read_to_string(self.folder.join(path)).with_context(|| format!("cannot read {path} of the copy"))
    }

    pub fn write(&self, path: &str, text: &str) -> anyhow::Result<()> {
        fs::write(self.folder.join(path), text).with_context(|| format!("cannot write {path} of the copy"))
    }

    /// A cargo that works in the copy and builds beside it.
    pub fn cargo(&self) -> Command {
        let mut cargo = shell::cargo(&self.folder);
        cargo.env("CARGO_TARGET_DIR", &self.target);
        cargo
    }

    pub fn built(&self, name: &str) -> Command {
        shell::program(&self.folder, self.target.join("debug").join(name))
    }

    /// Takes over what was built of crates that are not ours. It is the same for every tree, and much of the first build.
    fn seed(&self, root: &Path) -> anyhow::Result<()> {
        let ours =
            fs::read_dir(root.join("crates"))?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let ours: BTreeSet<String> = ours.collect();
        for folder in KEPT {
            let (from, to) =
                (shell::target(root).join("debug").join(folder), self.target.join("debug").join(folder));
            fs::create_dir_all(&to).with_context(|| format!("cannot create {}", to.display()))?;
            let entries = fs::read_dir(&from).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let names: Vec<String> = names.filter(|name| is_seed(folder, name, &ours)).collect();
            if names.is_empty() {
                continue;
            }
            // Times are kept: cargo trusts them.
            let mut cp = shell::program(&from, "cp");
            cp.args(["-R", "-p", "--"]).args(&names).arg(&to);
            ensure!(shell::succeeds(&mut cp)?, "cannot copy {} to {}", from.display(), to.display());
        }
        Ok(())
    }
}

/// Whether cargo made it of a crate that is not ours. Programs and tests have no ending, and are ours.
fn is_seed(folder: &str, name: &str, ours: &BTreeSet<String>) -> bool {
    let crate_name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    let is_ours = [crate_name, crate_name.strip_prefix("lib").unwrap_or(crate_name)]
        .iter()
        .any(|name| ours.contains(*name));
    !is_ours && (folder != "deps" || name.contains('.'))
}

/// Copies a file, if it is another than the one that lies there.
fn bring(from: &Path, to: &Path) -> io::Result<()> {
    if fs::read(to).is_ok_and(|there| fs::read(from).is_ok_and(|here| here == there)) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}

/// Removes what the tree no longer holds.
fn sweep(folder: &Path, known: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sweep(&path, known)?;
        } else if !known.contains(&path) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_crates_of_others_are_taken_over() {
        let ours = BTreeSet::from(["mind".to_owned()]);
        let seeds = |folder, name| is_seed(folder, name, &ours);
        assert!(
            seeds("deps", "libserde-0a1b.rlib")
                && seeds("deps", "serde-0a1b.d")
                && seeds(".fingerprint", "serde-0a1b")
        );
        assert!(!seeds("deps", "libmind-0a1b.rlib") && !seeds(".fingerprint", "mind-0a1b"));
        assert!(!seeds("deps", "it-0a1b"), "a test is ours");
    }
}
