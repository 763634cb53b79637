//! Measures the conductor: what a decision's input costs after a very long history, how fast decisions are made again,
//! and what an iteration costs beside the provider's own part of it.

mod iterations;
mod replay;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use mind::conductor::memory::{Importance, Note};
use mind::conductor::next_move::DecisionPoint;
use mind::conductor::render::{self, MisreadReply};
use mind::conductor::{ConductorFact, input, legal};
use mind::play::conducted::{Conducted, plan};

use crate::figure;

/// How long the history is.
const RUNS: u32 = 100_000;
/// How often each figure is taken.
const ROUNDS: u32 = 2_000;

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let conducted = Conducted::long(RUNS);
    inputs("", &conducted);
    inputs(", long plan and 100 notes", &laden(conducted));
    replay::measure(arbiter);
    iterations::measure(arbiter);
}

fn inputs(with: &str, conducted: &Conducted) {
    let (state, now) = (&conducted.state, conducted.now);
    let Some(charter) = &state.charter else { return };
    for (call, name) in [(DecisionPoint::Select, "selection"), (DecisionPoint::Evaluate, "evaluation")] {
        let built = microseconds(|| drop(black_box(input::input(state, call, now))));
        let what = format!("input of a {name}, {RUNS} runs{with}");
        figure(&what, format!("{built:.1} µs"), "100 µs");
        let made = input::input(state, call, now);
        let json = microseconds(|| drop(black_box(serde_json::to_value(&made))));
        figure("  ... as JSON besides", format!("{json:.1} µs"), "-");
        let legal = legal::legal(state, call);
        let again = MisreadReply::default();
        let rendered =
            microseconds(|| drop(black_box(render::render(charter, state, &made, &legal, &again))));
        figure("  ... as a prompt besides", format!("{rendered:.1} µs"), "-");
    }
}

/// The same mission with as much else as decisions are told: a plan of many long steps, and many notes.
fn laden(mut conducted: Conducted) -> Conducted {
    let long = "Lay the next stone, and look whether it holds. ".repeat(40);
    let steps = vec![long.as_str(); 100];
    let plan = plan("Build the bridge.", &steps, conducted.now);
    conducted.told(ConductorFact::Planned(Box::new(plan)));
    let note = |number: u32| Note {
        title: format!("Stone {number} of the bridge").into(),
        when_to_use: Some("Whenever a stone is laid.".into()),
        tags: vec!["bridge".into(), format!("stone{number}").into()],
        importance: Importance::Medium,
        discovered_at: None,
        discovered_by: None,
        text: "It needs a pier below it and mortar beside it. ".repeat(8).into(),
    };
    conducted.told(ConductorFact::Notes((0..100).map(note).collect()));
    conducted
}

/// What one call of it takes.
fn microseconds(work: impl Fn()) -> f64 {
    work();
    let began = Instant::now();
    for _ in 0..ROUNDS {
        work();
    }
    began.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS)
}
