//! Speaking to a running mission: at the plain prompt and from another terminal.

use std::fs;
use std::io::Write;
use std::process::{Child, ChildStdin};

use arbiter::mission::chronicle::Chronicle;
use mind::actor::{Actor, Door};
use mind::fact::{MissionFact, TalkFact};
use mind::talk::Speaker;
use mind::{Entry, Fact};
use sim::{Seat, Theatre};

use crate::{BINARY, wait_until};

/// A rehearsal without a human's part: the Arbiter asks and waits.
const SCRIPT: &str = r#"
rehearsal: 1
title: The bridge
scroll: |
  Write bridge.txt.
checks: [["test", "-f", "bridge.txt"]]
arbiter:
  - says: {intent: address_human, message: "Of stone, or of rope?"}
  - says: {intent: address_human, asks: alignment, message: "One file, bridge.txt. Shall it begin?"}
  - says: {intent: summon_orchestrator, message: "Let one come."}
  - says: {intent: address_orchestrator, message: "Write bridge.txt and commit it."}
  - says: {intent: summon_orchestrator, agent: verifier, message: "Let another look."}
  - says: {intent: address_orchestrator, message: "Audit it."}
  - says: {intent: release_orchestrators, claim: complete, message: "The bridge stands."}
orchestrators:
  - - says: {kind: introduction, expects_response: true, message: "I am Orchestrator I."}
    - does:
        - {write: bridge.txt, text: "rope\n"}
        - {commit: "Build the bridge"}
      says: {kind: handoff, expects_response: true, message: "It is built."}
  - - says: {kind: introduction, expects_response: true, message: "I am Orchestrator II."}
    - does: [{run: ["test", "-f", "bridge.txt"]}]
      says: {kind: handoff, expects_response: true, verdict: pass, findings: [], message: "It stands."}
"#;

fn bridge() -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    let theatre = theatre.with_config("docket: { headless: refuse }\n");
    fs::write(theatre.path().join("bridge.yaml"), SCRIPT).expect("a script can be written");
    theatre
}

fn script(theatre: &Theatre) -> String {
    theatre.path().join("bridge.yaml").display().to_string()
}

fn id(theatre: &Theatre) -> String {
    theatre.mission().file_name().expect("a name").to_string_lossy().into_owned()
}

fn start(theatre: &Theatre) -> Child {
    let child = theatre.start(&["run", "--headless", "--rehearsal", &script(theatre)]);
    wait_until("there is a mission", || !theatre.missions().is_empty());
    child
}

fn said_by_arbiter(theatre: &Theatre, text: &str) -> bool {
    theatre.entries(&theatre.mission()).iter().any(|entry| {
        matches!(&entry.fact, Fact::Talk(TalkFact::Said { from: Speaker::Arbiter, text: said, .. })
            if said.contains(text))
    })
}

fn find<'a, T>(entries: &'a [Entry], pick: impl Fn(&'a Fact) -> Option<T>) -> Option<T> {
    entries.iter().find_map(|entry| pick(&entry.fact))
}

#[test]
fn words_from_another_terminal_reach_the_mission() {
    let theatre = bridge();
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    let shown = theatre.run(&["show"]);
    assert!(shown.out.contains("owed      by you: an answer, without a limit"), "{}", shown.out);
    let ran = theatre.run(&["mission", "say", &id(&theatre), "Of", "rope."]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), format!("taken by mission {}", id(&theatre)).as_str()));
    let status = child.wait().expect("it ends");
    assert!(status.success(), "{status}");
    let entries = theatre.entries(&theatre.mission());
    let by = find(&entries, |fact| match fact {
        Fact::Talk(TalkFact::Said { from: Speaker::Human(by), text, .. }) if text.as_ref() == "Of rope." => {
            Some(by)
        }
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    assert_eq!(by, Some(&Actor::human(Door::Cli, "tester")));
    // Nobody was at the terminal: the yes is a policy's and says so.
    let yes = find(&entries, |fact| match fact {
        Fact::Mission(MissionFact::Consented { by, .. }) => Some(by),
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    assert_eq!(yes, Some(&Actor::Policy("headless".into())));
    theatre.assert_nobody_left();
}

#[test]
fn the_users_tree_is_untouched_and_the_work_is_a_ref() {
    let theatre = bridge();
    let before = theatre.git(&["status", "--porcelain"]) + &theatre.git(&["rev-parse", "HEAD"]);
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    theatre.run(&["mission", "say", &id(&theatre), "Rope."]);
    assert!(child.wait().expect("it ends").success());
    let after = theatre.git(&["status", "--porcelain"]) + &theatre.git(&["rev-parse", "HEAD"]);
    assert_eq!(before, after);
    let built = theatre.git(&["show", &format!("refs/arbiter/{}:bridge.txt", id(&theatre))]);
    assert_eq!(built, "rope\n");
}

#[test]
fn a_paused_mission_begins_no_turn_until_it_is_resumed() {
    let theatre = bridge();
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    let mission = id(&theatre);
    theatre.run(&["mission", "pause", &mission]);
    theatre.run(&["mission", "say", &mission, "Rope."]);
    let ran = theatre.run(&["show", &mission]);
    assert!(ran.out.contains("paused"), "{}", ran.out);
    assert!(!ran.out.contains("owed      by Orchestrator"), "{}", ran.out);
    assert!(!said_by_arbiter(&theatre, "Shall it begin"));
    theatre.run(&["mission", "resume", &mission]);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_cancelled_mission_ends_with_4_and_is_over() {
    let theatre = bridge();
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    theatre.run(&["mission", "cancel", &id(&theatre)]);
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
    let again = theatre.run(&["resume", &id(&theatre)]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("is over") && again.err.contains("hint:"), "{}", again.err);
    let words = theatre.run(&["mission", "say", &id(&theatre), "wait"]);
    assert_eq!(words.code, Some(2), "{}", words.err);
    theatre.assert_nobody_left();
}

#[test]
fn sigterm_ends_cleanly_and_words_said_meanwhile_are_heard_later() {
    let theatre = bridge();
    let child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(4));
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(err.contains("hint: `arbiter resume"), "{err}");
    assert!(err.contains("\"orchestratorNumber\":0"), "{err}");
    theatre.assert_nobody_left();

    let queued = theatre.run(&["mission", "say", &id(&theatre), "Rope."]);
    assert!(queued.out.starts_with("queued"), "{}", queued.out);
    let resumed = theatre.run(&["resume", "--headless"]);
    assert_eq!(resumed.code, Some(0), "{}\n{}", resumed.out, resumed.err);
    let asked = theatre.entries(&theatre.mission()).iter().filter(|entry| {
        matches!(&entry.fact, Fact::Talk(TalkFact::Said { text, .. }) if text.contains("Of stone"))
    }).count();
    assert_eq!(asked, 1, "no question is asked twice");
}

/// The mission ends while the words are on their way: whoever sent them is told, and nothing is left behind.
#[test]
fn words_that_come_after_the_end_are_given_back() {
    let theatre = bridge();
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    // From here on the test is the house.
    let mission = theatre.mission();
    let (mut chronicle, state, _) = Chronicle::open(&theatre.journal_of(&mission)).expect("nobody holds it");
    let say = theatre.start(&["mission", "say", &id(&theatre), "Of", "rope."]);
    let letters = || std::fs::read_dir(mission.join("inbox")).expect("an inbox").count();
    wait_until("the letter lies there", || letters() > 0);
    let by = Actor::human(Door::Cli, "ada");
    let fact = Fact::Mission(MissionFact::Cancelled { by });
    chronicle.append(&[Entry { at: state.now, fact }]).expect("written");
    chronicle.sync().expect("synced");
    drop(chronicle);
    let said = say.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(2), "{err}");
    assert!(err.contains(&format!("mission {} ended before it was heard", id(&theatre))), "{err}");
    assert!(err.contains("hint:"), "{err}");
    assert_eq!(letters(), 0, "nobody will ever read it");
}

#[test]
fn an_agent_cannot_speak_for_a_human() {
    let theatre = bridge();
    let mut child = start(&theatre);
    wait_until("it asks", || said_by_arbiter(&theatre, "Of stone"));
    for action in [&["say", "Rope."][..], &["cancel"]] {
        let (verb, words) = action.split_first().expect("a verb");
        let mission = id(&theatre);
        let typed: Vec<&str> =
            ["mission", *verb, &mission].into_iter().chain(words.iter().copied()).collect();
        let ran = theatre.run_with(&typed, &[("ARBITER_MARK_0123", "")]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains("an agent's session cannot speak for a human"), "{}", ran.err);
        assert!(ran.err.contains("hint:"), "{}", ran.err);
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(std::fs::read_dir(theatre.mission().join("inbox")).expect("an inbox").next().is_none());
    theatre.assert_nobody_left();
}

/// `script` gives the binary a terminal, so that its plain prompt is met as a person meets it.
fn at_a_terminal(theatre: &Theatre) -> (Child, ChildStdin) {
    let run = format!("{BINARY} run --rehearsal {}", script(theatre));
    let mut command = std::process::Command::new("script");
    theatre.place(&mut command);
    command.args(["--quiet", "--return", "--command", &run, "/dev/null"]);
    command.stdin(std::process::Stdio::piped());
    let mut child = command.spawn().expect("script, of util-linux, starts");
    let keys = child.stdin.take().expect("piped");
    wait_until("there is a mission", || !theatre.missions().is_empty());
    wait_until("it asks", || said_by_arbiter(theatre, "Of stone"));
    (child, keys)
}

#[test]
fn words_typed_just_before_leaving_are_heard_after_the_return() {
    let theatre = bridge();
    let (child, mut keys) = at_a_terminal(&theatre);
    write!(keys, "Of rope.\n/quit\n").expect("it can be typed");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(4), "{}", String::from_utf8_lossy(&ended.stdout));
    let entries = theatre.entries(&theatre.mission());
    let kept = |entry: &Entry| matches!(&entry.fact, Fact::Talk(TalkFact::Said { text, .. }) if text.as_ref() == "Of rope.");
    assert!(entries.iter().any(kept));
    theatre.assert_nobody_left();
}

#[test]
fn a_person_types_answers_at_the_prompt() {
    let theatre = bridge();
    let mut seat = Seat::take(theatre.command(&["run", "--rehearsal", &script(&theatre)]));
    seat.sees("Of stone, or of rope?\n> ");
    seat.types("Of rope.");
    // A person answers what they have read: the journal knows it a moment before the terminal shows it.
    seat.sees("? answer \"yes\" and nothing else to begin");
    seat.types("yes");
    let out = seat.completes();
    for way in ["your words were given to the Arbiter", "the Arbiter has heard you"] {
        assert_eq!(out.matches(way).count(), 2, "{way}, for each of two messages: {out}");
    }
    let entries = theatre.entries(&theatre.mission());
    let yes = find(&entries, |fact| match fact {
        Fact::Mission(MissionFact::Consented { by, .. }) => Some(by.to_string()),
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    assert_eq!(yes.as_deref(), Some("human:terminal:tester"));
}
