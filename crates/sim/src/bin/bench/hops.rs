//! The hops of a rehearsed council by the real binary: what lies between a session's last word and the prompt that it
//! leads to, and how many processes a worker costs from its summoning to what the Arbiter says of its handoff.

use std::fs;
use std::path::Path;

use mind::fact::{LifeFact, SessionFact};
use mind::{Entry, Fact};
use serde_json::Value;
use sim::{BridgeScript, Theatre};

use crate::live::processes::Census;
use crate::{figure, median};

/// How often the worker works and the Arbiter answers in one mission.
const EXCHANGES: usize = 20;
const ROUNDS: usize = 3;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let missions: Vec<Hops> = (0..ROUNDS).map(|_| Hops::of(arbiter)).collect();
    let all = |of: fn(&Hops) -> &Vec<f64>| -> Vec<f64> { missions.iter().flat_map(of).copied().collect() };
    let (back, there) = (all(|hops| &hops.worker_ms), all(|hops| &hops.arbiter_ms));
    let what = format!("a worker's result to the next prompt, p50 of {}", back.len());
    figure(&what, format!("{:.0} ms", median(back)), "45 ms");
    figure("  ... the Arbiter's result to the worker's prompt", format!("{:.0} ms", median(there)), "-");
    let counts: Vec<f64> = (0..ROUNDS).map(|_| processes(arbiter)).collect();
    figure("processes that five hops start", format!("{:.0}", median(counts)), "15");
}

/// Milliseconds from a session's result to the other's next prompt.
struct Hops {
    worker_ms: Vec<f64>,
    arbiter_ms: Vec<f64>,
}

impl Hops {
    fn of(arbiter: &Path) -> Hops {
        let theatre = play(arbiter, EXCHANGES, |_| ()).0;
        let [arbiter, worker] =
            [1, 2].map(|session| read(&theatre.mission().join(format!("sessions/{session}.jsonl"))));
        Hops { worker_ms: gaps(&worker, &arbiter), arbiter_ms: gaps(&arbiter, &worker) }
    }
}

/// The lines that end a turn and that begin one.
struct HopBook {
    rested: Vec<f64>,
    delivered: Vec<f64>,
}

fn read(logbook: &Path) -> HopBook {
    let text = fs::read_to_string(logbook).expect("a logbook");
    let mut book = HopBook { rested: Vec::new(), delivered: Vec::new() };
    for line in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let (Some(at), Some(said)) = (line["at"].as_f64(), line["line"].as_str()) else { continue };
        if said.starts_with("{\"type\":\"rested\"") {
            book.rested.push(at);
        } else if said.starts_with("{\"type\":\"deliver\"") {
            book.delivered.push(at);
        }
    }
    book
}

/// From each end of a turn of one to the next beginning of a turn of the other. The last ones wait for other sessions.
fn gaps(ends: &HopBook, begins: &HopBook) -> Vec<f64> {
    let next = |at: f64| begins.delivered.iter().copied().find(|begun| *begun >= at);
    let first = begins.delivered.first().copied().unwrap_or(f64::MAX);
    let gaps = ends.rested.iter().copied().filter(|at| *at >= first).filter_map(|at| Some(next(at)? - at));
    gaps.take(EXCHANGES).collect()
}

/// How many processes are started between a worker's summoning and the Arbiter's next summons.
fn processes(arbiter: &Path) -> f64 {
    let (theatre, census) = play(arbiter, 1, Census::below);
    let began = census.finish();
    let summoned: Vec<f64> = theatre.entries(&theatre.mission()).iter().filter_map(summons).collect();
    let [_, from, to, ..] = summoned[..] else { panic!("an Arbiter and two workers: {summoned:?}") };
    began.iter().filter(|at| (from..to).contains(*at)).count() as f64
}

fn summons(entry: &Entry) -> Option<f64> {
    let summoned = matches!(entry.fact, Fact::Session(_, SessionFact::Life(LifeFact::Summoned(_))));
    summoned.then_some(entry.at.0 as f64)
}

/// Plays a mission to its end while something watches its process.
fn play<T>(arbiter: &Path, exchanges: usize, watch: impl FnOnce(u32) -> T) -> (Theatre, T) {
    let theatre = Theatre::rehearsing(arbiter, script(exchanges));
    let child = theatre.start_rehearsal(&["--headless", "--yes", "--pace", "fast"]);
    let watched = watch(child.id());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    (theatre, watched)
}

/// The bridge, in as many turns of both.
fn script(exchanges: usize) -> BridgeScript {
    let brief = "says: {intent: address_orchestrator, message: Lay one stone.}";
    let laid = "says: {kind: progress, expects_response: true, message: Laid.}";
    let turn = |number: usize| format!("does: [{{write: bridge.txt, text: \"{number}\"}}]\n{laid}");
    BridgeScript::new()
        .with_human()
        .checks(r#"["true"]"#)
        .then(&vec![brief; exchanges - 1])
        .first_takes(&(1..exchanges).map(turn).collect::<Vec<_>>())
        .audited_by_hand()
}
