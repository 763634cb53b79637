//! `cargo xtask ci`: the whole gate, cheapest step first; it stops at the first failure and says
//! how to run that step alone.

use std::path::Path;

use crate::shell::{cargo, succeeds};
use crate::steps::{Steps, seconds};
use crate::{Verdict, refuse_arguments, test, tidy};

struct Gate {
    name: &'static str,
    /// Runs this step alone, or mends what it found.
    hint: &'static str,
    passes: fn(&Path) -> anyhow::Result<bool>,
}

#[rustfmt::skip]
const GATES: &[Gate] = &[
    Gate { name: "fmt", hint: "`cargo fmt --all` mends it", passes: fmt },
    Gate { name: "clippy", hint: "`cargo clippy --workspace --all-targets --all-features -- -D warnings` runs it alone", passes: clippy },
    Gate { name: "tidy", hint: "`cargo xtask tidy` runs it alone", passes: tidy::is_tidy },
    Gate { name: "test", hint: "`cargo xtask test -- NAME` runs the tests of that name", passes: tests },
];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("ci", args) {
        return Ok(verdict);
    }
    let mut steps = Steps::begin();
    for gate in GATES {
        let passed = steps.take(format!("ci: {}", gate.name), || (gate.passes)(root))?;
        if !passed {
            println!("\n{steps}ci: stopped at {}\nhint: {}", gate.name, gate.hint);
            return Ok(Verdict::Failed);
        }
    }
    println!("\n{steps}{}  ci: passed", seconds(steps.total()));
    Ok(Verdict::Passed)
}

fn fmt(root: &Path) -> anyhow::Result<bool> {
    succeeds(cargo(root).args(["fmt", "--all", "--check"]))
}

fn clippy(root: &Path) -> anyhow::Result<bool> {
    let what = ["--workspace", "--all-targets", "--all-features"];
    succeeds(cargo(root).arg("clippy").args(what).args(["--", "-D", "warnings"]))
}

/// The suites without tidy, which has just been run.
fn tests(root: &Path) -> anyhow::Result<bool> {
    test::suites(root, &[], test::Tidy::Skip)
}
