//! What gets through: bytes, ends of streams, the announcement, keys.

use std::io::{Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use mind::access::SandboxLevel;
use mind::sandbox_needs::SandboxSecret;
use sandbox::{Purpose, secrets_line};

use super::world::{World, all_levels};

const KEY: &str = "sk-a-key-that-opens-nothing";

#[test]
fn large_streams_pass_both_ways() {
    for level in all_levels() {
        let world = World::new(level);
        let mut child = world.shell("cat", Purpose::Command).stdin(Stdio::piped()).spawn().unwrap();
        let sent: Vec<u8> = (0..8_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
        let mut stdin = child.stdin.take().unwrap();
        let (mut stdout, copy) = (child.stdout.take().unwrap(), sent.clone());
        let writer = std::thread::spawn(move || stdin.write_all(&copy));
        let mut heard = Vec::new();
        stdout.read_to_end(&mut heard).unwrap();
        writer.join().unwrap().unwrap();
        assert!(heard == sent, "{level}");
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_closed_stdout_is_seen_while_the_program_lives() {
    for level in all_levels() {
        let world = World::new(level);
        let began = Instant::now();
        let mut child = world.shell("exec >&- 2>&-; sleep 1", Purpose::Command).spawn().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        let is_early = began.elapsed() < Duration::from_millis(900);
        // Bubblewrap's own process holds it to the end.
        assert_eq!(is_early, level != SandboxLevel::Bubblewrap, "{level}");
        assert!(child.wait().unwrap().success());
        assert!(began.elapsed() > Duration::from_millis(900));
    }
}

#[test]
fn a_program_that_reads_to_the_end_comes_to_it() {
    for level in all_levels() {
        let world = World::new(level);
        let mut child = world.shell("cat; echo end", Purpose::Command).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"word\n").unwrap();
        assert_eq!(child.wait_with_output().unwrap().stdout, b"word\nend\n", "{level}");
    }
}

#[test]
fn an_agents_first_line_says_where_it_runs() {
    for level in all_levels() {
        let world = World::new(level);
        let sandbox = world.sandbox();
        let script = ["-c", "echo second"];
        let mut command =
            sandbox.command("/bin/sh".as_ref(), script, world.clone(), Purpose::Agent { secrets: false });
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let (first, rest) = said.split_once('\n').unwrap();
        assert_eq!(sandbox.heard(first), Ok(level));
        assert_eq!(rest, "second\n");
        assert!(world.sandbox().heard(first).is_err(), "another cage's line is not believed");
    }
}

#[test]
fn a_key_goes_by_descriptor_and_stands_nowhere() {
    for level in all_levels() {
        let world = World::new(level);
        let script = r#"
            fd=$KEY_FILE_DESCRIPTOR
            tr '\0' '\n' < /proc/$$/environ | sed 's/^/environ /'
            tr '\0' '\n' < /proc/$$/cmdline | sed 's/^/cmdline /'
            env | sed 's/^/env /'
            echo "key $(cat /proc/self/fd/$fd)"
            echo "again $(cat /proc/self/fd/$fd)"
            cat | sed 's/^/stdin /'"#;
        let mut command = world.shell(script, Purpose::Agent { secrets: true });
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let line = secrets_line(&[SandboxSecret { variable: "KEY_FILE_DESCRIPTOR", value: KEY.into() }]);
        stdin.write_all(line.as_bytes()).unwrap();
        stdin.write_all(b"the protocol\n").unwrap();
        // No process has it on its command line or in its environment, now or later.
        let keeper = child.id();
        for place in ["environ", "cmdline"] {
            let found = std::fs::read(format!("/proc/{keeper}/{place}")).unwrap();
            assert!(!String::from_utf8_lossy(&found).contains(KEY));
        }
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let with_key: Vec<&str> = said.lines().filter(|line| line.contains(KEY)).collect();
        assert_eq!(with_key, [format!("key {KEY}")], "{level}: {said}{errors}");
        assert!(said.contains("\nagain \n"), "{level}: {said}");
        assert!(said.ends_with("stdin the protocol\n"), "{level}: {said}");
    }
}

#[test]
fn a_house_that_gives_no_secrets_starts_nothing() {
    for level in all_levels() {
        let world = World::new(level);
        let output = world.shell("echo ran", Purpose::Agent { secrets: true }).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(125), &b""[..]), "{level}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("secrets"), "{level}");
    }
}

#[test]
fn no_descriptor_of_the_cage_is_left_in_the_program() {
    for level in all_levels() {
        let world = World::new(level);
        // The last one is the listing's own.
        assert_eq!(String::from_utf8_lossy(&world.run("ls /proc/self/fd").stdout), "0\n1\n2\n3\n", "{level}");
    }
}
