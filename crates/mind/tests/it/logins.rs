//! Logins that fail: told as what they are, never tried again like a crash, and taken up when the person has mended them.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_login_that_fails_waits_for_the_person_and_is_tried_by_a_new_process() {
    assert_snapshot!(play("
        ~ opened
        arbiter unauthorised: 401
        show waits
        human resume
        arbiter address_human: Speak, mortal.
    "), @"
    arbiter unauthorised: 401
      + Waits s1 login until 6: 401
    show waits
      s1.1 waits for a login: 401
      no alarm
    human resume
      + Received l1
      + Retried s1 as t2
      + Revived s1
      > RemoveFromInbox l1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Deliver s1.2 t2: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    arbiter address_human: Speak, mortal.
      + Rested s1 t2 at c1
      + Said m1 Arbiter -> human: Speak, mortal.
    ");
}

#[test]
fn a_process_that_ends_for_want_of_a_login_is_not_started_again_by_itself() {
    assert_snapshot!(play("
        ~ opened
        loggedout arbiter: Not logged in
        show waits
        later 9999s
        alarm
        human resume
        loggedout arbiter: Not logged in
        lost arbiter: gone
        show waits
    "), @"
    loggedout arbiter: Not logged in
      + Waits s1 login until 6: Not logged in
    show waits
      s1.1 waits for a login: Not logged in
      no alarm
    later 9999s
    alarm
      > Note nothing is due
    human resume
      + Received l1
      + Retried s1 as t2
      + Revived s1
      > RemoveFromInbox l1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Deliver s1.2 t2: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    loggedout arbiter: Not logged in
      + Waits s1 login until 9999010: Not logged in
    lost arbiter: gone
      > Note s1.2 is gone while it waits: gone
    show waits
      s1.2 waits for a login: Not logged in
      no alarm
    ");
}

/// What waits for a person is somewhere a person looks, also when the terminal is closed meanwhile.
#[test]
fn a_person_who_leaves_while_a_login_waits_leaves_a_mission_that_halts() {
    assert_snapshot!(play("
        ~ opened
        ~ arbiter unauthorised: 401
        unattended
    "), @"
    unattended
      + Attended by no person
      + Halted provider: Arbiter cannot log in: 401
      > Leave provider failed
    ");
}

/// Who is away from an open terminal comes back to it; one that is closed, too, is as good as none.
#[test]
fn at_an_open_terminal_a_login_is_waited_for_though_the_person_is_away() {
    assert_snapshot!(play("
        ~ opened
        ~ attended
        ~ unattended
        arbiter unauthorised: 401
        unattended
    "), @"
    arbiter unauthorised: 401
      + Waits s1 login until 8: 401
    unattended
      + Attended by no person
      + Halted provider: Arbiter cannot log in: 401
      > Leave provider failed
    ");
    assert_snapshot!(play("
        ~ opened
        ~ attended
        ~ arbiter unauthorised: 401
        unattended
        unattended
        unattended
    "), @"
    unattended
      + Attended by no person
    unattended
      + Attended by no person
      + Halted provider: Arbiter cannot log in: 401
      > Leave provider failed
    unattended
      > Note attended: false; that changes nothing
    ");
    // A new start without a terminal has none.
    assert_snapshot!(play("
        ~ opened
        ~ attended
        ~ unattended
        ~ restart
        arbiter unauthorised: 401
    "), @"
    arbiter unauthorised: 401
      + Waits s1 login until 9: 401
      + Halted provider: Arbiter cannot log in: 401
      > Leave provider failed
    ");
}

#[test]
fn without_a_person_a_login_that_fails_stops_the_mission_and_the_next_start_tries_it() {
    assert_snapshot!(play("
        ~ opened
        ~ unattended
        arbiter unauthorised: 401
        restart
        arbiter address_human: Speak, mortal.
    "), @"
    arbiter unauthorised: 401
      + Waits s1 login until 7: 401
      + Halted provider: Arbiter cannot log in: 401
      > Leave provider failed
    restart
      + Restarted run 1
      + Retried s1 as t2
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Deliver s1.2 t2: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    arbiter address_human: Speak, mortal.
      + Rested s1 t2 at c1
      + Said m1 Arbiter -> human: Speak, mortal.
      + DocketAsked ma0d8fd7c6f3 about m1: Arbiter asks: Speak, mortal.
      > Petition ma0d8fd7c6f3: Arbiter asks: Speak, mortal.
    ");
}

#[test]
fn in_a_pause_a_start_tries_no_login() {
    assert_snapshot!(play("
        ~ opened
        ~ human pause
        ~ arbiter unauthorised: 401
        restart
        human resume
    "), @"
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
    human resume
      + Received l2
      + Resumed by human:terminal:ada
      + Retried s1 as t2
      + Revived s1
      > RemoveFromInbox l2
      > Spawn s1.3 Arbiter, rehearsal (resume)
      > Deliver s1.3 t2: «Notice» / Here is the scroll scroll.md, kept at .arbiter/scroll.md. Between the marks stand the hum...
    ");
}

#[test]
fn an_agent_that_cannot_log_in_stops_a_mission_without_a_person_too() {
    assert_snapshot!(play("
        ~ at work
        ~ unattended
        loggedout orchestrator: Not logged in
        restart
    "), @"
    loggedout orchestrator: Not logged in
      + Waits s2 login until 28: Not logged in
      + Halted provider: Orchestrator I cannot log in: Not logged in
      > Leave provider failed
    restart
      + Restarted run 1
      + Retried s2 as t6
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver s2.2 t6: The brief.
    ");
}
