//! May a tool run? Asked at the plain prompt, answered there or from another terminal, over falls of the house too.

use sim::{BridgeScript, Seat, Theatre};

use crate::BINARY;

/// A mission whose Orchestrator asks twice: `touch asked`, then `touch again`.
fn bridge() -> Theatre {
    Theatre::rehearsing(BINARY, BridgeScript::new().does("{ask: [touch, asked]}, {ask: [touch, again]}"))
}

fn completes(seat: Seat, theatre: &Theatre) -> String {
    let shown = seat.completes();
    theatre.assert_nobody_left();
    shown
}

fn run(theatre: &Theatre) -> Seat {
    let mut seat = Seat::take(theatre.rehearsal(&[]));
    seat.sees("Shall it begin?");
    seat.types("yes");
    seat.sees("? q1");
    seat
}

fn facts(theatre: &Theatre) -> Vec<String> {
    theatre.lines_of(&["Asked", "Answered", "Covered", "Unasked", "AnswerGiven"])
}

fn in_result(theatre: &Theatre, file: &str) -> bool {
    let id = theatre.mission_id();
    theatre.git(&["ls-tree", "--name-only", &format!("refs/arbiter/{id}")]).lines().any(|line| line == file)
}

#[test]
fn the_question_shows_what_will_run_and_each_answer_holds_for_its_own() {
    let theatre = bridge();
    let mut seat = run(&theatre);
    seat.sees("/yes q1 mission");
    let shown = seat.shown();
    for part in ["Orchestrator I asks: may this run?", "touch asked", "because", "/no q1 WHY"] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    seat.types("/yes");
    seat.sees("which permission? These wait: q1");
    seat.types("/yes q7");
    seat.sees("q7 is not open, and nothing was answered");
    seat.types("/yes q1");
    seat.sees("? q2");
    seat.types("/no q2 not needed");
    completes(seat, &theatre);
    assert_eq!(
        facts(&theatre),
        [
            "Asked s2 q1 (unknown) Bash: touch asked",
            "Answered s2 q1 yes by human:terminal:tester",
            "Asked s2 q2 (unknown) Bash: touch again",
            "Answered s2 q2 no by human:terminal:tester: not needed",
        ]
    );
    assert!(in_result(&theatre, "asked") && !in_result(&theatre, "again"));
}

#[test]
fn a_yes_for_the_mission_is_asked_once_and_every_use_of_it_is_written_down() {
    let theatre = bridge();
    let mut seat = run(&theatre);
    seat.types("/yes q1 mission");
    let shown = completes(seat, &theatre);
    assert!(!shown.contains("? q2") && shown.contains("covered by your yes to q1"), "{shown}");
    assert_eq!(
        facts(&theatre).last().map(String::as_str),
        Some("Covered s2 by q1 (unknown) Bash: touch again")
    );
    assert!(in_result(&theatre, "asked") && in_result(&theatre, "again"));
    let report = theatre.run(&["export", &theatre.mission_id()]).out;
    assert!(
        report.contains("## Permissions")
            && report.contains("yes, for this mission, by tester, in the terminal")
    );
    assert!(report.contains("`touch again`") && report.contains("yes, covered by q1"), "{report}");
    let show = theatre.run(&["show"]).out;
    assert!(show.contains("allowed   touch to the end, by tester, in the terminal (q1)"), "{show}");
}

#[test]
fn another_terminal_answers_as_well() {
    let theatre = bridge();
    let mut seat = run(&theatre);
    let id = theatre.mission_id();
    let show = theatre.run(&["show"]).out;
    assert!(show.contains("asks      q1 by Orchestrator I") && show.contains("touch asked"), "{show}");
    let wrong = theatre.run(&["mission", "allow", &id, "q9"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    assert!(wrong.err.contains("q9 is not open") && wrong.err.contains("hint:"), "{}", wrong.err);
    let odd = theatre.run(&["mission", "deny", &id, "this"]);
    assert!(odd.err.contains("not the number of a permission"), "{}", odd.err);
    let ran = theatre.run(&["mission", "allow", &id, "q1", "--for", "hour"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    seat.types("");
    completes(seat, &theatre);
    assert_eq!(
        facts(&theatre)[1..],
        [
            "Answered s2 q1 yes for an hour by human:cli:tester",
            "Covered s2 by q1 (unknown) Bash: touch again"
        ]
    );
}

#[test]
fn an_answer_outlives_a_fall_and_holds_once() {
    let theatre = bridge();
    let seat = run(&theatre);
    let id = theatre.mission_id();
    seat.dies();
    // It is answered while nobody runs: the letter waits, and so does the answer until the same is asked again.
    let ran = theatre.run(&["mission", "allow", &id, "q1"]);
    assert!(ran.out.contains("queued"), "{}{}", ran.out, ran.err);
    let mut seat = Seat::take(theatre.command(&["resume"]));
    seat.sees("? q2");
    seat.types("/no q2");
    completes(seat, &theatre);
    let facts = facts(&theatre);
    assert_eq!(facts[0], "Asked s2 q1 (unknown) Bash: touch asked");
    assert!(facts.contains(&"Answered s2 q1 yes by human:cli:tester".to_owned()), "{facts:?}");
    assert!(in_result(&theatre, "asked") && !in_result(&theatre, "again"));
}

#[test]
fn nobody_there_is_a_no_by_policy_where_the_user_wants_it_so_and_the_mission_goes_on() {
    let theatre = bridge().with_config("docket: { headless: refuse }\n");
    let ran = theatre.rehearse(&["--headless"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let facts = facts(&theatre);
    assert!(facts[1].starts_with("Answered s2 q1 no by policy:headless: no person is there"), "{facts:?}");
    assert!(!in_result(&theatre, "asked") && !in_result(&theatre, "again"));
    theatre.assert_nobody_left();
}
