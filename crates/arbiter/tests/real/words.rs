//! Words to sessions that are busy: heard in mid-turn, and heard once.

use serde_json::json;
use sim::api::{Step, Usage};

use sim::real_stage::{RealStage, act, arbiter, bash, orchestrator, reports, says};

fn summons() -> Vec<Step> {
    vec![
        act("summon_orchestrator", "Let one come."),
        act("address_orchestrator", "Write bridge.txt.").when("I am Orchestrator I."),
    ]
}

fn introduction() -> Step {
    reports("introduction", "I am Orchestrator I.")
}

#[test]
fn the_humans_words_are_folded_into_a_running_turn() {
    let first = orchestrator(
        "I",
        [introduction(), bash("sleep 3"), reports("question", "In red, then?").when("Paint it red.")],
    );
    let manager =
        arbiter(summons().into_iter().chain([act("address_human", "It asks.").when("In red, then?")]));
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    stage.tell(&["mission", "say", "--orchestrator", &stage.id(), "Paint it red."]);
    stage.wait_for("Arbiter -> human: It asks.");
    // It was no turn of its own.
    assert_eq!(stage.count("Interjected s2"), 1, "{}", stage.story());
    assert_eq!(stage.count("InterjectionBecameTurn s2"), 0, "{}", stage.story());
    assert_eq!(stage.count("Rested s2"), 2, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "Paint it red."), 1, "{}", stage.story());
    house.stops();
}

#[test]
fn an_interjection_reaches_the_arbiter_who_relays_it_to_the_busy_orchestrator() {
    let manager = arbiter(summons().into_iter().chain([
        act("address_orchestrator", "The human wants it red.").when("Human Interjection"),
        act("address_human", "It is told.").when("Red it is."),
    ]));
    let first = orchestrator(
        "I",
        [introduction(), bash("sleep 4"), reports("question", "Red it is.").when("The human wants it red.")],
    );
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    stage.tell(&["mission", "say", &stage.id(), "Paint it red."]);
    stage.wait_for("Arbiter -> human: It is told.");
    assert_eq!(stage.heard_by("arbiter", "Human Interjection"), 1, "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "The human wants it red."), 1, "{}", stage.story());
    house.stops();
}

#[test]
fn a_busy_orchestrator_is_replaced_and_its_tool_ends_with_it() {
    let manager = arbiter(summons().into_iter().chain([
        act("summon_orchestrator", "Another shall come.").when("Human Interjection"),
        act("address_human", "It has come.").when("I am Orchestrator II."),
    ]));
    let first = orchestrator("I", [introduction(), bash("sleep 600 # the old one")]);
    let second = orchestrator("II", [reports("introduction", "I am Orchestrator II.")]);
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first, second]) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    stage.tell(&["mission", "say", &stage.id(), "Begin anew."]);
    stage.wait_for("Arbiter -> human: It has come.");
    assert_eq!(stage.agents().len(), 2, "the old process is gone: {:?}", stage.agents());
    assert!(!stage.runs("sleep 600"), "its tool is gone");
    house.stops();
}

#[test]
fn the_human_interrupts_a_turn_and_the_session_goes_on() {
    let manager = arbiter(summons().into_iter().chain([
        act("address_orchestrator", "Go on, but faster.").when("Human Interjection"),
        act("address_human", "It rests.").when("I shall."),
    ]));
    let first = orchestrator(
        "I",
        [introduction(), bash("sleep 600"), reports("question", "I shall.").when("Go on, but faster.")],
    );
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    stage.tell(&["mission", "interrupt", &stage.id()]);
    stage.wait_for("(interrupted)");
    assert!(!stage.runs("sleep 600"), "its tool is gone");
    stage.wait_for("Arbiter -> human: It rests.");
    house.stops();
}

#[test]
fn the_tool_way_says_it_all_by_tools() {
    let call = |name: &str, input| Step::tool(format!("mcp__arbiter__{name}"), input);
    let report = |kind: &str, message: &str| {
        call("report", json!({"kind": kind, "expects_response": true, "message": message}))
    };
    let manager = arbiter([
        call("ask_for_yes", json!({"message": "All of it, in one file. Yes?"}))
            .when("Study it and the code base"),
        Step::say("I have asked.").when("Noted."),
        call("spawn_orchestrator", json!({"prompt": "Write bridge.txt."})).when("The policy headless"),
        Step::say("One comes.").when("Noted."),
        Step::say("In the root of the project.").when("Where?"),
        call("spawn_orchestrator", json!({"prompt": "Audit it.", "agent": "verifier"})).when("It is built."),
        Step::say("One judges.").when("Noted."),
        call("disconnect_orchestrators", json!({"claim": "complete"})).when("Verdict: pass"),
        Step::say("The bridge stands.").when("Noted."),
    ]);
    let build = "printf 'stone\\n' > bridge.txt && git add bridge.txt && git commit -qm Bridge";
    let first = orchestrator(
        "I",
        [
            report("question", "Where?").when("Write bridge.txt."),
            Step::say("Done.").when("Noted."),
            bash(build).when("In the root of the project."),
            report("handoff", "It is built."),
            Step::say("Done.").when("Noted."),
        ],
    );
    let verdict = json!({"kind": "handoff", "expects_response": true, "message": "Sound.", "verdict": "pass",
                         "findings": []});
    let second =
        orchestrator("II", [call("report", verdict).when("Audit it."), Step::say("Done.").when("Noted.")]);
    let config = "  routing: tools\nchecks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
    let Some(stage) = RealStage::set(crate::BINARY, config, [manager, first, second]) else { return };
    stage.begin().completes();
    assert!(stage.lines().iter().any(|line| line.contains("Arbiter -> Orchestrator I: In the root")));
}

#[test]
fn a_session_beyond_the_programs_own_wall_still_hands_off() {
    // 177,000 of 200,000 tokens is where the program refuses by default; 181,150 is below our own mark of 92 %.
    let usage = |cache_read| Usage { input: 10, cache_read, cache_creation: 90, output: 50 };
    let manager =
        arbiter(summons().into_iter().chain([act("address_human", "It handed off.").when("Handoff")]));
    let first = orchestrator(
        "I",
        [
            introduction(),
            bash("sleep 0.3").usage(usage(181_000)),
            reports("handoff", "Nearly full.").usage(usage(181_500)),
        ],
    );
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: It handed off.");
    house.stops();
}

#[test]
fn a_session_that_runs_over_is_interrupted_and_hands_off() {
    let usage = |cache_read| Usage { input: 10, cache_read, cache_creation: 90, output: 50 };
    let manager =
        arbiter(summons().into_iter().chain([act("address_human", "It handed off.").when("Handoff")]));
    let first = orchestrator(
        "I",
        [
            introduction(),
            bash("sleep 20").usage(usage(190_000)),
            reports("handoff", "Full.").when("full").usage(usage(190_500)),
        ],
    );
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: It handed off.");
    assert_eq!(stage.count("Overflowed s2"), 1, "{}", stage.story());
    house.stops();
}

#[test]
fn the_gauge_knows_a_window_of_a_million() {
    let usage = Usage { input: 10, cache_read: 701_000, cache_creation: 90, output: 50 };
    let manager =
        arbiter(summons().into_iter().chain([act("address_human", "It asks.").when("Awaiting Input")]));
    let first = orchestrator(
        "I",
        [
            introduction(),
            bash("sleep 0.5").usage(usage),
            bash("sleep 0.3").usage(usage),
            reports("question", "?"),
        ],
    );
    let Some(stage) = RealStage::set_with_model(crate::BINARY, "claude-opus-4-8[1m]", "", [manager, first])
    else {
        return;
    };
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: It asks.");
    assert!(stage.lines().iter().any(|line| line.contains("701150 of 1000000")), "{}", stage.story());
    assert_eq!(stage.heard_by("orchestrator I", "Your context is 70% full"), 1, "{}", stage.story());
    house.stops();
}

#[test]
fn a_verifier_that_fails_leads_to_another_orchestrator() {
    let verdict = |verdict: &str| {
        says(json!({"kind": "handoff", "expects_response": true, "message": "Judged.", "verdict": verdict,
                    "findings": ["it is wooden"]}))
    };
    let manager = arbiter([
        says(json!({"intent": "summon_orchestrator", "agent": "verifier", "message": "Judge."})),
        act("address_orchestrator", "Audit it.").when("I am the audit."),
        act("address_human", "It failed.").when("Verdict: fail"),
    ]);
    let first = orchestrator("I", [reports("introduction", "I am the audit."), verdict("fail")]);
    let Some(stage) = RealStage::set(crate::BINARY, "", [manager, first]) else { return };
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: It failed.");
    assert!(stage.api.requests().iter().all(|request| !request.tools.iter().any(|tool| tool == "Write")));
    house.stops();
}

#[test]
fn the_projects_own_settings_do_not_run_and_its_rules_come_as_text() {
    let Some(stage) = RealStage::set(crate::BINARY, "", [arbiter([act("address_human", "Speak, mortal.")])])
    else {
        return;
    };
    let project = stage.theatre.project();
    let hook = json!({"hooks": [{"type": "command", "command": "touch \"$HOME/hooked\""}]});
    let settings = json!({"hooks": {"SessionStart": [hook.clone()], "UserPromptSubmit": [hook]}});
    let server = json!({"mcpServers": {"theirs": {"command": "touch", "args": ["served"]}}});
    std::fs::create_dir_all(project.join(".claude")).expect("a folder");
    std::fs::write(project.join(".claude/settings.json"), settings.to_string()).expect("a file");
    std::fs::write(project.join(".mcp.json"), server.to_string()).expect("a file");
    std::fs::write(project.join("CLAUDE.md"), "All bridges are grey.\n").expect("a file");
    stage.theatre.git(&["add", "-A"]);
    stage.theatre.git(&["commit", "-qm", "settings"]);
    let house = stage.begin();
    stage.wait_for("Arbiter -> human: Speak, mortal.");
    house.stops();
    let clone = stage.theatre.state().join("clones").join(stage.id());
    assert!(clone.join(".claude/settings.json").exists(), "the settings were there to be read");
    assert!(!stage.theatre.path().join("home/hooked").exists(), "a hook of the project ran");
    assert!(!clone.join("served").exists(), "a server of the project ran");
    let request = stage.requests_of("arbiter").remove(0);
    assert_eq!(request.system.matches("All bridges are grey.").count(), 1, "the rules are in the prompt");
    assert!(!request.messages().to_string().contains("All bridges are grey."), "and nowhere else");
}
