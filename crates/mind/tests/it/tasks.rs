//! The task list: part of the state, with owner and status; it survives the session.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn the_checklist_is_shown_with_owner_and_status() {
    assert_snapshot!(play("
        ~ at work
        orchestrator tasks [x] piers | [~] deck | [ ] lamp
        show tasks
    "), @"
    orchestrator tasks [x] piers | [~] deck | [ ] lamp
      + Tasks s2 [x] piers | [~] deck | [ ] lamp
    show tasks
      [x] piers (Orchestrator I)
      [~] deck (Orchestrator I)
      [ ] lamp (Orchestrator I)
    ");
}

#[test]
fn a_changed_checklist_replaces_the_one_before() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [x] piers | [~] deck | [ ] lamp
        orchestrator tasks [x] piers | [x] deck
        show tasks
    "), @"
    orchestrator tasks [x] piers | [x] deck
      + Tasks s2 [x] piers | [x] deck
    show tasks
      [x] piers (Orchestrator I)
      [x] deck (Orchestrator I)
    ");
}

#[test]
fn the_same_checklist_again_is_only_noted() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [ ] lamp
        orchestrator tasks [ ] lamp
    "), @"
    orchestrator tasks [ ] lamp
      > Note s2.1 keeps its task list
    ");
}

#[test]
fn the_checklist_survives_its_session_and_a_restart() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [x] piers | [ ] lamp
        ~ human release
        ~ restart
        ~ arbiter summon_orchestrator: Another.
        ~ orchestrator tasks [~] lamp
        show tasks
    "), @"
    show tasks
      [x] piers (Orchestrator I)
      [ ] lamp (Orchestrator I)
      [~] lamp (Orchestrator II)
    ");
}

#[test]
fn what_a_predecessor_left_and_its_successor_took_over_is_not_kept_twice() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator tasks [x] Write it | [ ] Commit it
        ~ orchestrator handoff: Half of it.
        ~ arbiter summon_orchestrator: Another.
        ~ orchestrator tasks [x] Write it | [x] Commit it | [ ] Polish it
        show tasks
    "), @"
    show tasks
      [x] Write it (Orchestrator II)
      [x] Commit it (Orchestrator II)
      [ ] Polish it (Orchestrator II)
    ");
}
