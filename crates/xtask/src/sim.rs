//! `cargo xtask sim`: runs whole missions from seeds. The worlds are `sim`'s; here they are only built, without the
//! rest of the program and with checks for overflow, and run.

use std::path::Path;

use crate::{Verdict, shell};

/// How many worlds a run of all tests sees.
pub const SEEDS_IN_TESTS: u32 = 2_000;

/// As quick to run as a release and much quicker to build, in a folder of its own beside it.
const PROFILE: [&str; 4] = [
    r#"profile.worlds.inherits="release""#,
    r#"profile.worlds.lto="off""#,
    "profile.worlds.codegen-units=16",
    "profile.worlds.overflow-checks=true",
];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let mut worlds = shell::cargo(root);
    worlds.args(["run", "--quiet", "--profile", "worlds"]);
    worlds.args(PROFILE.iter().flat_map(|setting| ["--config", setting]));
    worlds.args(["--package", "sim", "--no-default-features", "--bin", "worlds", "--"]).args(args);
    Ok(match shell::exit_code(&mut worlds)? {
        Some(0) => Verdict::Passed,
        Some(2) => Verdict::Misused,
        Some(_) | None => Verdict::Failed,
    })
}

/// The worlds as a suite of all tests.
pub fn suite(root: &Path) -> anyhow::Result<bool> {
    let seeds = ["--seeds".to_owned(), SEEDS_IN_TESTS.to_string()];
    Ok(run(root, &seeds)? == Verdict::Passed)
}
