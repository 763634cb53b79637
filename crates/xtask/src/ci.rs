//! `cargo xtask ci`: the whole gate, cheapest step first; it stops at the first failure and says
//! how to run that step alone.

use std::path::Path;

use crate::shell::{cargo, succeeds};
use crate::steps::{Steps, seconds};
use crate::{Verdict, deny, refuse_arguments, test, tidy};

struct Gate {
    name: &'static str,
    /// Runs this step alone, or mends what it found.
    hint: &'static str,
    run: fn(&Path) -> anyhow::Result<Verdict>,
}

#[rustfmt::skip]
const GATES: &[Gate] = &[
    Gate { name: "fmt", hint: "`cargo fmt --all` mends it", run: fmt },
    Gate { name: "clippy", hint: "`cargo clippy --workspace --all-targets --all-features -- -D warnings` runs it alone", run: clippy },
    Gate { name: "tidy", hint: "`cargo xtask tidy` runs it alone", run: is_tidy },
    Gate { name: "cargo-deny", hint: "what went wrong stands above; it is built once", run: cargo_deny },
    Gate { name: "deny", hint: "`cargo xtask deny` runs it alone", run: deny::check },
    Gate { name: "test", hint: "`cargo xtask test -- NAME` runs the tests of that name", run: tests },
];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("ci", args) {
        return Ok(verdict);
    }
    let mut steps = Steps::begin();
    for gate in GATES {
        steps.take(format!("ci: {}", gate.name), || (gate.run)(root))?;
        if !steps.passed() {
            println!("\n{steps}ci: stopped at {}\nhint: {}", gate.name, gate.hint);
            return Ok(Verdict::Failed);
        }
    }
    println!("\n{steps}{}  ci: passed", seconds(steps.total()));
    Ok(Verdict::Passed)
}

fn fmt(root: &Path) -> anyhow::Result<Verdict> {
    succeeds(cargo(root).args(["fmt", "--all", "--check"])).map(Verdict::of)
}

fn clippy(root: &Path) -> anyhow::Result<Verdict> {
    let what = ["--workspace", "--all-targets", "--all-features"];
    succeeds(cargo(root).arg("clippy").args(what).args(["--", "-D", "warnings"])).map(Verdict::of)
}

fn is_tidy(root: &Path) -> anyhow::Result<Verdict> {
    tidy::is_tidy(root).map(Verdict::of)
}

fn cargo_deny(root: &Path) -> anyhow::Result<Verdict> {
    Ok(deny::install(root))
}

/// The suites without the checks that have just been run.
fn tests(root: &Path) -> anyhow::Result<Verdict> {
    test::suites(root, &[], test::Checks::Skip).map(Verdict::of)
}
