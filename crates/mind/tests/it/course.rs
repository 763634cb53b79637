//! A mission's course: scroll and alignment, summoning, work, handoff, verification, report.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn the_arbiter_is_given_the_scroll() {
    assert_snapshot!(play("
        ~ open
        settled
        read arbiter
    "), @"
    settled
      + CloneReady /clone at c1 on arbiter/m1
      + Summoned s1 Arbiter, rehearsal
      + Queued s1 notice: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      + Prompted s1 t1: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
      > Spawn s1.1 Arbiter, rehearsal
      > Deliver s1.1 t1: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    read arbiter
      | «Notice»
      | Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the human's requirements, verbatim:
      | <scroll>
      | Build the bridge.
      | </scroll>
      | Study it and the code base, find the gaps, and then speak to the human. Nothing begins without alignment.
    ");
}

#[test]
fn the_humans_yes_to_the_alignment_is_consent() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human asks alignment: Scope. Shall it begin?
        human: Yes, begin!
    "), @"
    human: Yes, begin!
      + Received l1
      + Said m2 You -> Arbiter: Yes, begin!
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): Yes, begin!
      > RemoveFromInbox l1
      > Deliver s1.1 t2: Yes, begin!
    ");
}

#[test]
fn yes_but_is_a_conversation_and_no_consent() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human asks alignment: Scope. Shall it begin?
        human: yes, but make it red
        arbiter summon_orchestrator: I call one.
    "), @"
    human: yes, but make it red
      + Received l1
      + Said m2 You -> Arbiter: yes, but make it red
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): yes, but make it red
      > RemoveFromInbox l1
      > Deliver s1.1 t2: yes, but make it red
    arbiter summon_orchestrator: I call one.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): I call one.
      + TurnedBack summoning an Orchestrator: the human has not said yes: state back scope, approach, definition of don...
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      + Prompted s1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      > Deliver s1.1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
    ");
}

#[test]
fn a_yes_to_another_question_is_no_consent() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human: Is the river deep?
        human: yes
        arbiter summon_orchestrator: I call one.
    "), @"
    human: yes
      + Received l1
      + Said m2 You -> Arbiter: yes
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): yes
      > RemoveFromInbox l1
      > Deliver s1.1 t2: yes
    arbiter summon_orchestrator: I call one.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): I call one.
      + TurnedBack summoning an Orchestrator: the human has not said yes: state back scope, approach, definition of don...
      + Queued s1 notice: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      + Prompted s1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
      > Deliver s1.1 t3: «Notice» / Turned back: summon_orchestrator. It had no effect. / Reason: the human has not said yes:...
    ");
}

#[test]
fn under_a_policy_the_alignment_is_the_policys_and_never_called_consent_of_the_human() {
    assert_snapshot!(play("
        ~ open policy headless
        ~ settled
        arbiter address_human asks alignment: Scope. Shall it begin?
        read arbiter
    "), @"
    arbiter address_human asks alignment: Scope. Shall it begin?
      + Rested s1 t1 at c1
      + Said m1 Arbiter -> human (asks alignment): Scope. Shall it begin?
      + Consented by policy:headless
      + Queued s1 notice: «Notice» / No human is present. The policy headless lets the mission begin. / This is not the human'...
      + Prompted s1 t2: «Notice» / No human is present. The policy headless lets the mission begin. / This is not the human'...
      > Deliver s1.1 t2: «Notice» / No human is present. The policy headless lets the mission begin. / This is not the human'...
    read arbiter
      | «Notice»
      | No human is present. The policy headless lets the mission begin.
      | This is not the human's consent; it is recorded as policy.
      | Stay strictly within the stated scope; where in doubt, take the cautious, reversible reading.
      | Report every assumption at the end. If the human speaks, their word replaces the policy's.
    ");
}

#[test]
fn under_a_policy_a_summon_without_alignment_records_the_policy() {
    assert_snapshot!(play("
        ~ open policy yes
        ~ settled
        arbiter summon_orchestrator: I call one.
    "), @"
    arbiter summon_orchestrator: I call one.
      + Rested s1 t1 at c1
      + Consented by policy:yes
      + Said m1 Arbiter -> nobody: I call one.
      + Summoned s2 Orchestrator I, rehearsal
      + Queued s2 notice: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
      + Prompted s2 t2: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
      > Spawn s2.1 Orchestrator I, rehearsal
      > Deliver s2.1 t2: «Notice» / You are Orchestrator I. Orchestrators before you in this mission: 0. / Introduce yourself...
    ");
}

#[test]
fn a_policys_spoken_yes_is_recorded_as_the_policys() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter address_human asks alignment: Scope. Shall it begin?
        policy rehearsal: yes
    "), @"
    policy rehearsal: yes
      + Received l1
      + Said m2 You (policy:rehearsal) -> Arbiter: yes
      + Consented by policy:rehearsal
      + Queued s1 words m2
      + Prompted s1 t2 (words m2): yes
      > RemoveFromInbox l1
      > Deliver s1.1 t2: yes
    ");
}

#[test]
fn in_the_briefing_questions_go_both_ways() {
    assert_snapshot!(play("
        ~ summoned
        arbiter address_orchestrator: What will be hardest?
        orchestrator question: Which bank?
        arbiter address_orchestrator: The left one. This is the whole brief. Begin.
    "), @"
    arbiter address_orchestrator: What will be hardest?
      + Rested s1 t4 at c1
      + Said m5 Arbiter -> Orchestrator I: What will be hardest?
      + Queued s2 address: What will be hardest?
      + Prompted s2 t5: What will be hardest?
      > Deliver s2.1 t5: What will be hardest?
    orchestrator question: Which bank?
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Which bank?
      + AwaitsReply s2
      + Queued s1 report of I, Awaiting Input: Which bank?
      + Prompted s1 t6: «Orchestrator I - Awaiting Input» / Which bank?
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Awaiting Input» / Which bank?
    arbiter address_orchestrator: The left one. This is the whole brief. Begin.
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> Orchestrator I: The left one. This is the whole brief. Begin.
      + Queued s2 address: The left one. This is the whole brief. Begin.
      + Prompted s2 t7: The left one. This is the whole brief. Begin.
      > Deliver s2.1 t7: The left one. This is the whole brief. Begin.
    ");
}

#[test]
fn a_handoff_is_a_conversation_with_the_one_who_leaves() {
    assert_snapshot!(play("
        ~ at work
        orchestrator handoff: Done: the piers. Remains: the deck.
        arbiter address_orchestrator: What was NOT completed?
        orchestrator handoff: The lamp.
    "), @"
    orchestrator handoff: Done: the piers. Remains: the deck.
      + Rested s2 t5 at c1
      + Said m6 Orchestrator I -> Arbiter: Done: the piers. Remains: the deck.
      + AwaitsReply s2
      + Queued s1 report of I, Handoff: Done: the piers. Remains: the deck.
      + Prompted s1 t6: «Orchestrator I - Handoff» / Done: the piers. Remains: the deck.
      > FetchBack
      > Deliver s1.1 t6: «Orchestrator I - Handoff» / Done: the piers. Remains: the deck.
    arbiter address_orchestrator: What was NOT completed?
      + Rested s1 t6 at c1
      + Said m7 Arbiter -> Orchestrator I: What was NOT completed?
      + Queued s2 address: What was NOT completed?
      + Prompted s2 t7: What was NOT completed?
      > Deliver s2.1 t7: What was NOT completed?
    orchestrator handoff: The lamp.
      + Rested s2 t7 at c1
      + Said m8 Orchestrator I -> Arbiter: The lamp.
      + AwaitsReply s2
      + Queued s1 report of I, Handoff: The lamp.
      + Prompted s1 t8: «Orchestrator I - Handoff» / The lamp.
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator I - Handoff» / The lamp.
    ");
}

#[test]
fn a_successor_is_the_next_number_and_told_of_those_before() {
    assert_snapshot!(play("
        ~ handed off
        arbiter summon_orchestrator: Another shall go on.
        read orchestrator
    "), @"
    arbiter summon_orchestrator: Another shall go on.
      + Rested s1 t6 at c2
      + Said m7 Arbiter -> nobody: Another shall go on.
      + Released s2
      + Summoned s3 Orchestrator II, rehearsal
      + Queued s3 notice: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      + Prompted s3 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
      > End s2.1
      > Spawn s3.1 Orchestrator II, rehearsal
      > Deliver s3.1 t7: «Notice» / You are Orchestrator II. Orchestrators before you in this mission: 1. / Introduce yoursel...
    read orchestrator
      | «Notice»
      | You are Orchestrator II. Orchestrators before you in this mission: 1.
      | Introduce yourself to the Arbiter with your number, in a sentence or two, and await the brief. Do no work before it.
    ");
}

#[test]
fn a_verifier_is_given_the_scrolls_path() {
    assert_snapshot!(play("
        ~ handed off
        arbiter summon_orchestrator agent verifier: Let fresh eyes judge.
        read verifier
    "), @"
    arbiter summon_orchestrator agent verifier: Let fresh eyes judge.
      + Rested s1 t6 at c2
      + Said m7 Arbiter -> nobody: Let fresh eyes judge.
      + Released s2
      + Summoned s3 Orchestrator II, verifier, rehearsal
      + Queued s3 notice: «Notice» / You are Orchestrator II, the verifier. Orchestrators before you in this mission: 1. / The...
      + Prompted s3 t7: «Notice» / You are Orchestrator II, the verifier. Orchestrators before you in this mission: 1. / The...
      > End s2.1
      > Spawn s3.1 Orchestrator II, verifier, rehearsal
      > Deliver s3.1 t7: «Notice» / You are Orchestrator II, the verifier. Orchestrators before you in this mission: 1. / The...
    read verifier
      | «Notice»
      | You are Orchestrator II, the verifier. Orchestrators before you in this mission: 1.
      | The measure of your audit is the scroll at .arbiter/scroll.md.
      | Introduce yourself to the Arbiter with your number, in one sentence, and await its word. Then audit; change nothing.
    ");
}

#[test]
fn findings_lead_to_another_orchestrator_and_another_verifier() {
    assert_snapshot!(play("
        ~ handed off
        ~ arbiter summon_orchestrator agent verifier: Judge.
        ~ verifier introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: Audit.
        ~ verifier fail: No railing. | No railing
        arbiter release_orchestrators claim complete: It is done anyway.
        arbiter summon_orchestrator: Another shall mend it.
        ~ orchestrator introduction: I am Orchestrator III.
        ~ arbiter address_orchestrator: Mend the railing.
        ~ orchestrator handoff: Mended.
        arbiter release_orchestrators claim complete: It is done now.
        arbiter summon_orchestrator agent verifier: Judge again.
        ~ verifier introduction: I am Orchestrator IV.
        ~ arbiter address_orchestrator: Audit.
        ~ verifier pass: All is met.
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done anyway.
      + Rested s1 t10 at c2
      + Released s3
      + Said m11 Arbiter -> nobody (musing): It is done anyway.
      + TurnedBack the claim of completion: the last verifier found faults: have them mended and verified anew
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: the ...
      + Prompted s1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: the ...
      > End s3.1
      > Deliver s1.1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: the ...
    arbiter summon_orchestrator: Another shall mend it.
      + Rested s1 t11 at c2
      + Said m12 Arbiter -> nobody: Another shall mend it.
      + Summoned s4 Orchestrator III, rehearsal
      + Queued s4 notice: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
      + Prompted s4 t12: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
      > Spawn s4.1 Orchestrator III, rehearsal
      > Deliver s4.1 t12: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
    arbiter release_orchestrators claim complete: It is done now.
      + Rested s1 t15 at c2
      + Released s4
      + Said m16 Arbiter -> nobody (musing): It is done now.
      + TurnedBack the claim of completion: no verifier has passed the work since the last Orchestrator: summon one wit...
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
      + Prompted s1 t16: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
      > End s4.1
      > Deliver s1.1 t16: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
    arbiter summon_orchestrator agent verifier: Judge again.
      + Rested s1 t16 at c2
      + Said m17 Arbiter -> nobody: Judge again.
      + Summoned s5 Orchestrator IV, verifier, rehearsal
      + Queued s5 notice: «Notice» / You are Orchestrator IV, the verifier. Orchestrators before you in this mission: 3. / The...
      + Prompted s5 t17: «Notice» / You are Orchestrator IV, the verifier. Orchestrators before you in this mission: 3. / The...
      > Spawn s5.1 Orchestrator IV, verifier, rehearsal
      > Deliver s5.1 t17: «Notice» / You are Orchestrator IV, the verifier. Orchestrators before you in this mission: 3. / The...
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t20 at c2
      + Released s5
      + Said m21 Arbiter -> nobody (claim): It is done.
      + Claimed g1: It is done.
      > End s5.1
      > Survey g1
    ");
}

#[test]
fn a_whole_mission_from_scroll_to_report() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ settled
        ~ arbiter address_human: Which bank?
        ~ human: left
        ~ arbiter address_human asks alignment: Scope: a bridge on the left. Shall it begin?
        ~ human: yes
        ~ arbiter summon_orchestrator: I call one.
        ~ orchestrator introduction: I am Orchestrator I.
        ~ arbiter address_orchestrator: The brief.
        ~ orchestrator progress: The piers stand
        ~ orchestrator handoff: My context thins.
        ~ arbiter summon_orchestrator: Another shall go on.
        ~ orchestrator introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: First verify what you find.
        ~ tree c2
        ~ orchestrator handoff: All is done.
        ~ arbiter summon_orchestrator agent verifier: Let fresh eyes judge.
        ~ verifier introduction: I am Orchestrator III.
        ~ arbiter address_orchestrator: Audit.
        ~ verifier pass: Every requirement is met.
        ~ arbiter release_orchestrators claim complete: A bridge, on the left.
        ~ surveyed c2
        ~ brought
        check pass
        show talk
        show owner
        show wake
    "#), @"
    check pass
      + Receipt g1 #0 cargo test at c2: exit 0
      + Said m19 Arbiter -> human: A bridge, on the left.
      + Completed proven
      > End s1.1
      > Leave completed
    show talk
      Arbiter -> human: Which bank?
      You -> Arbiter: left
      Arbiter -> human: Scope: a bridge on the left. Shall it begin?
      You -> Arbiter: yes
      Arbiter -> nobody: I call one.
      Orchestrator I -> Arbiter: I am Orchestrator I.
      Arbiter -> Orchestrator I: The brief.
      Orchestrator I -> nobody: The piers stand
      Orchestrator I -> Arbiter: My context thins.
      Arbiter -> nobody: Another shall go on.
      Orchestrator II -> Arbiter: I am Orchestrator II.
      Arbiter -> Orchestrator II: First verify what you find.
      Orchestrator II -> Arbiter: All is done.
      Arbiter -> nobody: Let fresh eyes judge.
      Orchestrator III -> Arbiter: I am Orchestrator III.
      Arbiter -> Orchestrator III: Audit.
      Orchestrator III -> Arbiter: Verdict: pass / Every requirement is met.
      Arbiter -> nobody: A bridge, on the left.
      Arbiter -> human: A bridge, on the left.
    show owner
      Over
    show wake
      > Leave completed
    ");
}

#[test]
fn under_a_policy_a_second_request_for_the_yes_is_turned_back() {
    assert_snapshot!(play("
        ~ open policy headless
        ~ settled
        ~ arbiter address_human asks alignment: One file. Shall it begin?
        arbiter address_human asks alignment: Shall it really begin?
    "), @"
    arbiter address_human asks alignment: Shall it really begin?
      + Rested s1 t2 at c1
      + Said m2 Arbiter -> nobody (musing): Shall it really begin?
      + TurnedBack asking the human for the yes: the policy for missions without a person let the mission begin already...
      + Queued s1 notice: «Notice» / Turned back: address_human with asks: alignment. It had no effect. / Reason: the policy f...
      + Prompted s1 t3: «Notice» / Turned back: address_human with asks: alignment. It had no effect. / Reason: the policy f...
      > Deliver s1.1 t3: «Notice» / Turned back: address_human with asks: alignment. It had no effect. / Reason: the policy f...
    ");
}
