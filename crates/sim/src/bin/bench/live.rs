//! Measures a live mission with the real `claude` and a model that answers at once: what a person waits for beside the
//! model, and what of that is Arbiter's. All times are of the wall clock, in milliseconds, as the journal and the
//! logbooks have them; a fact's time is that of its decision, one sync before it can be seen.

mod account;
mod mission;
pub mod processes;
pub mod ten;

use std::path::Path;
use std::time::Duration;

use self::account::Account;
use self::mission::Mission;
use crate::{figure, median};

/// How often a person says something.
const WORDS: usize = 20;
/// How often a worker is summoned and comes to its handoff.
const SUMMONS: usize = 5;
/// Before a person speaks again, so that a session has come to rest.
const PAUSE: Duration = Duration::from_millis(100);

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let Some(claude) = sim::claude::real() else {
        return skipped("claude is not in target/tools");
    };
    let Some(mut mission) = Mission::begin(arbiter, &claude) else {
        return skipped("there is no `script`, of util-linux, to type with");
    };
    let entered: Vec<(String, f64)> = (1..=WORDS).map(|number| converse(&mut mission, number)).collect();
    for _ in 0..SUMMONS {
        mission.raise_a_bridge();
    }
    assert!(mission.api.off_script().is_empty(), "the model has a line for everything");
    let account = Account::of(&mut mission);
    words(&account, &entered);
    ends(&account);
    summons(&account);
    ten::measure(arbiter, &claude, &mission);
    mission.end();
}

fn skipped(why: &str) {
    figure("a live mission with the real claude", "skipped".to_owned(), why);
}

/// One exchange of words, and when Enter was hit for it.
fn converse(mission: &mut Mission, number: usize) -> (String, f64) {
    // Not in step with anything that looks around at intervals.
    std::thread::sleep(PAUSE + Duration::from_millis(number as u64 * 7));
    let words = format!("Say word {number}.");
    let entered = mission.type_line(&words);
    mission.wait_for_word("Heard.", number);
    (words, entered)
}

fn words(account: &Account, entered: &[(String, f64)]) {
    let since = |moment: &dyn Fn(&str) -> Option<f64>| -> Vec<f64> {
        entered.iter().filter_map(|(words, entered)| Some(moment(words)? - entered)).collect()
    };
    let asked = since(&|words| account.asked(words));
    figure(&format!("Enter, typed at a pty, to request, p50 of {}", asked.len()), spread(asked), "60 ms");
    figure("  ... to the fact that it was said", spread(since(&|words| account.said(words))), "-");
    figure(
        "  ... to the line for claude (the rest is claude's)",
        spread(since(&|words| account.given(words))),
        "-",
    );
}

fn ends(account: &Account) {
    for (who, workers) in [("Arbiter", false), ("worker", true)] {
        let (whole, ours) = account.ends(workers);
        let count = whole.len();
        figure(&format!("last byte of the API to Rested, {who}, p50 of {count}"), spread(whole), "-");
        figure("  ... of that ours, from claude's result to Rested", evened(&ours), "5 ms");
    }
}

fn summons(account: &Account) {
    let hops = account.summons();
    let part =
        |of: fn(&account::Summon) -> f64| format!("{:.2} s", median(hops.iter().map(of).collect()) / 1000.0);
    let what = format!("summon to the Arbiter's word, five hops, p50 of {}", hops.len());
    figure(&what, part(|summon| summon.whole), "2.2 s");
    figure("  ... of that until the worker's first request", part(|summon| summon.until_asked), "-");
}

/// The middle, and the mean: of times in whole milliseconds it tells more.
fn evened(values: &[f64]) -> String {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    format!("{} ms (mean {})", rounded(median(values.to_vec())), rounded(mean))
}

/// The middle, and what nine of ten do not exceed.
fn spread(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    let most = values.get((values.len() * 9).div_ceil(10).saturating_sub(1)).copied().unwrap_or(0.0);
    format!("{} ms (p90 {})", rounded(median(values)), rounded(most))
}

/// As exact as it is worth reading.
fn rounded(value: f64) -> String {
    if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
