//! A disk that takes some writes and not others, a lock that is held, a folder that is gone: what stands is told, nothing
//! is lost, and the same command finishes what is left.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sim::{Ran, Theatre};

use super::{asked, done, json, names, queue, small, told};
use crate::wait_until;

/// No hint can be written any more: a folder is where each file is made.
pub(crate) fn without_hints(theatre: &Theatre) {
    let own = queue(theatre).join(".arbiter");
    for shard in 0..docket::limits::SHARDS {
        fs::create_dir_all(own.join(format!("index/{shard:03}.new"))).expect("a folder");
    }
    fs::create_dir_all(own.join("applied.new")).expect("a folder");
}

#[test]
fn what_is_recorded_is_done_whether_its_hints_can_be_written_or_not() {
    let (theatre, first) = small();
    without_hints(&theatre);
    let id = done(&theatre, &["ask", "And now?", "--id", "now", "-o", "yes", "-o", "no"]);
    let id = id.trim();
    let listed = done(&theatre, &["inbox", "--list"]);
    assert!(listed.contains(id) && listed.contains(&first), "{listed}");
    assert_eq!(done(&theatre, &["ask", "And now?", "--id", "now", "-o", "yes", "-o", "no"]).trim(), id);
    done(&theatre, &["answer", id, "now", "yes", "--submit"]);
    assert_eq!(told(&theatre, &["get", &id[..4], "--json"])["answers"]["now"], "yes");
    done(&theatre, &["withdraw", &first]);
    assert_eq!(names(&theatre, "completed").len(), 2);
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 5 lines"));
}

/// The petitions' folder on another file system, to which no file can be moved in one step.
fn pending_elsewhere(theatre: &Theatre) -> Option<tempfile::TempDir> {
    use std::os::unix::fs::MetadataExt as _;
    let device = |path: &Path| fs::metadata(path).ok().map(|found| found.dev());
    let elsewhere = tempfile::tempdir_in("/dev/shm").ok()?;
    if device(elsewhere.path()) == device(theatre.path()) {
        return None;
    }
    let pending = queue(theatre).join("pending");
    fs::remove_dir(&pending).expect("it is empty");
    std::os::unix::fs::symlink(elsewhere.path(), &pending).expect("a link");
    Some(elsewhere)
}

#[test]
fn a_question_whose_file_cannot_be_put_in_place_is_asked_and_told_with_its_id() {
    let (theatre, first) = small();
    done(&theatre, &["withdraw", &first]);
    let Some(elsewhere) = pending_elsewhere(&theatre) else {
        return sim::real::missing("a second file system", "/dev/shm is none");
    };
    let question = ["ask", "Which way?", "--id", "way", "-o", "left", "-o", "right"];
    let ran = theatre.run(&question);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let id = ran.out.trim().to_owned();
    assert!(ran.err.contains(&format!("petition {id} is asked, and its file cannot")), "{}", ran.err);
    assert!(ran.err.contains("hint: it counts"), "{}", ran.err);
    // Asked again it is the same one, also for programs; and another question takes nothing of it away.
    let again = theatre.run(&[&question[..], &["--json"]].concat());
    assert_eq!((again.code, json(&again.out)["planId"].as_str()), (Some(1), Some(id.as_str())));
    assert_eq!(theatre.run(&["ask", "Other?", "-o", "a", "-o", "b"]).code, Some(1));
    assert!(done(&theatre, &["status", &id]).contains("Which way?"));
    let listed = theatre.run(&["inbox", "--list"]);
    assert!(listed.code == Some(1) && listed.out.contains(&id), "{}{}", listed.out, listed.err);
    let pending = queue(&theatre).join("pending");
    fs::remove_file(&pending).expect("the link");
    drop(elsewhere);
    assert_eq!(done(&theatre, &question).trim(), id);
    assert_eq!(names(&theatre, "pending").len(), 2);
    done(&theatre, &["answer", &id, "way", "left", "--submit"]);
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 6 lines"));
}

#[test]
fn an_answer_that_could_not_be_submitted_whole_is_finished_by_the_same_command() {
    let (theatre, id) = small();
    let in_the_way = queue(&theatre).join("completed").join(&names(&theatre, "pending")[0]);
    fs::create_dir_all(in_the_way.join("x")).expect("a folder");
    let command = ["answer", &id, "deploy", "yes", "--submit"];
    for _ in 0..2 {
        let ran = theatre.run(&command);
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(ran.err.contains(&format!("petition {id} is submitted, and its file cannot")), "{}", ran.err);
    }
    fs::remove_dir_all(&in_the_way).expect("it can be removed");
    let ran = theatre.run(&command);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 3 lines"));
    // Another answer is another matter.
    assert_eq!(theatre.run(&["answer", &id, "deploy", "no", "--submit"]).code, Some(1));
}

#[test]
fn an_answer_that_stands_is_submitted_by_the_same_command() {
    let (theatre, id) = small();
    done(&theatre, &["answer", &id, "deploy", "yes"]);
    let ran = theatre.run(&["answer", &id, "deploy", "yes", "--submit"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert_eq!(told(&theatre, &["status", &id, "--json"])["status"], "completed");
}

#[test]
fn petitions_whose_files_are_gone_are_named() {
    let (theatre, id) = asked();
    let aside = queue(&theatre).join("aside");
    fs::rename(queue(&theatre).join("pending"), &aside).expect("it can be moved");
    for _ in 0..2 {
        let ran = theatre.run(&["inbox", "--list"]);
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("missing: ") && ran.out.contains(&id), "{}", ran.out);
        assert!(ran.out.contains("API Design Decisions"), "{}", ran.out);
        assert!(ran.err.contains(&format!("arbiter withdraw {id}")), "{}", ran.err);
    }
    let ran = theatre.run(&["inbox", "--json"]);
    let fault = &json(&ran.out)["faults"][0];
    assert_eq!(
        (ran.code, &fault["kind"], &fault["petition"]),
        (Some(1), &"missing".into(), &id.as_str().into())
    );
    // What is counted from such a queue is told as not whole, too.
    let ran = theatre.run(&["stats"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("error: the queue is not whole: "), "{}", ran.err);
    fs::rename(&aside, queue(&theatre).join("pending")).expect("it can be moved");
    done(&theatre, &["stats"]);
    assert!(done(&theatre, &["inbox", "--list"]).contains(&id));
    done(&theatre, &["withdraw", &id]);
    assert!(done(&theatre, &["inbox", "--list"]).contains("nothing waits"));
}

/// A process of ours that holds the docket's lock, stopped in the middle of it.
struct Stopped {
    child: Child,
}

impl Stopped {
    /// It waits for the ledger, which the test holds, while it has the docket's lock; then it is stopped.
    fn within_the_lock(theatre: &Theatre) -> Stopped {
        let home = theatre.path().join("home/.arbiter");
        let ledger = File::options().append(true).open(home.join("ledger.jsonl")).expect("the ledger");
        ledger.lock().expect("a lock");
        let child = theatre.start(&["ask", "Held?", "-o", "a", "-o", "b"]);
        let lock = queue(theatre).join(".arbiter/lock");
        wait_until("it has the lock", || {
            let file = File::options().append(true).open(&lock).expect("the lock");
            file.try_lock().is_err()
        });
        let stopped = Stopped { child };
        stopped.signal(Signal::STOP);
        wait_until("it is stopped", || stopped.state() == Some('T'));
        stopped
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it is there");
    }

    fn state(&self) -> Option<char> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        stat.rsplit_once(") ")?.1.chars().next()
    }
}

#[test]
fn a_stopped_process_with_the_lock_is_named_and_waited_for_in_bounds() {
    let (theatre, id) = small();
    let stopped = Stopped::within_the_lock(&theatre);
    let pid = stopped.child.id();
    let began = Instant::now();
    let ran =
        |arguments: &[&str]| theatre.command(arguments).stdin(Stdio::null()).spawn().expect("it starts");
    let (ask, answer) =
        (ran(&["ask", "Why?", "-o", "a", "-o", "b"]), ran(&["answer", &id, "deploy", "yes", "--submit"]));
    // Who only reads is not kept waiting.
    assert!(done(&theatre, &["inbox", "--list"]).contains(&id));
    assert!(began.elapsed() < docket::limits::LOCK_WAIT_MAX / 2, "{:?}", began.elapsed());
    for child in [ask, answer] {
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
        assert!(
            ran.err.contains(&format!("waiting: process {pid}, which is stopped, holds the lock")),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("nothing of this was recorded"), "{}", ran.err);
        assert!(ran.err.contains(&format!("hint: `kill -CONT {pid}` lets it go on")), "{}", ran.err);
    }
    assert!(began.elapsed() < docket::limits::LOCK_WAIT_MAX * 2 + Duration::from_secs(20));
    stopped.signal(Signal::CONT);
    let ran = Ran::from(stopped.child.wait_with_output().expect("it ends"));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    done(&theatre, &["answer", &id, "deploy", "yes", "--submit"]);
    assert!(done(&theatre, &["audit", "verify"]).starts_with("clean: 4 lines"));
}

/// What a process leaves that dies in the middle of a change is no tampering.
#[test]
fn an_audit_after_a_crash_finishes_it_and_is_clean() {
    let (theatre, id) = small();
    let ledger = theatre.path().join("home/.arbiter/ledger.jsonl");
    let home = theatre.path().join("home/.arbiter");
    let aside = theatre.path().join("aside");
    copy(&home, &aside);
    done(&theatre, &["answer", &id, "deploy", "yes", "--submit"]);
    let whole = fs::read(&ledger).expect("the ledger");
    let asked = fs::read(aside.join("ledger.jsonl")).expect("the ledger");
    // Its lines are there as far as they were written, and nothing else is.
    for end in [asked.len() + 1, whole.len() - 1, whole.len()] {
        fs::remove_dir_all(&home).expect("it can be removed");
        copy(&aside, &home);
        fs::write(&ledger, &whole[..end]).expect("it can be written");
        let ran = theatre.run(&["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{end}: {}{}", ran.out, ran.err);
    }
    assert_eq!(names(&theatre, "completed").len(), 1, "and it is finished");
}

pub(crate) fn copy(from: &Path, to: &Path) {
    let ran = std::process::Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp runs");
    assert!(ran.success());
}
