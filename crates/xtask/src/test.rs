//! `cargo xtask test`: everything that is tested, in suites whose times are printed at the end: the
//! build, each crate, the documents' examples, worlds, deny, tidy. One failed suite does not hide the next.

mod examples;
mod report;
mod runner;
mod skips;
mod tally;

use std::ffi::OsString;
use std::path::Path;

pub use self::report::{TestReport, of_junit};
pub use self::runner::REPORT;
use self::runner::{Runner, Suite};
use self::skips::SkipFolder;
use self::tally::TestTally;
use crate::Verdict;
use crate::bubblewrap;
use crate::claude;
use crate::deny;
use crate::mcp;
use crate::shell::{cargo, succeeds};
use crate::sim;
use crate::steps::{Steps, seconds};
use crate::tidy::{self, Tree};

/// What is built and tested: all crates, with the binary that can be told where to die.
pub const EVERYTHING: [&str; 3] = ["--workspace", "--features", "arbiter/die-at"];

/// Whether the repository's own checks, deny and tidy, are suites of this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    Run,
    Skip,
}

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let selection = match args.split_first() {
        Some((dashes, rest)) if dashes == "--" => rest,
        Some(_) | None => args,
    };
    // A developer who selects tests by name works on them; the gate runs the rest.
    let checks = if selection.is_empty() { Checks::Run } else { Checks::Skip };
    suites(root, selection, checks).map(Verdict::of)
}

/// Runs the suites, prints their times and the count of tests, and tells whether all passed.
pub fn suites(root: &Path, selection: &[String], checks: Checks) -> anyhow::Result<bool> {
    let (mut steps, mut tally) = (Steps::begin(), TestTally::default());
    let runner = Runner::find(root);
    let built = steps.take(format!("build, for {runner}"), || runner.build(root, selection))?;
    let Some(suites) = built else {
        tally.close(&steps);
        println!("\n{steps}test: the build failed\n\n{tally}");
        return Ok(false);
    };

    let skips = SkipFolder::new(root)?;
    let mut environment = vec![skips.variable()];
    environment.extend(install_tools(root, &mut steps)?.map(|path| ("PATH", path)));
    for suite in suites.iter().filter(|suite| suite.tests > 0) {
        steps.take(title(suite), || {
            let ran = runner.run(root, suite, selection, &environment)?;
            Ok(tally.add(suite, &ran, &skips.take()?))
        })?;
    }
    if selection.is_empty() {
        run_the_rest(root, &mut steps)?;
    }
    match checks {
        Checks::Run => run_checks(root, &mut steps, &mut tally)?,
        Checks::Skip => (),
    }

    // A misspelt name must not look like success.
    let ran = suites.iter().any(|suite| suite.tests > 0);
    let passed = steps.passed() && ran;
    let verdict = match (ran, passed) {
        (false, _) => "no test was selected",
        (true, true) => "passed",
        (true, false) => "FAILED",
    };
    tally.close(&steps);
    println!("\n{steps}{}  total: {verdict}\n\n{}{tally}", seconds(steps.total()), tally.skipped());
    Ok(passed)
}

/// Installs the real programs that tests need; gives the `PATH` for tests if that must be another one.
fn install_tools(root: &Path, steps: &mut Steps) -> anyhow::Result<Option<OsString>> {
    for version in claude::tested() {
        steps.take(format!("claude {version}"), || Ok(claude::install(root, version)))?;
    }
    steps.take(format!("mcp {} for Python", mcp::VERSION), || Ok(mcp::install(root)))?;
    let mut path = None;
    steps.take("bubblewrap", || {
        let (found, verdict) = bubblewrap::install(root);
        path = found;
        Ok(verdict)
    })?;
    Ok(path)
}

/// What is tested and is no suite of a crate's.
fn run_the_rest(root: &Path, steps: &mut Steps) -> anyhow::Result<()> {
    if has_examples(root)? {
        let mut examples = cargo(root);
        examples.arg("test").args(EVERYTHING).arg("--doc");
        steps.take("examples in documentation", || succeeds(&mut examples))?;
    }
    let mut ordered = cargo(root);
    ordered.args(["test", "-p", "mind", "--features", "preserve-order", "--test", "it", "canonical"]);
    steps.take("digests, with maps that keep their order", || succeeds(&mut ordered))?;
    steps.take(format!("sim worlds, {} seeds", sim::SEEDS_IN_TESTS), || sim::suite(root))?;
    Ok(())
}

/// The repository's own checks.
fn run_checks(root: &Path, steps: &mut Steps, tally: &mut TestTally) -> anyhow::Result<()> {
    const DENY: &str = "deny: licences, bans, sources";
    steps.take(deny::step(), || Ok(deny::install(root)))?;
    if steps.take(DENY, || deny::check(root))? == Verdict::Skipped {
        tally.skip(DENY, &format!("{} is missing", deny::step()));
    }
    steps.take("tidy", || tidy::is_tidy(root))?;
    Ok(())
}

fn has_examples(root: &Path) -> anyhow::Result<bool> {
    let tree = Tree::load(root)?;
    Ok(tree.sources().any(|(_, text)| examples::are_in(text)))
}

fn title(suite: &Suite) -> String {
    format!("{}, {}", suite.package, count(suite.tests))
}

fn count(tests: usize) -> String {
    format!("{tests} test{}", if tests == 1 { "" } else { "s" })
}
