//! A mission can be cancelled from outside at every moment: it ends at once, with nothing left running.

use super::moments::{self, Moment};

fn is_cancelled(moment: Option<Moment>) {
    let Some(moment) = moment else { return };
    let running = moment.begin();
    let stage = &moment.stage;
    stage.tell(&["mission", "cancel", &stage.id()]);
    running.ends(4);
    assert_eq!(stage.count("Cancelled by human:cli:tester"), 1, "{}", stage.story());
    assert_eq!(stage.count("Completed"), 0, "{}", stage.story());
    // It is over for good.
    let again = stage.command(&["resume", "--headless"]).output().expect("the binary starts");
    assert_eq!(again.status.code(), Some(2), "{}", String::from_utf8_lossy(&again.stderr));
}

#[test]
fn while_it_is_decided_who_works_next() {
    is_cancelled(moments::selecting());
}

#[test]
fn while_an_agent_works() {
    is_cancelled(moments::executing());
}

#[test]
fn while_it_is_decided_what_became_of_a_run() {
    is_cancelled(moments::evaluating());
}

#[test]
fn while_the_human_is_asked() {
    is_cancelled(moments::awaiting_human());
}

#[test]
fn while_the_model_that_decides_is_waited_for() {
    is_cancelled(moments::recovering(50));
}

#[test]
fn while_an_agent_is_at_its_limit() {
    is_cancelled(moments::parked());
}

#[test]
fn while_a_check_runs() {
    is_cancelled(moments::completing(600));
}

#[test]
fn while_it_is_paused() {
    is_cancelled(moments::paused());
}
