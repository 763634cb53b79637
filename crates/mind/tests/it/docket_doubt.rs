//! The docket in doubt: nothing but a person's own word at a door allows anything, whatever a file, a model or a race makes
//! of a petition; and whoever waits for an answer that cannot come any more is told so.

use mind::play::{Stage, play};

/// What happens on the stage after `lines`, as one text.
fn told_of(lines: &[&str], last: &str) -> String {
    let quiet: Vec<String> = lines.iter().map(|line| format!("~ {line}")).collect();
    play(&format!("{}\n{last}", quiet.join("\n")))
}

/// A worker whose turn is in flight, with nobody at the terminal.
fn at_work() -> Stage {
    let mut stage = Stage::new();
    for line in [
        "open docket",
        "settled",
        "arbiter address_human asks alignment: Shall it begin?",
        "human: yes",
        "arbiter summon_orchestrator: Let one come.",
        "orchestrator introduction: I am Orchestrator I.",
        "arbiter address_orchestrator: The brief.",
        "unattended",
    ] {
        stage.perform(line);
    }
    stage
}

const AT_WORK: [&str; 4] = ["open docket", "at work", "unattended", "orchestrator asks cargo publish"];

#[test]
fn a_hand_in_the_file_is_no_person_where_one_is_required() {
    let told = told_of(&AT_WORK, "docket 1 decided by file: allow=yes");
    assert!(told.contains("+ Void ") && !told.contains("Permit"), "{told}");
    let ask = "arbiter address_human asks alignment: Shall it begin?";
    let begun = told_of(&["open docket", "opened", "unattended", ask], "docket 1 decided by file: align=yes");
    assert!(begun.contains("+ Void ") && !begun.contains("Consented"), "{begun}");
}

#[test]
fn a_hand_in_the_file_may_still_answer_what_anybody_may() {
    let lines = ["open docket", "at work", "orchestrator pleads push Which way? [left, right]"];
    let told = told_of(&lines, "docket 1 decided by file: way=left");
    assert!(told.contains("way=left by human:file:ada"), "{told}");
}

#[test]
fn a_models_own_id_makes_no_yes_of_an_answer() {
    let ask = r#"arbiter raw {"intent":"address_human","message":"Tea?","decisions":[{"id":"align","title":"Tea?","options":[{"key":"yes","label":"Tea"}]}]}"#;
    let told = told_of(&["open docket", "opened", "unattended", ask], "docket 1 decided: align=yes");
    assert!(told.contains("+ Decided ") && !told.contains("Consented"), "{told}");
}

#[test]
fn a_petition_without_an_answer_to_everything_decides_nothing() {
    let ask = r#"arbiter raw {"intent":"address_human","asks":"alignment","message":"So?","decisions":[{"id":"bank","title":"Which bank?","options":[{"key":"left","label":"Left"}]}]}"#;
    let told = told_of(&["open docket", "opened", "unattended", ask], "docket 1 decided: bank=left");
    assert!(told.contains("+ Void ") && told.contains("+ DocketAsked "), "{told}");
    let mut stage = at_work();
    stage.perform("orchestrator asks cargo publish");
    let id = stage.state.petitions.keys().next().cloned().expect("a petition");
    let nothing = mind::event::DocketEvent::Decided { answers: Vec::new() };
    stage.happen(mind::Event::Docket(id, nothing));
    assert_eq!(stage.state.open_petitions().count(), 1, "it is asked anew");
}

#[test]
fn a_tool_whose_petition_is_gone_does_not_wait_for_ever() {
    let told = told_of(&AT_WORK, "docket 1 closed: its file was removed");
    assert!(told.contains("> Permit s2.1 s2.1:cargo no: no person is there"), "{told}");
    // Somebody who is there can still say so; who goes away then leaves nobody to ask.
    let lines = [&AT_WORK[..], &["attended"]].concat();
    let there = told_of(&lines, "docket 1 closed: its file was removed\nunattended");
    let (first, second) = there.split_once("unattended").expect("two events");
    assert!(!first.contains("Permit") && second.contains("> Permit s2.1 s2.1:cargo no"), "{there}");
}

#[test]
fn a_question_whose_petition_is_gone_says_where_it_can_be_answered() {
    let ask = "arbiter address_human: Which bank?";
    for how in ["closed: it was withdrawn", "unasked: the disk is full"] {
        let mut stage = Stage::new();
        for line in ["open docket", "settled", "unattended", ask, &format!("docket 1 {how}")] {
            stage.perform(line);
        }
        let said = stage.state.talk.last().expect("a word of the house").text.clone();
        assert!(said.contains("arbiter mission say"), "{said}");
        assert!(stage.state.question.is_some());
    }
}

#[test]
fn a_command_that_cannot_be_shown_whole_is_refused_and_never_cut() {
    for (command, is_asked) in [("é".repeat(36_000), true), ("é".repeat(70_000), false)] {
        let mut stage = at_work();
        stage.perform(&format!("orchestrator asks {command}"));
        let shown =
            stage.state.petitions.values().next().map(|raised| raised.draft.decisions[0].context.clone());
        assert_eq!(shown.is_some_and(|shown| shown.contains(&command)), is_asked);
        assert_eq!(stage.state.open_permissions().count(), usize::from(is_asked));
    }
}

#[test]
fn signs_that_no_title_may_have_do_not_keep_a_command_from_being_asked() {
    let mut stage = at_work();
    stage.perform("orchestrator asks printf \u{1b}[2J\t\u{0}x");
    let raised = stage.state.petitions.values().next().expect("it is asked");
    assert_eq!(raised.draft.faults(), [""; 0]);
    assert!(
        raised.draft.decisions[0].context.contains("printf \u{1b}[2J\t\u{0}x"),
        "the command itself is exact"
    );
}

#[test]
fn a_request_too_long_to_be_shown_whole_has_no_yes_in_the_docket() {
    for (chars, has_yes) in [(100_000, true), (140_000, false)] {
        let mut stage = Stage::new();
        let ask = format!("arbiter address_human asks alignment: {}", "x".repeat(chars));
        for line in ["open docket", "settled", "unattended", &ask] {
            stage.perform(line);
        }
        let raised = stage.state.petitions.values().next().expect("it is asked");
        assert_eq!(raised.draft.faults(), [""; 0]);
        assert_eq!(raised.draft.decisions.iter().any(|decision| &*decision.id == "align"), has_yes);
        assert_eq!(raised.draft.context.contains("was cut here"), !has_yes);
    }
}

#[test]
fn words_that_were_no_option_are_a_no_even_if_they_mean_a_lasting_yes_elsewhere() {
    let told = told_of(&AT_WORK, "docket 1 decided: allow=mission");
    assert!(told.contains("+ Answered s2 q1 no by human:cli:ada: mission"), "{told}");
}

#[test]
fn a_successor_that_asks_the_same_waits_for_the_same_answer() {
    let push = "orchestrator pleads push Which way? [left, right]";
    let lines = [
        "open docket",
        "at work",
        push,
        "orchestrator handoff: I leave.",
        "arbiter summon_orchestrator: Another.",
        "orchestrator introduction: I am here.",
        "arbiter address_orchestrator: Ask.",
    ];
    let told = told_of(&lines, push);
    assert!(told.contains("\"again\":true") && !told.contains("DocketAsked"), "{told}");
}

#[test]
fn who_submits_while_it_is_taken_back_is_heard_all_the_same() {
    let ask = "arbiter address_human: Which bank?";
    let lines = ["open docket", "opened", "unattended", ask, "human: The left one."];
    let told = told_of(&lines, "docket 1 decided: reply=the right one\nagain");
    let (first, second) = told.split_once("again\n").expect("two events");
    assert!(first.contains("You -> Arbiter: (late, to ") && first.contains("the right one"), "{told}");
    assert!(second.contains("was heard before") && !second.contains("Said"), "{told}");
}

#[test]
fn after_a_fall_answers_that_came_late_are_looked_for() {
    let lines = [
        "open docket",
        "at work",
        "orchestrator pleads push Which way? [left, right]",
        "docket 1 closed: it has expired",
    ];
    let told = told_of(&lines, "show wake");
    assert!(told.contains("> Withdraw "), "{told}");
}

#[test]
fn a_question_that_somebody_closed_is_asked_again_when_the_house_starts_anew() {
    insta::assert_snapshot!(mind::play::play("
        ~ open docket
        ~ opened
        ~ unattended
        ~ arbiter address_human: Of stone?
        docket 1 closed: it was withdrawn
        human pause
        restart
    "), @r#"
    docket 1 closed: it was withdrawn
      + Closed ma0d8fd7c6f3: it was withdrawn
      + Said m2 House -> nobody (notice): The petition "Arbiter asks: Of stone?" was closed without an answer: it was withdrawn. The mission s...
    human pause
      + Received l1
      + Paused by human:terminal:ada
      > RemoveFromInbox l1
    restart
      + Restarted run 1
      + DocketAsked mc61e1d2582f about m1: Arbiter asks: Of stone?
      > Withdraw ma0d8fd7c6f3: it was withdrawn
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Petition mc61e1d2582f: Arbiter asks: Of stone?
    "#);
}

#[test]
fn a_docket_that_cannot_be_written_now_refuses_no_tool_and_asks_nothing_anew() {
    insta::assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        docket 1 delayed: the disk is full
        show wake
        docket 1 decided: allow=yes
        docket 1 delayed: the disk is full
    "), @r#"
    docket 1 delayed: the disk is full
      + Said m6 House -> nobody (notice): "May Orchestrator I run: cargo publish" cannot be put into the docket yet: the disk is full. It is t...
    show wake
      > Petition ma0d8fd7c6f3: May Orchestrator I run: cargo publish
      > Spawn s1.1 Arbiter, rehearsal (resume)
      > Spawn s2.1 Orchestrator I, rehearsal (resume)
      > Deliver s2.1 t5: The brief.
    docket 1 decided: allow=yes
      + Decided ma0d8fd7c6f3 allow=yes by human:cli:ada
      + Answered s2 q1 yes by human:cli:ada
      > Permit s2.1 s2.1:cargo yes
    docket 1 delayed: the disk is full
      > Note petition ma0d8fd7c6f3 is closed already: Delayed { why: "the disk is full" }
    "#);
}
