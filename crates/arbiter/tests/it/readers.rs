//! Whoever reads what we print may stop reading, or go away: the mission ends all the same, and nothing panics.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::{theatre, wait_until};

/// The capacity of a pipe on Linux.
const PIPE_BYTES: usize = 64 * 1024;

/// A pipe that takes nothing more until somebody reads it.
fn full_pipe() -> (std::io::PipeReader, std::io::PipeWriter) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(&vec![b' '; PIPE_BYTES]).expect("it takes as much");
    (reader, writer)
}

fn ends(child: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until("it ends", || {
        status = child.try_wait().expect("it can be waited for");
        status.is_some()
    });
    status.expect("it ended")
}

fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).spawn().expect("the binary starts")
}

#[test]
fn a_reader_that_reads_nothing_holds_up_nothing() {
    let theatre = theatre();
    let (reader, writer) = full_pipe();
    let mut command = theatre.command(&["demo", "--headless", "--pace", "fast", "--json"]);
    let mut child = start(command.stdout(writer));
    let status = ends(&mut child);
    assert_eq!(status.code(), Some(0));
    let err = std::io::read_to_string(child.stderr.take().expect("piped")).expect("it is text");
    assert!(err.contains("\"orchestratorNumber\":3"), "the id line comes all the same: {err}");
    drop(reader);
    assert!(theatre.run(&["show"]).out.contains("complete, proven"));
    theatre.assert_nobody_left();
}

#[test]
fn nobody_reading_the_remarks_holds_up_nothing() {
    let theatre = theatre();
    let (reader, writer) = full_pipe();
    let mut command = theatre.command(&["demo", "--headless", "--pace", "fast", "--json"]);
    command.stdout(writer.try_clone().expect("a copy")).stderr(writer);
    assert_eq!(ends(&mut start(&mut command)).code(), Some(0));
    drop(reader);
}

/// Whoever reads slowly but steadily gets all of it.
#[test]
fn a_slow_reader_gets_every_line() {
    let theatre = theatre();
    let (reader, writer) = full_pipe();
    let mut command = theatre.command(&["demo", "--headless", "--pace", "fast", "--json"]);
    let mut child = start(command.stdout(writer));
    drop(command);
    wait_until("the mission is over", || {
        !theatre.missions().is_empty() && theatre.run(&["show"]).out.contains("complete, proven")
    });
    let began = Instant::now();
    let mut last = String::new();
    for line in BufReader::with_capacity(4096, reader).lines() {
        last = line.expect("it is text");
        if began.elapsed() < Duration::from_secs(4) {
            std::thread::sleep(Duration::from_millis(40));
        }
    }
    assert!(last.contains("{\"end\":"), "{last}");
    assert_eq!(ends(&mut child).code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_makes_nothing_panic() {
    let theatre = theatre();
    for arguments in [
        &["demo", "--headless", "--pace", "fast"][..],
        &["demo", "--headless", "--pace", "fast", "--json"],
        &["missions", "--all"],
        &["show"],
        &["show", "--json"],
        &["show", "nosuch"],
        &["config"],
        &["config", "schema"],
        &["doctor"],
        &["completions", "bash"],
        &["--help"],
        &["no-such-file.md"],
        &[],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = theatre.command(arguments);
        command.stdout(writer.try_clone().expect("a copy")).stderr(writer);
        let status = ends(&mut start(&mut command));
        assert!(status.code().is_some_and(|code| code <= 5), "{arguments:?}: {status}");
    }
}
