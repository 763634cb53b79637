//! The house's end of a session: events that come, orders that go, and nothing left alive.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mind::effect::SessionCommand;
use mind::event::TurnEnd;
use mind::session::{Profile, Role};
use mind::{AgentEvent, SessionId, TurnId};
use providers::limits::{ORDERS_MAX, TOLD_BYTES_MAX};
use providers::rehearsal::{Pace, Rehearsal, RehearsalOptions};
use providers::{Handle, Refused, SessionProvider as _};
use sim::SessionSeed;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::sync::watch;
use tokio::time::timeout;

use super::actor::Theatre;

struct Session {
    handle: Handle,
    events: Receiver<AgentEvent>,
}

fn start(theatre: &Theatre, argv: &[&str], role: Role) -> Session {
    start_after(theatre, argv, role, &watch::Sender::new(0))
}

fn start_after(theatre: &Theatre, argv: &[&str], role: Role, leaving: &watch::Sender<usize>) -> Session {
    let profile = Profile {
        casting: None,
        session: SessionId(2),
        role,
        number: 1,
        provider: "rehearsal".into(),
        model: None,
        key: "k-1".into(),
        prompt: Arc::from(""),
        scout: None,
    };
    let options = RehearsalOptions {
        argv: argv.iter().map(OsString::from).collect(),
        script: theatre.path().join("script.yaml"),
        store: theatre.path().join("store"),
        pace: Pace::Fast,
    };
    let seed = SessionSeed {
        incarnation: 5,
        profile,
        folder: theatre.clone(),
        leaving: leaving.subscribe(),
        logbook: theatre.path().join("sessions/2.jsonl"),
        ..SessionSeed::new(theatre.path(), role)
    };
    let (sender, events) = channel(16);
    Session { handle: Rehearsal::new(options).start(seed.start(), sender), events }
}

const ACTOR: &[&str] = &[env!("CARGO_BIN_EXE_rehearsal-actor")];

impl Session {
    async fn next(&mut self) -> AgentEvent {
        let event = timeout(Duration::from_secs(10), self.events.recv()).await;
        event.unwrap().unwrap()
    }

    fn deliver(&mut self, turn: u32, text: &str) -> Result<(), Refused> {
        self.handle.try_order(SessionCommand::Deliver {
            turn: TurnId(turn),
            key: format!("t-{turn}"),
            text: text.into(),
            again: None,
        })
    }
}

async fn lost(argv: &[&str], theatre: &Theatre) -> String {
    let mut session = start(theatre, argv, Role::Orchestrator);
    let AgentEvent::Lost { why } = session.next().await else { panic!("it is not lost") };
    session.handle.ended().await;
    assert_eq!(session.deliver(1, "too late"), Err(Refused::Gone));
    why.to_string()
}

fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

async fn pid_in(file: &Path) -> String {
    loop {
        if let Some(pid) = std::fs::read_to_string(file).ok().filter(|text| text.ends_with('\n')) {
            return pid;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// A part whose program leaves its group and would live on for long.
const FLEES: &str = "- does: [{run: [sh, -c, 'setsid sh -c \"echo \\$\\$ > pid; exec sleep 600\" & wait']}]
  says: {kind: handoff, expects_response: true, message: Done.}";

#[tokio::test]
async fn a_rest_ends_a_turn_and_tells_nothing_of_the_clone() {
    let theatre = Theatre::new(
        "- does: [{write: a, text: one}, {commit: First}, {write: b, text: two}]
  says: {kind: handoff, expects_response: true, message: Done.}",
    );
    let mut session = start(&theatre, ACTOR, Role::Orchestrator);
    session.deliver(3, "go").unwrap();
    assert_eq!(session.next().await, AgentEvent::Heard(TurnId(3)));
    let (turn, end, tree) = loop {
        if let AgentEvent::Rested { turn, end, tree, .. } = session.next().await {
            break (turn, end, tree);
        }
    };
    assert_eq!(turn, TurnId(3));
    let TurnEnd::Spoke { output, text } = end else { panic!("it was not interrupted") };
    assert_eq!((output.unwrap()["kind"].as_str(), &*text), (Some("handoff"), "Done."));
    assert_eq!(tree, None, "a protocol driver runs no git");
    session.handle.try_order(SessionCommand::End).unwrap();
    session.handle.ended().await;
    assert!(session.events.recv().await.is_none(), "an ordered end is no loss");
    let book = std::fs::read_to_string(theatre.path().join("sessions/2.jsonl")).unwrap();
    let deliver = r#""dir":"in","line":"{\"type\":\"deliver\",\"turn\":3"#;
    assert!(book.contains(deliver) && book.contains(r#""dir":"out","line":"{\"type\":\"rested\""#), "{book}");
}

#[tokio::test]
async fn a_process_that_is_gone_is_lost_with_its_last_word() {
    let theatre = Theatre::new("[]");
    let why = lost(&["sh", "-c", "echo first >&2; echo the last word >&2; exit 7", "x"], &theatre).await;
    assert_eq!(why, "the process is gone (exit status: 7): the last word");
    let why = lost(&["sh", "-c", "kill -9 $$", "x"], &theatre).await;
    assert_eq!(why, "the process is gone (signal: 9 (SIGKILL))");
    let why = lost(&["/no/such/program"], &theatre).await;
    assert!(why.starts_with("the process cannot be started: No such file"), "{why}");
    let why = lost(&[], &theatre).await;
    assert!(why.starts_with("the process cannot be started"), "{why}");
    std::fs::write(theatre.path().join("script.yaml"), "rehearsal: 1\ntitel: x\n").unwrap();
    let why = lost(ACTOR, &theatre).await;
    assert!(why.contains("line 2: unknown key `titel` (hint:"), "{why}");
}

#[tokio::test]
async fn lines_that_nobody_knows_are_kept_and_are_one_sign_of_life() {
    let theatre = Theatre::new("[]");
    let garbage = r#"echo 'not json'; printf '\377\376\n'; echo '{"type":"heard","turn":9}'; cat >/dev/null"#;
    let mut session = start(&theatre, &["sh", "-c", garbage, "x"], Role::Orchestrator);
    assert_eq!(session.next().await, AgentEvent::Stirred);
    assert_eq!(session.next().await, AgentEvent::Heard(TurnId(9)), "two such lines in a minute are one sign");
    let book = std::fs::read_to_string(theatre.path().join("sessions/2.jsonl")).unwrap();
    assert!(book.contains(r#""line":"not json""#), "{book}");
}

#[tokio::test]
async fn an_agent_that_does_not_read_is_heard_and_ended_all_the_same() {
    let theatre = Theatre::new("[]");
    let deaf = r#"trap '' TERM; echo $$ > pid; echo '{"type":"heard","turn":9}'; while :; do sleep 1; done"#;
    let deaf = format!("cd '{}'; {deaf}", theatre.clone().display());
    let mut session = start(&theatre, &["sh", "-c", &deaf, "x"], Role::Orchestrator);
    let text = "x".repeat(100_000);
    let mut taken = 0;
    while session.deliver(taken, &text).is_ok() {
        taken += 1;
        tokio::task::yield_now().await;
    }
    assert_eq!(session.deliver(taken, &text), Err(Refused::Full));
    assert!((taken as usize) >= ORDERS_MAX);
    assert_eq!(session.next().await, AgentEvent::Heard(TurnId(9)));
    let pid = pid_in(&theatre.clone().join("pid")).await;
    let began = Instant::now();
    session.handle.try_order(SessionCommand::End).unwrap();
    assert_eq!(session.deliver(0, "no more"), Err(Refused::Gone));
    session.handle.ended().await;
    assert!(began.elapsed() < Duration::from_secs(5) && !is_alive(&pid));
}

#[tokio::test]
async fn the_end_leaves_no_process() {
    let theatre = Theatre::new(FLEES);
    let mut session = start(&theatre, ACTOR, Role::Orchestrator);
    session.deliver(1, "go").unwrap();
    let pid = pid_in(&theatre.clone().join("pid")).await;
    assert!(is_alive(&pid));
    let began = Instant::now();
    session.handle.try_order(SessionCommand::End).unwrap();
    session.handle.ended().await;
    session.handle.ended().await;
    assert!(!is_alive(&pid), "what left the group is ended too");
    assert!(began.elapsed() < Duration::from_millis(1500), "it leaves without being pushed");
}

#[tokio::test]
async fn dropping_the_handle_leaves_no_process() {
    let theatre = Theatre::new(FLEES);
    let mut session = start(&theatre, ACTOR, Role::Orchestrator);
    session.deliver(1, "go").unwrap();
    let pid = pid_in(&theatre.clone().join("pid")).await;
    drop(session);
    let deadline = Instant::now() + Duration::from_secs(3);
    while is_alive(&pid) {
        assert!(Instant::now() < deadline, "it lives on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_successor_begins_when_its_predecessor_is_gone() {
    let theatre = Theatre::new("[]");
    let leaving = watch::Sender::new(2);
    let mut session = start_after(&theatre, ACTOR, Role::Arbiter, &leaving);
    session.deliver(1, "go").unwrap();
    for left in [1, 0] {
        assert!(timeout(Duration::from_millis(200), session.events.recv()).await.is_err(), "it waits");
        assert!(!theatre.path().join("store").exists(), "no process has begun");
        leaving.send_replace(left);
    }
    assert_eq!(session.next().await, AgentEvent::Heard(TurnId(1)), "what was said meanwhile is heard");
}

#[tokio::test]
async fn a_successor_that_waits_can_be_ended() {
    let theatre = Theatre::new("[]");
    let leaving = watch::Sender::new(1);
    let mut session = start_after(&theatre, ACTOR, Role::Arbiter, &leaving);
    session.handle.try_order(SessionCommand::End).unwrap();
    timeout(Duration::from_secs(1), session.handle.ended()).await.unwrap();
    assert!(session.events.recv().await.is_none() && !theatre.path().join("store").exists());
}

#[tokio::test]
async fn a_session_carries_its_mission_and_a_mark() {
    let theatre = Theatre::new("[]");
    let script = "echo $ARBITER_MISSION >&2; env | grep -c ^ARBITER_MARK_ >&2; exit 3";
    lost(&["sh", "-c", script, "x"], &theatre).await;
    let book = std::fs::read_to_string(theatre.path().join("sessions/2.jsonl")).unwrap();
    let marks = std::env::vars().filter(|(name, _)| name.starts_with("ARBITER_MARK_")).count() + 1;
    assert!(book.contains(r#""line":"m1""#) && book.contains(&format!(r#""line":"{marks}""#)), "{book}");
}

#[tokio::test]
async fn a_long_prompt_is_heard_and_an_endless_one_is_a_loss() {
    let theatre = Theatre::new("[]");
    let mut session = start(&theatre, ACTOR, Role::Arbiter);
    session.deliver(1, &"x".repeat(5 * 1024 * 1024)).unwrap();
    assert_eq!(session.next().await, AgentEvent::Heard(TurnId(1)));
    let AgentEvent::Rested { .. } = session.next().await else { panic!("it rests") };
    session.deliver(2, &"x".repeat(TOLD_BYTES_MAX)).unwrap();
    let AgentEvent::Lost { why } = session.next().await else { panic!("it is not lost") };
    assert!(why.contains("a line from Arbiter is longer than"), "{why}");
}
