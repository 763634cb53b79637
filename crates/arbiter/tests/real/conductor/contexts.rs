//! An agent's context fills: its only turn names no window before it ends, so the program is asked for it in the middle.

use serde_json::json;
use sim::real_stage::{RealStage, bash, says};

use super::{CONFIG, agent, begin, brief, build, decider, decides, done, is_proven, planner};
use crate::window::{MILLION, holds, window_asks};

#[test]
fn an_agent_whose_context_fills_is_warned_stopped_and_asked_for_its_report() {
    let report =
        says(json!({"outcome": "failure", "summary": "The piers stand.", "failure": "The arch is missing."}));
    let developer = [
        bash("sleep 2").usage(holds(150_000)),
        bash("sleep 0.5").usage(holds(715_000)),
        bash("sleep 0.5").usage(holds(860_000)),
        bash("sleep 60").usage(holds(930_000)),
        report.when("Your context is nearly full").usage(holds(931_000)),
        build().when("The piers stand."),
        done("It is built."),
    ];
    let retry = decides("RETRY", json!({"reason": "Go on from the piers."}));
    let voices = [planner(), agent("developer", developer), decider([retry])];
    let Some(stage) = RealStage::set_with_model(crate::BINARY, MILLION, CONFIG, voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);

    assert_eq!(window_asks(&stage, 2), 1, "once in its process: {}", stage.story());
    assert_eq!(stage.count("Gauged s2 15% (150150 of 1000000"), 1, "{}", stage.story());
    for (words, percent) in [("Your context is 71% full", 70), ("Your context is 86% full", 85)] {
        assert_eq!(stage.heard_by("developer", words), 1, "{words}\n{}", stage.story());
        assert_eq!(stage.count(&format!("Warned s2 {percent}%")), 1, "{}", stage.story());
    }
    assert_eq!(stage.count("Interrupting s2 by policy:overflow"), 1, "{}", stage.story());
    assert_eq!(stage.count("Ending Timeout: The piers stand."), 1, "{}", stage.story());
    let told = brief(&stage, "developer", 2);
    assert!(told.contains("its context was full") && told.contains("The piers stand."), "{told}");
}
