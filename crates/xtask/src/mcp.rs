//! The public MCP client for Python, for the tests that talk to `arbiter mcp` with it: one pinned version, from PyPI,
//! in `target/tools`. Without Python all other tests still run, and the skipped ones are named;
//! `ARBITER_REQUIRE_REAL=1` makes that a failure.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Verdict;
use crate::shell::{answers, program};
use crate::tool::{self, MissingTool};

/// The version that is tested; the tests read the same file.
pub const VERSION: &str = include_str!("../../arbiter/tests/real/mcp.version").trim_ascii();

const FOLDER: &str = "target/tools/mcp";
const LOG: &str = "target/tools/mcp-install.log";
const INSTALL_MAX: Duration = Duration::from_secs(300);

/// Installs it where it is missing.
pub fn install(root: &Path) -> Verdict {
    match install_by("python3", root) {
        Ok(how) => {
            println!("mcp {VERSION} for Python is {how} in {FOLDER}");
            Verdict::Passed
        }
        Err(error) => {
            let tool = MissingTool {
                what: format!("mcp {VERSION} for Python could not be installed in {FOLDER}"),
                without: "the tests that use it",
                hint: format!("`python3 -m venv {FOLDER}`, then `{FOLDER}/bin/pip install mcp=={VERSION}`"),
            };
            tool.report(&error)
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
    tool::run(program(root, python).args(words), &root.join(LOG), INSTALL_MAX)
}

/// The pinned version is there and can be used.
fn is_installed(root: &Path) -> bool {
    let check = format!("import mcp, importlib.metadata as m; assert m.version('mcp') == '{VERSION}'");
    let python = root.join(FOLDER).join("bin/python");
    python.exists() && answers(program(root, python).args(["-c", &check]).stdin(Stdio::null()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::TestRoot;

    /// A Python that runs these lines in the root, and makes a Python that runs those.
    fn python_of(root: &TestRoot, lines: &str, made: &str) -> String {
        root.script("made", made);
        let bin = format!("{FOLDER}/bin");
        root.script("python3", &format!("{lines}\nmkdir -p {bin}\ncp made {bin}/python"))
    }

    fn complaint(python: &str, root: &TestRoot) -> String {
        format!("{:#}", install_by(python, &root.0).unwrap_err())
    }

    #[test]
    fn it_is_installed_once_and_pinned() {
        let root = TestRoot::new("mcp-once");
        // It has the package once pip was asked for it.
        let python = python_of(&root, "", "case \"$2\" in pip) echo \"$@\" >words;; *) test -e words;; esac");
        assert_eq!(install_by(&python, &root.0).unwrap(), "installed");
        let words = fs::read_to_string(root.0.join("words")).unwrap();
        assert!(words.trim().ends_with(&format!("mcp=={VERSION}")), "{words}");
        assert_eq!(install_by("no-such-python", &root.0).unwrap(), "already");
    }

    #[test]
    fn a_python_that_is_missing_or_fails_is_told() {
        let root = TestRoot::new("mcp-fails");
        assert!(complaint("no-such-python", &root).starts_with("cannot start no-such-python"));
        let python = python_of(&root, "echo no venv here >&2; exit 7", "");
        assert!(complaint(&python, &root).ends_with("failed (exit status: 7): no venv here"));
        let python =
            python_of(&root, "", "case \"$2\" in pip) echo no network >&2; exit 1;; *) exit 1;; esac");
        assert!(complaint(&python, &root).ends_with("failed (exit status: 1): no network"));
        let python = python_of(&root, "", "case \"$2\" in pip) ;; *) exit 1;; esac");
        assert!(complaint(&python, &root).ends_with("does not answer"));
    }
}
