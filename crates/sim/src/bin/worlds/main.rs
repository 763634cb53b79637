//! Runs worlds from seeds on all cores and counts the faults that struck and were survived. Called by `cargo xtask
//! sim`; a world that breaks a law is named by its seed, shrunk and printed.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use sim::world::{Failure, Fault, Outcome, Plan, Play, Tally, run_seed, shrink};

/// Failures that are shrunk and told; further ones are only named.
const TOLD_MAX: usize = 3;
const LINES_MAX: usize = 40;

#[derive(Default)]
struct Sum {
    worlds: u64,
    conducted: u64,
    ends: BTreeMap<&'static str, u64>,
    steps: u64,
    events: u64,
    facts: u64,
    lives: u64,
    passed_ms: u64,
    tally: Tally,
    failures: Vec<Failure>,
}

fn main() -> ExitCode {
    let Some((from, seeds)) = read_arguments() else {
        eprintln!("usage: worlds --seeds N [--from S] | --seed S");
        return ExitCode::from(2);
    };
    // A broken law is told below, with its seed; the panic's own words would only be in the way.
    std::panic::set_hook(Box::new(|_| ()));
    let began = Instant::now();
    let sum = run(from, seeds);
    sum.print(began.elapsed().as_secs_f64());
    for failure in sum.failures.iter().take(TOLD_MAX) {
        print_failure(failure);
    }
    for failure in sum.failures.iter().skip(TOLD_MAX) {
        println!("seed {} step {}: {}", failure.plan.seed, failure.step, first_line(&failure.law));
    }
    if sum.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The first seed, and how many.
fn read_arguments() -> Option<(u64, u64)> {
    let (mut from, mut seeds) = (0, 2_000);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--seeds" => seeds = number,
            "--from" => from = number,
            "--seed" => (from, seeds) = (number, 1),
            _ => return None,
        }
    }
    Some((from, seeds))
}

fn run(from: u64, seeds: u64) -> Sum {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    std::thread::scope(|scope| {
        let share = |core: u64| {
            scope.spawn(move || {
                let mut sum = Sum::default();
                let mut seed = from + core;
                while seed < from + seeds {
                    sum.add(run_seed(&Plan { seed, ..Plan::default() }));
                    seed += cores;
                }
                sum
            })
        };
        let threads: Vec<_> = (0..cores).map(share).collect();
        let mut whole = Sum::default();
        for thread in threads {
            if let Ok(sum) = thread.join() {
                whole.join(sum);
            }
        }
        whole.failures.sort_by_key(|failure| failure.plan.seed);
        whole
    })
}

impl Sum {
    fn add(&mut self, ran: Result<Outcome, Box<Failure>>) {
        self.worlds += 1;
        match ran {
            Ok(outcome) => {
                self.conducted += u64::from(outcome.conducted);
                *self.ends.entry(outcome.end).or_default() += 1;
                self.steps += outcome.steps;
                self.events += outcome.events;
                self.facts += outcome.facts;
                self.lives += outcome.lives;
                self.passed_ms += outcome.passed_ms;
                for (fault, count) in outcome.tally {
                    *self.tally.entry(fault).or_default() += count;
                }
            }
            Err(failure) => self.failures.push(*failure),
        }
    }

    fn join(&mut self, other: Sum) {
        self.worlds += other.worlds;
        self.conducted += other.conducted;
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        self.steps += other.steps;
        self.events += other.events;
        self.facts += other.facts;
        self.lives += other.lives;
        self.passed_ms += other.passed_ms;
        for (fault, count) in other.tally {
            *self.tally.entry(fault).or_default() += count;
        }
        self.failures.extend(other.failures);
    }

    fn print(&self, seconds: f64) {
        println!("faults injected and survived:");
        let mut never = 0;
        for fault in Fault::ALL {
            let count = self.tally.get(fault).copied().unwrap_or(0);
            let mark = if count == 0 { "   <== NEVER FIRED" } else { "" };
            never += u64::from(count == 0);
            println!("  {count:>8}  {}{mark}", fault.name());
        }
        let failed = self.failures.len();
        let ends: Vec<String> = self.ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
        let years = self.passed_ms as f64 / 1000.0 / 3600.0 / 24.0 / 365.0;
        println!(
            "\n{} worlds, {} of them conducted: {}, {failed} FAILED",
            self.worlds,
            self.conducted,
            ends.join(", ")
        );
        println!(
            "{} batches, {} events, {} facts, {} starts of the mission, {years:.1} years in {seconds:.1} s",
            self.steps, self.events, self.facts, self.lives
        );
        println!("{} faults in all", self.tally.values().sum::<u64>());
        if never > 0 {
            println!("{never} KINDS OF FAULT NEVER FIRED");
        }
    }
}

fn print_failure(failure: &Failure) {
    println!("\nseed {} step {}: {}", failure.plan.seed, failure.step, first_line(&failure.law));
    // A world without an end is as long as worlds get: it is told as it is.
    let shrunk = match failure.law.starts_with("stuck") {
        true => with_story(failure),
        false => shrink(failure.clone()),
    };
    let with = Fault::ALL.iter().filter(|fault| !shrunk.plan.without.contains(fault));
    let with: Vec<&str> = with.map(|fault| fault.name()).collect();
    println!("shrunk to step {} with {:?} faults of: {}", shrunk.step, shrunk.plan.budget, with.join("; "));
    let from = shrunk.story.len().saturating_sub(LINES_MAX);
    for line in &shrunk.story[from..] {
        println!("  {line}");
    }
    println!("  => {}", shrunk.law.chars().take(3_000).collect::<String>());
    let play = if failure.law.starts_with("stuck") { None } else { Play::of(&shrunk) };
    match play {
        Some(play) => {
            println!("\nthe mind alone breaks it; paste this into crates/sim/tests/it/plays.rs:\n");
            println!("{}", play.test());
        }
        None => println!(
            "\nthe mind alone, told the same, keeps this law: it takes the disk or the world around it; `--seed {}` \
             with the kinds of fault above shows it",
            shrunk.plan.seed
        ),
    }
}

fn with_story(failure: &Failure) -> Failure {
    let plan = Plan { told: true, ..failure.plan.clone() };
    run_seed(&plan).err().map_or_else(|| failure.clone(), |failure| *failure)
}

fn first_line(law: &str) -> &str {
    law.lines().next().unwrap_or("")
}
