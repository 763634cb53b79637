//! What goes wrong on purpose: once, unless it is to go wrong always; and whoever takes the turn up goes on behind it.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::actor::{Actor, Theatre};

/// The only turn of Orchestrator I: a file before the mishap, and one behind it.
fn theatre(mishap: &str) -> Theatre {
    Theatre::new(&format!(
        "- does:
  - {{write: a, text: one}}
  - {mishap}
  - {{write: b, text: two}}
  says: {{kind: handoff, expects_response: true, message: Done.}}"
    ))
}

/// Waits until the actor has noted so many steps in its conversation.
fn wait_for_steps(theatre: &Theatre, count: u32) {
    let began = std::time::Instant::now();
    let noted = || std::fs::read_to_string(theatre.path().join("store/k-1.jsonl")).unwrap_or_default();
    while !noted().contains(&format!("\"done\":{count}")) {
        assert!(began.elapsed() < Duration::from_secs(10), "{}", noted());
        std::thread::sleep(Duration::from_millis(5));
    }
}

const BEHIND: [&str; 3] = ["tool_started Write b", "tool_ended true", "rested 2 Done."];

#[test]
fn a_failed_turn_is_told_again_and_the_next_goes_on_behind_it() {
    let theatre = theatre("{fail: transient, why: cut}");
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("failed").last().unwrap(), "failed 1 cut");
    actor.end();
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("failed"), ["heard 1", "failed 1 cut"]);
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested")[1..], BEHIND);
}

#[test]
fn what_a_failed_turn_cost_is_told_before_its_failure() {
    let theatre = theatre("{fail: transient, why: cut, cost_microusd: 700}");
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let told: Vec<Value> = std::iter::from_fn(|| actor.next()).skip(3).take(2).collect();
    let spent = json!({"type": "spent", "report": "t-1", "input": 0, "output": 0, "cost_microusd": 700});
    assert_eq!(told, [spent, json!({"type": "failed", "turn": 1, "kind": "transient", "why": "cut"})]);
}

#[test]
fn what_always_fails_fails_again() {
    let theatre = theatre("{fail: login, why: who, always: true}");
    let mut actor = theatre.start(&[]);
    for turn in 1..4 {
        actor.deliver(turn, &format!("t-{turn}"));
        assert_eq!(actor.until("failed").last().unwrap(), &format!("failed {turn} who"));
    }
}

#[test]
fn a_limit_names_its_end_and_keeps_to_it() {
    let theatre = theatre("{fail: limit, after: 2s}");
    let mut actor = theatre.start(&[]);
    let before = host::now_ms();
    let failed = |actor: &mut Actor| -> Value {
        actor.deliver(1, "t-1");
        std::iter::from_fn(|| actor.next()).find(|line| line["type"] == "failed").unwrap()
    };
    let first = failed(&mut actor);
    let until = first["until_ms"].as_u64().unwrap();
    assert!((before + 2_000..before + 12_000).contains(&until), "{first}");
    assert_eq!(first, failed(&mut actor), "the same end, however often it is asked");
}

#[test]
fn an_actor_dies_with_its_status_once() {
    let theatre = theatre("{die: 7}");
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("rested").last().unwrap(), "tool_ended true");
    assert_eq!(actor.end().0.code(), Some(7));
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested")[1..], BEHIND);
}

#[test]
fn an_actor_that_always_dies_never_gets_on() {
    let theatre = theatre("{die: 7, always: true}");
    for extra in [&[][..], &["--resume"], &["--resume"]] {
        let mut actor = theatre.start(extra);
        actor.deliver(1, "t-1");
        actor.until("rested");
        assert_eq!(actor.end().0.code(), Some(7));
    }
}

#[test]
fn an_actor_that_hangs_hears_nothing_until_it_is_killed() {
    let theatre = theatre("{hang: true}");
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    assert_eq!(actor.until("tool_ended").len(), 3);
    // It notes the mishap, as the second step, before it strikes: from then on nothing reaches it.
    wait_for_steps(&theatre, 2);
    actor.tell(json!({"type": "interrupt", "turn": 1}));
    actor.tell(json!({"type": "end"}));
    actor.close();
    assert_eq!(actor.silent_for(Duration::from_millis(300)), None);
    let killed = Command::new("kill").arg(actor.pid().to_string()).status().unwrap();
    assert!(killed.success() && actor.end().0.code().is_none());
    let mut actor = theatre.start(&["--resume"]);
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested")[1..], BEHIND);
}

#[test]
fn the_rest_goes_on_in_the_same_turn() {
    let table: [(&str, &[&str]); 4] = [
        ("{flood: 3}", &["tool_started Flood 1", "tool_ended true", "tool_started Flood 2"]),
        ("{awaits_human: true}", &["awaits_human true"]),
        ("{awaits_human: false}", &["awaits_human false"]),
        ("{stir: true}", &["stirred"]),
    ];
    for (mishap, lines) in table {
        let theatre = self::theatre(mishap);
        let mut actor = theatre.start(&[]);
        actor.deliver(2, "t-2");
        assert_eq!(actor.until("rested")[3..], [lines, &BEHIND].concat(), "{mishap}");
    }
}

#[test]
fn an_unreadable_end_is_mended_when_it_is_asked_again() {
    let theatre = theatre("{malformed: true}");
    let mut actor = theatre.start(&[]);
    actor.deliver(1, "t-1");
    let rested = std::iter::from_fn(|| actor.next()).find(|line| line["type"] == "rested").unwrap();
    assert!(mind::output::read_worker(Some(&rested["output"]), false).is_err(), "{rested}");
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested")[1..], BEHIND);
}

#[test]
fn an_end_is_told_twice() {
    let theatre = theatre("{twice: true}");
    let mut actor = theatre.start(&[]);
    actor.deliver(2, "t-2");
    assert_eq!(actor.until("rested").last().unwrap(), BEHIND[2]);
    assert_eq!(actor.until("rested"), [BEHIND[2]]);
}

#[test]
fn each_arbiter_of_a_mission_plays_the_part_of_its_place() {
    let theatre = Theatre::new("[]");
    let says = |word: &str| format!("  - says: {{intent: musings, message: {word}}}\n");
    let script = format!(
        "rehearsal: 1\ntitle: t\nscroll: s\narbiter:\n{}heirs:\n  -\n  {}  -\n  {}",
        says("First."),
        says("Second."),
        says("Third.")
    );
    std::fs::write(theatre.path().join("script.yaml"), script).unwrap();
    let plays = |mission: &str, key: &str, extra: &[&str]| {
        let mut command = theatre.command(&["--role", "arbiter", "--number", "0", "--mission", mission]);
        command.args(["--key", key]).args(extra);
        let mut actor = Actor::start(command);
        actor.deliver(1, "t-1");
        actor.until("rested").pop().unwrap()
    };
    assert_eq!(plays("m1", "a", &[]), "rested 1 First.");
    assert_eq!(plays("m2", "b", &[]), "rested 1 First.");
    assert_eq!(plays("m1", "c", &[]), "rested 1 Second.");
    assert_eq!(plays("m1", "a", &["--resume"]), "rested 1 First.");
    assert_eq!(plays("m1", "d", &[]), "rested 1 Third.");
    assert_eq!(plays("m1", "c", &["--resume"]), "rested 1 Second.");
    assert_eq!(plays("m1", "e", &[]), "rested 1 My part ends here.");
}
