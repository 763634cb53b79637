//! The mission and its docket: what waits for somebody who is away becomes a petition, is answered once, and is
//! withdrawn when nobody needs it any more.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_question_of_the_arbiter_becomes_a_petition_when_nobody_is_there() {
    assert_snapshot!(play("
        ~ open docket
        ~ opened
        ~ unattended
        arbiter address_human asks alignment: Scope. Shall it begin?
        docket 1 decided: align=yes
    "), @"
    arbiter address_human asks alignment: Scope. Shall it begin?
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human (asks alignment): Scope. Shall it begin?
      + DocketAsked ma0d8fd7c6f3 about m1: The Arbiter asks for your yes
      > Petition ma0d8fd7c6f3: The Arbiter asks for your yes
    docket 1 decided: align=yes
      + Decided ma0d8fd7c6f3 align=yes by human:cli:ada
      + Said m2 You -> Arbiter: yes
      + Consented by human:cli:ada
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): yes
      > Deliver s1.1 t2: yes
    ");
}

#[test]
fn a_tool_that_asks_waits_in_the_docket_and_a_yes_there_lets_it_run() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        orchestrator asks cargo publish
        docket 1 decided: allow=yes
    "), @"
    orchestrator asks cargo publish
      + Asked s2 q1 (unknown) Bash: cargo publish
      + DocketAsked ma0d8fd7c6f3 about q1: May Orchestrator I run: cargo publish
      > Petition ma0d8fd7c6f3: May Orchestrator I run: cargo publish
    docket 1 decided: allow=yes
      + Decided ma0d8fd7c6f3 allow=yes by human:cli:ada
      + Answered s2 q1 yes by human:cli:ada
      > Permit s2.1 s2.1:cargo yes
    ");
}

#[test]
fn other_words_than_a_yes_are_a_no_with_its_reason() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish [cargo publish]
        docket 1 decided: allow=yes please, but not today
    "), @"
    docket 1 decided: allow=yes please, but not today
      + Decided ma0d8fd7c6f3 allow=yes please, but not today by human:cli:ada
      + Answered s2 q1 no by human:cli:ada: yes please, but not today
      > Permit s2.1 s2.1:cargo no: yes please, but not today
    ");
}

#[test]
fn an_answer_to_another_question_is_void_and_it_is_asked_anew_but_not_for_ever() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        docket 1 decided forged: allow=yes
        docket 2 decided forged: allow=yes
        docket 3 decided forged: allow=yes
        orchestrator stirs
    "), @r#"
    docket 1 decided forged: allow=yes
      + Void ma0d8fd7c6f3: it answers another text than was asked, leaves a decision open, or no person gave it
      + Said m6 House -> nobody (notice): The answer to "May Orchestrator I run: cargo publish" does not count: it answers another text than w...
      + DocketAsked mc61e1d2582f about q1: May Orchestrator I run: cargo publish
      > Petition mc61e1d2582f: May Orchestrator I run: cargo publish
    docket 2 decided forged: allow=yes
      + Void mc61e1d2582f: it answers another text than was asked, leaves a decision open, or no person gave it
      + Said m7 House -> nobody (notice): The answer to "May Orchestrator I run: cargo publish" does not count: it answers another text than w...
      + DocketAsked mfe0645181d4 about q1: May Orchestrator I run: cargo publish
      > Petition mfe0645181d4: May Orchestrator I run: cargo publish
    docket 3 decided forged: allow=yes
      + Void mfe0645181d4: it answers another text than was asked, leaves a decision open, or no person gave it
      + Said m8 House -> nobody (notice): The answer to "May Orchestrator I run: cargo publish" does not count: it answers another text than w...
      + Answered s2 q1 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:cargo no: no person is there to allow it. Find a way that needs no permission, or report what you need
    orchestrator stirs
      + SignOfLife s2
    "#);
}

#[test]
fn an_answer_at_the_terminal_withdraws_the_petition() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        attended
        human yes q1
        docket 1 decided: allow=no
    "), @r#"
    attended
      + Attended by a person
    human yes q1
      + Received l2
      + Answered s2 q1 yes by human:terminal:ada
      + Withdrawn ma0d8fd7c6f3: it was answered elsewhere, or the tool waits no more
      > RemoveFromInbox l2
      > Permit s2.1 s2.1:cargo yes
      > Withdraw ma0d8fd7c6f3: it was answered elsewhere, or the tool waits no more
    docket 1 decided: allow=no
      + Late ma0d8fd7c6f3 allow=no by human:cli:ada
      + Said m6 House -> nobody (notice): "May Orchestrator I run: cargo publish" was answered too late; nothing was allowed.
    "#);
}

#[test]
fn who_goes_away_finds_what_was_open_in_the_docket_and_nothing_twice() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator asks cargo publish
        unattended
        attended
        unattended
    "), @"
    unattended
      + Attended by no person
      + DocketAsked ma0d8fd7c6f3 about q1: May Orchestrator I run: cargo publish
      > Petition ma0d8fd7c6f3: May Orchestrator I run: cargo publish
    attended
      + Attended by a person
    unattended
      + Attended by no person
    ");
}

#[test]
fn a_tool_that_waits_no_more_is_withdrawn_and_so_is_everything_at_the_end() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        ~ orchestrator asks rm a
        orchestrator unasks cargo publish
        human cancel
    "), @"
    orchestrator unasks cargo publish
      + Unasked s2 q1
      + Withdrawn ma0d8fd7c6f3: it was answered elsewhere, or the tool waits no more
      > Withdraw ma0d8fd7c6f3: it was answered elsewhere, or the tool waits no more
    human cancel
      + Received l2
      + Cancelled by human:terminal:ada
      + Withdrawn mc61e1d2582f: the mission is over
      > RemoveFromInbox l2
      > End s1.1
      > End s2.1
      > FetchBack
      > Leave cancelled
      > Withdraw mc61e1d2582f: the mission is over
    ");
}

#[test]
fn a_restart_pushes_again_what_is_open_and_withdraws_again_what_is_not() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        ~ orchestrator asks rm a
        ~ orchestrator unasks cargo publish
        show wake
    "), @"
    show wake
      > Withdraw ma0d8fd7c6f3: it was answered elsewhere, or the tool waits no more
      > Petition mc61e1d2582f: May Orchestrator I run: rm a
      > Spawn s1.1 Arbiter, rehearsal (resume)
      > Spawn s2.1 Orchestrator I, rehearsal (resume)
      > Deliver s2.1 t5: The brief.
    ");
}

#[test]
fn without_a_docket_nobody_there_is_still_a_no() {
    assert_snapshot!(play("
        ~ at work
        ~ unattended
        orchestrator asks cargo publish
    "), @"
    orchestrator asks cargo publish
      + Asked s2 q1 (unknown) Bash: cargo publish
      + Answered s2 q1 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:cargo no: no person is there to allow it. Find a way that needs no permission, or report what you need
    ");
}

#[test]
fn a_petition_that_the_docket_refuses_is_a_no_for_tools() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        docket 1 unasked: another petition has this id
    "), @r#"
    docket 1 unasked: another petition has this id
      + Closed ma0d8fd7c6f3: another petition has this id
      + Said m6 House -> nobody (notice): "May Orchestrator I run: cargo publish" could not be put into the docket: another petition has this ...
      + Answered s2 q1 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:cargo no: no person is there to allow it. Find a way that needs no permission, or report what you need
    "#);
}

#[test]
fn a_session_asks_parks_and_hears_the_answers_as_its_next_prompt() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        orchestrator pleads push Which way? [left, right]
        orchestrator pleads push Which way? [left, right]
        orchestrator pleads await 1
        orchestrator progress: I rest until it is decided.
        docket 1 decided: way=left
        orchestrator pleads get 1
    "), @r#"
    orchestrator pleads push Which way? [left, right]
      + DocketAsked ma0d8fd7c6f3 about a petition of s2: Which way?
      + Said m6 House -> nobody (notice): Orchestrator I asks you in the docket: Which way?
      > Petition ma0d8fd7c6f3: Which way?
      > Reply s2.1 s2.1:push: {"again":false,"hint":"arbiter_await waits for the answers; or go on with other work and look with a...
    orchestrator pleads push Which way? [left, right]
      > Reply s2.1 s2.1:push: {"again":true,"hint":"arbiter_await waits for the answers; or go on with other work and look with ar...
    orchestrator pleads await 1
      + WaitsForPetition s2 ma0d8fd7c6f3
      > Reply s2.1 s2.1:await: {"hint":"No answer yet. Go on with other work, or end your turn without expecting a response: you re...
    orchestrator progress: I rest until it is decided.
      + Rested s2 t5 at c1
      + Said m7 Orchestrator I -> nobody: I rest until it is decided.
      + Logged s2 (quiet): I rest until it is decided.
      > FetchBack
    docket 1 decided: way=left
      + Decided ma0d8fd7c6f3 way=left by human:cli:ada
      + Said m8 House -> nobody (notice): "Which way?" was answered: way (Which way?): left [human:cli:ada]
      + Queued s2 notice: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
      + Prompted s2 t6: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
      > Deliver s2.1 t6: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
    orchestrator pleads get 1
      > Reply s2.1 s2.1:get: {"answers":{"way":"left"},"completedAt":"1970-01-01T00:00:00.033Z","id":"ma0d8fd7c6f3","planId":"ma0...
    "#);
}

#[test]
fn the_answers_of_a_session_that_is_gone_go_to_the_arbiter() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator pleads push Which way? [left, right]
        ~ human release
        docket 1 decided: way=skip
    "), @r#"
    docket 1 decided: way=skip
      + Decided ma0d8fd7c6f3 way=__skipped__ by human:cli:ada
      + Said m8 House -> nobody (notice): "Which way?" was answered: way (Which way?): skipped; the human leaves it to you
      + Queued s1 notice: Orchestrator I asked this and is no longer there: / «Notice» / Your petition ma0d8fd7c6f3, "Which wa...
    "#);
}

#[test]
fn a_petition_that_expired_is_told_and_a_late_answer_is_heard() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator pleads push Which way? [left, right]
        docket 1 closed: its deadline passed
        docket 1 late: way=right
        again
        orchestrator pleads status 1
    "), @r#"
    docket 1 closed: its deadline passed
      + Closed ma0d8fd7c6f3: its deadline passed
      + Said m7 House -> nobody (notice): The petition "Which way?" was closed without an answer: its deadline passed.
      + Queued s2 notice: The petition "Which way?" was closed without an answer: its deadline passed.
      + Interjected s2 t6: The petition "Which way?" was closed without an answer: its deadline passed.
      > Steer s2.1 t6: The petition "Which way?" was closed without an answer: its deadline passed.
    docket 1 late: way=right
      + Late ma0d8fd7c6f3 way=right by human:cli:ada
      + Said m8 You -> Arbiter: (late, to "Which way?", which was closed before) right
      + Queued s1 words m8
      + Prompted s1 t7 (words m8): «Orchestrator I - Human Interjection» / (late, to "Which way?", which was closed before) right
      > Deliver s1.1 t7: «Orchestrator I - Human Interjection» / (late, to "Which way?", which was closed before) right
    again
      > Note petition ma0d8fd7c6f3: the late answer way=right by human:cli:ada was heard before
    orchestrator pleads status 1
      > Reply s2.1 s2.1:status: {"agent":"Orchestrator I","answered":0,"asked":"anyone","completedAt":"1970-01-01T00:00:00.027Z","cr...
    "#);
}

#[test]
fn a_policy_is_never_taken_for_a_person() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        docket 1 decided by policy: allow=yes
    "), @r#"
    docket 1 decided by policy: allow=yes
      + Void ma0d8fd7c6f3: it answers another text than was asked, leaves a decision open, or no person gave it
      + Said m6 House -> nobody (notice): The answer to "May Orchestrator I run: cargo publish" does not count: it answers another text than w...
      + DocketAsked mc61e1d2582f about q1: May Orchestrator I run: cargo publish
      > Petition mc61e1d2582f: May Orchestrator I run: cargo publish
    "#);
}

#[test]
fn a_session_sees_the_petitions_of_its_mission_only() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        orchestrator pleads get nobody
        orchestrator pleads push  [left]
    "), @r#"
    orchestrator pleads get nobody
      > Reply s2.1 s2.1:get refused: {"error":"there is no petition nobody of this mission"}
    orchestrator pleads push  [left]
      > Reply s2.1 s2.1:push refused: {"error":"the petition cannot be asked","faults":["`title` is missing or empty"]}
    "#);
}

#[test]
fn what_was_decided_before_the_turn_ends_is_no_reason_to_rest() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator pleads push Which way? [left, right]
        ~ orchestrator pleads await 1
        ~ docket 1 decided: way=left
        ~ orchestrator heard t6
        orchestrator progress: I rest until it is decided.
    "), @"
    orchestrator progress: I rest until it is decided.
      + Rested s2 t5 at c1
      + Said m8 Orchestrator I -> nobody: I rest until it is decided.
      + Logged s2 (quiet): I rest until it is decided.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t7: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t7: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    ");
}

#[test]
fn whoever_rests_for_anothers_petition_hears_of_it_too() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator pleads push Which way? [left, right]
        ~ orchestrator handoff: I leave.
        ~ arbiter summon_orchestrator: Another.
        ~ orchestrator introduction: I am here.
        ~ arbiter address_orchestrator: Await the answer.
        ~ orchestrator pleads await 1
        ~ orchestrator progress: I rest.
        docket 1 decided: way=left
    "), @r#"
    docket 1 decided: way=left
      + Decided ma0d8fd7c6f3 way=left by human:cli:ada
      + Said m12 House -> nobody (notice): "Which way?" was answered: way (Which way?): left [human:cli:ada]
      + Queued s3 notice: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
      + Queued s1 notice: Orchestrator I asked this and is no longer there: / «Notice» / Your petition ma0d8fd7c6f3, "Which wa...
      + Prompted s1 t10 (log of s3): «Orchestrator II - Work Log (no response needed)» / • I rest. / Orchestrator I asked this and is no ...
      + Prompted s3 t11: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
      > Deliver s1.1 t10: «Orchestrator II - Work Log (no response needed)» / • I rest. / Orchestrator I asked this and is no ...
      > Deliver s3.1 t11: «Notice» / Your petition ma0d8fd7c6f3, "Which way?", is decided: / - way (Which way?): left [human:c...
    "#);
}

#[test]
fn a_session_is_told_that_an_answer_does_not_count() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ orchestrator pleads push Which way? [left, right]
        ~ orchestrator pleads await 1
        ~ orchestrator progress: I rest.
        docket 1 decided: nothing=left
    "), @r#"
    docket 1 decided: nothing=left
      + Void ma0d8fd7c6f3: it answers another text than was asked, leaves a decision open, or no person gave it
      + Said m8 House -> nobody (notice): The answer to "Which way?" does not count: it answers another text than was asked, leaves a decision...
      + Queued s2 notice: The answer to "Which way?" does not count: it answers another text than was asked, leaves a decision...
      + Prompted s2 t6: The answer to "Which way?" does not count: it answers another text than was asked, leaves a decision...
      > Deliver s2.1 t6: The answer to "Which way?" does not count: it answers another text than was asked, leaves a decision...
    "#);
}

#[test]
fn nobody_rests_for_what_the_mission_itself_waits_for() {
    assert_snapshot!(play("
        ~ open docket
        ~ at work
        ~ unattended
        ~ orchestrator asks cargo publish
        orchestrator pleads await 1
    "), @r#"
    orchestrator pleads await 1
      > Reply s2.1 s2.1:await: {"agent":"arbiter","answered":0,"asked":"anyone","createdAt":"1970-01-01T00:00:00.028Z","decisions":...
    "#);
}

#[test]
fn a_yes_with_answers_below_it_is_a_yes_at_every_door() {
    let ask = r#"arbiter raw {"intent":"address_human","asks":"alignment","message":"So?","decisions":[{"id":"bank","title":"Which bank?","options":[{"key":"left","label":"Left"}]}]}"#;
    let docket =
        format!("~ open docket\n~ opened\n~ unattended\n~ {ask}\ndocket 1 decided: align=yes | bank=left");
    assert_snapshot!(play(&docket), @"
    docket 1 decided: align=yes | bank=left
      + Decided ma0d8fd7c6f3 align=yes by human:cli:ada bank=left by human:cli:ada
      + Said m2 You -> Arbiter: yes / Which bank?: left (Left)
      + Consented by human:cli:ada
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): yes / Which bank?: left (Left)
      > Deliver s1.1 t2: yes / Which bank?: left (Left)
    ");
    let typed = |text: &str| {
        let mut stage = mind::play::Stage::new();
        for line in ["open", "settled", ask] {
            stage.perform(line);
        }
        let words = mind::event::HumanAction::Say(text.into());
        let event = stage.event("human: x");
        let mind::Event::Human(human) = event else { panic!("a human event") };
        stage.happen(mind::Event::Human(mind::HumanEvent { action: words, ..human }));
        stage.state.consent.is_some()
    };
    assert!(typed("yes\nWhich bank?: left (Left)"));
    assert!(!typed("yes\nbut not on the left bank"));
    assert!(!typed("Which bank?: left (Left)"));
}

/// `refuse` refuses tools. What the mission itself cannot go on without waits where a person looks.
#[test]
fn a_mission_that_refuses_tools_still_puts_its_question_into_the_docket() {
    assert_snapshot!(play("
        ~ open policy headless
        ~ at work
        ~ unattended
        orchestrator asks cargo publish
        orchestrator question: Which registry?
        arbiter address_human: I cannot go on without a registry.
        docket 1 decided: reply=the internal one
    "), @"
    orchestrator asks cargo publish
      + Asked s2 q1 (unknown) Bash: cargo publish
      + Answered s2 q1 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:cargo no: no person is there to allow it. Find a way that needs no permission, or report what you need
    orchestrator question: Which registry?
      + Rested s2 t6 at c1
      + Said m6 Orchestrator I -> Arbiter: Which registry?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Which registry?
      > FetchBack
    arbiter address_human: I cannot go on without a registry.
      + Rested s1 t5 at c1
      + Said m7 Arbiter -> human: I cannot go on without a registry.
      + Prompted s1 t7: «Orchestrator I - Awaiting Input» / Which registry?
      + DocketAsked ma0d8fd7c6f3 about m7: Arbiter asks: I cannot go on without a registry.
      > Deliver s1.1 t7: «Orchestrator I - Awaiting Input» / Which registry?
      > Petition ma0d8fd7c6f3: Arbiter asks: I cannot go on without a registry.
    docket 1 decided: reply=the internal one
      + Decided ma0d8fd7c6f3 reply=the internal one by human:cli:ada
      + Said m8 You -> Arbiter: the internal one
      + Queued s1 words m8
    ");
}
