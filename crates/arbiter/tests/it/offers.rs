//! What a person at the terminal is asked before a mission begins, and what each answer does.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use sim::Theatre;

use crate::mission::{clone_of, newest, picture, put, repository, write_script};
use crate::{BINARY, theatre, wait_until};

/// Types `keys` at a terminal, one line when the program has said each of the `words`, and gives all it said.
fn at_a_terminal(theatre: &Theatre, words: &str, talk: &[(&str, &str)]) -> (Option<i32>, String) {
    let shown = theatre.path().join("screen");
    let _ = fs::remove_file(&shown);
    let mut command = Command::new("script");
    theatre.place(&mut command);
    let typed = format!("{BINARY} {words}");
    command.args(["--quiet", "--return", "--flush", "--command", &typed]).arg(&shown);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("script, of util-linux, starts");
    let mut keys = child.stdin.take().expect("piped");
    let screen = || String::from_utf8_lossy(&fs::read(&shown).unwrap_or_default()).into_owned();
    for (said, answer) in talk {
        wait_until(said, || screen().contains(said));
        keys.write_all(format!("{answer}\n").as_bytes()).expect("typed");
    }
    let code = child.wait().expect("it ends").code();
    (code, screen())
}

#[test]
fn a_person_is_shown_the_changes_and_asked() {
    let theatre = repository();
    for number in 0..15 {
        put(&theatre, &format!("new-{number:02}.txt"), "new\n");
    }
    let words = format!("run --rehearsal {}", write_script(&theatre));
    let before = picture(&theatre.project());
    let (code, screen) = at_a_terminal(&theatre, &words, &[("[L/t/q]", "")]);
    assert_eq!(code, Some(0), "{screen}");
    for word in ["15 change(s)", "new-00.txt", "and 3 more", "stay in your tree only"] {
        assert!(screen.contains(word), "{word}: {screen}");
    }
    assert!(!clone_of(&theatre, &newest(&theatre)).join("new-00.txt").exists());
    assert!(!screen.contains("--dirty take"), "it was asked and answered: {screen}");
    let begun = theatre.run(&["missions"]).out;
    for answer in ["q", "\u{4}"] {
        let (code, screen) = at_a_terminal(&theatre, &words, &[("[L/t/q]", answer)]);
        assert_eq!(code, Some(4), "{screen}");
        assert!(screen.contains("left as it is") && !screen.contains("error:"), "{screen}");
    }
    assert_eq!(theatre.run(&["missions"]).out, begun, "nothing was begun");
    let (code, screen) = at_a_terminal(&theatre, &words, &[("[L/t/q]", "later"), ("Say l, t or q.", "t")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(clone_of(&theatre, &newest(&theatre)).join("new-14.txt").exists());
    assert_eq!(picture(&theatre.project()), before);
    let id = newest(&theatre);
    let discard = format!("discard {id}");
    let (code, screen) = at_a_terminal(&theatre, &discard, &[("[y/N]", "")]);
    assert_eq!(code, Some(4), "{screen}");
    assert!(screen.contains("left as it is") && !screen.contains("error:"), "{screen}");
    assert!(clone_of(&theatre, &id).exists());
    let (code, screen) = at_a_terminal(&theatre, &discard, &[("[y/N]", "y")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(!clone_of(&theatre, &id).exists());
}

#[test]
fn a_person_without_a_repository_is_offered_one() {
    let theatre = theatre();
    put(&theatre, "a.txt", "a\n");
    let words = format!("run --rehearsal {}", write_script(&theatre));
    let (code, screen) = at_a_terminal(&theatre, &words, &[("[y/i/N]", "")]);
    assert_eq!(code, Some(4), "{screen}");
    assert!(screen.contains("1 file(s), 2 bytes") && !theatre.project().join(".git").exists(), "{screen}");
    let (code, screen) = at_a_terminal(&theatre, &words, &[("[y/i/N]", "i")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(!theatre.project().join(".git").exists());
    let (code, screen) = at_a_terminal(&theatre, &words, &[("[y/i/N]", "y")]);
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(theatre.git(&["ls-files"]), "a.txt\n");
}
