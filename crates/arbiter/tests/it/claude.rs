//! Claude Code as a person meets it: found, missing, of a strange version, not logged in. A script stands in for it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mind::fact::MissionFact;
use mind::{Charter, Fact};
use providers::claude::versions;
use sim::{Ran, Theatre};

use crate::{BINARY, theatre, wait_until};

const LOGGED_IN: &str = r#"{"loggedIn":true,"authMethod":"claude.ai","subscriptionType":"max"}"#;
const LOGGED_OUT: &str = r#"{"loggedIn":false,"authMethod":"none","apiProvider":"firstParty"}"#;

/// A folder with git and a shell, and nothing else: the only one on PATH.
fn bin(theatre: &Theatre) -> PathBuf {
    let bin = theatre.path().join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let path = std::env::var_os("PATH").expect("a PATH");
    for name in ["git", "sh", "cat", "sleep"] {
        let program = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.exists());
        let _ = symlink(program.expect("it is installed"), bin.join(name));
    }
    bin
}

/// Puts a `claude` on PATH that tells its version and its login, and leaves at once as a session.
fn install(theatre: &Theatre, version: &str, login: &str) -> PathBuf {
    install_that(theatre, version, login, "exit 1")
}

/// The same, where a session is this script.
fn install_that(theatre: &Theatre, version: &str, login: &str, session: &str) -> PathBuf {
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in\n*--version) echo '{version}' ;;\n*'auth status'*) echo '{login}' ;;\n*) {session} ;;\nesac"
    );
    let program = bin(theatre).join("claude");
    // Written by another process: a descriptor of ours could be inherited by a child of another test, and a program
    // that is open for writing cannot be run.
    let write = "printf '%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let status = Command::new("sh").args(["-c", write, "sh"]).arg(&program).arg(text).status();
    assert!(status.expect("a shell").success());
    program
}

fn run(theatre: &Theatre, arguments: &[&str]) -> Ran {
    theatre.run_with(arguments, &[("PATH", &bin(theatre).display().to_string())])
}

/// Writes the user's own configuration.
fn configure(theatre: &Theatre, text: &str) {
    let folder = theatre.path().join("home/.config/arbiter");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.yaml"), text).expect("a file");
}

/// The lines of the doctor about `what`, each with its hint.
fn rows(ran: &Ran, what: &str) -> String {
    let mut lines =
        ran.out.lines().skip_while(|line| !line.get(6..).is_some_and(|rest| rest.starts_with(what)));
    let row = lines.next().unwrap_or_default().to_owned();
    match lines.next().filter(|line| line.starts_with(' ')) {
        Some(hint) => format!("{row}\n{hint}"),
        None => row,
    }
}

#[test]
fn without_claude_nothing_begins_and_the_demo_is_offered() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    let ran = run(&theatre, &["run", "--headless", "a.md"]);
    assert_eq!(ran.code, Some(5), "{}\n{}", ran.out, ran.err);
    let words =
        ["Claude Code was not found", "npm install -g @anthropic-ai/claude-code", "log in", "`arbiter demo`"];
    for word in words {
        assert!(ran.err.contains(word), "{word} is missing in\n{}", ran.err);
    }
    assert!(theatre.missions().is_empty());
}

#[test]
fn a_configured_program_that_is_not_there_is_named() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    install(&theatre, "2.1.197", LOGGED_IN);
    configure(&theatre, "claude: { program: /nowhere/claude }\n");
    let ran = run(&theatre, &["run", "--headless", "a.md"]);
    assert_eq!(ran.code, Some(5), "{}", ran.err);
    assert!(
        ran.err.contains("/nowhere/claude is not there") && ran.err.contains("claude.program"),
        "{}",
        ran.err
    );
}

#[test]
fn a_mission_needs_requirements() {
    let theatre = Theatre::with_repository(BINARY, &[]);
    install(&theatre, "2.1.197", LOGGED_IN);
    let ran = run(&theatre, &["run", "--headless"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("has no requirements") && ran.err.contains("hint:"), "{}", ran.err);
}

#[test]
fn a_program_that_leaves_for_want_of_a_login_is_no_crash() {
    // With settings that an organisation demands, the program leaves before it answers anything.
    for last_word in [
        "Not logged in · Please run /login",
        "Your Claude session has expired. Sign in again to continue (claude auth login).",
        "OAuth token revoked · Please run /login",
        "Invalid API key · Fix external API key",
    ] {
        let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
        let leaves = format!("echo '{last_word}' >&2; echo >&2; echo 'bye' >&2; exit 1");
        install_that(&theatre, "2.1.197", LOGGED_OUT, &leaves);
        let ran = run(&theatre, &["run", "--headless", "a.md"]);
        let told = format!("{}\n{}", ran.out, ran.err);
        assert_eq!(ran.code, Some(5), "{told}");
        for word in [last_word, "cannot log in", "`claude auth login`", "`arbiter resume"] {
            assert!(told.contains(word), "{word} is missing in\n{told}");
        }
        assert!(!told.contains("resuming in"), "{told}");
        let facts: Vec<String> =
            theatre.entries(&theatre.mission()).iter().map(|entry| entry.fact.to_string()).collect();
        let waits: Vec<&String> = facts.iter().filter(|fact| fact.starts_with("Waits")).collect();
        assert!(matches!(waits[..], [wait] if wait.starts_with("Waits s1 login")), "{waits:?}");
    }
}

#[test]
fn a_mission_of_claude_needs_no_script_and_finds_the_program_anew() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    let program = install(&theatre, "2.1.197", LOGGED_IN);
    configure(&theatre, "claude: { model: opus, routing: tools }\n");
    let mut house = theatre.command(&["run", "--headless", "a.md"]);
    // What is printed is read by nobody.
    house.env("PATH", bin(&theatre)).stdout(Stdio::null()).stderr(Stdio::null());
    let mut house = house.spawn().expect("the binary starts");
    wait_until("there is a mission", || !theatre.missions().is_empty());
    wait_until("a session of claude is lost", || {
        theatre.entries(&theatre.mission()).iter().any(|entry| {
            let text = serde_json::to_string(&entry.fact).expect("a fact");
            text.contains("the process is gone")
        })
    });
    house.kill().expect("it is killed");
    house.wait().expect("it ends");
    assert!(!theatre.mission().join("rehearsal.yaml").exists());
    let charter = charter(&theatre);
    for seat in [&charter.seats.arbiter, &charter.seats.orchestrator, &charter.seats.verifier] {
        assert_eq!((seat.provider.as_str(), seat.model.as_deref()), ("claude", Some("opus")));
    }
    assert!(!charter.providers["claude"].typed);
    assert!(!charter.providers.contains_key("rehearsal"), "there is no script to play");

    let entries = theatre.entries(&theatre.mission()).len();
    fs::remove_file(program).expect("it is removed");
    let ran = run(&theatre, &["resume", "--headless"]);
    assert_eq!(ran.code, Some(5), "{}", ran.err);
    assert!(ran.err.contains("Claude Code was not found"), "{}", ran.err);
    assert_eq!(theatre.entries(&theatre.mission()).len(), entries, "nothing was begun");
}

fn charter(theatre: &Theatre) -> Charter {
    let entries = theatre.entries(&theatre.mission());
    let opened = entries.into_iter().find_map(|entry| match entry.fact {
        Fact::Mission(MissionFact::Opened(charter)) => Some(*charter),
        Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    opened.expect("it was opened")
}

#[test]
fn the_doctor_is_content_with_a_tested_version_and_a_login() {
    let theatre = theatre();
    let program = install(&theatre, "2.1.197 (Claude Code)", LOGGED_IN);
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert_eq!(rows(&ran, "claude"), format!("ok    claude         2.1.197 at {}", program.display()));
    assert_eq!(rows(&ran, "login"), "ok    login          claude.ai (max)");
}

#[test]
fn the_doctor_warns_of_a_version_that_is_not_tested() {
    let theatre = theatre();
    let program = install(&theatre, "3.0.1 (Claude Code)", LOGGED_IN);
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let row = rows(&ran, "claude");
    let range = format!("tested are {} to {}", versions::oldest(), versions::newest());
    let expected =
        format!("warn  claude         3.0.1 is newer than tested ({range}), at {}\n", program.display());
    assert!(row.starts_with(&expected), "{row}");
    assert!(row.contains("hint: it may work as well; if sessions misbehave, `npm install -g"), "{row}");
}

#[test]
fn the_doctor_names_what_is_known_to_break_in_an_older_version() {
    let theatre = theatre();
    install(&theatre, "2.1.50 (Claude Code)", LOGGED_IN);
    let row = rows(&run(&theatre, &["doctor"]), "claude");
    assert!(row.starts_with("warn  claude         2.1.50 is older than tested"), "{row}");
    for gap in versions::GAPS {
        assert!(row.contains(gap.breaks), "{row}");
    }
    let newest = versions::newest();
    assert!(row.ends_with(&format!("@{newest}` installs the newest that is tested")), "{row}");
}

#[test]
fn a_mission_warns_once_of_a_version_that_is_not_tested() {
    for (version, told) in [("3.0.1", 1), ("2.1.50", 1), ("2.1.197", 0), ("2.1.325", 0)] {
        let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
        install(&theatre, version, LOGGED_IN);
        for (start, words) in [(1, &["run", "--headless", "a.md"][..]), (2, &["resume", "--headless"])] {
            let err = theatre.path().join("stderr");
            let mut house = theatre.command(words);
            house
                .env("PATH", bin(&theatre))
                .stdout(Stdio::null())
                .stderr(fs::File::create(&err).expect("a file"));
            let mut house = house.spawn().expect("the binary starts");
            let waits = || theatre.missions().first().map_or(0, |mission| waits_in(&theatre, mission));
            wait_until("its first session waits to be started again", || waits() >= start);
            house.kill().expect("it is killed");
            house.wait().expect("it ends");
            let err = fs::read_to_string(err).expect("what it printed");
            let lines: Vec<&str> = err.lines().filter(|line| line.contains("than tested")).collect();
            assert_eq!(lines.len(), told, "{version} {words:?}: {err}");
            let named = format!("warning: Claude Code {version} is ");
            assert!(lines.iter().all(|line| line.starts_with(&named)), "{lines:?}");
        }
    }
}

/// How often a session has waited to be started again.
fn waits_in(theatre: &Theatre, mission: &Path) -> usize {
    let lines = theatre.entries(mission).into_iter().map(|entry| entry.fact.to_string());
    lines.filter(|line| line.starts_with("Waits s1")).count()
}

#[test]
fn the_doctor_fails_without_claude_only_if_missions_use_it() {
    let theatre = theatre();
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let row = rows(&ran, "claude");
    assert!(row.starts_with("FAIL  claude         Claude Code was not found"), "{row}");
    assert!(row.contains("npm install -g") && row.contains("`arbiter demo`"), "{row}");
    assert_eq!(rows(&ran, "login"), "");

    configure(&theatre, "provider: { default: rehearsal }\n");
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    let row = rows(&ran, "claude");
    assert!(row.starts_with("warn  claude         Claude Code was not found"), "{row}");
}

#[test]
fn the_doctor_tells_how_to_log_in() {
    let theatre = theatre();
    install(&theatre, "2.1.197 (Claude Code)", LOGGED_OUT);
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let row = rows(&ran, "login");
    assert!(row.starts_with("FAIL  login          Claude Code is not logged in\n"), "{row}");
    assert!(row.ends_with("hint: run `claude` once to log in, or set ANTHROPIC_API_KEY"), "{row}");

    install(&theatre, "2.1.197 (Claude Code)", "what?");
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(0), "what cannot be known is no failure: {}", ran.out);
    assert!(rows(&ran, "login").starts_with("warn  login          `claude auth status`"), "{}", ran.out);
}

#[test]
fn the_doctor_fails_where_claude_does_not_answer() {
    let theatre = theatre();
    install(&theatre, "hello", LOGGED_IN);
    let ran = run(&theatre, &["doctor"]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let row = rows(&ran, "claude");
    assert!(row.contains("does not tell its version") && row.contains("hint:"), "{row}");
}

#[test]
fn a_repository_does_not_choose_the_program() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    install(&theatre, "2.1.197", LOGGED_IN);
    fs::create_dir(theatre.project().join(".arbiter")).expect("a folder");
    fs::write(theatre.project().join(".arbiter/config.yaml"), "claude:\n  program: /tmp/evil\n")
        .expect("a file");
    let ran = run(&theatre, &["run", "--headless", "a.md"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("config.yaml:2:12") && ran.err.contains("a repository must not"), "{}", ran.err);
    assert!(theatre.missions().is_empty());
}

/// The lines of a script for a person would answer in that person's place.
#[test]
fn a_script_beside_another_users_mission_is_taken_only_where_a_role_plays_it() {
    let theatre = Theatre::with_repository(BINARY, &[("a.md", "do it\n")]);
    let ends = "echo 'Invalid API key · Please run /login' >&2; exit 1";
    install_that(&theatre, "2.1.197 (Claude Code)", LOGGED_IN, ends);
    let ran = run(&theatre, &["run", "--headless", "--yes", "a.md"]);
    assert_eq!(ran.code, Some(5), "{}", ran.err);
    let old = theatre.mission();
    let script = "rehearsal: 1\ntitle: Yes\nscroll: |\n  Build it.\nhuman: [\"yes\"]\n";
    fs::write(old.join("rehearsal.yaml"), script).expect("a file");
    let other = theatre.path().join("other-home").display().to_string();
    let path = bin(&theatre).display().to_string();
    let ran = theatre.run_with(&["adopt", ".", "--yes"], &[("PATH", &path), ("ARBITER_HOME", &other)]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let missions = fs::read_dir(old.parent().expect("missions")).expect("missions").flatten();
    let new: Vec<PathBuf> = missions.map(|entry| entry.path()).filter(|folder| *folder != old).collect();
    assert_eq!(new.len(), 1, "{}", ran.out);
    assert!(new[0].join("journal.jsonl").exists() && !new[0].join("rehearsal.yaml").exists(), "{}", ran.out);
}
