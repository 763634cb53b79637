//! `cargo xtask commands`: writes docs/commands.md as the program prints it from its own command line. A test of
//! `arbiter` fails when the file is older than the program.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::{Verdict, refuse_arguments, shell};

const DOCUMENT: &str = "docs/commands.md";

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("commands", args) {
        return Ok(verdict);
    }
    let mut arbiter = shell::cargo(root);
    arbiter.args(["run", "--quiet", "--package", "arbiter", "--", "__commands"]);
    let Some(text) = shell::output(&mut arbiter)? else {
        return Ok(Verdict::Failed);
    };
    fs::write(root.join(DOCUMENT), &text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    println!("{DOCUMENT}, {} bytes", text.len());
    Ok(Verdict::Passed)
}
