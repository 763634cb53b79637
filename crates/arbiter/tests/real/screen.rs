//! The screen with the real program behind it: from the choice of the requirements to the proven end, all by keys.

use std::fs;

use serde_json::json;

use sim::real_stage::{RealStage, bash, mission_that_begins, reports, says};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
/// Nobody knows this command, so it asks.
const ASKS: &str = r#"awk 'BEGIN { print "ran" >> "ran.log" }'"#;

#[test]
fn a_mission_is_chosen_begun_allowed_and_seen_to_its_end() {
    let asks =
        says(json!({"intent": "address_human", "asks": "alignment", "message": "Shall the bridge begin?"}));
    let work = vec![
        bash(ASKS),
        bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge"),
        reports("handoff", "It is built."),
    ];
    let voices = mission_that_begins(vec![asks.when("Study it")], work);
    let Some(stage) = RealStage::set(crate::BINARY, CHECK, voices) else { return };
    let mut window = stage.window(&[]);
    window.sees("Begin without a file");
    window.types("scroll");
    window.sees("Write bridge.txt with the word stone");
    window.key("Enter");
    window.sees("Add that folder to .gitignore?");
    window.types("y");
    window.sees("Shall the bridge begin?");
    // While it is being said it is no question yet, and a yes would be none.
    window.sees("1 decision waits");
    window.types("yes\r");
    window.sees("may this run?");
    window.sees(ASKS);
    window.key("Esc");
    window.waits("the mode has changed", |rows| rows.iter().any(|row| row.contains("NORMAL")));
    window.types("d");
    window.sees("[y] yes, once");
    window.types("y");
    window.waits("it is answered", |_| stage.count("Answered s2 q1 yes by human:terminal:tester") == 1);
    window.types("q");
    window.sees("Done, and proven by receipts.");
    window.types("q");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
    assert!(window.is_restored());
    let ignored = fs::read_to_string(stage.theatre.project().join(".gitignore")).unwrap_or_default();
    assert_eq!(ignored, ".arbiter/\n");
    stage.theatre.assert_nobody_left();
}
