//! Missions by phone: seen, spoken to, asked for a yes, cancelled.

use super::{ADA, Phone};

const SCRIPT: &str = r#"rehearsal: 1
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
    let phone = {
        let theatre = sim::Theatre::rehearsing(crate::BINARY, SCRIPT).with_env("LC_ALL", "C.UTF-8");
        let theatre = theatre.with_config(&format!(
            "telegram: {{allowedUsers: [{ADA}]}}\nserve: {{health: off}}\nnotifications: {{gather: 1s}}\n"
        ));
        let mut phone = Phone { theatre, api: sim::bot_api::BotApi::start(), serving: None };
        phone.serve();
        phone.ada().says("/start");
        phone.sees("Decision Queue");
        phone
    };
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
