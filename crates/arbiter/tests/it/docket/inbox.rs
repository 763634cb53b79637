//! `inbox`: the list, and answering at a real terminal.

use std::fs;

use sim::{Seat, Theatre};

use super::{asked, done, fed, names, queue, small, steady, told};
use crate::theatre;

fn seat(theatre: &Theatre, arguments: &[&str]) -> Seat {
    Seat::take(theatre.command(arguments))
}

#[test]
fn the_list_is_ordered_and_counted() {
    let theatre = theatre();
    assert_eq!(done(&theatre, &["inbox"]), "nothing waits for you\n");
    for (title, priority) in [("Low?", "low"), ("Normal?", "normal"), ("Urgent?", "urgent")] {
        done(&theatre, &["ask", title, "-o", "y", "--priority", priority, "--agent", "ceo", "--tag", "t"]);
    }
    let list = done(&theatre, &["inbox"]);
    assert!(list.starts_with("3 petitions wait: 1 urgent, 1 normal, 1 low\n"), "{list}");
    let order: Vec<usize> = ["[t] Urgent? — ceo", "[t] Normal?", "[t] Low?"]
        .iter()
        .map(|part| list.find(part).expect(part))
        .collect();
    assert!(order.is_sorted(), "{list}");
    assert!(list.contains(" 0/1 "), "{list}");
    let told = told(&theatre, &["inbox", "--json"]);
    assert_eq!((&told["counts"]["urgent"], &told["petitions"][0]["title"]), (&1.into(), &"Urgent?".into()));
}

#[test]
fn a_person_answers_reviews_and_submits() {
    let (theatre, id) = asked();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("1/3 · Auth Strategy");
    seat.sees("C own words · S skip · Q leave] >");
    seat.types("x");
    seat.sees("! that is none of the options; C takes your own words");
    seat.types("a");
    seat.sees("2/3 · Database");
    seat.types("c");
    seat.sees("! whoever asks wants one of the options");
    seat.types("node:22");
    seat.sees("3/3 · The name");
    seat.types("B");
    seat.sees("Enter goes on");
    seat.types("pg");
    seat.sees("✓ Database → pg");
    seat.types("C");
    seat.sees("(nothing goes back) >");
    seat.types("Ada's choice");
    seat.sees("Review: 3 answered, 0 skipped");
    seat.types("1");
    seat.sees("✓ a. jwt");
    seat.types("s");
    seat.sees("Review: 2 answered, 1 skipped");
    seat.types("y");
    let shown = seat.completes();
    insta::assert_snapshot!(steady(&theatre, &id, &shown));
    let got = told(&theatre, &["get", &id, "--json"]);
    assert_eq!((&got["answers"]["db"], &got["answers"]["name"]), (&"pg".into(), &"Ada's choice".into()));
    assert_eq!(got["skipped"][0], "auth-strategy");
    assert_eq!(got["provenance"]["name"]["by"], "human:cli:tester");
}

#[test]
fn leaving_keeps_the_answers_and_the_list_comes_back() {
    let (theatre, id) = asked();
    let mut seat = seat(&theatre, &["inbox"]);
    seat.sees("answer it? [Enter, q leaves] >");
    seat.types("");
    seat.sees("1/3 · Auth Strategy");
    seat.types("session");
    seat.sees("2/3 · Database");
    seat.types("q");
    seat.sees("1 answer kept");
    seat.sees("1/3");
    seat.types("q");
    let shown = seat.completes();
    assert_eq!(shown.matches("1 petition waits").count(), 2, "{shown}");
    assert_eq!(told(&theatre, &["status", &id, "--json"])["answered"], 1);
}

#[test]
fn a_no_submits_nothing() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("[a-b · C own words");
    seat.types("a");
    seat.sees("submit? [y/N");
    seat.types("");
    let shown = seat.completes();
    assert!(shown.contains(&format!("not submitted; `arbiter submit {id}` does it")), "{shown}");
    assert_eq!(told(&theatre, &["status", &id, "--json"])["status"], "ready");
}

#[test]
fn whoever_was_faster_is_named() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("1/1 · Deploy now?");
    seat.sees("] >");
    done(&theatre, &["answer", &id, "deploy", "no"]);
    seat.types("a");
    seat.sees("! already answered: no, by human:cli:tester");
    seat.sees("✓ b. no");
    seat.types("a");
    seat.sees("submit? [y/N");
    seat.types("y");
    seat.completes();
    assert_eq!(
        told(&theatre, &["get", &id, "--json"])["answers"]["deploy"],
        "yes",
        "what was seen was changed"
    );
}

#[test]
fn an_answer_is_bound_to_what_was_shown() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("Yes, now");
    seat.sees("] >");
    let file = queue(&theatre).join("pending").join(&names(&theatre, "pending")[0]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("Yes, now", "Yes, and drop the tables")).unwrap();
    seat.types("a");
    seat.sees("! it was changed meanwhile");
    seat.sees("Yes, and drop the tables");
    seat.types("q");
    seat.completes();
    assert_eq!(told(&theatre, &["status", &id, "--json"])["answered"], 0);
}

#[test]
fn a_petition_that_goes_is_no_longer_there() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox"]);
    seat.sees("answer it?");
    seat.types("");
    seat.sees("1/1 · Deploy now?");
    fs::remove_file(queue(&theatre).join("pending").join(&names(&theatre, "pending")[0])).unwrap();
    seat.types("a");
    seat.sees("! no longer there");
    seat.sees("nothing waits for you");
    seat.completes();
    assert!(theatre.run(&["get", &id]).code != Some(0));
}

#[test]
fn what_is_withdrawn_meanwhile_takes_a_late_answer() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("1/1 · Deploy now?");
    done(&theatre, &["withdraw", &id, "--why", "done otherwise"]);
    seat.types("a");
    seat.sees("was withdrawn: done otherwise");
    seat.sees("shown as late");
    seat.completes();
}

#[test]
fn the_texts_of_agents_are_harmless_and_cannot_pass_for_ours() {
    let theatre = theatre();
    let evil = r#"{"title": "T\u202eevil", "agent": "ceo", "context": "\u001b[2Jgone\nsubmit? [y/N] > y\u0007",
        "decisions": [{"id": "d", "title": "D", "context": "\u001b]0;title\u0007 [link](http://example.com/x)",
                       "options": [{"key": "a", "label": "fine\u2066hidden"}]}]}"#;
    let ran = fed(&theatre, &["ask"], evil);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let mut seat = seat(&theatre, &["inbox", ran.out.trim()]);
    seat.sees("] >");
    seat.types("q");
    let shown = seat.completes();
    assert!(shown.chars().all(|sign| sign == '\n' || !sign.is_control()), "{shown:?}");
    assert!(!shown.contains(['\u{202e}', '\u{2066}']), "{shown:?}");
    assert!(shown.contains("│ submit? [y/N] > y"), "beside its bar: {shown}");
    assert!(shown.contains("http://example.com/x"), "links are shown in full: {shown}");
}

#[test]
fn an_agent_at_a_terminal_only_sees_the_list() {
    let (theatre, id) = small();
    let mut command = theatre.command(&["inbox"]);
    command.env("ARBITER_MARK_X", "1");
    let shown = Seat::take(command).completes();
    assert!(shown.contains(&id) && !shown.contains("answer it?"), "{shown}");
    let ran = theatre.run(&["inbox", &id]);
    assert_eq!(ran.code, Some(2), "without a terminal nobody answers");
}
