//! Who talks to whom, the Orchestrator's side: envelopes, the work log, and "continue" without a reply.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn the_arbiter_gets_work_log_and_message_in_one_envelope() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: Read the auth module
        ~ orchestrator progress: Added the rotation test
        orchestrator question: Shared session store or stateless?
        read arbiter
    "), @"
    orchestrator question: Shared session store or stateless?
      + Rested s2 t7 at c1
      + Said m8 Orchestrator I -> Arbiter: Shared session store or stateless?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Shared session store or stateless?
      + Prompted s1 t8 (log of s2): «Orchestrator I - Work Log (no response needed)» / • Read the auth module / • Added the rotation tes...
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator I - Work Log (no response needed)» / • Read the auth module / • Added the rotation tes...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • Read the auth module
      | • Added the rotation test
      |
      | «Orchestrator I - Awaiting Input»
      | Shared session store or stateless?
    ");
}

#[test]
fn an_empty_log_leaves_its_section_out() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Shared session store or stateless?
        read arbiter
    "), @"
    read arbiter
      | «Orchestrator I - Awaiting Input»
      | Shared session store or stateless?
    ");
}

#[test]
fn the_log_is_emptied_when_delivered() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: Read the auth module
        ~ orchestrator question: Which store?
        ~ arbiter address_orchestrator: The shared one.
        ~ orchestrator question: Which port?
        read arbiter
    "), @"
    read arbiter
      | «Orchestrator I - Awaiting Input»
      | Which port?
    ");
}

#[test]
fn a_handoff_has_a_section_of_its_own() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: Added the rotation test
        ~ orchestrator handoff: Done: all. Remains: nothing.
        read arbiter
    "), @"
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • Added the rotation test
      |
      | «Orchestrator I - Handoff»
      | Done: all. Remains: nothing.
    ");
}

#[test]
fn without_a_reply_expected_the_message_joins_the_log_and_the_orchestrator_continues_at_once() {
    assert_snapshot!(play("
        ~ at work
        orchestrator progress: Read the auth module
        read orchestrator
    "), @"
    orchestrator progress: Read the auth module
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: Read the auth module
      + Logged s2 (quiet): Read the auth module
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    read orchestrator
      | «Notice»
      | Your message is in the work log; no reply will come. Continue with the next open item of the brief.
      | If you cannot go on without an answer, ask with `expects_response` true; if the whole is done, hand off.
    ");
}

#[test]
fn progress_that_expects_a_reply_goes_to_the_arbiter() {
    assert_snapshot!(play("
        ~ at work
        orchestrator progress?: Half is done. Go on?
    "), @"
    orchestrator progress?: Half is done. Go on?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Half is done. Go on?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Half is done. Go on?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Half is done. Go on?
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Half is done. Go on?
    ");
}

#[test]
fn after_five_turns_without_a_change_the_arbiter_gets_the_log_as_awaiting_input() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: one
        ~ orchestrator progress: two
        ~ orchestrator progress: three
        ~ orchestrator progress: four
        orchestrator progress: five
        read arbiter
    "), @"
    orchestrator progress: five
      + Rested s2 t9 at c1
      + Said m10 Orchestrator I -> nobody: five
      + Logged s2 (quiet): five
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: It ended 5 turns in a row without expecting a reply, and neither the tree nor its task list changed....
      + Prompted s1 t10 (log of s2): «Orchestrator I - Work Log (no response needed)» / • one / • two / • three / • four / • five / «Orch...
      > FetchBack
      > Deliver s1.1 t10: «Orchestrator I - Work Log (no response needed)» / • one / • two / • three / • four / • five / «Orch...
    read arbiter
      | «Orchestrator I - Work Log (no response needed)»
      | • one
      | • two
      | • three
      | • four
      | • five
      |
      | «Orchestrator I - Awaiting Input»
      | It ended 5 turns in a row without expecting a reply, and neither the tree nor its task list changed. It rests now and waits for your word.
    ");
}

#[test]
fn a_changed_tree_or_task_list_starts_the_count_anew() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator progress: one
        ~ orchestrator progress: two
        ~ orchestrator progress: three
        ~ orchestrator progress: four
        ~ tree c1 dirty
        ~ orchestrator progress: five, and a file
        ~ orchestrator progress: six
        ~ orchestrator progress: seven
        ~ orchestrator progress: eight
        ~ orchestrator progress: nine
        ~ orchestrator tasks [ ] build
        orchestrator progress: ten, and a task
    "), @"
    orchestrator progress: ten, and a task
      + Rested s2 t14 at c1 dirty
      + Said m15 Orchestrator I -> nobody: ten, and a task
      + Logged s2: ten, and a task
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t15: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t15: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    ");
}

#[test]
fn an_introduction_a_question_and_a_handoff_always_wait_for_the_arbiter() {
    assert_snapshot!(play(r#"
        ~ at work
        orchestrator raw {"kind": "question", "expects_response": false, "message": "Left or right?"}
        ~ arbiter address_orchestrator: Left.
        orchestrator raw {"kind": "handoff", "expects_response": false, "message": "I am done."}
    "#), @r#"
    orchestrator raw {"kind": "question", "expects_response": false, "message": "Left or right?"}
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Left or right?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Left or right?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Left or right?
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Left or right?
    orchestrator raw {"kind": "handoff", "expects_response": false, "message": "I am done."}
      + Rested s2 t7 at c1
      + Said m8 Orchestrator I -> Arbiter: I am done.
      + AwaitsReply s2
      + Queued s1 report of I, Handoff: I am done.
      + Prompted s1 t8: «Orchestrator I - Handoff» / I am done.
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator I - Handoff» / I am done.
    "#);
}

#[test]
fn a_verifiers_verdict_and_findings_reach_the_arbiter() {
    assert_snapshot!(play("
        ~ handed off
        ~ arbiter summon_orchestrator agent verifier: Judge.
        ~ verifier introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: Audit.
        verifier fail: Two requirements are not met. | No railing | No lamp
        read arbiter
    "), @"
    verifier fail: Two requirements are not met. | No railing | No lamp
      + Rested s3 t9 at c2
      + Judged s3 fail on c2: No railing | No lamp
      + Said m10 Orchestrator II -> Arbiter: Verdict: fail / Two requirements are not met. / - No railing / - No lamp
      + AwaitsReply s3
      + Queued s1 report of II, Handoff: Verdict: fail / Two requirements are not met. / - No railing / - No lamp
      + Prompted s1 t10: «Orchestrator II - Handoff» / Verdict: fail / Two requirements are not met. / - No railing / - No la...
      > FetchBack
      > Deliver s1.1 t10: «Orchestrator II - Handoff» / Verdict: fail / Two requirements are not met. / - No railing / - No la...
    read arbiter
      | «Orchestrator II - Handoff»
      | Verdict: fail
      | Two requirements are not met.
      | - No railing
      | - No lamp
    ");
}

#[test]
fn an_orchestrators_verdict_counts_for_nothing() {
    assert_snapshot!(play(r#"
        ~ at work
        orchestrator raw {"kind": "progress", "expects_response": false, "message": "All good.", "verdict": "pass"}
    "#), @r#"
    orchestrator raw {"kind": "progress", "expects_response": false, "message": "All good.", "verdict": "pass"}
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> nobody: All good.
      + Logged s2 (quiet): All good.
      + Queued s2 notice: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      + Prompted s2 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
      > FetchBack
      > Deliver s2.1 t6: «Notice» / Your message is in the work log; no reply will come. Continue with the next open item of ...
    "#);
}

#[test]
fn the_arbiters_words_reach_the_orchestrator_without_a_speakers_name() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator question: Left or right?
        ~ arbiter address_orchestrator: Left.
        read orchestrator
    "), @"
    read orchestrator
      | Left.
    ");
}

#[test]
fn the_arbiters_words_are_never_read_as_the_humans() {
    assert_snapshot!(play("
        ~ open no-steer
        ~ at work
        ~ human @orchestrator: paint it red
        ~ human: and hurry
        ~ arbiter address_orchestrator: Hurry, but stay careful.
        ~ orchestrator progress: The deck lies
        read orchestrator
    "), @"
    read orchestrator
      | Hurry, but stay careful.
      |
      | «Human Interjection»
      | paint it red
    ");
}
