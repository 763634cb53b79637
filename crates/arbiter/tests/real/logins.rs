//! Logins that fail: told as what they are, at once, with what to run; a mission waits for them at a terminal and ends
//! where no person is there. Each time it goes on once the login is mended.

use std::fs;
use std::path::Path;

use providers::claude::versions::ClaudeVersion;
use serde_json::json;
use sim::api::Step;
use sim::real_stage::{RealStage, act, arbiter};

const SPOKEN: &str = "Arbiter -> human: Speak, mortal.";

/// The Arbiter's model meets `steps`, and then speaks to the human.
fn stage(steps: impl IntoIterator<Item = Step>) -> Option<RealStage> {
    stage_in(sim::claude::chosen(), steps)
}

/// The same in this version.
fn stage_in(version: ClaudeVersion, steps: impl IntoIterator<Item = Step>) -> Option<RealStage> {
    let greets = act("address_human", "Speak, mortal.");
    let voices = [arbiter(steps.into_iter().chain([greets]))];
    RealStage::set_in_version(version, crate::BINARY, "claude-opus-4-8", "", voices)
}

/// A login of claude.ai with this token, in the user's own folder.
fn log_in(stage: &RealStage, token: &str, expiry: u64) {
    let login = json!({"claudeAiOauth": {
        "accessToken": token, "refreshToken": format!("{token}-renews"), "expiresAt": expiry,
        "scopes": ["user:inference", "user:profile"], "subscriptionType": "max"
    }});
    let folder: &Path = &stage.theatre.path().join("claude");
    fs::write(folder.join(".credentials.json"), login.to_string()).expect("a file or folder can be made");
}

/// Told once, with what to run, and never as a crash or a mere retry.
fn assert_told(told: &str) {
    assert!(told.contains("cannot log in") && told.contains("claude auth login"), "{told}");
    for calm in ["resuming in", "is resumed", "tries again", "process ended"] {
        assert!(!told.contains(calm), "{calm}: {told}");
    }
}

#[test]
fn a_refused_key_ends_a_mission_without_a_person_at_once_and_resume_goes_on() {
    refused_key_ends_a_mission(sim::claude::chosen());
}

#[test]
fn a_refused_key_ends_a_mission_in_the_newest_version() {
    refused_key_ends_a_mission(sim::claude::newest());
}

fn refused_key_ends_a_mission(version: ClaudeVersion) {
    let Some(stage) = stage_in(version, [Step::status(401)]) else { return };
    let told = stage.begin().ends(5);
    assert_told(&told);
    assert!(told.contains(&format!("`arbiter resume {}`", stage.id())), "{told}");
    let asked = stage.api.requests().len();
    assert!(asked <= 2, "{asked} requests:\n{}", stage.story());
    let house = stage.resume();
    stage.wait_for(SPOKEN);
    house.stops();
}

#[test]
fn no_login_at_all_ends_it_too_and_a_key_lets_it_go_on() {
    let Some(stage) = stage([]) else { return };
    let stage = stage.with_env("ANTHROPIC_API_KEY", "");
    assert_told(&stage.begin().ends(5));
    assert_eq!(stage.api.requests().len(), 0, "{}", stage.story());
    let stage = stage.with_env("ANTHROPIC_API_KEY", "x");
    let house = stage.resume();
    stage.wait_for(SPOKEN);
    house.stops();
}

#[test]
fn at_a_terminal_it_waits_for_the_new_login_and_goes_on_with_that() {
    let Some(stage) = stage([Step::status(401)]) else { return };
    let stage = stage.with_env("ANTHROPIC_API_KEY", "");
    log_in(&stage, "sk-ant-oat01-first", 4_000_000_000_000);
    let mut window = stage.window(&["run", "scroll.md"]);
    window.sees("cannot log in");
    window.sees("claude auth login");
    // It is tried again when the person says so, not before.
    assert_eq!(stage.count("Waits s1 login"), 1, "{}", stage.story());
    log_in(&stage, "sk-ant-oat01-second", 4_000_000_000_001);
    window.types("/resume\r");
    stage.wait_for(SPOKEN);
    let requests = stage.api.requests();
    let last = requests.last().expect("it was asked");
    assert_eq!(last.header("authorization"), Some("Bearer sk-ant-oat01-second"), "{}", stage.story());
    window.types("/quit\r");
    window.sees("Leave?");
    window.types("y");
    window.ends();
    assert_eq!(stage.count("Waits s1"), 1, "{}", stage.story());
    stage.theatre.assert_nobody_left();
}
