//! `cargo xtask mutants`: changes mind's code in small ways and sees whether its tests notice. It
//! takes cargo-mutants' own flags (`--file GLOB`, `--in-diff FILE`, `--shard K/N`, ...); without a
//! choice it takes a sample of the most important files. Survivors are no failure of the command: a
//! person looks at them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::Verdict;
use crate::shell::{answers, cargo, exit_code, program, succeeds};

/// Where the rules live that must not change unnoticed.
const SAMPLE: [&str; 6] = ["council", "session", "state", "envelope", "output", "wake"];
/// Flags that choose mutants; with any of them the sample is not ours to choose.
const CHOICES: [&str; 6] = ["--file", "-f", "--in-diff", "--shard", "--re", "-F"];

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let tool = tool(root)?;
    let reports = root.join("target/mutants");
    fs::create_dir_all(&reports).with_context(|| format!("cannot create {}", reports.display()))?;
    let mut mutants = program(root, tool);
    mutants.args(["mutants", "--package", "mind", "--output"]).arg(&reports);
    mutants.args(choice(args, |file| root.join(file).exists())).args(args);
    let code = exit_code(&mut mutants)?;
    // 0: all caught; 2: some missed; 3: some ran out of time. Anything else is no measurement.
    ensure!(matches!(code, Some(0 | 2 | 3)), "cargo mutants could not measure (exit code {code:?})");
    print!("{}", Outcome::read(&reports.join("mutants.out"))?.report());
    Ok(Verdict::Passed)
}

/// The installed cargo-mutants, or one of our own, built once.
fn tool(root: &Path) -> anyhow::Result<PathBuf> {
    let ours = root.join("target/tools/bin/cargo-mutants");
    let installed = PathBuf::from("cargo-mutants");
    for tool in [&ours, &installed] {
        if answers(program(root, tool).args(["mutants", "--version"])) {
            return Ok(tool.clone());
        }
    }
    println!("cargo-mutants is not installed: building it into target/tools");
    let mut install = cargo(root);
    install.args(["install", "--root", "target/tools", "--locked", "cargo-mutants"]);
    ensure!(
        succeeds(&mut install)?,
        "cannot install cargo-mutants\nhint: the machine needs its network for this once"
    );
    Ok(ours)
}

/// The flags that choose a sample, unless the caller has chosen.
fn choice(args: &[String], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let flag = |arg: &String| arg.split('=').next().is_some_and(|flag| CHOICES.contains(&flag));
    if args.iter().any(flag) {
        return Vec::new();
    }
    let mut flags = Vec::new();
    for name in SAMPLE {
        let (file, folder) = (format!("crates/mind/src/{name}.rs"), format!("crates/mind/src/{name}"));
        if exists(&file) {
            flags.extend(["--file".to_owned(), file]);
        }
        if exists(&folder) {
            flags.extend(["--file".to_owned(), format!("{folder}/*.rs")]);
        }
    }
    if flags.is_empty() { vec!["--shard".to_owned(), "1/8".to_owned()] } else { flags }
}

/// What became of the mutants, one line each in the tool's report.
struct Outcome {
    caught: Vec<String>,
    missed: Vec<String>,
    timeout: Vec<String>,
}

impl Outcome {
    fn read(folder: &Path) -> anyhow::Result<Outcome> {
        let lines = |name: &str| {
            let path = folder.join(name);
            let text =
                fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            anyhow::Ok(text.lines().map(str::to_owned).collect())
        };
        Ok(Outcome {
            caught: lines("caught.txt")?,
            missed: lines("missed.txt")?,
            timeout: lines("timeout.txt")?,
        })
    }

    /// A mutant that hangs the tests is noticed as well.
    fn report(&self) -> String {
        let noticed = self.caught.len() + self.timeout.len();
        let all = noticed + self.missed.len();
        if all == 0 {
            return "mutants: none were made\n".to_owned();
        }
        let survivors: String = self.missed.iter().map(|mutant| format!("survived: {mutant}\n")).collect();
        let share = 100.0 * noticed as f64 / all as f64;
        format!(
            "\n{survivors}mutants: {noticed} of {all} caught ({share:.1}%), {} survived\n",
            self.missed.len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_what_exists() {
        let exists = |path: &str| matches!(path, "crates/mind/src/state.rs" | "crates/mind/src/council");
        let expected = ["--file", "crates/mind/src/council/*.rs", "--file", "crates/mind/src/state.rs"];
        assert_eq!(choice(&[], exists), expected);
        assert_eq!(choice(&["--jobs".into(), "2".into()], exists), expected);
        assert_eq!(choice(&[], |_| false), ["--shard", "1/8"]);
    }

    #[test]
    fn whoever_chooses_gets_no_sample() {
        for flag in ["--file=x", "-f", "--in-diff", "--shard"] {
            assert_eq!(choice(&[flag.into()], |_| true), [""; 0], "{flag}");
        }
    }

    #[test]
    fn the_report_counts_a_hang_as_noticed_and_names_survivors() {
        let mutant = |name: &str| vec![name.to_owned()];
        let outcome =
            Outcome { caught: mutant("a"), missed: mutant("b.rs:1: replace c"), timeout: mutant("d") };
        let expected = "\nsurvived: b.rs:1: replace c\nmutants: 2 of 3 caught (66.7%), 1 survived\n";
        assert_eq!(outcome.report(), expected);
    }

    #[test]
    fn no_mutants_are_no_success() {
        let none = Outcome { caught: Vec::new(), missed: Vec::new(), timeout: Vec::new() };
        assert_eq!(none.report(), "mutants: none were made\n");
    }
}
