//! Measures what Arbiter promises, with the goal beside each figure. It judges nothing: machines are noisy.
//! Called by `cargo xtask bench`, which passes the release binary; with the word `conductor`, `hops`, `live`,
//! `screen`, `scene` (a part of it), `docket` or `telegram` after it, only that is measured.

mod binary;
mod conductor;
mod disk;
mod docket;
mod hops;
mod live;
mod screen;
mod telegram;
mod thought;

use std::path::PathBuf;

fn main() {
    let mut words = std::env::args_os().skip(1);
    let Some(first) = words.next() else {
        eprintln!("error: which binary?\nhint: run `cargo xtask bench`");
        std::process::exit(2);
    };
    if first == live::ten::HOLD {
        return live::ten::run_sessions(words);
    }
    let arbiter = PathBuf::from(first);
    println!("{:<58} {:>16}   goal", "figure", "measured");
    let only = words.next();
    if only.is_none() {
        binary::measure(&arbiter);
        // Before the disk: memory that is freed again would hide what a mission takes.
        thought::measure();
        disk::measure();
    }
    if only.as_ref().is_none_or(|word| word == "conductor") {
        conductor::measure(&arbiter);
    }
    if only.as_ref().is_none_or(|word| word == "hops") {
        hops::measure(&arbiter);
    }
    if only.as_ref().is_none_or(|word| word == "docket") {
        docket::measure();
    }
    if only.as_ref().is_none_or(|word| word == "telegram") {
        telegram::measure(&arbiter);
    }
    if only.as_ref().is_none_or(|word| word == "screen") {
        screen::measure(&arbiter);
    } else if only.as_ref().is_some_and(|word| word == "scene") {
        screen::scene::measure(&arbiter);
    }
    if only.is_none_or(|word| word == "live") {
        live::measure(&arbiter);
    }
}

/// Prints one figure.
fn figure(what: &str, measured: String, goal: &str) {
    println!("{what:<58} {measured:>16}   {goal}");
}

/// The value that this part of all values does not exceed.
fn part(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part).ceil() as usize;
    values.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The middle of several measurements.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
