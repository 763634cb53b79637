//! A council that stands still: exchanges without a change end in a question to the human.

use mind::limits::TURNS_WITHOUT_CHANGE_MAX;
use mind::play::Stage;

use crate::limits::{AT_WORK, at_work, go, staged};

/// Lets a loop run until no further turn begins, and says how many did.
fn loops(mut stage: Stage, lines: &str) -> (Stage, u32) {
    let before = stage.state.turns;
    for _ in 0..500 {
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if stage.state.question.is_some() {
                let turns = stage.state.turns - before;
                return (stage, turns);
            }
            stage.perform(line);
        }
    }
    panic!("it goes on without end");
}

#[test]
fn an_endless_question_loop_asks_the_human_and_waits() {
    let (mut stage, turns) =
        loops(at_work(""), "orchestrator question: And this?\narbiter address_orchestrator: It is said.");
    assert!(turns <= TURNS_WITHOUT_CHANGE_MAX, "{turns}");
    let told = go(&mut stage, "human: Let it begin with the tests.");
    assert!(told.contains("> Deliver"), "the human's words go on with it: {told}");
}

#[test]
fn valid_nothings_and_musings_ask_the_human_in_the_end() {
    for lines in [
        "orchestrator question: And this?\narbiter musings: Hm.\narbiter musings: Hm, hm.",
        "orchestrator progress: Looking.",
        "orchestrator introduction: Here.\narbiter summon_orchestrator: Another.",
        "orchestrator introduction: Here.\narbiter summon_orchestrator agent verifier: Another.\n\
         verifier pass: All is well.\narbiter summon_orchestrator: Another.",
    ] {
        let stage = at_work("");
        let lines = match lines.starts_with("orchestrator progress") {
            true => format!("{}arbiter address_orchestrator: Go on.", format!("{lines}\n").repeat(5)),
            false => lines.to_owned(),
        };
        let (stage, turns) = loops(stage, &lines);
        // The first verdict is news.
        let bound = TURNS_WITHOUT_CHANGE_MAX + 4 * u32::from(lines.contains("pass"));
        assert!(turns <= bound, "{turns}: {lines}");
        assert!(stage.state.progress.turns <= TURNS_WITHOUT_CHANGE_MAX, "{lines}");
    }
}

/// What was seen since the human's last word is no change, however often it takes turns with something else.
#[test]
fn what_only_comes_back_is_no_change() {
    for (what, lines) in [
        (
            "verdicts on one commit",
            "arbiter summon_orchestrator agent verifier: Judge.\nverifier pass: All is well.\n\
             arbiter summon_orchestrator agent verifier: Judge again.\nverifier fail: It sways.",
        ),
        (
            "a check that fails now and then",
            "arbiter release_orchestrators claim complete: Done.\nsurveyed c2\nbrought\ncheck fail 101: no\n\
             arbiter summon_orchestrator agent verifier: Look again.\nverifier pass: All is well.\n\
             arbiter release_orchestrators claim complete: Done.\nsurveyed c2\nbrought\ncheck timeout\n\
             arbiter summon_orchestrator agent verifier: Look again.\nverifier pass: All is well.",
        ),
        (
            "two trees",
            "arbiter address_orchestrator: To and fro.\ntree c3\nverifier progress?: To.\n\
             arbiter address_orchestrator: And fro.\ntree c2\nverifier progress?: Fro.",
        ),
        (
            "two task lists",
            "arbiter address_orchestrator: To and fro.\nverifier tasks [ ] Look\nverifier progress?: To.\n\
             arbiter address_orchestrator: And fro.\nverifier tasks [x] Look\nverifier progress?: Fro.",
        ),
    ] {
        let mut stage = staged(&format!("open policy night checks \"make test\"\n{AT_WORK}"));
        for line in ["handed off", "judged"] {
            stage.set_up(line);
        }
        let before = stage.state.turns;
        'loops: for round in 0.. {
            assert!(round < 200, "{what}: it goes on without end");
            for line in lines.lines() {
                if stage.state.question.is_some() {
                    break 'loops;
                }
                stage.perform(line);
            }
        }
        let turns = stage.state.turns - before;
        assert!(turns <= 2 * TURNS_WITHOUT_CHANGE_MAX, "{what}: {turns}");
        go(&mut stage, "human: Go on.");
        assert!(stage.state.progress.turns < 3, "{what}: the human's word begins anew");
    }
}

#[test]
fn a_question_at_a_standstill_is_a_petition_where_no_person_is() {
    let stage = staged(&format!("open docket policy night\nunattended\n{AT_WORK}"));
    let (stage, _) =
        loops(stage, "orchestrator question: And this?\narbiter address_orchestrator: It is said.");
    assert_eq!(stage.state.open_petitions().count(), 1);
}

#[test]
fn a_long_mission_that_changes_something_now_and_then_is_never_stopped() {
    let mut stage = at_work("");
    for round in 2..40 {
        for _ in 0..8 {
            go(&mut stage, "orchestrator question: The same?\narbiter address_orchestrator: The same.");
        }
        go(
            &mut stage,
            &format!("tree c{round}\norchestrator question: Next?\narbiter address_orchestrator: Yes."),
        );
        assert_eq!((stage.state.question, &stage.state.ended), (None, &None), "{round}");
    }
}
