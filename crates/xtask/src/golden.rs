//! `cargo xtask golden`: has `sim` run the real binary and write what programs read into the golden files, then adds their new
//! forms to the list of those that stay. Nothing is ever taken off that list here: tidy tells what is gone.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::tidy::{Tree, frozen};
use crate::{Verdict, shell};

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let written = match words[..] {
        [] => write(root)?,
        ["--list"] => true,
        _ => {
            eprintln!("error: `cargo xtask golden` takes `--list` or nothing, but got `{}`", args.join(" "));
            return Ok(Verdict::Misused);
        }
    };
    if !written {
        return Ok(Verdict::Failed);
    }
    let list = frozen::with_new(&Tree::load(root)?);
    fs::write(root.join(frozen::LIST), &list).with_context(|| format!("cannot write {}", frozen::LIST))?;
    println!("{}, {} forms", frozen::LIST, list.lines().count());
    Ok(Verdict::Passed)
}

/// Runs the binary in every situation and writes what it printed; false if that could not be done.
fn write(root: &Path) -> anyhow::Result<bool> {
    let mut build = shell::cargo(root);
    build.args(["build", "--quiet", "--package", "arbiter", "--package", "sim"]);
    build.args(["--bin", "arbiter", "--bin", "golden"]);
    if !shell::succeeds(&mut build)? {
        return Ok(false);
    }
    let folder = shell::target(root).join("debug");
    let mut golden = shell::program(root, folder.join("golden"));
    shell::succeeds(golden.arg(folder.join("arbiter")).arg(root))
}
