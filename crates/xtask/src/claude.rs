//! The real `claude` for the tests that drive it: one pinned version, from npm, in `target/tools`. Without npm all
//! other tests still run, and the skipped ones are named; `ARBITER_REQUIRE_REAL=1` makes that a failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Verdict;
use crate::shell::{finish, program};
use crate::tool::{self, MissingTool};

/// The version that is tested; `sim` reads the same file.
pub const VERSION: &str = include_str!("../../sim/claude.version").trim_ascii();

const FOLDER: &str = "target/tools/claude";
const LOG: &str = "target/tools/claude-install.log";
const INSTALL_MAX: Duration = Duration::from_secs(300);
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// Installs it where it is missing.
pub fn install(root: &Path) -> Verdict {
    match install_by("npm", root) {
        Ok(how) => {
            println!("claude {VERSION} is {how} in {FOLDER}");
            Verdict::Passed
        }
        Err(error) => {
            let tool = MissingTool {
                what: format!("claude {VERSION} could not be installed in {FOLDER}"),
                without: "the tests that drive the real claude",
                hint: format!("`npm install --prefix {FOLDER} @anthropic-ai/claude-code@{VERSION}`"),
            };
            tool.report(&error)
        }
    }
}

/// Installs it by this npm, and tells whether it was there before.
fn install_by(npm: &str, root: &Path) -> anyhow::Result<&'static str> {
    if installed(root).as_deref() == Some(VERSION) {
        return Ok("already");
    }
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot make {FOLDER}"))?;
    let mut command = program(root, npm);
    command.args(["install", "--prefix", FOLDER, "--no-audit", "--no-fund"]);
    command.arg(format!("@anthropic-ai/claude-code@{VERSION}"));
    tool::run(&mut command, &root.join(LOG), INSTALL_MAX)?;
    match installed(root) {
        Some(version) if version == VERSION => Ok("installed"),
        Some(version) => bail!("{npm} installed version {version}"),
        None => bail!("{npm} succeeded, but what it installed does not answer"),
    }
}

/// The version that is there and answers.
fn installed(root: &Path) -> Option<String> {
    let binary: PathBuf = root.join(FOLDER).join("node_modules/.bin/claude");
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

    fn complaint(npm: &str, root: &TestRoot) -> String {
        format!("{:#}", install_by(npm, &root.0).unwrap_err())
    }

    /// Installs a claude of this version.
    fn installing(version: &str) -> String {
        let bin = format!("{FOLDER}/node_modules/.bin");
        format!(
            "mkdir -p {bin}\nprintf '#!/bin/sh\\necho {version} x\\n' >{bin}/claude\nchmod +x {bin}/claude"
        )
    }

    #[test]
    fn it_is_installed_once() {
        let root = TestRoot::new("claude-once");
        let npm = root.script("npm", &format!("echo \"$@\" >words\n{}", installing(VERSION)));
        assert_eq!(install_by(&npm, &root.0).unwrap(), "installed");
        let words = fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("@anthropic-ai/claude-code@{VERSION}")), "{words}");
        assert_eq!(install_by("no-such-npm", &root.0).unwrap(), "already");
    }

    #[test]
    fn another_version_is_replaced_or_told() {
        let root = TestRoot::new("claude-other");
        let old = root.script("npm", &installing("0.0.1"));
        assert!(complaint(&old, &root).ends_with("installed version 0.0.1"));
        let new = root.script("npm", &installing(VERSION));
        assert_eq!(install_by(&new, &root.0).unwrap(), "installed");
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
