//! `notifications.also`: programs and webhooks hear of petitions, each once, also over a restart.

use std::fs;

use serde_json::Value;

use super::server::Server;
use super::{Serving, log, until};

fn ask(theatre: &sim::Theatre, id: &str) {
    let ran = theatre.run(&["ask", "Deploy now?", "--id", id, "-o", "yes", "-o", "no"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_program_and_a_webhook_hear_of_each_petition_once() {
    let server = Server::answering(
        |_, before| if before == 0 { (500, "{}".to_owned()) } else { (200, "{}".to_owned()) },
    );
    let theatre = crate::theatre();
    let told = theatre.path().join("told");
    let theatre = theatre.with_config(&format!(
        "serve: {{health: off}}\nnotifications:\n  also:\n    - command: [sh, -c, 'cat >> {}']\n    - webhook: {}/hook/CANARY\n",
        told.display(),
        server.address()
    ));
    ask(&theatre, "before");
    let mut serving = Serving::begin(&theatre, &[]);
    serving.says("2 channel(s) of `notifications.also` are told");
    until("the beginning is found", || theatre.home().join("notified.json").exists());
    ask(&theatre, "first");
    let lines = || fs::read_to_string(&told).unwrap_or_default();
    until("the program hears it", || lines().lines().count() == 1);
    until("the webhook hears it at the second try", || server.asked().len() == 2);
    let json: Value = serde_json::from_str(&lines()).expect("JSON");
    assert_eq!(json["event"], "petition_asked");
    assert_eq!(json["title"], "Deploy now?");
    assert_eq!(json["priority"], "normal");
    assert_eq!(server.asked()[1].path, "/hook/CANARY");
    assert_eq!(serde_json::from_str::<Value>(&server.asked()[1].body).expect("JSON"), json);
    let (code, said) = serving.stop();
    assert_eq!(code, Some(0), "{said}");

    // What happens meanwhile is told at the next start, and nothing twice.
    ask(&theatre, "second");
    let _serving = Serving::begin(&theatre, &[]);
    until("both hear the second", || lines().lines().count() == 2 && server.asked().len() == 3);
    let text = log(&theatre);
    assert!(
        text.contains("also warn {webhook: http://127.0.0.1:") && text.contains("it is tried again"),
        "{text}"
    );
    assert!(!text.contains(super::CANARY), "{text}");
}

#[test]
fn a_channel_that_fails_is_told_and_given_up() {
    let theatre = crate::theatre()
        .with_config("serve: {health: off}\nnotifications: {also: [{command: [sh, -c, exit 3]}]}\n");
    let mut serving = Serving::begin(&theatre, &[]);
    until("the beginning is found", || theatre.home().join("notified.json").exists());
    ask(&theatre, "first");
    serving.says("it ends with exit status: 3; it is tried again");
    serving.says("given up after 3 tries");
    assert_eq!(serving.stop().0, Some(0));
}
