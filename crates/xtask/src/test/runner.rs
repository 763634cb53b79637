//! Who runs the tests: cargo-nextest where it is installed, else the test binaries of plain cargo.
//! Either builds the whole workspace once, with one set of features, and then runs it crate by
//! crate.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::EVERYTHING;
use crate::shell::{answers, cargo, output, program, succeeds};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    Nextest,
    Cargo,
}

/// The tests of one crate.
#[derive(Debug, PartialEq, Eq)]
pub struct Suite {
    pub package: String,
    /// How many of them the selection leaves.
    pub tests: usize,
    /// The crate's test binaries, which nextest finds by itself.
    binaries: Vec<Binary>,
}

#[derive(Debug, PartialEq, Eq)]
struct Binary {
    package: String,
    /// Tests run in their crate's folder.
    folder: PathBuf,
    path: PathBuf,
}

impl fmt::Display for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Runner::Nextest => "cargo nextest",
            Runner::Cargo => "cargo test (cargo-nextest is not installed)",
        })
    }
}

impl Runner {
    pub fn find(root: &Path) -> Runner {
        if answers(cargo(root).args(["nextest", "--version"])) { Runner::Nextest } else { Runner::Cargo }
    }

    /// Compiles everything and counts the selected tests; none when it does not compile.
    pub fn build(self, root: &Path, selection: &[String]) -> anyhow::Result<Option<Vec<Suite>>> {
        match self {
            Runner::Nextest => {
                let mut list = cargo(root);
                list.args(["nextest", "list"]).args(EVERYTHING).args(["--message-format", "json"]);
                let listed = output(list.arg("--").args(selection))?;
                listed.map(|listed| suites_of_nextest(&listed)).transpose()
            }
            Runner::Cargo => {
                let mut build = cargo(root);
                build.arg("test").args(EVERYTHING).args([
                    "--no-run",
                    "--message-format",
                    "json-render-diagnostics",
                ]);
                let Some(messages) = output(&mut build)? else {
                    return Ok(None);
                };
                count_by_asking(binaries_of_cargo(&messages)?, selection).map(Some)
            }
        }
    }

    /// Runs one crate's tests, each of them even when one has failed; with another `PATH` if there is one.
    pub fn run(
        self,
        root: &Path,
        suite: &Suite,
        selection: &[String],
        path: Option<&OsStr>,
    ) -> anyhow::Result<bool> {
        let path = path.map(|path| ("PATH", path));
        match self {
            Runner::Nextest => {
                let mut run = cargo(root);
                run.envs(path);
                run.args(["nextest", "run"]).args(EVERYTHING).arg("--no-fail-fast");
                run.args(["--cargo-quiet", "--filterset"]).arg(format!("package(={})", suite.package));
                succeeds(run.arg("--").args(selection))
            }
            Runner::Cargo => {
                let mut passed = true;
                for binary in &suite.binaries {
                    passed &= succeeds(binary.command().envs(path).args(selection))?;
                }
                Ok(passed)
            }
        }
    }
}

impl Binary {
    /// The test binary as cargo would start it.
    fn command(&self) -> std::process::Command {
        let mut command = program(&self.folder, &self.path);
        command.env("CARGO_MANIFEST_DIR", &self.folder);
        command
    }
}

/// Reads the answer of `cargo nextest list --message-format json`.
fn suites_of_nextest(listed: &str) -> anyhow::Result<Vec<Suite>> {
    let listed: Value = serde_json::from_str(listed).context("cannot read the list of cargo nextest")?;
    let binaries =
        listed["rust-suites"].as_object().context("the list of cargo nextest has no rust-suites")?;
    let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
    for binary in binaries.values() {
        let package =
            binary["package-name"].as_str().context("a suite of cargo nextest has no package-name")?;
        let cases = binary["testcases"].as_object().into_iter().flat_map(|cases| cases.values());
        let selected = cases.filter(|case| case["filter-match"]["status"] == "matches").count();
        *tests.entry(package).or_default() += selected;
    }
    let suite =
        |(package, tests): (&str, usize)| Suite { package: package.to_owned(), tests, binaries: Vec::new() };
    Ok(tests.into_iter().map(suite).collect())
}

/// Reads the messages of `cargo test --no-run`: one JSON object a line, among them one for each
/// test binary.
fn binaries_of_cargo(messages: &str) -> anyhow::Result<Vec<Binary>> {
    let mut binaries = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("cannot read a message of cargo")?;
        let (Some(path), true) = (message["executable"].as_str(), message["profile"]["test"] == true) else {
            continue;
        };
        let manifest =
            message["manifest_path"].as_str().context("a test binary of cargo has no manifest_path")?;
        let folder = Path::new(manifest).parent().context("a manifest of cargo has no folder")?;
        // The folders in crates/ bear the names of the crates.
        let package =
            folder.file_name().context("a crate has no folder name")?.to_string_lossy().into_owned();
        binaries.push(Binary { package, folder: folder.to_path_buf(), path: path.into() });
    }
    Ok(binaries)
}

/// Gathers the binaries by crate, each asked for the tests it would run.
fn count_by_asking(binaries: Vec<Binary>, selection: &[String]) -> anyhow::Result<Vec<Suite>> {
    let mut suites: BTreeMap<String, Suite> = BTreeMap::new();
    for binary in binaries {
        let mut list = binary.command();
        list.args(["--list", "--format", "terse"]).args(selection);
        let listed = output(&mut list)?
            .with_context(|| format!("{} does not list its tests", binary.path.display()))?;
        let package = binary.package.clone();
        let suite = suites.entry(package.clone()).or_insert_with(|| Suite {
            package,
            tests: 0,
            binaries: Vec::new(),
        });
        suite.tests += listed.lines().filter(|line| line.ends_with(": test")).count();
        suite.binaries.push(binary);
    }
    Ok(suites.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nextest_suites_are_crates_with_their_selected_tests() {
        let listed = r#"{ "rust-suites": {
            "mind::it": { "package-name": "mind", "testcases": {
                "a": { "filter-match": { "status": "matches" } },
                "b": { "filter-match": { "status": "mismatch", "reason": "string" } } } },
            "mind": { "package-name": "mind", "testcases": { "c": { "filter-match": { "status": "matches" } } } },
            "sim": { "package-name": "sim", "testcases": {} } } }"#;
        let suites = suites_of_nextest(listed).unwrap();
        let counts: Vec<_> = suites.iter().map(|suite| (suite.package.as_str(), suite.tests)).collect();
        assert_eq!(counts, [("mind", 2), ("sim", 0)]);
    }

    fn binary(path: impl Into<PathBuf>) -> Binary {
        Binary { package: "mind".into(), folder: ".".into(), path: path.into() }
    }

    #[test]
    fn one_failed_binary_fails_the_suite_of_cargo() {
        let passes = |paths: &[&str]| {
            let binaries = paths.iter().map(binary).collect();
            let suite = Suite { package: "mind".into(), tests: 1, binaries };
            Runner::Cargo.run(Path::new("."), &suite, &[], None).unwrap()
        };
        assert!(passes(&["true", "true"]));
        assert!(!passes(&["false", "true"]));
    }

    #[test]
    fn binaries_of_one_crate_are_counted_together() {
        let me = || binary(std::env::current_exe().unwrap());
        let selection = ["binaries_of_one_crate".to_owned()];
        let suites = count_by_asking(vec![me(), me()], &selection).unwrap();
        assert_eq!(suites.len(), 1);
        assert_eq!(suites[0].tests, 2);
    }

    #[test]
    fn a_list_of_another_shape_is_an_error() {
        assert!(suites_of_nextest("{}").is_err());
        assert!(suites_of_nextest("warning: none").is_err());
    }

    #[test]
    fn cargo_messages_name_the_test_binaries_only() {
        let messages = [
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/mind/Cargo.toml","profile":{"test":true},"executable":"/t/mind-1"}"#,
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/arbiter/Cargo.toml","profile":{"test":false},"executable":"/t/arbiter"}"#,
            r#"{"reason":"compiler-artifact","manifest_path":"/p/crates/sim/Cargo.toml","profile":{"test":true},"executable":null}"#,
            r#"{"reason":"build-finished","success":true}"#,
        ];
        let mind =
            Binary { package: "mind".into(), folder: "/p/crates/mind".into(), path: "/t/mind-1".into() };
        assert_eq!(binaries_of_cargo(&messages.join("\n")).unwrap(), [mind]);
    }
}
