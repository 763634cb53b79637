//! Buttons and settings that an older program left behind.

use std::fs;

use serde_json::json;

use super::{ADA, Phone};

#[test]
fn buttons_of_the_older_program_are_understood_where_they_still_fit() {
    let phone = Phone::of_ada();
    let id = phone.ask_three();
    phone.ada().says("/queue");
    let shown = phone.sees("API Design Decisions");
    let tap = |data: &str| {
        let tap = phone.ada().forges(ADA, shown.id, data);
        phone.api.wait_for_answer(&tap, super::PATIENCE).expect("an answer");
    };
    tap(&format!("open:{id}"));
    phone.sees("0/3");
    tap(&format!("start:{id}"));
    phone.sees("1/3");
    tap(&format!("answer:{id}:auth-strategy:jwt"));
    tap(&format!("answer:{id}:db:node:22"));
    tap(&format!("answer:{id}:db:pg"));
    tap(&format!("skip:{id}:name"));
    phone.sees("2 answered");
    tap(&format!("submit:{id}"));
    phone.sees("submitted");
    assert_eq!(
        phone.ledger().len(),
        4,
        "the second answer to the database decided nothing: {:?}",
        phone.ledger()
    );
    tap("queue");
    phone.sees("Decision Queue");
}

#[test]
fn an_existing_installation_goes_on_when_only_the_program_is_exchanged() {
    let mut phone = Phone::with("[]", "");
    let home = phone.theatre.path().join("home");
    fs::remove_file(home.join(".config/arbiter/config.yaml")).expect("it is there");
    fs::create_dir_all(home.join(".arbiter")).expect("a folder");
    let existing = json!({"telegram": {"token": phone.api.token(), "allowedUsers": [ADA]},
        "queue": {"dir": "~/.arbiter/queue", "watchInterval": 1000}, "notifications": {"enabled": true}});
    fs::write(home.join(".arbiter/config.json"), existing.to_string()).expect("a file");
    phone.ask_three();
    let mut command = phone.theatre.command(&["serve"]);
    command.env("ARBITER_TELEGRAM_API_URL", phone.api.url());
    let log = fs::File::create(phone.theatre.path().join("serve.err")).expect("a file");
    phone.serving = Some(command.stderr(log).stdout(std::process::Stdio::null()).spawn().expect("it starts"));
    phone.ada().says("/start");
    phone.sees("API Design Decisions");
}
