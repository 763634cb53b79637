//! From the scroll to the proof, with failing tests, a review that wants changes, a claim that is turned back.

use std::fs;

use serde_json::json;

use super::{
    CONFIG, DECIDER, agent, begin, brief, build, decided, decider, decisions, done, is_proven, judges,
    planner, plans, selects, shown,
};
use sim::real_stage::{RealStage, bash, says};

#[test]
fn a_plan_failing_tests_a_review_that_wants_changes_and_the_proof() {
    let note = json!({"title": "Bridges here are of stone", "whenToUse": "before building a bridge",
                      "tags": ["bridge"], "importance": "medium", "text": "The check greps for it."});
    let keeper = agent(
        "memory keeper",
        [says(json!({"outcome": "success", "summary": "One note.", "notes": [note]}))],
    );
    let voices = [
        agent(
            "planner",
            [plans(&[("Build the bridge", "developer"), ("Test it", "tester"), ("Review it", "reviewer")])],
        ),
        agent(
            "developer",
            [
                bash("printf 'wood\n' > bridge.txt && git add -A && git commit -qm Bridge"),
                done("It is built of wood."),
                bash("printf 'sand\n' > bridge.txt && git commit -qam Mended"),
                done("It is of sand now."),
                build(),
                done("It is of stone now."),
            ],
        ),
        agent("tester", [judges("someFailures", &["bridge.txt:1: wood burns"]), judges("allPassed", &[])]),
        agent(
            "reviewer",
            [judges("needsChanges", &["bridge.txt:1: sand is no stone"]), judges("approved", &[])],
        ),
        decider([selects("tester"), selects("tester"), selects("reviewer"), selects("reviewer")]),
        keeper,
    ];
    let config = CONFIG.replace("memory: { keeper: off }\n", "");
    let Some(stage) = RealStage::set(crate::BINARY, &config, voices) else { return };
    begin(&stage).completes();
    is_proven(&stage);
    let expected = [
        "rules: SELECT_MODE planner",
        "rules: SELECT_MODE developer",
        "model: SELECT_MODE tester",
        "rules: SELECT_MODE developer",
        "model: SELECT_MODE tester",
        "model: SELECT_MODE reviewer",
        "rules: SELECT_MODE developer",
        "model: SELECT_MODE reviewer",
        "rules: COMPLETE",
    ];
    assert_eq!(decided(&stage), expected, "{}", stage.story());
    // Whoever mends is told what is wrong, and only then.
    assert!(brief(&stage, "developer", 2).contains("bridge.txt:1: wood burns"));
    assert!(brief(&stage, "developer", 3).contains("bridge.txt:1: sand is no stone"));
    assert!(!brief(&stage, "developer", 1).contains("wood burns"));
    // A decision is one short call without tools; what it cost is known.
    for request in stage.requests_of(DECIDER) {
        assert_eq!(request.tools, ["StructuredOutput"], "{:?}", request.tools);
    }
    let records = decisions(&stage);
    let asked = records.iter().filter(|record| !record.replies.is_empty());
    for record in asked {
        assert_eq!(record.replies.len(), 1);
        assert!(record.prompt.is_some() && record.replies[0].tokens.is_some(), "{record:?}");
    }
    let shown = shown(&stage);
    let conductor = &shown["conductor"];
    assert_eq!(conductor["iterations"], 8, "{shown}");
    assert_eq!(conductor["objections"], json!([]), "{shown}");
    assert_eq!(conductor["lastDecision"]["source"], "rules", "{shown}");
    let steps = conductor["plan"]["steps"].as_array().expect("steps");
    assert!(steps.iter().all(|step| step["status"] == "complete"), "{shown}");
    // The note is kept for later missions.
    let notes = fs::read_dir(stage.theatre.project().join(".arbiter/memory")).expect("notes");
    let notes: Vec<String> =
        notes.flatten().map(|note| fs::read_to_string(note.path()).unwrap_or_default()).collect();
    assert!(notes.len() == 1 && notes[0].contains("Bridges here are of stone"), "{notes:?}");
}

#[test]
fn a_claim_with_a_red_check_is_turned_back_mended_and_proven() {
    let voices = [
        planner(),
        agent(
            "developer",
            [
                bash("printf 'wood\n' > bridge.txt && git add -A && git commit -qm Bridge"),
                done("All checks pass."),
                build(),
                done("Now they do."),
            ],
        ),
        // What the plan has done is claimed by the rules; what a claim was turned back for is the model's.
        decider([selects("developer")]),
    ];
    let Some(stage) = RealStage::set(crate::BINARY, CONFIG, voices) else { return };
    begin(&stage).completes();
    assert_eq!(stage.count("TurnedBack"), 1, "{}", stage.story());
    let told = brief(&stage, "developer", 2);
    assert!(told.contains("turned back") && told.contains("grep -q stone bridge.txt"), "{told}");
    assert_eq!(stage.requests_of("developer").len(), 4, "{}", stage.story());
    assert_eq!(stage.count("Receipt"), 2, "one red, one green:\n{}", stage.story());
    super::replays(&stage);
}
