//! `inbox`: the list, and answering at a real terminal.

use std::fs;

use sim::{Seat, Theatre, Window};

use super::theatre;
use super::{asked, done, fed, names, queue, small, steady, told};

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
    seat.sees("> x\n! that is none of the options; C takes your own words\n\n1/3 · Auth Strategy\n");
    seat.types("a");
    seat.sees("2/3 · Database");
    seat.sees("[a-b · S skip · B back · Q leave] >");
    seat.types("c");
    seat.sees("! this decision takes one of the options\n\n2/3 · Database\n  a. pg — Postgres\n  b. node:22\n[a-b · S skip");
    seat.types("node:22");
    seat.sees("3/3 · The name\n[C own words · S skip · B back · Q leave] >");
    seat.types("B");
    seat.sees("Enter goes on · Q leave] >");
    seat.types("pg");
    seat.sees("✓ Database → pg\n\n3/3 · The name\n[C own words · S skip · B back · Q leave] >");
    seat.types("C");
    seat.sees("(nothing goes back) >");
    seat.types("Ada's choice");
    seat.sees("Review: 3 answered");
    seat.sees("submit? [y/N, a number changes that one] >");
    seat.types("1");
    seat.sees("✓ a. jwt");
    seat.sees("[a-c · C own words · S skip · Enter goes on · Q leave] >");
    seat.types("s");
    seat.sees("Review: 2 answered, 1 skipped\n  1. Auth Strategy → skipped\n  2. Database → pg\n  3. The name → \"Ada's choice\"\nsubmit?");
    seat.types("y");
    seat.sees("agent:swe2:main is notified\n");
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
    seat.sees(&format!("{id}  high     1/3"));
    seat.types("q");
    seat.completes();
    assert_eq!(told(&theatre, &["status", &id, "--json"])["answered"], 1);
}

#[test]
fn a_no_submits_nothing() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("[a-b · C own words");
    seat.types("a");
    seat.sees("submit? [y/N");
    seat.types("u");
    seat.sees("! y submits, n or Enter leaves it as it is");
    seat.types("");
    seat.sees(&format!("not submitted; `arbiter submit {id}` does it"));
    seat.completes();
    assert_eq!(told(&theatre, &["status", &id, "--json"])["status"], "ready");
    assert!(done(&theatre, &["inbox"]).contains("(ready) [general] Deploy now?"));
}

#[test]
fn commands_have_words_where_options_have_their_letters() {
    let theatre = theatre();
    let id = done(
        &theatre,
        &["ask", "Which?", "--id", "w", "-o", "S", "-o", "C", "-o", "Q", "--custom", "--deadline", "2h"],
    );
    assert!(done(&theatre, &["inbox"]).contains("(due in 1h"), "the list tells the deadline");
    let mut seat = seat(&theatre, &["inbox", id.trim()]);
    seat.sees("[a/b/d · own words · skip · leave] >");
    seat.types("own");
    seat.sees("(nothing goes back) >");
    seat.types("");
    seat.types("leave");
    seat.sees("left as it is");
    seat.completes();
}

/// What stands on a terminal of 40 columns.
#[test]
fn a_narrow_terminal_shows_titles_and_whole_words() {
    let theatre = theatre();
    let title = "Which of these databases?";
    done(&theatre, &["ask", title, "-o", "pg", "-o", "sqlite", "--custom", "--tag", "a-long-tag"]);
    let mut window = Window::of(&theatre).sized(40, 24).runs(&["inbox"]);
    window.sees(&format!("  1. {title}"));
    window.types("\r");
    window.sees("leave] >");
    let rows = window.rows();
    let first = rows.iter().position(|row| row.starts_with("[a-b · C own words")).expect("the prompt");
    let next = rows[first + 1].trim_end();
    assert!(rows[first].trim_end().len() > 20 && next.starts_with(['·', 'Q', 'l']), "{rows:#?}");
    window.types("q\r");
    window.sees("answer it?");
    window.types("q\r");
    window.ends();
}

#[test]
fn whoever_was_faster_is_named() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("1/1 · Deploy now?");
    seat.sees("] >");
    done(&theatre, &["answer", &id, "deploy", "no"]);
    seat.types("a");
    seat.sees("! already answered: no, by tester, at the command line");
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
fn a_decision_that_goes_is_told_and_the_rest_is_shown_again() {
    let (theatre, id) = small();
    let mut seat = seat(&theatre, &["inbox", &id]);
    seat.sees("1/1 · Deploy now?");
    seat.sees("] >");
    let file = queue(&theatre).join("pending").join(&names(&theatre, "pending")[0]);
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("id: deploy", "id: ship").replace("1: Deploy now?", "1: Ship now?"))
        .unwrap();
    seat.types("a");
    seat.sees("! it was changed meanwhile; this is how it is now");
    seat.sees("1/1 · Ship now?");
    seat.types("a");
    seat.sees("submit? [y/N");
    seat.types("y");
    seat.completes();
    assert_eq!(told(&theatre, &["get", &id, "--json"])["answers"], serde_json::json!({"ship": "yes"}));
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
    seat.sees("left as it is");
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
    let seat = Seat::take(command);
    seat.sees("shows it");
    let shown = seat.completes();
    assert!(shown.contains(&id) && !shown.contains("answer it?"), "{shown}");
    let ran = theatre.run(&["inbox", &id]);
    assert_eq!(ran.code, Some(2), "without a terminal nobody answers");
}
