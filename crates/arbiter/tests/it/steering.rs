//! Speaking to a running mission: at the plain prompt and from another terminal.

use std::io::Write;
use std::process::{Child, ChildStdin};

use arbiter::mission::fact_log::FactLog;
use mind::actor::{Actor, Door};
use mind::fact::{MissionFact, TalkFact};
use mind::talk::Speaker;
use mind::{Entry, Fact};
use sim::{BridgeScript, Seat, Theatre};

use crate::{BINARY, wait_until};

/// The Arbiter asks a question before it asks for the yes, and waits.
fn bridge() -> Theatre {
    let turns = [
        r#"says: {intent: address_human, message: "Of stone, or of rope?"}"#,
        r#"says: {intent: address_human, asks: alignment, message: "One file, bridge.txt. Shall it begin?"}"#,
    ];
    let work = r#"{write: bridge.txt, text: "rope\n"}, {commit: "Build the bridge"}"#;
    let script = BridgeScript::new().opens_with(&turns).works(work).audited_by_hand();
    Theatre::rehearsing(BINARY, script).with_config("docket: { headless: refuse }\n")
}

fn start(theatre: &Theatre) -> Child {
    let child = theatre.start_rehearsal(&["--headless"]);
    wait_until("it asks", || said_by_arbiter(theatre, "Of stone"));
    child
}

fn said_by_arbiter(theatre: &Theatre, text: &str) -> bool {
    theatre.facts().iter().any(|fact| {
        matches!(fact, Fact::Talk(TalkFact::Said { from: Speaker::Arbiter, text: said, .. })
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
    let shown = theatre.run(&["show"]);
    assert!(shown.out.contains("owed      by you: an answer, without a limit"), "{}", shown.out);
    let ran = theatre.run(&["mission", "say", &theatre.mission_id(), "Of", "rope."]);
    assert_eq!(
        (ran.code, ran.out.trim()),
        (Some(0), format!("taken by mission {}", theatre.mission_id()).as_str())
    );
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
    theatre.run(&["mission", "say", &theatre.mission_id(), "Rope."]);
    assert!(child.wait().expect("it ends").success());
    let after = theatre.git(&["status", "--porcelain"]) + &theatre.git(&["rev-parse", "HEAD"]);
    assert_eq!(before, after);
    let built = theatre.git(&["show", &format!("refs/arbiter/{}:bridge.txt", theatre.mission_id())]);
    assert_eq!(built, "rope\n");
}

#[test]
fn a_paused_mission_begins_no_turn_until_it_is_resumed() {
    let theatre = bridge();
    let mut child = start(&theatre);
    let mission = theatre.mission_id();
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
    theatre.run(&["mission", "cancel", &theatre.mission_id()]);
    assert_eq!(child.wait().expect("it ends").code(), Some(4));
    let again = theatre.run(&["resume", &theatre.mission_id()]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("is over") && again.err.contains("hint:"), "{}", again.err);
    let words = theatre.run(&["mission", "say", &theatre.mission_id(), "wait"]);
    assert_eq!(words.code, Some(2), "{}", words.err);
    theatre.assert_nobody_left();
}

#[test]
fn sigterm_ends_cleanly_and_words_said_meanwhile_are_heard_later() {
    let theatre = bridge();
    let child = start(&theatre);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(4));
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(err.contains("hint: `arbiter resume"), "{err}");
    assert!(err.contains("\"orchestratorNumber\":0"), "{err}");
    theatre.assert_nobody_left();

    let queued = theatre.run(&["mission", "say", &theatre.mission_id(), "Rope."]);
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
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    // From here on the test is the house.
    let mission = theatre.mission();
    let (mut fact_log, state, _) = FactLog::open(&theatre.journal_of(&mission)).expect("nobody holds it");
    let say = theatre.start(&["mission", "say", &theatre.mission_id(), "Of", "rope."]);
    let letters = || std::fs::read_dir(mission.join("inbox")).expect("an inbox").count();
    wait_until("the letter lies there", || letters() > 0);
    let by = Actor::human(Door::Cli, "ada");
    let fact = Fact::Mission(MissionFact::Cancelled { by });
    fact_log.append(&[Entry { at: state.now, fact }]).expect("written");
    fact_log.sync().expect("synced");
    drop(fact_log);
    let said = say.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(2), "{err}");
    assert!(err.contains(&format!("mission {} ended before it was heard", theatre.mission_id())), "{err}");
    assert!(err.contains("hint:"), "{err}");
    assert_eq!(letters(), 0, "nobody will ever read it");
}

#[test]
fn an_agent_cannot_speak_for_a_human() {
    let theatre = bridge();
    let mut child = start(&theatre);
    for action in [&["say", "Rope."][..], &["cancel"]] {
        let (verb, words) = action.split_first().expect("a verb");
        let mission = theatre.mission_id();
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
    let mut command = std::process::Command::new("script");
    theatre.place(&mut command);
    command.args(["--quiet", "--return", "--command", &theatre.rehearsal_line(), "/dev/null"]);
    command.stdin(std::process::Stdio::piped());
    let mut child = command.spawn().expect("script, of util-linux, starts");
    let keys = child.stdin.take().expect("piped");
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
    let mut seat = Seat::take(theatre.rehearsal(&[]));
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
