//! Runs the tests: by cargo-nextest where it is installed, else by the test binaries of plain cargo. Either builds the
//! whole workspace once, with one set of features, and then runs it crate by crate.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::EVERYTHING;
use super::report::{self, TestReport};
use crate::shell::{answers, cargo, output, program, said, succeeds};

/// Where nextest tells what became of each test, by `.config/nextest.toml`.
pub const REPORT: &str = "target/nextest/default/junit.xml";

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

/// What became of a suite.
#[derive(Debug, PartialEq, Eq)]
pub struct SuiteRun {
    pub succeeded: bool,
    pub reports: Vec<TestReport>,
}

#[derive(Debug, PartialEq, Eq)]
struct Binary {
    package: String,
    /// Tests run in their crate's folder.
    folder: PathBuf,
    path: PathBuf,
}

#[cfg(test)]
impl Suite {
    pub fn new(package: &str, tests: usize) -> Suite {
        Suite { package: package.to_owned(), tests, binaries: Vec::new() }
    }
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

    /// Runs one crate's tests with this in their environment, each of them even when one has failed.
    pub fn run(
        self,
        root: &Path,
        suite: &Suite,
        selection: &[String],
        environment: &[(&str, OsString)],
    ) -> anyhow::Result<SuiteRun> {
        let environment = environment.iter().cloned();
        match self {
            Runner::Nextest => {
                let report = root.join(REPORT);
                forget(&report)?;
                let mut run = cargo(root);
                run.envs(environment);
                run.args(["nextest", "run"]).args(EVERYTHING).arg("--no-fail-fast");
                run.args(["--cargo-quiet", "--filterset"]).arg(format!("package(={})", suite.package));
                let succeeded = succeeds(run.arg("--").args(selection))?;
                let told = fs::read_to_string(&report).unwrap_or_default();
                Ok(SuiteRun { succeeded, reports: report::of_junit(&told) })
            }
            Runner::Cargo => {
                let mut run = SuiteRun { succeeded: true, reports: Vec::new() };
                for binary in &suite.binaries {
                    let mut command = binary.command();
                    let (succeeded, told) = said(command.envs(environment.clone()).args(selection))?;
                    print!("{told}");
                    run.succeeded &= succeeded;
                    run.reports.extend(report::of_binary(&binary.name(), &told));
                }
                Ok(run)
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

    /// The name of its target, without the hash that cargo gives it.
    fn name(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        name.rsplit_once('-').map_or_else(|| name.clone(), |(name, _)| name.to_owned())
    }
}

/// Removes the report of another run.
fn forget(report: &Path) -> anyhow::Result<()> {
    match fs::remove_file(report) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", report.display()))
        }
        Ok(()) | Err(_) => Ok(()),
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

/// Reads the messages of `cargo test --no-run`: one JSON object a line, with one for each test binary among them.
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
            let suite = Suite { binaries, ..Suite::new("mind", 1) };
            Runner::Cargo.run(Path::new("."), &suite, &[], &[]).unwrap().succeeded
        };
        assert!(passes(&["true", "true"]));
        assert!(!passes(&["false", "true"]));
    }

    #[test]
    fn a_test_binary_of_cargo_tells_of_each_test() {
        let suite =
            Suite { binaries: vec![binary(std::env::current_exe().unwrap())], ..Suite::new("xtask", 1) };
        let selection = ["test::runner::tests::a_list_of_another_shape".to_owned()];
        let ran = Runner::Cargo.run(Path::new("."), &suite, &selection, &[]).unwrap();
        let test = "test::runner::tests::a_list_of_another_shape_is_an_error".to_owned();
        let report = TestReport { binary: "xtask".into(), test, passed: true };
        assert_eq!(ran, SuiteRun { succeeded: true, reports: vec![report] });
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
