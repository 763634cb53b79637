//! Which runs an input shows: the table of the specification, through the window alone and through whole inputs.

use mind::conductor::DecisionPoint;
use mind::conductor::execution::{Execution, RunStatus};
use mind::conductor::input::{CallInput, history_window, input};
use mind::play::conducted::Conducted;

use super::stage;

const VECTORS: [(usize, &str, &str); 8] = [
    (10, "SSFFS", "1S 2S 3F 4F 5S"),
    (10, "SFFFS", "1S 2F 3F 4F 5S"),
    (10, "SFFFFFFFFS", "1S 2F 3F 4F 5F 6F 7F 8F 9F 10S"),
    (10, "FFFFFFFFFF", "1F 2F 3F 4F 5F 6F 7F 8F 9F 10F"),
    (5, "FFSSSSFSFSF", "1F 2F 7F 8S 9F 10S 11F"),
    (5, "FSSSSSFFFS", "1F 6S 7F 8F 9F 10S"),
    (10, "FFFFFSSSSSSSFFF", "4F 5F 6S 7S 8S 9S 10S 11S 12S 13F 14F 15F"),
    (10, "FFFFFSSSSSSSFF", "3F 4F 5F 6S 7S 8S 9S 10S 11S 12S 13F 14F"),
];

pub fn mission(history: &str) -> Conducted {
    let mut mission = stage::first();
    for letter in history.chars() {
        let status = match letter {
            'S' => RunStatus::Success,
            'F' => RunStatus::Failure,
            'T' => RunStatus::Timeout,
            _ => RunStatus::Cancelled,
        };
        mission.run("developer", status, 1_000, "Done, or not.", |_, _| {});
    }
    mission
}

fn shown<'a>(runs: impl IntoIterator<Item = &'a std::sync::Arc<Execution>>) -> String {
    let letter = |status| match status {
        RunStatus::Success => 'S',
        RunStatus::Failure => 'F',
        RunStatus::Timeout => 'T',
        RunStatus::Cancelled => 'C',
    };
    let runs = runs.into_iter().map(|run| format!("{}{}", run.seq, letter(run.status)));
    runs.collect::<Vec<_>>().join(" ")
}

/// The input of the call whose window this is.
fn input_of(mission: &Conducted, window: usize) -> CallInput {
    let call = if window == 10 { DecisionPoint::Select } else { DecisionPoint::Evaluate };
    input(&mission.state, call, mission.now)
}

#[test]
fn every_vector_gives_what_the_table_says() {
    for (window, history, result) in VECTORS {
        let mission = mission(history);
        let conductor = mission.state.conductor.as_ref().expect("a podium");
        assert_eq!(
            shown(&history_window(&conductor.history, &conductor.failed, window)),
            result,
            "{window} {history}"
        );
        let told = match input_of(&mission, window) {
            CallInput::Select(input) => input.history,
            CallInput::Evaluate(input) => input.history,
        };
        assert_eq!(shown(&told), result, "{window} {history}");
    }
}

#[test]
fn every_vector_is_golden_on_the_wire() {
    let golden: Vec<&str> = include_str!("vectors.golden.jsonl").lines().collect();
    let wire: Vec<String> = VECTORS
        .iter()
        .map(|(window, history, _)| {
            let input = serde_json::to_value(input_of(&mission(history), *window)).expect("an input is JSON");
            format!("{{\"window\":{window},\"vector\":\"{history}\",\"history\":{}}}", input["history"])
        })
        .collect();
    for (wire, golden) in wire.iter().zip(&golden) {
        assert_eq!(wire, golden);
    }
    assert_eq!(wire.len(), golden.len());
}

#[test]
fn timeouts_count_as_failures_and_cancellations_do_not() {
    let window = |history: &str| {
        let mission = mission(history);
        let conductor = mission.state.conductor.expect("a podium");
        shown(&history_window(&conductor.history, &conductor.failed, 5))
    };
    assert_eq!(window("FSSSSSTFTS"), "1F 6S 7T 8F 9T 10S");
    assert_eq!(window("FSSSSSCFFS"), "6S 7C 8F 9F 10S");
    assert_eq!(window("CSSSSSFFFS"), "6S 7F 8F 9F 10S");
    assert_eq!(window(""), "");
}
