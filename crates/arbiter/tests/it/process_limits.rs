//! The limits that the system sets to a process: how long its files may be, and how many it may have open. They are met as
//! errors with the limit's name, nothing recorded is lost, and the programs that we start have the limits' own meaning.

use std::fs;
use std::process::Command;

use sim::{BridgeScript, REHEARSAL, Ran, Theatre};

use crate::BINARY;

/// Runs the binary under a limit, as `ulimit` writes it.
fn limited(theatre: &Theatre, limit: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new("timeout");
    theatre.place(&mut command);
    command
        .args(["300", "sh", "-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")])
        .arg(theatre.binary())
        .args(arguments);
    Ran::from(command.output().expect("a shell starts"))
}

/// It failed, was not ended by a signal, and names what to raise.
fn assert_told(ran: &Ran, limit: &str) {
    assert_told_with(ran, 1, limit);
}

fn assert_told_with(ran: &Ran, code: i32, limit: &str) {
    assert_eq!(ran.code, Some(code), "{}{}", ran.out, ran.err);
    let hint = ran.err.lines().rfind(|line| line.starts_with("hint: ")).unwrap_or_default();
    assert!(hint.contains(limit), "{}", ran.err);
}

#[test]
fn a_ledger_that_may_not_grow_is_an_error_and_nothing_is_lost() {
    let theatre = crate::theatre();
    let ask = |number: u32, limit: Option<&str>| {
        let question = format!("Which bank, number {number}?");
        let arguments = ["ask", &question, "-o", "left", "-o", "right"];
        limit.map_or_else(|| theatre.run(&arguments), |limit| limited(&theatre, limit, &arguments))
    };
    let mut told = 0;
    for number in 0..4 {
        let ran = ask(number, Some("-f 2"));
        if ran.code != Some(0) {
            assert_told(&ran, "`ulimit -f`");
            told += 1;
        }
        assert_eq!(ask(number, None).code, Some(0), "without the limit it is asked");
    }
    assert!(told >= 2, "{told}");
    let verified = theatre.run(&["audit", "verify"]);
    assert_eq!(
        (verified.code, verified.out.starts_with("clean: 4 lines")),
        (Some(0), true),
        "{}",
        verified.out
    );
}

#[test]
fn a_journal_that_may_not_grow_stops_the_mission_which_goes_on_without_the_limit() {
    let signals = r#"{run: [sh, -c, "grep SigIgn /proc/self/status >> .git/signals"]}"#;
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing().audited_with(signals));
    let ran = limited(&theatre, "-f 32", &[&REHEARSAL[..], &["--headless", "--yes"]].concat());
    assert_told(&ran, "`ulimit -f`");
    let id = theatre.mission_id();
    assert!(ran.err.contains(&format!("`arbiter resume {id}`")), "{}", ran.err);
    let ran = theatre.run(&["resume", &id, "--headless", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // What the agents run has the signal as it was.
    let signals = fs::read_to_string(theatre.clone_of(&id).join(".git/signals")).expect("they were noted");
    let ignored =
        signals.lines().filter_map(|line| u64::from_str_radix(line.split_whitespace().nth(1)?, 16).ok());
    let file_size = 1 << (rustix::process::Signal::XFSZ.as_raw() - 1);
    assert!(ignored.clone().count() > 0 && ignored.clone().all(|set| set & file_size == 0), "{signals}");
}

#[test]
fn too_few_files_are_told_with_the_limit_that_says_so() {
    let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
    let ask = ["ask", "Which bank?", "-o", "left", "-o", "right"];
    assert_told(&limited(&theatre, "-n 5", &ask), "`ulimit -n`");
    assert_eq!(theatre.run(&ask).code, Some(0));
    let run = [&REHEARSAL[..], &["--headless", "--yes"]].concat();
    assert_told(&limited(&theatre, "-n 12", &run), "`ulimit -n`");
    assert_told(&limited(&theatre, "-n 20", &run), "`ulimit -n`");
}

/// Which session gets no process first depends on what is open just then. However few files there are: the mission is done, or
/// it stops for the limit, blames no session, asks no person, and goes on without the limit.
#[test]
fn a_session_that_gets_no_process_stops_the_mission_which_goes_on_without_the_limit() {
    let begins = |files: u32| {
        let theatre = Theatre::rehearsing(BINARY, BridgeScript::new().asks_nothing());
        // A session without a process is tried again after so long at most; a look at the clone takes its time too.
        theatre.configure("silence: 7s\n");
        let run = [&REHEARSAL[..], &["--headless", "--yes"]].concat();
        let ran = limited(&theatre, &format!("-n {files}"), &run);
        if ran.code == Some(0) {
            return false;
        }
        assert_told(&ran, "`ulimit -n`");
        let is_unstarted = ran.err.contains("the process cannot be started");
        if is_unstarted {
            assert!(!ran.out.contains("the session is gone") && !ran.out.contains("is lost"), "{}", ran.out);
            let again = limited(&theatre, "-n 20", &["resume", &theatre.mission_id(), "--headless", "--yes"]);
            assert_told(&again, "`ulimit -n`");
        }
        if !theatre.missions().is_empty() {
            let id = theatre.mission_id();
            assert!(ran.err.contains(&format!("`arbiter resume {id}`")), "{}", ran.err);
            assert_eq!(theatre.run(&["resume", &id, "--headless", "--yes"]).code, Some(0), "{files}");
        }
        is_unstarted
    };
    assert!([24, 27, 30].map(begins).contains(&true));
}
