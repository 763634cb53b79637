//! A command that failed after it had recorded what was wanted, typed once more: it says what stands, finishes what is left,
//! and then succeeds. What was whole before, and what is another wish, is refused as ever.

use std::fs;
use std::path::PathBuf;

use sim::{Ran, Theatre};

use super::{asked, done, json, names, queue, small};

/// What keeps a petition's file from becoming what the ledger says.
struct Obstacle(PathBuf);

impl Obstacle {
    /// The file cannot be moved to the completed ones.
    fn of_moves(theatre: &Theatre) -> Obstacle {
        Obstacle::at(queue(theatre).join("completed").join(&names(theatre, "pending")[0]))
    }

    /// The file cannot be written anew: what it will be is written beside it first.
    fn of_writes(theatre: &Theatre) -> Obstacle {
        let name = names(theatre, "pending").remove(0);
        let mark = mind::digest::of(name.as_bytes());
        Obstacle::at(queue(theatre).join("pending").join(format!(".{name}.tmp-{}", &mark[..16])))
    }

    fn at(place: PathBuf) -> Obstacle {
        fs::create_dir_all(place.join("in-the-way")).expect("a folder");
        Obstacle(place)
    }

    fn goes(self) {
        fs::remove_dir_all(self.0).expect("it can be removed");
    }
}

/// It failed, and says what stands.
fn assert_stands(ran: &Ran, stands: &str) {
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(stands) && ran.err.contains("its file cannot"), "{}", ran.err);
    assert!(ran.err.contains("hint: it counts"), "{}", ran.err);
}

/// It was done by the command before, and is told as that.
fn assert_finished(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("note: this was recorded before"), "{}", ran.err);
}

fn assert_refused(ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains(why), "{}", ran.err);
}

#[test]
fn a_submit_that_was_left_half_done_is_finished_by_the_same_command() {
    for look_between in [false, true] {
        let (theatre, id) = small();
        done(&theatre, &["answer", &id, "deploy", "yes"]);
        let obstacle = Obstacle::of_moves(&theatre);
        for _ in 0..2 {
            assert_stands(&theatre.run(&["submit", &id]), &format!("petition {id} is submitted"));
        }
        obstacle.goes();
        if look_between {
            // Whoever comes first finishes it; the person who submitted has not been told.
            done(&theatre, &["inbox", "--list"]);
            assert_eq!(names(&theatre, "completed").len(), 1);
        }
        let ran = theatre.run(&["submit", &id]);
        assert_finished(&ran);
        assert!(ran.out.starts_with("submitted: "), "{}", ran.out);
        assert_refused(&theatre.run(&["submit", &id]), "is submitted");
        assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 3 lines"));
    }
}

#[test]
fn what_another_left_half_done_is_finished_and_not_taken_for_ones_own() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes"]);
    let obstacle = Obstacle::of_moves(&theatre);
    assert_stands(&theatre.run(&["submit", &id]), "is submitted");
    obstacle.goes();
    assert_refused(
        &theatre.run_with(&["submit", &id], &[("USER", "ada"), ("LOGNAME", "ada")]),
        "is submitted",
    );
    assert_finished(&theatre.run(&["submit", &id]));
}

#[test]
fn a_withdrawal_that_was_left_half_done_is_finished_by_the_same_command() {
    let (theatre, id) = small();
    let obstacle = Obstacle::of_moves(&theatre);
    let command = ["withdraw", &id, "--why", "not today"];
    for _ in 0..2 {
        assert_stands(&theatre.run(&command), &format!("petition {id} is withdrawn"));
    }
    obstacle.goes();
    // Another reason is another matter.
    assert_refused(&theatre.run(&["withdraw", &id, "--why", "too late"]), "was withdrawn: not today");
    let ran = theatre.run(&[&command[..], &["--json"]].concat());
    assert_finished(&ran);
    assert_eq!(json(&ran.out)["status"], "withdrawn");
    assert_refused(&theatre.run(&command), "was withdrawn: not today");
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 2 lines"));
}

#[test]
fn an_answer_and_a_skip_that_were_left_half_done_are_finished_by_the_same_command() {
    let (theatre, id) = asked();
    let acts: [(&[&str], &[&str]); 2] =
        [(&["answer", &id, "db", "pg"], &["answer", &id, "db", "node:22"]), (&["skip", &id, "name"], &[])];
    for (command, other) in acts {
        let obstacle = Obstacle::of_writes(&theatre);
        for _ in 0..2 {
            assert_stands(&theatre.run(command), &format!("the answer to {} of petition {id}", command[2]));
        }
        if !other.is_empty() {
            assert_refused(&theatre.run(other), "already answered: pg, by tester");
        }
        obstacle.goes();
        let ran = theatre.run(command);
        assert_finished(&ran);
        assert!(ran.out.contains(" decided)"), "{}", ran.out);
        assert!(
            ran.err.contains(&format!("hint: `arbiter inbox {id}` answers it")),
            "what is left: {}",
            ran.err
        );
        assert_refused(&theatre.run(command), "already answered: ");
    }
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 3 lines"));
}

#[test]
fn an_answer_that_a_newer_one_replaced_is_not_finished_by_saying_it_again() {
    let (theatre, id) = small();
    let obstacle = Obstacle::of_writes(&theatre);
    assert_stands(&theatre.run(&["answer", &id, "deploy", "yes"]), "is recorded");
    obstacle.goes();
    done(&theatre, &["answer", &id, "deploy", "no", "--change"]);
    assert_refused(&theatre.run(&["answer", &id, "deploy", "yes"]), "already answered: no");
}

/// The ledger has its lines, and the process died before anything else was written.
#[test]
fn a_command_that_died_once_its_act_was_recorded_is_finished_by_the_same_command() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes"]);
    let (home, aside) = (theatre.path().join("home/.arbiter"), theatre.path().join("aside"));
    super::faulty::copy(&home, &aside);
    for command in [["submit", &id], ["withdraw", &id]] {
        done(&theatre, &command);
        let recorded = fs::read(home.join("ledger.jsonl")).expect("the ledger");
        fs::remove_dir_all(&home).expect("it can be removed");
        super::faulty::copy(&aside, &home);
        fs::write(home.join("ledger.jsonl"), recorded).expect("it can be written");
        assert_finished(&theatre.run(&command));
        assert_eq!(theatre.run(&command).code, Some(1));
        fs::remove_dir_all(&home).expect("it can be removed");
        super::faulty::copy(&aside, &home);
    }
}
