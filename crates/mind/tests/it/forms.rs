//! Forms that others rely on to the letter: envelopes, numerals, ids, one-line texts, and the play language's own voice.

use mind::effect::{SessionCommand, SessionSpawn};
use mind::id::{roman, uuid};
use mind::play::{Stage, play};
use mind::{Effect, limits, show};

/// The text of the turn that the Arbiter has in flight.
fn envelope(stage: &Stage) -> String {
    let turn = stage.state.arbiter().and_then(|arbiter| arbiter.turns.current.as_ref());
    turn.expect("the Arbiter has a turn in flight").text.to_string()
}

fn at_work() -> Stage {
    let mut stage = Stage::new();
    for line in [
        "open checks \"cargo test\"",
        "settled",
        "arbiter address_human asks alignment: Shall it begin?",
        "human: yes",
        "arbiter summon_orchestrator: I call one.",
        "orchestrator introduction: I am Orchestrator I.",
        "arbiter address_orchestrator: The brief.",
    ] {
        stage.perform(line);
    }
    stage
}

#[test]
fn the_envelope_of_the_specification_comes_out_literally() {
    let mut stage = at_work();
    stage.perform("orchestrator progress: Read the auth module");
    stage.perform("orchestrator progress: Added the rotation test");
    stage.perform("orchestrator question: Shared session store or stateless?");
    let expected = "\
«Orchestrator I - Work Log (no response needed)»
• Read the auth module
• Added the rotation test

«Orchestrator I - Awaiting Input»
Shared session store or stateless?";
    assert_eq!(envelope(&stage), expected);
}

#[test]
fn a_long_log_is_bounded_and_says_what_it_leaves_out() {
    let mut stage = at_work();
    for at in 0..limits::LOG_LINES_MAX + 3 {
        stage.perform(&format!("tree c{at}"));
        stage
            .perform(&format!("orchestrator progress: step {at} {}", "x".repeat(limits::LOG_LINE_CHARS_MAX)));
    }
    stage.perform("orchestrator question: Enough?");
    let text = envelope(&stage);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "(3 earlier lines are left out)");
    assert!(lines[2].starts_with("• step 3 "), "{}", lines[2]);
    assert_eq!(lines[2].chars().count(), "• ".chars().count() + limits::LOG_LINE_CHARS_MAX + "...".len());
    assert_eq!(lines.len(), 2 + limits::LOG_LINES_MAX + 3);
}

#[test]
fn a_failed_checks_output_is_cut_to_its_end() {
    let mut stage = at_work();
    for line in [
        "tree c2",
        "orchestrator handoff: Done.",
        "arbiter summon_orchestrator agent verifier: Judge.",
        "verifier introduction: I am II.",
        "arbiter address_orchestrator: Audit.",
        "verifier pass: Met.",
        "arbiter release_orchestrators claim complete: Done.",
        "surveyed c2",
        "brought",
    ] {
        stage.perform(line);
    }
    let tail = "ä".repeat(limits::CHECK_TAIL_CHARS_MAX);
    stage.perform(&format!("check fail 1: the beginning {tail}"));
    let text = envelope(&stage);
    assert!(text.contains(&format!("The end of its output:\n{tail}\n")), "{text}");
    assert!(!text.contains("the beginning"), "{text}");
}

#[test]
fn numerals_are_roman() {
    let expected = [
        (1, "I"),
        (2, "II"),
        (3, "III"),
        (4, "IV"),
        (5, "V"),
        (9, "IX"),
        (14, "XIV"),
        (40, "XL"),
        (90, "XC"),
        (400, "CD"),
        (1994, "MCMXCIV"),
        (2026, "MMXXVI"),
        (0, ""),
    ];
    for (number, numeral) in expected {
        assert_eq!(roman(number), numeral);
    }
}

#[test]
fn keys_are_uuids_that_differ_by_seed_kind_and_number() {
    let keys = [uuid(1, "session", 1), uuid(2, "session", 1), uuid(1, "turn", 1), uuid(1, "session", 2)];
    for (at, key) in keys.iter().enumerate() {
        let parts: Vec<usize> = key.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{key}");
        assert!(key[14..].starts_with('8') && "89ab".contains(&key[19..20]), "{key}");
        assert!(!keys[..at].contains(key), "{key} stands twice");
    }
    assert_eq!(keys[0], uuid(1, "session", 1));
}

#[test]
fn a_resumed_session_gets_the_very_profile_of_its_summon() {
    let mut stage = at_work();
    let summoned = stage.state.worker().expect("an Orchestrator works").profile.clone();
    let event = stage.event("restart");
    let step = stage.happen(event);
    let resumed = step.effects.iter().find_map(|effect| {
        let Effect::Spawn(SessionSpawn { address, profile, resume: true, .. }) = effect else { return None };
        (address.session == summoned.session).then_some(profile)
    });
    assert_eq!(resumed, Some(&summoned));
}

#[test]
fn a_turn_keeps_its_key_over_a_restart() {
    let mut stage = at_work();
    let before = keys(&stage.state.on_start());
    stage.perform("restart");
    assert_eq!(keys(&stage.state.on_start()), before);
    assert_eq!(before, [uuid(7, "turn", 5)]);
}

fn keys(effects: &[Effect]) -> Vec<String> {
    let keys = effects.iter().filter_map(|effect| {
        let Effect::Session(_, SessionCommand::Deliver { key, .. }) = effect else { return None };
        Some(key.clone())
    });
    keys.collect()
}

#[test]
fn a_text_is_shown_on_one_line_and_cut() {
    assert_eq!(show::line("one\n\n  two  \nthree\n"), "one /   two / three");
    let long = "ä".repeat(101);
    assert_eq!(show::line(&long), format!("{}...", "ä".repeat(100)));
    assert_eq!(show::line(""), "");
}

#[test]
#[should_panic(expected = "cannot read the line \"arbitre musings: Hm.\"")]
fn a_line_that_cannot_be_read_stops_the_play() {
    play("~ opened\narbitre musings: Hm.");
}

#[test]
#[should_panic(expected = "there is no orchestrator")]
fn a_line_of_nobody_stops_the_play() {
    play("~ opened\norchestrator question: Am I?");
}
