//! May a tool run? Questions, answers bound to what was shown, yeses that last, and nobody there to be asked.

use insta::assert_snapshot;
use mind::play::play;

#[test]
fn a_tool_runs_by_a_persons_yes_and_once() {
    assert_snapshot!(play("
        ~ at work
        orchestrator asks rm -rf build
        show owner
        show waits
        human yes q1
        show asks
        human yes q1
        orchestrator asks rm -rf build
    "), @"
    orchestrator asks rm -rf build
      + Asked s2 q1 (unknown) Bash: rm -rf build
    show owner
      Human
    show waits
      no alarm
    human yes q1
      + Received l2
      + Answered s2 q1 yes by human:terminal:ada
      > RemoveFromInbox l2
      > Permit s2.1 s2.1:rm yes
    show asks
    human yes q1
      + Received l3
      + Said m6 House -> nobody (notice): Permission q1 is not open: it was answered, or its tool waits no more.
      > RemoveFromInbox l3
    orchestrator asks rm -rf build
      + Asked s2 q2 (unknown) Bash: rm -rf build
    ");
}

#[test]
fn a_no_is_told_with_its_reason() {
    assert_snapshot!(play("
        ~ at work
        orchestrator asks git clean -fd
        human no q1: keep the notes
    "), @"
    orchestrator asks git clean -fd
      + Asked s2 q1 (unknown) Bash: git clean -fd
    human no q1: keep the notes
      + Received l2
      + Answered s2 q1 no by human:terminal:ada: keep the notes
      > RemoveFromInbox l2
      > Permit s2.1 s2.1:git no: keep the notes
    ");
}

#[test]
fn an_answer_to_something_else_allows_nothing() {
    assert_snapshot!(play("
        ~ at work
        orchestrator asks rm -rf build
        human yes q1 to rm -rf /
        policy night yes q1
        human yes q7
        show asks
    "), @"
    orchestrator asks rm -rf build
      + Asked s2 q1 (unknown) Bash: rm -rf build
    human yes q1 to rm -rf /
      + Received l2
      + Said m6 House -> nobody (notice): Permission q1 is about something else than was answered. Nothing was allowed.
      > RemoveFromInbox l2
    policy night yes q1
      + Received l3
      + Said m7 House -> nobody (notice): Permission q1 can be allowed by a person only.
      > RemoveFromInbox l3
    human yes q7
      + Received l4
      + Said m8 House -> nobody (notice): Permission q7 is not open: it was answered, or its tool waits no more.
      > RemoveFromInbox l4
    show asks
      s2.1 q1 waits: rm -rf build
    ");
}

#[test]
fn a_yes_that_lasts_covers_the_same_shape_and_what_waits_already() {
    assert_snapshot!(play("
        ~ at work
        orchestrator asks curl a [curl]
        orchestrator asks wget b [wget, curl]
        ~ orchestrator asks CURL c [curl]
        human yes q1 mission
        show grants
        orchestrator asks curl d [curl]
        human no q2
        orchestrator asks wget e [wget, curl]
    "), @"
    orchestrator asks curl a [curl]
      + Asked s2 q1 (unknown) Bash: curl a
    orchestrator asks wget b [wget, curl]
      + Asked s2 q2 (unknown) Bash: wget b
    human yes q1 mission
      + Received l2
      + Answered s2 q1 yes for the mission by human:terminal:ada
      + Answered s2 q3 yes by human:terminal:ada
      > RemoveFromInbox l2
      > Permit s2.1 s2.1:curl yes
      > Permit s2.1 s2.1:CURL yes
    show grants
      curl by human:terminal:ada (q1)
    orchestrator asks curl d [curl]
      + Covered s2 by q1 (unknown) Bash: curl d
      > Permit s2.1 s2.1:curl yes
    human no q2
      + Received l3
      + Answered s2 q2 no by human:terminal:ada
      > RemoveFromInbox l3
      > Permit s2.1 s2.1:wget no
    orchestrator asks wget e [wget, curl]
      + Asked s2 q4 (unknown) Bash: wget e
    ");
}

#[test]
fn a_yes_for_an_hour_ends_after_an_hour() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator asks curl a [curl]
        human yes q1 hour
        ~ later 59m
        orchestrator asks curl b [curl]
        ~ later 2m
        orchestrator asks curl c [curl]
    "), @"
    human yes q1 hour
      + Received l2
      + Answered s2 q1 yes for an hour by human:terminal:ada
      > RemoveFromInbox l2
      > Permit s2.1 s2.1:curl yes
    orchestrator asks curl b [curl]
      + Covered s2 by q1 (unknown) Bash: curl b
      > Permit s2.1 s2.1:curl yes
    orchestrator asks curl c [curl]
      + Asked s2 q2 (unknown) Bash: curl c
    ");
}

#[test]
fn what_has_no_shape_is_allowed_once_only() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator asks docker run x
        human yes q1 mission
        human yes q1
        orchestrator asks docker run x
    "), @"
    human yes q1 mission
      + Received l2
      + Said m6 House -> nobody (notice): What permission q1 asks can only be allowed once, and was not allowed so.
      > RemoveFromInbox l2
    human yes q1
      + Received l3
      + Answered s2 q1 yes by human:terminal:ada
      > RemoveFromInbox l3
      > Permit s2.1 s2.1:docker yes
    orchestrator asks docker run x
      + Asked s2 q2 (unknown) Bash: docker run x
    ");
}

#[test]
fn nobody_there_is_a_no_by_policy() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator asks curl a [curl]
        unattended
        orchestrator asks curl b [curl]
        unattended
        attended
        orchestrator asks curl c [curl]
    "), @"
    unattended
      + Attended by no person
      + Answered s2 q1 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:curl no: no person is there to allow it. Find a way that needs no permission, or report what you need
    orchestrator asks curl b [curl]
      + Asked s2 q2 (unknown) Bash: curl b
      + Answered s2 q2 no by policy:headless: no person is there to allow it. Find a way that needs no permission, or report what you need
      > Permit s2.1 s2.1:curl no: no person is there to allow it. Find a way that needs no permission, or report what you need
    unattended
      > Note attended: false; that changes nothing
    attended
      + Attended by a person
    orchestrator asks curl c [curl]
      + Asked s2 q3 (unknown) Bash: curl c
    ");
}

#[test]
fn an_answer_that_was_not_given_outlives_a_fall_and_holds_once() {
    assert_snapshot!(play("
        ~ at work
        orchestrator asks rm -rf build
        restart
        show asks
        human yes q1
        show asks
        orchestrator asks rmdir out
        orchestrator asks rm -rf build
        orchestrator asks rm -rf build
    "), @"
    orchestrator asks rm -rf build
      + Asked s2 q1 (unknown) Bash: rm -rf build
    restart
      + Restarted run 1
      > Spawn s1.2 Arbiter, rehearsal (resume)
      > Spawn s2.2 Orchestrator I, rehearsal (resume)
      > Deliver s2.2 t5: The brief.
    show asks
      s2.2 q1 dormant: rm -rf build
    human yes q1
      + Received l2
      + Answered s2 q1 yes by human:terminal:ada
      > RemoveFromInbox l2
    show asks
      s2.2 q1 dormant, yes: rm -rf build
    orchestrator asks rmdir out
      + Asked s2 q2 (unknown) Bash: rmdir out
    orchestrator asks rm -rf build
      + AskedAgain s2 q1
      + AnswerGiven s2 q1
      > Permit s2.2 s2.2:rm yes
    orchestrator asks rm -rf build
      + Asked s2 q3 (unknown) Bash: rm -rf build
    ");
}

#[test]
fn a_question_outlives_a_death_and_is_the_same_when_it_is_asked_again() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator asks rm -rf build
        lost orchestrator: exit 1
        ~ alarm
        orchestrator asks rm -rf build
        human yes q1
    "), @"
    lost orchestrator: exit 1
      + Waits s2 revival until 1028: exit 1
    orchestrator asks rm -rf build
      + AskedAgain s2 q1
    human yes q1
      + Received l2
      + Answered s2 q1 yes by human:terminal:ada
      > RemoveFromInbox l2
      > Permit s2.2 s2.2:rm yes
    ");
}

#[test]
fn a_question_ends_with_its_tool_its_turn_or_its_session() {
    assert_snapshot!(play("
        ~ at work
        ~ orchestrator asks rm -rf build
        orchestrator unasks rm
        human yes q1
        ~ orchestrator asks rm -rf build
        ~ restart
        ~ human yes q2
        ~ orchestrator progress: Done otherwise.
        show asks
        orchestrator asks rm -rf build
        human release
        show asks
    "), @"
    orchestrator unasks rm
      + Unasked s2 q1
    human yes q1
      + Received l2
      + Said m6 House -> nobody (notice): Permission q1 is not open: it was answered, or its tool waits no more.
      > RemoveFromInbox l2
    show asks
    orchestrator asks rm -rf build
      + Asked s2 q3 (unknown) Bash: rm -rf build
    human release
      + Received l4
      + Released s2
      + Said m8 House -> nobody (notice): The human released Orchestrator I. No Orchestrator is active now.
      + Queued s1 report of I, Human Interjection: The human released Orchestrator I. No Orchestrator is active now.
      + Prompted s1 t7 (log of s2): «Orchestrator I - Work Log (no response needed)» / • Done otherwise. / «Orchestrator I - Human Inter...
      > RemoveFromInbox l4
      > End s2.2
      > Deliver s1.2 t7: «Orchestrator I - Work Log (no response needed)» / • Done otherwise. / «Orchestrator I - Human Inter...
    show asks
    ");
}

#[test]
fn a_session_asks_for_so_much_at_once_and_for_no_turn_that_is_over() {
    let mut script = String::from("~ at work\n");
    for at in 0..50 {
        script += &format!("~ orchestrator asks c{at}\n");
    }
    script += "orchestrator asks one more\n";
    script += "~ orchestrator question: What now?\n orchestrator asks rm -rf build\n";
    assert_snapshot!(play(&script), @"
    orchestrator asks one more
      > Note s2.1 asks too much at once: one more
      > Permit s2.1 s2.1:one no: too many of your tools wait for a person already
    orchestrator asks rm -rf build
      > Permit s2.1 s2.1:rm no: the turn it belongs to is over
    ");
}

#[test]
fn what_a_process_runs_is_a_fact() {
    let long = "9".repeat(60);
    let told = play(&format!(
        "
        ~ at work
        orchestrator version 2.1.197
        orchestrator version {long}
    "
    ));
    let cut = mind::limits::cut(&long, mind::limits::VERSION_CHARS_MAX);
    assert_eq!(
        told,
        format!(
            "orchestrator version 2.1.197\n  + ProgramVersion s2 2.1.197\norchestrator version {long}\n  + ProgramVersion s2 {cut}\n"
        )
    );
}

#[test]
fn what_holds_a_process_is_a_fact() {
    assert_snapshot!(play("
        ~ at work
        orchestrator housed bubblewrap
        orchestrator housed off
    "), @"
    orchestrator housed bubblewrap
      + Sandboxed s2 bubblewrap
    orchestrator housed off
      + Sandboxed s2 off
    ");
}

#[test]
fn what_the_policy_refuses_is_a_fact() {
    assert_snapshot!(play("
        ~ at work
        orchestrator denied git push: the work is fetched from the clone
    "), @"
    orchestrator denied git push: the work is fetched from the clone
      + Denied s2 Bash git push: the work is fetched from the clone
    ");
}
