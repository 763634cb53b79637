//! The real `claude` for the tests that drive it, from npm, in `target/tools`: the oldest version that is tested and the
//! newest, and any other that `cargo xtask compat` names. Without npm all other tests still run, and the skipped ones are
//! named; `ARBITER_REQUIRE_REAL=1` makes that a failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Verdict;
use crate::shell::{finish, program};
use crate::tool::{self, MissingTool};

/// The oldest version that is tested and the newest, a line each; the product reads the same file.
const TESTED: &str = include_str!("../../providers/src/claude/tested.versions");

const INSTALL_MAX: Duration = Duration::from_secs(300);
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// The versions that the tests run with.
pub fn tested() -> impl Iterator<Item = &'static str> {
    TESTED.lines()
}

/// Installs this version where it is missing.
pub fn install(root: &Path, version: &str) -> Verdict {
    let folder = folder(version);
    match install_by("npm", root, version) {
        Ok(how) => {
            println!("claude {version} is {how} in {folder}");
            Verdict::Passed
        }
        Err(error) => {
            let tool = MissingTool {
                what: format!("claude {version} could not be installed in {folder}"),
                without: "the tests that drive the real claude",
                hint: format!("`npm install --prefix {folder} @anthropic-ai/claude-code@{version}`"),
            };
            tool.report(&error)
        }
    }
}

fn folder(version: &str) -> String {
    format!("target/tools/claude-{version}")
}

/// Installs it by this npm, and tells whether it was there before.
fn install_by(npm: &str, root: &Path, wanted: &str) -> anyhow::Result<&'static str> {
    let folder = folder(wanted);
    if installed(root, wanted).as_deref() == Some(wanted) {
        return Ok("already");
    }
    fs::create_dir_all(root.join(&folder)).with_context(|| format!("cannot make {folder}"))?;
    let mut command = program(root, npm);
    command.args(["install", "--prefix", &folder, "--no-audit", "--no-fund"]);
    command.arg(format!("@anthropic-ai/claude-code@{wanted}"));
    tool::run(&mut command, &root.join(format!("{folder}-install.log")), INSTALL_MAX)?;
    match installed(root, wanted) {
        Some(version) if version == wanted => Ok("installed"),
        Some(version) => bail!("{npm} installed version {version}"),
        None => bail!("{npm} succeeded, but what it installed does not answer"),
    }
}

/// The version that is there and answers.
fn installed(root: &Path, wanted: &str) -> Option<String> {
    let binary: PathBuf = root.join(folder(wanted)).join("node_modules/.bin/claude");
    let mut command = Command::new(binary);
    command.arg("--version").env("DISABLE_AUTOUPDATER", "1").stdin(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let said = child.stdout.take()?;
    finish(child, ANSWER_MAX).ok()?.filter(ExitStatus::success)?;
    // `2.1.197 (Claude Code)`
    io::read_to_string(said).ok()?.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    const VERSION: &str = "2.1.7";

    fn complaint(npm: &str, root: &TestRoot) -> String {
        format!("{:#}", install_by(npm, &root.0, VERSION).unwrap_err())
    }

    /// Installs a claude of this version.
    fn installing(version: &str) -> String {
        let bin = format!("{}/node_modules/.bin", folder(VERSION));
        format!(
            "mkdir -p {bin}\nprintf '#!/bin/sh\\necho {version} x\\n' >{bin}/claude\nchmod +x {bin}/claude"
        )
    }

    #[test]
    fn two_versions_are_tested() {
        assert_eq!(tested().count(), 2);
        assert!(tested().all(|version| version.split('.').count() == 3));
    }

    #[test]
    fn it_is_installed_once() {
        let root = TestRoot::new("claude-once");
        let npm = root.script("npm", &format!("echo \"$@\" >words\n{}", installing(VERSION)));
        assert_eq!(install_by(&npm, &root.0, VERSION).unwrap(), "installed");
        let words = fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("@anthropic-ai/claude-code@{VERSION}")), "{words}");
        assert_eq!(install_by("no-such-npm", &root.0, VERSION).unwrap(), "already");
    }

    #[test]
    fn another_version_is_replaced_or_told() {
        let root = TestRoot::new("claude-other");
        let old = root.script("npm", &installing("0.0.1"));
        assert!(complaint(&old, &root).ends_with("installed version 0.0.1"));
        let new = root.script("npm", &installing(VERSION));
        assert_eq!(install_by(&new, &root.0, VERSION).unwrap(), "installed");
    }

    #[test]
    fn an_npm_that_is_missing_or_fails_is_told() {
        let root = TestRoot::new("claude-fails");
        assert!(complaint("no-such-npm", &root).starts_with("cannot start no-such-npm"));
        let npm = root.script("npm", "echo no network >&2; exit 7");
        assert!(complaint(&npm, &root).ends_with("failed (exit status: 7): no network"));
        assert!(complaint(&root.script("npm", "exit 0"), &root).ends_with("does not answer"));
    }
}
