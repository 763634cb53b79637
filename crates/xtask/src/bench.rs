//! Builds the release binary and measures it. The measuring itself is `sim`'s; here it is only called, so that xtask
//! stays quick to build.

use std::path::Path;

use crate::{Verdict, refuse_arguments, shell};

/// What can be measured alone.
const GROUPS: [&str; 7] = ["conductor", "hops", "docket", "telegram", "screen", "scene", "live"];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let group = args.first().filter(|word| GROUPS.contains(&word.as_str()));
    if let Some(misused) = refuse_arguments("bench", &args[usize::from(group.is_some())..]) {
        return Ok(misused);
    }
    // Each by itself: beside `sim` the binary would be built with what only tests have.
    for package in ["sim", "arbiter"] {
        let mut build = shell::cargo(root);
        build.args(["build", "--release", "--quiet", "--package", package, "--bins"]);
        if !shell::succeeds(&mut build)? {
            return Ok(Verdict::Failed);
        }
    }
    let mut bench = shell::cargo(root);
    bench.args(["run", "--release", "--quiet", "--package", "sim", "--bin", "bench", "--"]);
    bench.arg(shell::target(root).join("release/arbiter")).args(group);
    Ok(Verdict::of(shell::succeeds(&mut bench)?))
}
