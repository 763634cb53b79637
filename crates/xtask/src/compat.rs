//! `cargo xtask compat claude@V ...`: installs each version, runs the contract suite and one council mission with it, and
//! writes what became of them into the table of docs/claude.md. Rows of other versions stay.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::Verdict;
use crate::claude;
use crate::shell::{answers, cargo, succeeds};
use crate::test::{EVERYTHING, REPORT, TestReport, of_junit};

pub const DOCUMENT: &str = "docs/claude.md";
/// What stands around the table.
const BEGIN: &str = "<!-- begin: compat -->\n";
const END: &str = "<!-- end: compat -->\n";
const HEAD: &str = "| Claude Code | contract suite | council mission | failed |\n| --- | --- | --- | --- |\n";

/// The variable by which the tests are told the version; `sim` reads it.
const CHOICE: &str = "ARBITER_CLAUDE_VERSION";
/// The binary of the contract suite, and the module that runs with the version that is told.
const CONTRACT: (&str, &str) = ("contract", "real::");
/// The binary with real missions, and the one that is run.
const COUNCIL: (&str, &str) =
    ("real", "mission::a_whole_mission_with_scouts_subagents_warnings_a_successor_and_an_audit");

/// A version, and its row.
type CompatRow = ((u64, u64, u64), String);

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let versions: Option<Vec<&str>> = args.iter().map(|word| word.strip_prefix("claude@")).collect();
    let versions =
        versions.filter(|found| !found.is_empty() && found.iter().all(|one| numbers(one).is_some()));
    let Some(versions) = versions else {
        eprintln!("error: `cargo xtask compat` takes versions, such as `claude@2.1.197`");
        return Ok(Verdict::Misused);
    };
    if !answers(cargo(root).args(["nextest", "--version"])) {
        bail!("cargo-nextest is not installed");
    }
    let mut verdict = Verdict::Passed;
    for version in versions {
        if claude::install(root, version) != Verdict::Passed {
            verdict = Verdict::Failed;
            continue;
        }
        let reports = test(root, version)?;
        let row = row(version, &reports).context("it is a version")?;
        println!("{}", row.1.trim_end());
        if !is_clean(&row.1) {
            verdict = Verdict::Failed;
        }
        let text =
            fs::read_to_string(root.join(DOCUMENT)).with_context(|| format!("cannot read {DOCUMENT}"))?;
        let text = with_row(&text, row).with_context(|| format!("{DOCUMENT} has no place for the table"))?;
        fs::write(root.join(DOCUMENT), text).with_context(|| format!("cannot write {DOCUMENT}"))?;
    }
    Ok(verdict)
}

/// Runs what depends on the version, with this one.
fn test(root: &Path, version: &str) -> anyhow::Result<Vec<TestReport>> {
    let report = root.join(REPORT);
    // What an earlier run left would be read in place of what this one could not write.
    let _ = fs::remove_file(&report);
    let mut run = cargo(root);
    run.env(CHOICE, version).env("ARBITER_REQUIRE_REAL", "1");
    run.args(["nextest", "run"]).args(EVERYTHING).args(["--test", CONTRACT.0, "--test", COUNCIL.0]);
    run.args(["--no-fail-fast", "--cargo-quiet", "--filterset"]);
    run.arg(format!(
        "(binary(={}) & test(/^{}/)) | (binary(={}) & test(={}))",
        CONTRACT.0, CONTRACT.1, COUNCIL.0, COUNCIL.1
    ));
    succeeds(&mut run)?;
    let told = fs::read_to_string(&report).context("the tests could not be run")?;
    Ok(of_junit(&told))
}

fn row(version: &str, reports: &[TestReport]) -> Option<CompatRow> {
    let of = |binary: &'static str| reports.iter().filter(move |report| report.binary == binary);
    let contract = of(CONTRACT.0).filter(|report| report.passed).count();
    let contract = format!("{contract} of {}", of(CONTRACT.0).count());
    let council = match of(COUNCIL.0).next() {
        Some(report) if report.passed => "passed",
        Some(_) => "failed",
        None => "not run",
    };
    let failed = reports.iter().filter(|report| !report.passed);
    let failed: Vec<String> = failed.map(|report| format!("`{}`", report.test)).collect();
    let failed = if failed.is_empty() { "none".to_owned() } else { failed.join(", ") };
    Some((numbers(version)?, format!("| {version} | {contract} | {council} | {failed} |\n")))
}

/// The document with this row in its table, in the order of versions.
fn with_row(text: &str, row: CompatRow) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (table, after) = rest.split_once(END)?;
    let mut rows: BTreeMap<(u64, u64, u64), String> = rows(table).collect();
    rows.insert(row.0, row.1);
    let rows: String = rows.into_values().collect();
    Some(format!("{before}{BEGIN}{HEAD}{rows}{END}{after}"))
}

fn rows(table: &str) -> impl Iterator<Item = CompatRow> {
    table.lines().filter_map(|line| {
        let version = line.strip_prefix("| ")?.split(' ').next()?;
        Some((numbers(version)?, format!("{line}\n")))
    })
}

/// The versions of the document's table, each with whether everything passed; none without a table.
pub fn table(text: &str) -> Option<Vec<(String, bool)>> {
    let (table, _) = text.split_once(BEGIN)?.1.split_once(END)?;
    let rows = rows(table).map(|((a, b, c), line)| (format!("{a}.{b}.{c}"), is_clean(&line)));
    Some(rows.collect())
}

fn is_clean(row: &str) -> bool {
    let cells: Vec<&str> = row.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [_, contract, council, failed] = cells[..] else { return false };
    let all = contract.split_once(" of ").is_some_and(|(passed, all)| passed == all && passed != "0");
    all && council == "passed" && failed == "none"
}

fn numbers(version: &str) -> Option<(u64, u64, u64)> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let numbers = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(binary: &str, test: &str, passed: bool) -> TestReport {
        TestReport { binary: binary.into(), test: test.into(), passed }
    }

    fn document(rows: &str) -> String {
        format!("# A\n{BEGIN}{HEAD}{rows}{END}rest\n")
    }

    #[test]
    fn a_row_says_what_passed_and_names_what_failed() {
        let mut reports = vec![report("contract", "real::a", true), report("contract", "real::b", false)];
        let told = |reports: &[TestReport]| row("2.1.7", reports).unwrap().1;
        assert_eq!(told(&reports), "| 2.1.7 | 1 of 2 | not run | `real::b` |\n");
        reports.push(report("real", "mission::a", true));
        reports[1].passed = true;
        assert_eq!(told(&reports), "| 2.1.7 | 2 of 2 | passed | none |\n");
        assert!(is_clean(&told(&reports)));
        for row in ["| 2.1.7 | 0 of 0 | passed | none |", "| 2.1.7 | 2 of 2 | failed | `a` |", "| 2.1.7 |"] {
            assert!(!is_clean(row), "{row}");
        }
    }

    #[test]
    fn rows_are_kept_in_the_order_of_versions() {
        let old = document("| 2.1.9 | 1 of 1 | passed | none |\n| 2.1.100 | 1 of 1 | passed | none |\n");
        let new = with_row(&old, ((2, 1, 20), "| 2.1.20 | 0 of 1 | failed | `a` |\n".to_owned())).unwrap();
        let versions: Vec<(String, bool)> = table(&new).unwrap();
        let expected = [("2.1.9", true), ("2.1.20", false), ("2.1.100", true)];
        assert_eq!(versions, expected.map(|(version, clean)| (version.to_owned(), clean)));
        assert!(new.starts_with("# A\n") && new.ends_with("rest\n"));
        assert_eq!(with_row("# A\n", ((2, 1, 20), String::new())), None);
    }
}
