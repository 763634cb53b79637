//! The completion gate: a claim becomes true only by a fresh verifier's pass and by checks that we ran ourselves.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_claim_without_any_work_is_turned_back() {
    assert_snapshot!(play("
        ~ aligned
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t2 at c1
      + Said m3 Arbiter -> nobody (musing): It is done.
      + TurnedBack the claim of completion: no Orchestrator has worked
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no O...
      + Prompted s1 t3: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no O...
      > Deliver s1.1 t3: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no O...
    ");
}

#[test]
fn a_claim_without_a_verifier_is_turned_back_with_the_reason() {
    assert_snapshot!(play("
        ~ handed off
        arbiter release_orchestrators claim complete: It is done.
        read arbiter
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t6 at c2
      + Released s2
      + Said m7 Arbiter -> nobody (musing): It is done.
      + TurnedBack the claim of completion: no verifier has passed the work since the last Orchestrator: summon one wit...
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
      + Prompted s1 t7: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
      > End s2.1
      > Deliver s1.1 t7: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: no v...
    read arbiter
      | «Notice»
      | Turned back: release_orchestrators with claim: complete. It had no effect.
      | Reason: no verifier has passed the work since the last Orchestrator: summon one with `agent: verifier`
      | Remove the reason before you try it again.
    ");
}

#[test]
fn a_claim_with_open_tasks_is_turned_back() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [x] piers | [~] deck | [ ] lamp
        ~ handed off
        ~ judged
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t10 at c2
      + Released s3
      + Said m11 Arbiter -> nobody (musing): It is done.
      + TurnedBack the claim of completion: open in the task list: deck; lamp
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
      + Prompted s1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
      > End s3.1
      > Deliver s1.1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
    ");
}

#[test]
fn a_verifiers_own_task_list_does_not_hide_open_work() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [ ] lamp
        ~ handed off
        ~ arbiter summon_orchestrator agent verifier: Judge.
        ~ verifier tasks [x] audit
        ~ verifier introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: Audit.
        ~ verifier pass: All is met.
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t10 at c2
      + Released s3
      + Said m11 Arbiter -> nobody (musing): It is done.
      + TurnedBack the claim of completion: open in the task list: lamp
      + Queued s1 notice: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
      + Prompted s1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
      > End s3.1
      > Deliver s1.1 t11: «Notice» / Turned back: release_orchestrators with claim: complete. It had no effect. / Reason: open...
    ");
}

#[test]
fn a_successors_list_replaces_its_predecessors_at_the_gate() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [ ] lamp
        ~ orchestrator handoff: My context thins.
        ~ arbiter summon_orchestrator: Another.
        ~ orchestrator introduction: I am Orchestrator II.
        ~ arbiter address_orchestrator: Go on.
        ~ orchestrator tasks [x] lamp | [x] rail
        ~ handed off
        ~ judged
        arbiter release_orchestrators claim complete: It is done.
    "), @"
    arbiter release_orchestrators claim complete: It is done.
      + Rested s1 t14 at c2
      + Released s4
      + Said m15 Arbiter -> nobody (claim): It is done.
      + Claimed g1: It is done.
      > End s4.1
      > Survey g1
    ");
}

#[test]
fn uncommitted_changes_refuse_the_claim() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        surveyed c2 dirty
    "#), @"
    surveyed c2 dirty
      + Surveyed g1 c2 dirty
      + Refused g1: the clone has changes that are not committed; only what is committed counts
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone has changes t...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone has changes t...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone has changes t...
    ");
}

#[test]
fn a_pass_for_another_commit_refuses_the_claim() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        surveyed c3
    "#), @"
    surveyed c3
      + Surveyed g1 c3
      + Refused g1: the verifier's pass is not for the commit that stands now
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
    ");
}

#[test]
fn a_pass_for_an_unknown_commit_refuses_the_claim() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ handed off
        ~ tree unknown
        ~ judged
        ~ claimed
        surveyed c2
        brought
    "#), @"
    surveyed c2
      + Surveyed g1 c2
      + Refused g1: the verifier's pass is not for the commit that stands now
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the verifier's pass is ...
    brought
      > Note no claim g1 waits for its work
    ");
}

#[test]
fn checks_run_one_after_the_other_and_leave_receipts() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test" "cargo fmt --check"
        ~ claimed
        surveyed c2
        brought
        check pass
        check pass
    "#), @"
    surveyed c2
      + Surveyed g1 c2
      > Bring g1 c2
    brought
      + Brought g1 c2
      > Check g1 #0 cargo test at c2
    check pass
      + Receipt g1 #0 cargo test at c2: exit 0
      > Check g1 #1 cargo fmt --check at c2
    check pass
      + Receipt g1 #1 cargo fmt --check at c2: exit 0
      + Said m12 Arbiter -> human: It is done.
      + Completed proven
      > End s1.1
      > Leave completed
    ");
}

#[test]
fn a_failed_check_turns_the_claim_back_with_the_end_of_its_output() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test" "cargo fmt --check"
        ~ claimed
        ~ surveyed c2
        ~ brought
        check fail 101: assertion failed: the lamp burns
        read arbiter
    "#), @"
    check fail 101: assertion failed: the lamp burns
      + Receipt g1 #0 cargo test at c2: exit 101
      + Refused g1: the check `cargo test` did not pass (exit 101). The end of its output: / assertion failed: the lamp ...
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
    read arbiter
      | «Notice»
      | Turned back: the claim of completion. It had no effect.
      | Reason: the check `cargo test` did not pass (exit 101). The end of its output:
      | assertion failed: the lamp burns
      | Remove the reason before you try it again.
    ");
}

#[test]
fn a_check_that_runs_out_of_time_does_not_pass() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        check timeout
    "#), @"
    check timeout
      + Receipt g1 #0 cargo test at c2: timed out
      + Refused g1: the check `cargo test` did not pass (timed out). The end of its output:
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
    ");
}

#[test]
fn without_checks_the_end_is_verified_by_agent_and_never_proven() {
    assert_snapshot!(play("
        ~ claimed
        surveyed c2
        brought
    "), @"
    surveyed c2
      + Surveyed g1 c2
      > Bring g1 c2
    brought
      + Brought g1 c2
      + Said m12 Arbiter -> human: It is done.
      + Completed verified by agent
      > End s1.1
      > Leave completed
    ");
}

#[test]
fn after_a_refusal_the_same_way_is_gone_again() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check fail 1: flaky
        arbiter release_orchestrators claim complete: Once more.
        surveyed c2
        brought
        check pass
    "#), @"
    arbiter release_orchestrators claim complete: Once more.
      + Rested s1 t11 at c2
      + Said m12 Arbiter -> nobody (claim): Once more.
      + Claimed g2: Once more.
      > Survey g2
    surveyed c2
      + Surveyed g2 c2
      > Bring g2 c2
    brought
      + Brought g2 c2
      > Check g2 #0 cargo test at c2
    check pass
      + Receipt g2 #0 cargo test at c2: exit 0
      + Said m13 Arbiter -> human: Once more.
      + Completed proven
      > End s1.1
      > Leave completed
    ");
}

#[test]
fn what_belongs_to_an_old_claim_changes_nothing() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test" "cargo fmt --check"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check fail 1: flaky
        ~ arbiter release_orchestrators claim complete: Once more.
        surveyed c2 for g1
        check pass for g1
        check pass
        ~ surveyed c2
        ~ brought
        surveyed c2
        brought
        check pass #1
    "#), @"
    surveyed c2 for g1
      > Note no claim g1 waits for a survey
    check pass for g1
      > Note no claim g1 waits for check 0
    check pass
      > Note no claim g2 waits for check 0
    surveyed c2
      > Note no claim g2 waits for a survey
    brought
      > Note no claim g2 waits for its work
    check pass #1
      > Note no claim g2 waits for check 1
    ");
}

#[test]
fn words_of_the_human_while_the_checks_run_hold_completion_back() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ human: wait
        check pass
    "#), @"
    check pass
      + Receipt g1 #0 cargo test at c2: exit 0
      + Refused g1: the mission went on while the checks ran; they passed. Claim again when nothing else is open
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the mission went on whi...
    ");
}

#[test]
fn a_question_to_the_human_while_the_checks_run_holds_completion_back() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ human: is the lamp in?
        ~ arbiter address_human: It is not. Shall it be?
        check pass
    "#), @"
    check pass
      + Receipt g1 #0 cargo test at c2: exit 0
      + Refused g1: the mission went on while the checks ran; they passed. Claim again when nothing else is open
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the mission went on whi...
      + Prompted s1 t12: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the mission went on whi...
      > Deliver s1.1 t12: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the mission went on whi...
    ");
}

/// The Arbiter spoke to the human before its claim and nobody answered.
#[test]
fn an_old_question_does_not_hold_completion_back() {
    assert_snapshot!(play("
        ~ judged
        ~ arbiter address_human: By the way, is red fine?
        ~ human @orchestrator: go on
        ~ verifier pass: Still met.
        ~ claimed
        surveyed c2
        brought
    "), @"
    surveyed c2
      + Surveyed g1 c2
      > Bring g1 c2
    brought
      + Brought g1 c2
      + Said m15 Arbiter -> human: It is done.
      + Completed verified by agent
      > End s1.1
      > Leave completed
    ");
}

#[test]
fn claims_refused_again_and_again_end_at_the_human() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check fail 1: red
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check fail 1: red
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ check fail 1: red
        ~ claimed
        ~ surveyed c2
        ~ brought
        check fail 1: red
    "#), @"
    check fail 1: red
      + Receipt g4 #0 cargo test at c2: exit 1
      + Refused g4: the check `cargo test` did not pass (exit 1). The end of its output: / red
      + Queued s1 aside: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the check `cargo test` ...
      + Said m15 House -> human: The Arbiter was turned back several times (the claim of completion: the check `cargo test` did not p...
    ");
}

#[test]
fn a_verdict_in_an_introduction_is_no_judgement() {
    assert_snapshot!(play(r#"
        ~ handed off
        ~ arbiter summon_orchestrator agent verifier: Judge.
        verifier raw {"kind": "introduction", "expects_response": true, "message": "I am Orchestrator II.", "verdict": "pass"}
    "#), @r#"
    verifier raw {"kind": "introduction", "expects_response": true, "message": "I am Orchestrator II.", "verdict": "pass"}
      + Rested s3 t7 at c2
      + Said m8 Orchestrator II -> Arbiter: I am Orchestrator II.
      + AwaitsReply s3
      + Queued s1 report of II, Awaiting Input: I am Orchestrator II.
      + Prompted s1 t8: «Orchestrator II - Awaiting Input» / I am Orchestrator II.
      > FetchBack
      > Deliver s1.1 t8: «Orchestrator II - Awaiting Input» / I am Orchestrator II.
    "#);
}

#[test]
fn an_arbiter_that_is_answering_holds_completion_back() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ human: wait
        ~ arbiter heard
        check pass
    "#), @"
    check pass
      + Receipt g1 #0 cargo test at c2: exit 0
      + Refused g1: the mission went on while the checks ran; they passed. Claim again when nothing else is open
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the mission went on whi...
    ");
}

#[test]
fn a_summon_while_the_checks_run_voids_the_claim() {
    assert_snapshot!(play(r#"
        ~ open checks "cargo test"
        ~ claimed
        ~ surveyed c2
        ~ brought
        ~ human: it wants a lamp
        arbiter summon_orchestrator: One shall add the lamp.
        ~ human release
        ~ arbiter musings: Then not.
        check pass
    "#), @"
    arbiter summon_orchestrator: One shall add the lamp.
      + Rested s1 t11 at c2
      + Said m13 Arbiter -> nobody: One shall add the lamp.
      + Refused g1: another Orchestrator was summoned while the checks ran
      + Summoned s4 Orchestrator III, rehearsal
      + Queued s4 notice: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
      + Prompted s4 t12: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
      > Abandon g1
      > Spawn s4.1 Orchestrator III, rehearsal
      > Deliver s4.1 t12: «Notice» / You are Orchestrator III. Orchestrators before you in this mission: 2. / Introduce yourse...
    check pass
      > Note no claim g1 waits for check 0
    ");
}

#[test]
fn work_that_lies_elsewhere_than_on_the_checked_commit_is_turned_back() {
    assert_snapshot!(play("
        ~ claimed
        ~ surveyed c2
        brought c9
        brought c2
    "), @"
    brought c9
      + Refused g1: the clone moved on to another commit meanwhile
      + Queued s1 notice: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone moved on to a...
      + Prompted s1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone moved on to a...
      > Deliver s1.1 t11: «Notice» / Turned back: the claim of completion. It had no effect. / Reason: the clone moved on to a...
    brought c2
      > Note no claim g1 waits for its work
    ");
}
