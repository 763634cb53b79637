//! `cargo xtask deny`: checks dependencies (licences, bans, sources, versions side by side) as `deny.toml` says, by one
//! pinned cargo-deny in `target/tools`. Advisories need a database from elsewhere and have a command of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::bail;

use crate::shell::{cargo, output, program, succeeds};
use crate::steps::{Steps, seconds};
use crate::tool::{self, MissingTool};
use crate::{Verdict, refuse_arguments};

/// The version that judges: another one may know other rules.
pub const VERSION: &str = "0.20.2";

const FOLDER: &str = "target/tools/deny";
const LOG: &str = "target/tools/deny-install.log";
/// It is built from source.
const INSTALL_MAX: Duration = Duration::from_secs(1200);
/// It is built as quickly as may be: its work is done in a second either way.
const BUILD: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];
/// Allowed versions that stand side by side no more: they go from `deny.toml`.
const STALE: [&str; 4] = ["--deny", "unmatched-skip", "--deny", "unnecessary-skip"];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("deny", args) {
        return Ok(verdict);
    }
    let mut steps = Steps::begin();
    let installed = steps.take(step(), || Ok(install(root)))?;
    let judged = steps.take("licences, bans, sources", || check(root))?;
    println!("\n{steps}{}  total", seconds(steps.total()));
    Ok(if installed == Verdict::Failed { installed } else { judged })
}

/// How the step is called that installs it.
pub fn step() -> String {
    format!("cargo-deny {VERSION}")
}

/// Builds it where it is missing.
pub fn install(root: &Path) -> Verdict {
    match install_by(cargo(root), root) {
        Ok(how) => {
            println!("cargo-deny {VERSION} is {how} in {FOLDER}");
            Verdict::Passed
        }
        Err(error) => {
            let tool = MissingTool {
                what: format!("cargo-deny {VERSION} could not be installed in {FOLDER}"),
                without: "licences, bans, sources and advisories of dependencies",
                hint: format!("`cargo install cargo-deny --locked --version {VERSION} --root {FOLDER}`"),
            };
            tool.report(&error)
        }
    }
}

/// Judges the dependencies; skipped where there is nothing to judge them with, as `install` has told.
pub fn check(root: &Path) -> anyhow::Result<Verdict> {
    if !is_installed(root) {
        return Ok(Verdict::Skipped);
    }
    let mut deny = command(root);
    deny.arg("check").args(STALE).args(["licenses", "bans", "sources"]);
    succeeds(&mut deny).map(Verdict::of)
}

/// The installed one, on the versions that the lock file names.
pub fn command(root: &Path) -> Command {
    let mut command = program(root, binary(root));
    command.arg("--locked");
    command
}

/// Installs it by this cargo, and tells whether it was there before.
fn install_by(mut cargo: Command, root: &Path) -> anyhow::Result<&'static str> {
    if is_installed(root) {
        return Ok("already");
    }
    cargo.args(["install", "cargo-deny", "--locked", "--force", "--root", FOLDER]);
    cargo.args(["--version", VERSION]).envs(BUILD);
    tool::run(&mut cargo, &root.join(LOG), INSTALL_MAX)?;
    if is_installed(root) {
        return Ok("installed");
    }
    bail!("cargo succeeded, but what it installed does not answer")
}

fn is_installed(root: &Path) -> bool {
    let mut version = program(root, binary(root));
    version.arg("--version").stdin(Stdio::null());
    output(&mut version)
        .is_ok_and(|said| said.is_some_and(|said| said.trim() == format!("cargo-deny {VERSION}")))
}

fn binary(root: &Path) -> PathBuf {
    root.join(FOLDER).join("bin/cargo-deny")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    /// A cargo that installs a cargo-deny which tells this version.
    fn cargo_of(root: &TestRoot, version: &str) -> Command {
        root.script("made", &format!("echo cargo-deny {version}"));
        let lines = format!("echo \"$@\" >words\nmkdir -p {FOLDER}/bin\ncp made {FOLDER}/bin/cargo-deny");
        program(&root.0, root.script("cargo", &lines))
    }

    #[test]
    fn it_is_installed_once_and_pinned() {
        let root = TestRoot::new("deny-once");
        assert_eq!(install_by(cargo_of(&root, VERSION), &root.0).unwrap(), "installed");
        let words = std::fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("--version {VERSION}")), "{words}");
        assert_eq!(install_by(Command::new("no-such-cargo"), &root.0).unwrap(), "already");
    }

    #[test]
    fn a_cargo_that_fails_or_brings_another_version_is_told() {
        let root = TestRoot::new("deny-fails");
        let complaint = |cargo: Command| format!("{:#}", install_by(cargo, &root.0).unwrap_err());
        let fails = root.script("fails", "echo no network >&2; exit 101");
        assert!(complaint(program(&root.0, fails)).ends_with("failed (exit status: 101): no network"));
        assert!(complaint(cargo_of(&root, "0.0.1")).ends_with("does not answer"));
    }

    #[test]
    fn without_it_nothing_is_judged() {
        let root = TestRoot::new("deny-none");
        assert_eq!(check(&root.0).unwrap(), Verdict::Skipped);
    }

    #[test]
    fn what_it_says_is_the_verdict() {
        let root = TestRoot::new("deny-says");
        for (code, verdict) in [(0, Verdict::Passed), (1, Verdict::Failed)] {
            let lines =
                format!("[ $1 = --version ] && {{ echo cargo-deny {VERSION}; exit 0; }}; exit {code}");
            root.script(&format!("{FOLDER}/bin/cargo-deny"), &lines);
            assert_eq!(check(&root.0).unwrap(), verdict);
        }
    }
}
