//! Where a person stumbles at the docket: files that are no petitions, keys that mean two things, fingers too fast.

use std::sync::Arc;

use crossterm::event::KeyCode;
use mind::Timestamp;
use mind::petition::{DraftDecision, SeenAnswer};
use tui::view_model::{Attachment, Unreadable};

use super::petitions::{deciding, docket, one, option, petitioned, said, wished};
use super::text;
use crate::plays;

#[test]
fn a_file_that_is_no_petition_is_named_with_its_reason_and_cannot_be_answered() {
    let mut scene = docket("at work");
    scene.unreadable = vec![Unreadable {
        file: Arc::from("/home/me/.arbiter/queue/pending/odd\u{1b}[31m.md"),
        why: Arc::from("the id is missing"),
        at: Timestamp(0),
    }];
    let shown = text(&scene.draw());
    assert!(shown.contains("malformed: the id is missing"), "{shown}");
    assert!(shown.contains("queue/pending/odd") && !shown.contains('\u{1b}'), "{shown}");
    for key in ["y", "a", "n"] {
        assert_eq!(scene.keys(key), [], "{key}");
    }
    scene.enter();
    assert!(text(&scene.draw()).contains("malformed: the id is missing"));
    scene.seat = Attachment::Replay;
    assert!(!text(&scene.draw()).contains("malformed"), "a replay has no docket");
}

#[test]
fn what_was_chosen_goes_with_the_yes() {
    let lines = plays::DECISIONS.replace("\"decisions\"", "\"asks\":\"alignment\",\"decisions\"");
    let mut scene = docket(&lines);
    scene.enter();
    scene.keys("a");
    scene.waited_ms += 1000;
    scene.press(KeyCode::Esc);
    assert_eq!(scene.keys("y"), vec![], "a yes would leave out what was chosen");
    assert!(scene.shows("send it from the review"));
}

#[test]
fn an_option_that_is_known_by_its_key_is_chosen_by_it() {
    let options =
        vec![option("b", "first"), option("a", "second"), option("pg", "third"), option("2", "fourth")];
    let decision =
        DraftDecision { id: Arc::from("x"), title: Arc::from("X?"), options, ..DraftDecision::default() };
    for (key, chosen) in
        [("a", Some("a")), ("b", Some("b")), ("c", Some("pg")), ("2", Some("2")), ("1", None), ("3", None)]
    {
        let mut scene = docket("at work");
        scene.petitions = vec![one(decision.clone())];
        let petition = scene.petitions[0].clone();
        scene.enter();
        assert!(scene.shows("b. b: first") && scene.shows("a. a: second") && scene.shows("c. pg: third"));
        // Beside a key that is a number, a number is no place: it could mean two options.
        let wished = chosen.map(|chosen| wished(&petition, "x", said(chosen), SeenAnswer::None));
        assert_eq!(scene.keys(key), Vec::from_iter(wished), "{key}");
    }
}

#[test]
fn marks_are_kept_while_one_looks_at_another_decision() {
    let mut scene = petitioned();
    scene.keys("ac");
    scene.press(KeyCode::Tab);
    scene.keys("<");
    assert!(scene.shows("[x] a. eu") && scene.shows("[ ] b. us") && scene.shows("[x] c. ap"));
}

#[test]
fn an_impatient_finger_waits_no_longer_than_a_patient_one() {
    let mut scene = deciding();
    let mut after = |ms: u64| {
        scene.draw();
        scene.waited_ms += ms;
        scene.press(KeyCode::Char('a'));
        text(&scene.draw()).contains("Read it first")
    };
    assert!(!after(0), "the first answer is none too fast");
    assert!(after(500), "nobody reads so fast");
    assert!(!after(300), "it was long enough on the screen");
}
