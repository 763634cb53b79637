//! Limits of a council, by the real binary: each ends it with exit code 3, tells what helps, and a raised one lets the same
//! mission go on to its end.

use mind::state::Ended;
use sim::Theatre;

use crate::BINARY;

const SCRIPT: &str = r#"
rehearsal: 1
title: The greeting
scroll: |
  A file `greeting.txt` that says hello.
checks:
  - ["grep", "-q", "hello", "greeting.txt"]
arbiter:
  - says: { intent: summon_orchestrator, message: "Awaken." }
  - says: { intent: address_orchestrator, message: "Write greeting.txt. It says hello." }
  - says: { intent: summon_orchestrator, agent: verifier, message: "Let another judge it." }
  - says: { intent: address_orchestrator, message: "Judge it." }
  - says: { intent: release_orchestrators, claim: complete, message: "It is done, and proven." }
orchestrators:
  - - says: { kind: introduction, expects_response: true, message: "I am Orchestrator I." }
    - does:
        - { write: greeting.txt, text: "hello\n" }
        - { commit: "Greet" }
      says: { kind: handoff, expects_response: true, message: "Written and committed." }
      spent: { input: 30000, output: 100 }
      cost_microusd: 5000000
  - - says: { kind: introduction, expects_response: true, message: "I am the verifier." }
    - says: { kind: handoff, expects_response: true, verdict: pass, message: "It says hello." }
"#;

const FLAGS: [&str; 4] = ["--headless", "--yes", "--pace", "fast"];

fn council(limits: &str) -> Theatre {
    let theatre =
        Theatre::rehearsing(BINARY, SCRIPT).with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
    theatre.with_config(&format!("{limits}\n"))
}

#[test]
fn a_council_ends_at_its_budget_and_goes_on_when_it_is_raised() {
    for (limits, key, raised) in [
        ("limits: { budgetUsd: 1 }", "limits.budgetUsd", "limits: { budgetUsd: 90 }"),
        ("limits: { budgetTokens: 20000 }", "limits.budgetTokens", "limits: { budgetTokens: 900000 }"),
    ] {
        let theatre = council(limits);
        let ran = theatre.rehearse(&FLAGS);
        assert_eq!(ran.code, Some(3), "{limits}: {}\n{}", ran.out, ran.err);
        assert!(ran.err.contains(key) && ran.err.contains("arbiter resume"), "{}", ran.err);
        assert!(ran.err.contains("used so far: 30.1k tokens, $5.00"), "{}", ran.err);
        let again = theatre.run(&["resume", "--headless"]);
        assert_eq!(again.code, Some(3), "{}", again.err);
        assert!(again.err.contains("is at its limit") && again.err.contains(key), "{}", again.err);
        let file = theatre.path().join("home/.config/arbiter/config.yaml");
        let text = std::fs::read_to_string(&file).expect("there is a configuration");
        std::fs::write(file, text.replace(limits, raised)).expect("it can be written");
        let ran = theatre.run(&["resume", "--headless"]);
        assert_eq!(ran.code, Some(0), "{limits}: {}\n{}", ran.out, ran.err);
        assert!(matches!(theatre.mission_state().ended, Some(Ended::Completed(_))));
    }
}

#[test]
fn a_turn_of_a_summoned_agent_ends_at_the_limit_of_its_agent_and_another_goes_on() {
    let theatre = council("limits: { maxFailures: 9 }");
    let agents = theatre.path().join("home/.config/arbiter/agents");
    std::fs::create_dir_all(&agents).expect("a folder");
    let swift = "---\nname: swift\nlimits: { timeout: 2s, maxIterations: 1 }\n---\nBe swift.\n";
    std::fs::write(agents.join("swift.md"), swift).expect("a file");
    let summons = r#"- says: { intent: summon_orchestrator, message: "Awaken." }"#;
    let swift = r#"  - says: { intent: summon_orchestrator, agent: swift, message: "Awaken, swift one." }"#;
    let word = r#"  - says: { intent: address_orchestrator, message: "Take your time." }"#;
    let slow = r#"  - - says: { kind: introduction, expects_response: true, message: "I am swift." }
    - does: [{ run: ["sleep", "60"] }]
      says: { kind: handoff, expects_response: true, message: "Too late." }"#;
    let script = SCRIPT
        .replace(&format!("  {summons}"), &format!("{swift}\n{word}\n{swift}\n  {summons}"))
        .replace("orchestrators:", &format!("orchestrators:\n{slow}"));
    theatre.write_script(script);
    let ran = theatre.rehearse(&FLAGS);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    assert!(ran.out.contains("Orchestrator I (swift) reached a limit of its agent"), "{}", ran.out);
    assert!(ran.out.contains("swift was summoned as often as its file lets it be (1)"), "{}", ran.out);
    assert!(!ran.out.contains("Too late."), "{}", ran.out);
    theatre.assert_nobody_left();
}

#[test]
fn a_council_ends_at_its_deadline() {
    let theatre = council("limits: { deadline: 2s }");
    theatre.write_script(SCRIPT.replace("{ commit: \"Greet\" }", "{ run: [\"sleep\", \"60\"] }"));
    let ran = theatre.rehearse(&FLAGS);
    assert_eq!(ran.code, Some(3), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("limits.deadline"), "{}", ran.err);
    theatre.assert_nobody_left();
}

#[test]
fn endless_summoning_ends_at_the_failures_that_are_allowed() {
    let theatre = council("limits: { maxFailures: 3 }");
    let summons = "  - says: { intent: summon_orchestrator, message: \"Another.\" }\n".repeat(29);
    let part =
        "  - - says: { kind: introduction, expects_response: true, message: \"I am here.\" }\n".repeat(29);
    theatre.write_script(format!(
        "rehearsal: 1\ntitle: Summons\nscroll: |\n  Build.\narbiter:\n{summons}orchestrators:\n{part}"
    ));
    let ran = theatre.rehearse(&FLAGS);
    assert_eq!(ran.code, Some(3), "{}\n{}", ran.out, ran.err);
    assert_eq!(theatre.mission_state().orchestrators, 3);
    assert!(ran.err.contains("limits.maxFailures"), "{}", ran.err);
}

const FAILS: &str = r#"
rehearsal: 1
title: The greeting
scroll: |
  A file `greeting.txt` that says hello.
agents:
  planner:
    - - says: { outcome: failure, summary: "No idea.", failure: "No idea." }
    - - says: { outcome: failure, summary: "Still none.", failure: "Still none." }
    - - says: { outcome: failure, summary: "None at all.", failure: "None at all." }
"#;

#[test]
fn failures_in_a_row_are_a_limit_of_a_conducted_mission_like_any_other() {
    let theatre = council("limits: { maxFailures: 1 }");
    theatre.write_script(FAILS);
    let ran = theatre.rehearse(&["--way", "conductor", "--headless", "--pace", "fast"]);
    assert_eq!(ran.code, Some(3), "{}\n{}", ran.out, ran.err);
    assert!(ran.err.contains("limits.maxFailures") && ran.err.contains("arbiter resume"), "{}", ran.err);
    let again = theatre.run(&["resume", "--headless"]);
    assert_eq!(again.code, Some(3), "{}", again.err);
    assert!(again.err.contains("is at its limit"), "{}", again.err);
    let file = theatre.path().join("home/.config/arbiter/config.yaml");
    let text = std::fs::read_to_string(&file).expect("there is a configuration");
    std::fs::write(file, text.replace("maxFailures: 1", "maxFailures: 2")).expect("it can be written");
    let raised = theatre.run(&["resume", "--headless"]);
    assert_eq!(raised.code, Some(3), "{}\n{}", raised.out, raised.err);
    let runs = theatre.mission_state().conductor.map_or(0, |conductor| conductor.history.len());
    assert_eq!(runs, 2, "one more run was allowed: {}", raised.err);
}
