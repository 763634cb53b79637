//! The status line of a mission, wherever it stands.

use mind::fact::MissionFact;
use mind::play::Stage;
use mind::{Entry, Fact, State, Timestamp};
use view::status::{StatusLine, status};
use view::tone::Tone;

/// Every form of a fact.
const FACTS: &str = include_str!("../../../mind/tests/it/facts.golden.jsonl");

/// A mission after these facts of the golden file, each the first that has these words.
fn after(words: &[&str]) -> StatusLine {
    let mut state = State::default();
    for words in words {
        let line = FACTS.lines().find(|line| line.contains(words)).expect("such a fact");
        let fact: Fact = serde_json::from_str(line).expect("a golden line is a fact");
        state.apply(&Entry { at: Timestamp(1), fact });
    }
    status(&state, Timestamp(2))
}

fn line(text: &str, tone: Tone) -> StatusLine {
    StatusLine { text: text.to_owned(), tone }
}

#[test]
fn it_says_what_happens_what_is_waited_for_and_how_it_ended() {
    let (opened, clone) = ("{\"mission\":{\"opened\"", "clone_ready");
    assert_eq!(after(&[]), line("The mission is starting.", Tone::Quiet));
    assert_eq!(after(&[opened]), line("The clone is being prepared.", Tone::Quiet));
    assert_eq!(after(&[opened, clone, "\"paused\""]), line("Paused: /resume continues.", Tone::Warning));
    assert_eq!(after(&[opened, "\"proven\""]), line("Done, and proven by receipts.", Tone::Good));
    assert_eq!(after(&[opened, "\"failed\":{\"why\""]), line("Failed: three runs failed", Tone::Bad));
    assert_eq!(after(&["\"conducting\""]), line("The clone is being prepared.", Tone::Quiet));
    assert_eq!(after(&["\"conducting\"", clone]), line("The mission is starting.", Tone::Plain));
}

#[test]
fn an_end_is_an_end_in_both_ways() {
    let ended = |fact: MissionFact| {
        let fact = Fact::Mission(fact);
        let mut state = State::default();
        state.apply(&Entry { at: Timestamp(1), fact });
        status(&state, Timestamp(2))
    };
    let why = "no \u{1b}[31miterations left".into();
    let told = ended(MissionFact::Exhausted { why });
    assert_eq!(told, line("A limit was reached: no iterations left", Tone::Bad));
}

/// A council after these lines of a play.
fn council(lines: &[&str]) -> String {
    let mut stage = Stage::new();
    for line in lines {
        stage.set_up(line);
    }
    status(&stage.state, stage.state.now).text
}

#[test]
fn the_session_that_is_waited_for_is_named() {
    assert_eq!(council(&["at work"]), "Orchestrator I is at work.");
    assert_eq!(
        council(&["at work", "orchestrator limited +1h: usage limit"]),
        "Orchestrator I waits for a limit of its provider to end; /resume tries at once."
    );
}

#[test]
fn a_login_that_is_wanted_is_an_alarm_with_what_to_run() {
    let mut stage = Stage::new();
    for line in ["opened", "arbiter unauthorised: 401"] {
        stage.set_up(line);
    }
    let told = status(&stage.state, stage.state.now);
    assert_eq!(
        told,
        line("Arbiter cannot log in: mend the login of provider rehearsal, then /resume.", Tone::Bad)
    );
    assert_eq!(view::login::login_command("claude"), "run `claude auth login`");
    let wanted = view::login::wants_login(&stage.state).map(|session| session.profile.session);
    assert_eq!(wanted, Some(mind::SessionId(1)));
}

#[test]
fn a_pause_is_told_while_a_turn_still_runs() {
    assert_eq!(council(&["at work", "human pause"]), "Paused: /resume continues.");
}

#[test]
fn a_permission_is_told_before_what_waits_in_the_docket() {
    let told = council(&["at work", "orchestrator asks rm -rf build"]);
    assert_eq!(told, "Orchestrator I waits for your answer to q1.");
}
