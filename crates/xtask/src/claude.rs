//! The real `claude` for the tests that drive it: one pinned version, from npm, in `target/tools`. Whoever has no npm
//! still has all other tests, and is told; `ARBITER_REQUIRE_REAL=1` makes that a failure.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::shell::{finish, last_words, program};

/// The version that is tested; `sim` reads the same file.
pub const VERSION: &str = include_str!("../../sim/claude.version").trim_ascii();

const FOLDER: &str = "target/tools/claude";
const LOG: &str = "target/tools/claude-install.log";
const INSTALL_MAX: Duration = Duration::from_secs(300);
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// Installs it where it is missing; tells whether the tests may go on.
pub fn install(root: &Path) -> bool {
    match install_by("npm", root) {
        Ok(how) => {
            println!("claude {VERSION} is {how} in {FOLDER}");
            true
        }
        Err(error) => {
            let required = env::var_os("ARBITER_REQUIRE_REAL").is_some_and(|value| value == "1");
            eprintln!("{}", notice(&error, required));
            !required
        }
    }
}

/// Installs it by this npm, and tells whether it was there before.
fn install_by(npm: &str, root: &Path) -> anyhow::Result<&'static str> {
    if installed(root).as_deref() == Some(VERSION) {
        return Ok("already");
    }
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot make {FOLDER}"))?;
    let log = File::create(root.join(LOG)).with_context(|| format!("cannot write {LOG}"))?;
    let mut command = program(root, npm);
    command.args(["install", "--prefix", FOLDER, "--no-audit", "--no-fund"]);
    command.arg(format!("@anthropic-ai/claude-code@{VERSION}"));
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let child = command.spawn().with_context(|| format!("cannot start {npm}"))?;
    let Some(status) = finish(child, INSTALL_MAX)? else {
        bail!("{npm} was not done in {} s", INSTALL_MAX.as_secs());
    };
    if !status.success() {
        bail!("{npm} failed ({status}): {}", last_words(&root.join(LOG)));
    }
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

fn notice(error: &anyhow::Error, required: bool) -> String {
    let outcome = match required {
        true => "ARBITER_REQUIRE_REAL=1, so this run FAILS.",
        false => {
            "The tests that drive the real claude are SKIPPED; ARBITER_REQUIRE_REAL=1 makes this a failure."
        }
    };
    let rule = "!".repeat(100);
    format!(
        "\n{rule}\n!!! claude {VERSION} could not be installed in {FOLDER}:\n!!!     {error:#}\n!!! {outcome}\n\
         !!! hint: `npm install --prefix {FOLDER} @anthropic-ai/claude-code@{VERSION}`\n{rule}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root of its own, gone at the end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str) -> Root {
            let root = env::temp_dir().join(format!("xtask-claude-{name}-{}", std::process::id()));
            fs::create_dir_all(&root).unwrap();
            Root(root)
        }

        /// An npm that runs these lines in the root.
        fn npm(&self, lines: &str) -> String {
            let npm = self.0.join("npm");
            fs::write(&npm, format!("#!/bin/sh\n{lines}\n")).unwrap();
            assert!(program(&self.0, "chmod").args(["+x", "npm"]).status().unwrap().success());
            npm.to_string_lossy().into_owned()
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    fn complaint(npm: &str, root: &Root) -> String {
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
        let root = Root::new("once");
        let npm = root.npm(&format!("echo \"$@\" >words\n{}", installing(VERSION)));
        assert_eq!(install_by(&npm, &root.0).unwrap(), "installed");
        let words = fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("@anthropic-ai/claude-code@{VERSION}")), "{words}");
        assert_eq!(install_by("no-such-npm", &root.0).unwrap(), "already");
    }

    #[test]
    fn another_version_is_replaced_or_told() {
        let root = Root::new("other");
        let old = root.npm(&installing("0.0.1"));
        assert!(complaint(&old, &root).ends_with("installed version 0.0.1"));
        let new = root.npm(&installing(VERSION));
        assert_eq!(install_by(&new, &root.0).unwrap(), "installed");
    }

    #[test]
    fn an_npm_that_is_missing_or_fails_is_told() {
        let root = Root::new("fails");
        assert!(complaint("no-such-npm", &root).starts_with("cannot start no-such-npm"));
        let npm = root.npm("echo no network >&2; exit 7");
        assert!(complaint(&npm, &root).ends_with("failed (exit status: 7): no network"));
        assert!(complaint(&root.npm("exit 0"), &root).ends_with("does not answer"));
    }

    #[test]
    fn the_notice_says_what_follows() {
        let error = anyhow::anyhow!("cannot start npm");
        assert!(notice(&error, false).contains("SKIPPED") && notice(&error, true).contains("FAILS"));
    }
}
