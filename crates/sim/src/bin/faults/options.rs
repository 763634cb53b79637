//! Reads the command line of a walk, and walks.

use std::env;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use sim::faults::{self, FaultMode, FaultStory, WalkPlan};

/// What is to be walked.
struct Wish {
    plan: WalkPlan,
    stories: Vec<&'static dyn FaultStory>,
}

pub fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let Wish { plan, stories } = match read(&words) {
        Ok(wish) => wish,
        Err(fault) => {
            eprintln!("error: {fault}\nhint: run `cargo xtask faults`");
            return ExitCode::from(2);
        }
    };
    let began = Instant::now();
    match faults::walk(&plan, stories) {
        Ok(table) => {
            println!("\n{table}\n\n{} cases in {} s", table.cases(), began.elapsed().as_secs());
            if table.told.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read(words: &[String]) -> Result<Wish, String> {
    let (binary, mut words) = words.split_first().ok_or("which binary?")?;
    // The command runs in another folder.
    let whole = fs::canonicalize(binary).map_err(|error| format!("{binary}: {error}"))?;
    let mut plan = WalkPlan { modes: Vec::new(), ..WalkPlan::whole(whole) };
    let all = faults::stories();
    let mut stories = Vec::new();
    while let Some((word, rest)) = words.split_first() {
        words = rest;
        if !word.starts_with("--") {
            let found: Vec<_> = all.iter().filter(|story| is_named(story.name(), word)).copied().collect();
            if found.is_empty() {
                let names: Vec<&str> = all.iter().map(|story| story.name()).collect();
                return Err(format!("there is no command `{word}`; there are {}", names.join(", ")));
            }
            stories.extend(found);
            continue;
        }
        if word == "--tell-all" {
            plan.tells_all = true;
            continue;
        }
        let (value, rest) = words.split_first().ok_or_else(|| format!("{word} needs a value"))?;
        words = rest;
        let number = || value.parse().map_err(|_| format!("{word} {value}: a number is needed"));
        match word.as_str() {
            "--mode" => {
                let mode = FaultMode::of(value);
                plan.modes
                    .push(mode.ok_or_else(|| format!("there is no mode `{value}`; there are {}", modes()))?);
            }
            "--every" => plan.every = number()?,
            "--from" => plan.from = number()?,
            "--alike" => plan.alike = Some(number()?.max(1)),
            "--seed" => plan.seed = number()? as u64,
            "--workers" => plan.workers = number()?,
            "--only" => plan.only = Some(value.clone()),
            other => return Err(format!("there is no flag {other}")),
        }
    }
    if plan.modes.is_empty() {
        plan.modes = FaultMode::walked();
    }
    if stories.is_empty() {
        stories = all;
    }
    Ok(Wish { plan, stories })
}

/// `docket` and such name a group: the beginning of several names.
fn is_named(name: &str, word: &str) -> bool {
    name == word || word.strip_suffix('*').is_some_and(|start| name.starts_with(start))
}

fn modes() -> String {
    FaultMode::ALL.map(FaultMode::word).join(", ")
}
