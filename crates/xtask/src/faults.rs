//! `cargo xtask faults`: brings a fault to every file-system call of the binary. The walk is `sim`'s; here it is only
//! built and called.

use std::path::Path;

use crate::{Verdict, shell};

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let (release, args): (Vec<&String>, Vec<&String>) = args.iter().partition(|word| *word == "--release");
    let profile = if release.is_empty() { "debug" } else { "release" };
    for mut build in builds(root, !release.is_empty()) {
        if !shell::succeeds(&mut build)? {
            return Ok(Verdict::Failed);
        }
    }
    let target = shell::target(root);
    let mut walk = std::process::Command::new(target.join("debug/faults"));
    walk.arg(target.join(profile).join("arbiter")).args(args);
    Ok(match shell::exit_code(&mut walk)? {
        Some(0) => Verdict::Passed,
        Some(2) => Verdict::Misused,
        Some(3) => Verdict::Skipped,
        Some(_) | None => Verdict::Failed,
    })
}

/// The walk and the binary, as the tests build them, so that nothing is built twice; or the binary as it is shipped.
fn builds(root: &Path, release: bool) -> Vec<std::process::Command> {
    let mut walk = shell::cargo(root);
    walk.args(["build", "--quiet", "--workspace", "--features", "arbiter/die-at", "--bin", "faults"]);
    if !release {
        walk.args(["--bin", "arbiter"]);
        return vec![walk];
    }
    let mut shipped = shell::cargo(root);
    shipped.args(["build", "--quiet", "--release", "--package", "arbiter", "--bin", "arbiter"]);
    vec![walk, shipped]
}
