//! Missions by phone: seen, spoken to, asked for a yes, cancelled.

use super::{ADA, Phone};

pub const SCRIPT: &str = r#"rehearsal: 1
title: The greeting
scroll: |
  A file `greeting.txt` that says hello.
arbiter:
  - says: { intent: address_human, asks: alignment, message: "One file, one word. Shall it begin?" }
  - says: { intent: address_human, message: "I have heard you. What else?" }
  - says: { intent: address_human, message: "Heard again." }
"#;

#[test]
fn a_mission_asks_on_the_phone_and_is_spoken_to_and_cancelled_there() {
    let phone = of_a_mission(SCRIPT);
    let mut mission = phone.theatre.start_rehearsal(&["--headless"]);
    phone.sees("0/1");
    phone.taps("▶️ Continue", "Shall it begin?");
    phone.tap("A");
    phone.sees("answered");
    phone.taps("📤 Submit", "submitted");
    phone.sees("I have heard you");
    phone.ada().says("/missions");
    phone.sees("Missions");
    phone.taps("1", "greeting.txt");
    phone.ada().says("how far is it?");
    phone.sees("how far is it?");
    phone.theatre.waits_for("how far is it?");
    phone.ada().says("/missions");
    phone.sees("Missions");
    phone.taps("1", "greeting.txt");
    phone.taps("Cancel", "Cancel this mission?");
    phone.tap("ancel");
    assert_eq!(mission.wait().expect("it ends").code(), Some(4));
    phone.sees("cancelled");
}

/// A person whose mission is rehearsed.
pub fn of_a_mission(script: &str) -> Phone {
    told_so(script, "{gather: 1s}")
}

/// The same, who is told of what is new as this says.
pub fn told_so(script: &str, notifications: &str) -> Phone {
    let theatre = sim::Theatre::rehearsing(crate::BINARY, script).with_env("LC_ALL", "C.UTF-8");
    let theatre = theatre.with_config(&format!(
        "telegram: {{allowedUsers: [{ADA}]}}\nserve: {{health: off}}\nnotifications: {notifications}\n"
    ));
    let mut phone = Phone { theatre, api: sim::bot_api::BotApi::start(), serving: None };
    phone.serve();
    phone.ada().says("/start");
    phone.sees("Decision Queue");
    phone
}

#[test]
fn a_mission_that_ended_while_the_door_was_closed_is_told_once_when_it_is_open() {
    let mut phone = of_a_mission(&sim::BridgeScript::new().asks_nothing().to_string());
    phone.kill();
    assert_eq!(phone.theatre.rehearse(&["--headless", "--yes"]).code, Some(0));
    phone.serve();
    phone.sees("🏁");
    assert_eq!(phone.stop(), Some(0));
    phone.serve();
    phone.ada().says("/status");
    phone.sees("Telegram is reached");
    let sent = phone.api.requests_of("sendMessage");
    let told = sent.iter().filter(|request| request.parameters["text"].to_string().contains("🏁"));
    assert_eq!(told.count(), 1);
}

#[test]
fn a_mission_that_is_parked_at_a_limit_is_told_with_its_time() {
    let script = SCRIPT.replace(
        r#"  - says: { intent: address_human, asks: alignment"#,
        "  - does: [{ fail: limit, why: \"usage limit reached\", after: 45m }]\n    says: { intent: address_human, asks: alignment",
    );
    let phone = of_a_mission(&script);
    let mut mission = phone.theatre.start_rehearsal(&["--headless"]);
    let told = phone.sees("⏳");
    assert!(
        told.text.contains("parked at a usage limit") && told.text.contains("tries again in 4"),
        "{}",
        told.text
    );
    mission.kill().expect("it runs");
    mission.wait().expect("it ends");
}
