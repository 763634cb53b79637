//! What is typed is what is said.

use super::{awaits_words, leaves, rehearsing, said, says, talk, talking};

#[test]
fn words_are_said_with_enter_and_it_is_shown_that_they_were_heard() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    says(&window, "a bridge over the river");
    awaits_words(&window, "That was the first.");
    window.waits("until it was heard", |rows| {
        rows.iter().any(|row| row.contains("You:") && row.contains("(heard)"))
            && rows.iter().any(|row| row.contains("a bridge over the river"))
    });
    leaves(&mut window);
    assert_eq!(said(&theatre), ["a bridge over the river"]);
}

#[test]
fn wide_and_combining_characters_stand_right_and_arrive_whole() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    let words = "橋 über cafe\u{301} 👩\u{200d}🚒 ok";
    window.types(words);
    window.waits("until all of it stands there", |rows| {
        let row = &rows[22];
        row.starts_with("║  > 橋 über cafe\u{301}") && row.contains("ok") && row.ends_with('║')
    });
    // The sign before the text takes two columns, the frame three; the bridge takes two more than it has letters.
    let (row, column) = window.cursor().expect("one types");
    assert_eq!(row, 22);
    assert!((5 + 17..=5 + 21).contains(&column), "{column}");
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    assert_eq!(said(&theatre), [words]);
}

#[test]
fn alt_enter_begins_a_line_and_both_are_one_message() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    window.types("first line");
    window.sees("> first line");
    window.key("Alt+Enter");
    window.types("second line");
    window.waits("until the lines stand one below the other", |rows| {
        let at = rows.iter().position(|row| row.contains("> first line"));
        at.is_some_and(|at| rows.get(at + 1).is_some_and(|row| row.contains("second line")))
    });
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    assert_eq!(said(&theatre), ["first line\nsecond line"]);
}

#[test]
fn up_brings_back_what_was_said_before() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    says(&window, "build it of stone");
    awaits_words(&window, "That was the first.");
    says(&window, "or of wood");
    awaits_words(&window, "That was the second.");
    window.key("Up");
    window.sees("> or of wood");
    window.key("Up");
    window.sees("> build it of stone");
    window.types(" and iron");
    window.sees("> build it of stone and iron");
    window.key("Enter");
    awaits_words(&window, "That was the third.");
    leaves(&mut window);
    assert_eq!(said(&theatre), ["build it of stone", "or of wood", "build it of stone and iron"]);
}

#[test]
fn a_paste_of_many_lines_is_one_message() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    let lines: Vec<String> = (1..=40).map(|number| format!("requirement {number}")).collect();
    window.pastes(&lines.join("\r"));
    window.sees("requirement 40");
    assert_eq!(said(&theatre), [""; 0], "nothing is said before Enter");
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    assert_eq!(said(&theatre), [lines.join("\n")]);
}

#[test]
fn control_characters_in_a_paste_do_no_harm() {
    let theatre = rehearsing(talk());
    let mut window = talking(&theatre);
    window.pastes("one\u{3}two\u{1b}[2Jthree\u{7}\u{1a}four\u{202e}five\u{9b}2Jsix");
    window.waits("until it stands there", |rows| {
        rows.iter().any(|row| row.contains("> one") && row.contains("six"))
    });
    assert_eq!(window.oddities(), [""; 0]);
    window.key("Enter");
    awaits_words(&window, "That was the first.");
    leaves(&mut window);
    let said = said(&theatre);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("one") && said[0].ends_with("six"), "{said:?}");
    assert!(!said[0].contains(|sign: char| sign.is_control() || sign == '\u{202e}'), "{said:?}");
}
