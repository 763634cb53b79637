//! Measures what the house promises, with the goal beside each figure. It judges nothing: machines are noisy.
//! Called by `cargo xtask bench`, which passes the release binary.

mod binary;
mod disk;
mod thought;

use std::path::PathBuf;

fn main() {
    let Some(arbiter) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("error: which binary?\nhint: run `cargo xtask bench`");
        std::process::exit(2);
    };
    println!("{:<58} {:>16}   goal", "figure", "measured");
    binary::measure(&arbiter);
    // Before the disk: memory that is freed again would hide what a mission takes.
    thought::measure();
    disk::measure();
}

/// Prints one figure.
fn figure(what: &str, measured: String, goal: &str) {
    println!("{what:<58} {measured:>16}   {goal}");
}

/// The middle of several measurements.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
