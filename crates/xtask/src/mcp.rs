//! The public MCP client for Python, for the tests that talk to `arbiter mcp` with it: one pinned version, from PyPI, in
//! `target/tools`. Whoever has no Python still has all other tests, and is told; `ARBITER_REQUIRE_REAL=1` makes that a
//! failure.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::shell::{answers, finish, last_words, program};

/// The version that is tested; the tests read the same file.
pub const VERSION: &str = include_str!("../../arbiter/tests/real/mcp.version").trim_ascii();

const FOLDER: &str = "target/tools/mcp";
const LOG: &str = "target/tools/mcp-install.log";
const INSTALL_MAX: Duration = Duration::from_secs(300);

/// Installs it where it is missing; tells whether the tests may go on.
pub fn install(root: &Path) -> bool {
    match install_by("python3", root) {
        Ok(how) => {
            println!("mcp {VERSION} for Python is {how} in {FOLDER}");
            true
        }
        Err(error) => {
            let required = env::var_os("ARBITER_REQUIRE_REAL").is_some_and(|value| value == "1");
            eprintln!("{}", notice(&error, required));
            !required
        }
    }
}

/// Installs it by this Python, and tells whether it was there before.
fn install_by(python: &str, root: &Path) -> anyhow::Result<&'static str> {
    if is_installed(root) {
        return Ok("already");
    }
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot make {FOLDER}"))?;
    run(root, python, &["-m", "venv", "--clear", FOLDER])?;
    let package = format!("mcp=={VERSION}");
    let own = root.join(FOLDER).join("bin/python");
    run(root, &own.to_string_lossy(), &["-m", "pip", "install", "--disable-pip-version-check", &package])?;
    if is_installed(root) {
        return Ok("installed");
    }
    bail!("pip succeeded, but what it installed does not answer")
}

fn run(root: &Path, python: &str, words: &[&str]) -> anyhow::Result<()> {
    let log = File::create(root.join(LOG)).with_context(|| format!("cannot write {LOG}"))?;
    let mut command = program(root, python);
    command.args(words).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let child = command.spawn().with_context(|| format!("cannot start {python}"))?;
    match finish(child, INSTALL_MAX)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => bail!("{python} failed ({status}): {}", last_words(&root.join(LOG))),
        None => bail!("{python} was not done in {} s", INSTALL_MAX.as_secs()),
    }
}

/// The pinned version is there and can be used.
fn is_installed(root: &Path) -> bool {
    let check = format!("import mcp, importlib.metadata as m; assert m.version('mcp') == '{VERSION}'");
    let python = root.join(FOLDER).join("bin/python");
    python.exists() && answers(program(root, python).args(["-c", &check]).stdin(Stdio::null()))
}

fn notice(error: &anyhow::Error, required: bool) -> String {
    let outcome = match required {
        true => "ARBITER_REQUIRE_REAL=1, so this run FAILS.",
        false => "The tests that use it are SKIPPED; ARBITER_REQUIRE_REAL=1 makes this a failure.",
    };
    let rule = "!".repeat(100);
    format!(
        "\n{rule}\n!!! mcp {VERSION} for Python could not be installed in {FOLDER}:\n!!!     {error:#}\n!!! {outcome}\n\
         !!! hint: `python3 -m venv {FOLDER}`, then `{FOLDER}/bin/pip install mcp=={VERSION}`\n{rule}\n"
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A root of its own, gone at the end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str) -> Root {
            let root = env::temp_dir().join(format!("xtask-mcp-{name}-{}", std::process::id()));
            fs::create_dir_all(&root).unwrap();
            Root(root)
        }

        /// A Python that runs these lines in the root, and the Python that it makes, which runs those.
        fn python(&self, lines: &str, made: &str) -> String {
            fs::write(self.0.join("made"), format!("#!/bin/sh\n{made}\n")).unwrap();
            let bin = format!("{FOLDER}/bin");
            let python = self.0.join("python3");
            let make = format!("mkdir -p {bin}\ncp made {bin}/python\nchmod +x {bin}/python");
            fs::write(&python, format!("#!/bin/sh\n{lines}\n{make}\n")).unwrap();
            assert!(program(&self.0, "chmod").args(["+x", "python3"]).status().unwrap().success());
            python.to_string_lossy().into_owned()
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    fn complaint(python: &str, root: &Root) -> String {
        format!("{:#}", install_by(python, &root.0).unwrap_err())
    }

    #[test]
    fn it_is_installed_once_and_pinned() {
        let root = Root::new("once");
        // It has the package once pip was asked for it.
        let python = root.python("", "case \"$2\" in pip) echo \"$@\" >words;; *) test -e words;; esac");
        assert_eq!(install_by(&python, &root.0).unwrap(), "installed");
        let words = fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("mcp=={VERSION}")), "{words}");
        assert_eq!(install_by("no-such-python", &root.0).unwrap(), "already");
    }

    #[test]
    fn a_python_that_is_missing_or_fails_is_told() {
        let root = Root::new("fails");
        assert!(complaint("no-such-python", &root).starts_with("cannot start no-such-python"));
        let python = root.python("echo no venv here >&2; exit 7", "");
        assert!(complaint(&python, &root).ends_with("failed (exit status: 7): no venv here"));
        let python = root.python("", "case \"$2\" in pip) echo no network >&2; exit 1;; *) exit 1;; esac");
        assert!(complaint(&python, &root).ends_with("failed (exit status: 1): no network"));
        let python = root.python("", "case \"$2\" in pip) ;; *) exit 1;; esac");
        assert!(complaint(&python, &root).ends_with("does not answer"));
    }

    #[test]
    fn the_notice_says_what_follows() {
        let error = anyhow::anyhow!("cannot start python3");
        assert!(notice(&error, false).contains("SKIPPED") && notice(&error, true).contains("FAILS"));
    }
}
