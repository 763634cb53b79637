//! One trial of the copy as it stands: it is built, some hundred worlds are run from seeds, and the missions of the real
//! binary that were written for the round.

use std::fmt;
use std::process::Command;

use anyhow::{Context, ensure};

use super::copy::TreeCopy;

/// How many worlds are run before a plant counts as unseen; without a plant all of them are.
const SEEDS: u32 = 600;
/// So many at once: a plant that breaks every world is told after a few.
const SEEDS_AT_ONCE: u32 = 20;
/// The tests of the real binary whose subject is the round.
const MISSIONS: &str = "rounds::";
/// How much of what a broken law says is shown, in characters.
const LAW_CHARS_MAX: usize = 90;

/// The crates and features of both builds: one set, so that the second finds what the first has built.
const WORLDS: [&str; 8] =
    ["build", "-p", "arbiter", "-p", "sim", "--features", "arbiter/die-at", "--bin=worlds"];
const TESTS: [&str; 6] = ["test", "-p", "arbiter", "--features", "die-at", "--test=it"];

#[derive(Debug, PartialEq, Eq)]
pub enum Colour {
    Green,
    /// What failed first.
    Red(String),
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Colour::Green => f.write_str("GREEN"),
            Colour::Red(first) => write!(f, "red: {first}"),
        }
    }
}

/// How the worlds and the missions of the copy end.
pub fn run(copy: &TreeCopy, plant: &str) -> anyhow::Result<(Colour, Colour)> {
    for build in [copy.cargo().args(WORLDS), copy.cargo().args(TESTS).arg("--no-run")] {
        let (built, _, complaint) = ran(build.arg("--quiet"))?;
        ensure!(built, "the copy with plant `{plant}` does not compile\n{complaint}");
    }
    Ok((worlds(copy)?, missions(copy)?))
}

fn worlds(copy: &TreeCopy) -> anyhow::Result<Colour> {
    for from in (0..SEEDS).step_by(SEEDS_AT_ONCE as usize) {
        let (from, seeds) = (from.to_string(), SEEDS_AT_ONCE.to_string());
        let (passed, told, complaint) = ran(copy.built("worlds").args(["--from", &from, "--seeds", &seeds]))?;
        if !passed {
            let first = first_seed(&told).with_context(|| format!("the worlds name no seed\n{complaint}"))?;
            return Ok(Colour::Red(first));
        }
    }
    Ok(Colour::Green)
}

fn missions(copy: &TreeCopy) -> anyhow::Result<Colour> {
    let (passed, told, complaint) = ran(copy.cargo().args(TESTS).args(["--", MISSIONS]))?;
    let failed = failed_tests(&told);
    match (passed, failed.split_first()) {
        (true, _) => {
            // A misspelt name must not look like success.
            ensure!(told.contains(&format!("test {MISSIONS}")), "there is no test {MISSIONS}");
            Ok(Colour::Green)
        }
        (false, Some((first, []))) => Ok(Colour::Red((*first).to_owned())),
        (false, Some((first, more))) => Ok(Colour::Red(format!("{first} and {} more", more.len()))),
        (false, None) => anyhow::bail!("the missions name no test that failed\n{told}\n{complaint}"),
    }
}

/// Runs in silence; tells whether it succeeded, and what it had to say on either channel.
fn ran(command: &mut Command) -> anyhow::Result<(bool, String, String)> {
    let output =
        command.output().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.success(), text(&output.stdout), text(&output.stderr)))
}

/// The first seed that `worlds` names, with the law it broke.
fn first_seed(told: &str) -> Option<String> {
    let line = told.lines().find(|line| line.starts_with("seed "))?;
    let law = line.replace("assertion `left == right` failed: ", "");
    Some(law.chars().take(LAW_CHARS_MAX).collect())
}

/// The tests that failed, in the order in which they ended.
fn failed_tests(told: &str) -> Vec<&str> {
    let names = told.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    names.map(|name| name.strip_prefix(MISSIONS).unwrap_or(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_seed_and_the_failed_tests_are_found() {
        let told = "faults injected:\n\nseed 7 step 3: a law\n  a story\n\nseed 9 step 1: a law\n";
        assert_eq!(first_seed(told).as_deref(), Some("seed 7 step 3: a law"));
        let told =
            "running 2 tests\ntest rounds::a ... ok\ntest rounds::b ... FAILED\n\nfailures:\n    rounds::b\n";
        assert_eq!(failed_tests(told), ["b"]);
    }
}
