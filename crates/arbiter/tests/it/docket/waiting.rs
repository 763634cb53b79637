//! `await`, and `ask --wait`: woken by the end and by nothing else.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sim::Ran;

use super::{asked, done, json, small, told};
use crate::wait_until;

#[test]
fn an_answer_wakes_whoever_waits() {
    let (theatre, id) = small();
    let waits = theatre.start(&["await", &id, "--json"]);
    let began = Instant::now();
    done(&theatre, &["answer", &id, "deploy", "yes", "--submit"]);
    let ran = Ran::from(waits.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let got = json(&ran.out);
    assert_eq!((&got["state"], &got["answers"]["deploy"]), (&"decided".into(), &"yes".into()));
    assert!(began.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_timeout_is_pending_and_no_answer() {
    let (theatre, id) = asked();
    done(&theatre, &["answer", &id, "db", "pg"]);
    let ran = theatre.run(&["await", &id, "--timeout", "1", "--json"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let told = json(&ran.out);
    assert_eq!((&told["state"], &told["remaining"]), (&"pending".into(), &2.into()));
    assert!(told.get("answers").is_none());
    let hinted = |told: &serde_json::Value, command: &str| {
        let hint = told["hint"].as_str().unwrap_or_default();
        assert!(hint.contains(&format!("`arbiter {command} {id}`")) && !hint.contains("arbiter_"), "{told}");
    };
    hinted(&told, "await");
    hinted(&json(&theatre.run(&["get", &id, "--json"]).out), "await");
    hinted(&json(&super::fed(&theatre, &["ask", "--json"], super::BATCH).out), "status");
    let ran = theatre.run(&["await", &id, "--timeout", "0s"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.out.starts_with("pending: 2 of 3 are open"), "{}", ran.out);
    assert!(ran.err.contains("waits again"), "{}", ran.err);
}

#[test]
fn what_was_withdrawn_or_has_expired_is_a_failure_with_its_reason() {
    let (theatre, id) = small();
    done(&theatre, &["withdraw", &id, "--why", "changed my mind"]);
    let ran = theatre.run(&["await", &id]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("was withdrawn: changed my mind"), "{}", ran.err);
    let id = done(&theatre, &["ask", "Soon?", "-o", "yes", "--deadline", "1s"]);
    let ran = theatre.run(&["await", id.trim(), "--timeout", "20s", "--json"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    let told = json(&ran.out);
    assert_eq!(told["state"], "expired", "{told}");
    assert!(told["reason"].as_str().is_some_and(|why| why.contains("deadline")), "{told}");
}

#[test]
fn at_the_deadline_a_default_is_the_policys() {
    let (theatre, _) = small();
    let id = done(
        &theatre,
        &["ask", "Soon?", "--id", "s", "-o", "yes", "-o", "no", "--deadline", "1s", "--default", "no"],
    );
    let got = json(&theatre.run(&["await", id.trim(), "--timeout", "20s", "--json"]).out);
    assert_eq!((&got["state"], &got["answers"]["s"]), (&"decided".into(), &"no".into()), "{got}");
    assert_eq!(got["provenance"]["s"]["by"], "policy:default");
    let stats = told(&theatre, &["stats", "--json"]);
    assert_eq!((&stats["answered"], &stats["byDoor"]["policy"]["answers"]), (&0.into(), &1.into()));
}

#[test]
fn leaving_with_ctrl_c_loses_nothing() {
    let (theatre, id) = small();
    let mut command = theatre.command(&["await", &id]);
    let remarks = theatre.path().join("remarks");
    command.stderr(Stdio::from(std::fs::File::create(&remarks).expect("a file")));
    let mut child = command.spawn().expect("it starts");
    let waits = || std::fs::read_to_string(&remarks).is_ok_and(|text| text.contains("waiting for"));
    wait_until("it waits", waits);
    kill_process(Pid::from_child(&child), Signal::INT).expect("it is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
    assert_eq!(told(&theatre, &["status", &id, "--json"])["status"], "pending");
}

#[test]
fn asking_and_waiting_are_one_command() {
    let theatre = super::theatre();
    let waits =
        theatre.start(&["ask", "Go?", "--id", "go", "-o", "yes", "--wait", "--timeout", "1m", "--json"]);
    let mut id = String::new();
    wait_until("it is asked", || {
        let inbox = told(&theatre, &["inbox", "--json"]);
        id = inbox["petitions"][0]["id"].as_str().unwrap_or_default().to_owned();
        !id.is_empty()
    });
    done(&theatre, &["answer", &id, "go", "yes", "--submit"]);
    let ran = Ran::from(waits.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["answers"]["go"], "yes", "one JSON object on stdout");
    let ran = theatre.run(&["ask", "Again?", "-o", "yes", "--wait", "--timeout", "0"]);
    assert_eq!((ran.code, ran.out.starts_with("pending: ")), (Some(3), true), "{}", ran.out);
}
