//! What a person at the terminal is asked before a mission begins, and what each answer does.

use std::process::Command;

use sim::Seat;

use crate::mission::{newest, picture, put, repository, write_script};
use crate::theatre;

/// Types a line at a terminal when the program has said each of the words of the `talk`, and gives all it said.
fn at_a_terminal(command: Command, talk: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut seat = Seat::take(command);
    for (said, answer) in talk {
        seat.sees(said);
        seat.types(answer);
    }
    seat.ends()
}

#[test]
fn a_person_is_shown_the_changes_and_asked() {
    let theatre = repository();
    for number in 0..15 {
        put(&theatre, &format!("new-{number:02}.txt"), "new\n");
    }
    write_script(&theatre);
    let before = picture(&theatre.project());
    let (code, screen) = at_a_terminal(theatre.rehearsal(&[]), &[("[L/t/q]", "")]);
    assert_eq!(code, Some(0), "{screen}");
    for word in ["15 change(s)", "new-00.txt", "and 3 more", "stay in your tree only"] {
        assert!(screen.contains(word), "{word}: {screen}");
    }
    assert!(!theatre.clone_of(&newest(&theatre)).join("new-00.txt").exists());
    assert!(!screen.contains("--dirty take"), "it was asked and answered: {screen}");
    let begun = theatre.run(&["missions"]).out;
    for answer in ["q", "\u{4}"] {
        let (code, screen) = at_a_terminal(theatre.rehearsal(&[]), &[("[L/t/q]", answer)]);
        assert_eq!(code, Some(4), "{screen}");
        assert!(screen.contains("stopped: nothing was changed") && !screen.contains("error:"), "{screen}");
    }
    assert_eq!(theatre.run(&["missions"]).out, begun, "nothing was begun");
    let (code, screen) =
        at_a_terminal(theatre.rehearsal(&[]), &[("[L/t/q]", "later"), ("Type l, t or q.", "t")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(theatre.clone_of(&newest(&theatre)).join("new-14.txt").exists());
    assert_eq!(picture(&theatre.project()), before);
    let id = newest(&theatre);
    let discard = ["discard", &id];
    let (code, screen) = at_a_terminal(theatre.command(&discard), &[("[y/N]", "")]);
    assert_eq!(code, Some(4), "{screen}");
    assert!(screen.contains("stopped: nothing was removed") && !screen.contains("error:"), "{screen}");
    assert!(theatre.clone_of(&id).exists());
    let (code, screen) = at_a_terminal(theatre.command(&discard), &[("[y/N]", "y")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(!theatre.clone_of(&id).exists());
}

#[test]
fn a_person_without_a_repository_is_offered_one() {
    let theatre = theatre();
    put(&theatre, "a.txt", "a\n");
    write_script(&theatre);
    let (code, screen) = at_a_terminal(theatre.rehearsal(&[]), &[("[y/i/N]", "")]);
    assert_eq!(code, Some(4), "{screen}");
    assert!(screen.contains("1 file(s), 2 bytes") && !theatre.project().join(".git").exists(), "{screen}");
    let (code, screen) = at_a_terminal(theatre.rehearsal(&[]), &[("[y/i/N]", "i")]);
    assert_eq!(code, Some(0), "{screen}");
    assert!(!theatre.project().join(".git").exists());
    let (code, screen) = at_a_terminal(theatre.rehearsal(&[]), &[("[y/i/N]", "y")]);
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(theatre.git(&["ls-files"]), "a.txt\n");
}
