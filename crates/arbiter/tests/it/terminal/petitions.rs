//! The docket at a real terminal: what agents ask meanwhile is seen and answered there, and the Arbiter's decisions too.

use std::fs;

use serde_json::Value;
use sim::{Theatre, Window};

use super::{bridge, rehearsing};
use crate::wait_until;

/// The docket page of a mission that waits for its yes.
pub fn docket(theatre: &Theatre) -> Window {
    let window = Window::of(theatre).rehearses(&[]);
    window.sees("Shall it begin?");
    window.key("Esc");
    window.sees("NORMAL");
    window.types("d");
    window.sees("yes, begin");
    window
}

/// An agent asks from elsewhere; the id of its petition.
fn ask(theatre: &Theatre) -> String {
    let words = ["ask", "Which database?", "--agent", "swe", "-o", "pg=Postgres", "-o", "lite=SQLite"];
    let ran = theatre.run(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out.trim().to_owned()
}

fn answers(theatre: &Theatre, id: &str) -> Value {
    let ran = theatre.run(&["get", id, "--json"]);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}{}", ran.out, ran.err))
}

#[test]
fn what_an_agent_asks_meanwhile_is_seen_answered_and_submitted_there() {
    let theatre = rehearsing(bridge());
    let before = ask(&theatre);
    assert_eq!(theatre.run(&["withdraw", &before]).code, Some(0));
    let mut window = docket(&theatre);
    let id = ask(&theatre);
    window.sees("Which database?");
    window.types("j");
    window.key("Enter");
    window.sees("Postgres");
    window.types("b");
    window.sees("Review (1 answered)");
    // Whoever is faster than anybody can read is held back.
    let shown = std::time::Instant::now();
    wait_until("it was long enough on the screen to be read", || shown.elapsed().as_millis() > 1_000);
    window.types("y");
    window.sees_no("Which database?");
    let told = answers(&theatre, &id);
    let given: Vec<&Value> = told["answers"].as_object().expect("answers").values().collect();
    assert_eq!(given, ["lite"], "{told}");
    let by: Vec<&Value> = told["provenance"].as_object().expect("provenance").values().collect();
    assert_eq!(
        (&by[0]["by"], &by[0]["via"]),
        (&"human:terminal:tester".into(), &"terminal".into()),
        "{told}"
    );
    super::leaves(&mut window);
}

#[test]
fn a_malformed_file_is_named_there_until_it_is_mended() {
    let theatre = rehearsing(bridge());
    let id = ask(&theatre);
    let pending = theatre.path().join("home/.arbiter/queue/pending");
    let file = fs::read_dir(pending).expect("the docket").flatten().next().expect("a petition").path();
    let whole = fs::read_to_string(&file).expect("a petition");
    fs::write(&file, whole.replace(&format!("id: {id}\n"), "")).expect("it can be written");
    let mut window = docket(&theatre);
    window.sees("malformed");
    window.types("j");
    window.sees("is no petition: the id is missing");
    fs::write(&file, whole).expect("it can be written");
    window.sees("Which database?");
    window.sees_no("malformed");
    super::leaves(&mut window);
}

#[test]
fn a_petition_that_somebody_else_answered_or_removed_is_told() {
    let theatre = rehearsing(bridge());
    ask(&theatre);
    let mut window = docket(&theatre);
    window.sees("Which database?");
    window.types("j");
    window.key("Enter");
    window.sees("Postgres");
    let pending = theatre.path().join("home/.arbiter/queue/pending");
    for file in fs::read_dir(pending).expect("the docket").flatten() {
        fs::remove_file(file.path()).expect("it can be removed");
    }
    window.types("a");
    window.sees("no longer there");
    super::leaves(&mut window);
}
