//! Texts that want to be more than texts: nothing of them reaches the terminal but letters.

use sim::Window;

use super::{awaits_words, is_framed, leaves, rehearsing, says};

/// Everything that terminals have been made to do by texts.
const TRICKS: &str = concat!(
    r"\e]0;pwned\a \e]2;pwned\e\\ \e]52;c;cHduZWQ=\a \e]8;;http://evil\e\\link\e]8;;\e\\ ",
    r"\e[2J\e[H\e[31m\e[?1049l\e[6n\e[c \eP$q\e\\ \e_apc\e\\ \e^pm\e\\ \eXsos\e\\ \ec \e(0 ",
    r"\x9b2J \x9d0;pwned\x9c \x90q\x9c \x85 \a\a\b\b\x0e\x0f\x7f\0 ",
    r"\u202eevil\u202c \u2066x\u2069 \u200f \ufeff \u2028 ",
);

/// An agent that tries them in all that it can say.
fn script() -> String {
    let one_line = "x".repeat(250_000);
    let marks = r"\u0301".repeat(3_000);
    format!(
        r##"
rehearsal: 1
title: "tricks {TRICKS}"
scroll: "# ferry {TRICKS}\n\nTalk."
arbiter:
  - does:
      - {{tool: "Read", on: "{TRICKS}"}}
      - {{tasks: [{{title: "task {TRICKS}", status: in_progress}}]}}
    says: {{intent: address_human, message: "begin {TRICKS} end\n\n```sh\n{TRICKS}\n```\n\n| {TRICKS} | b |\n|---|---|\n| c | {TRICKS} |\n\nSpeak, and I listen."}}
  - says: {{intent: address_human, message: "{one_line}\n\nThat was the first."}}
  - says: {{intent: address_human, message: "a{marks}b\n\nThat was the second."}}
"##
    )
}

/// Nothing in the bytes is a sequence that we do not send ourselves.
fn assert_harmless(raw: &[u8]) {
    let text = std::str::from_utf8(raw).expect("all of it is text");
    for introducer in
        ["\u{1b}]", "\u{1b}P", "\u{1b}_", "\u{1b}^", "\u{1b}X", "\u{1b}c", "\u{1b}(", "\u{1b}[6n", "\u{1b}[c"]
    {
        assert!(!text.contains(introducer), "{introducer:?}");
    }
    let strange = |sign: char| {
        matches!(sign, '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1a}' | '\u{1c}'..='\u{1f}' | '\u{7f}'..='\u{9f}')
            || matches!(sign, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found: Vec<char> = text.chars().filter(|sign| strange(*sign)).collect();
    assert_eq!(found, [' '; 0]);
    assert!(text.matches("\u{1b}[?1049l").count() <= 1, "the screen is left once");
}

#[test]
fn no_text_of_an_agent_does_anything_to_the_terminal() {
    let theatre = rehearsing(script());
    let mut window = Window::of(&theatre).sized(140, 45).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    assert!(is_framed(&window.rows(), 140, 45), "{}", window.screen());
    window.sees("begin");
    assert!(window.is_covered());
    // In a narrower window there is nothing beside the conversation that has the name of a page.
    window.resizes(110, 45);
    window.waits("until it fits", |rows| is_framed(rows, 110, 45));
    window.key("Esc");
    window.sees("NORMAL");
    for (key, title) in [("t", "Quest log"), ("s", "Sessions"), ("d", "Docket")] {
        window.types(key);
        window.sees(title);
        window.types("jj");
        window.key("Esc");
        window.sees_no(title);
    }
    // Raw lines, each of them looked at whole.
    window.types("o");
    window.sees("Logbook: all");
    let lines =
        window.rows().iter().find_map(|row| row.split(" lines").next()?.split(' ').next_back()?.parse().ok());
    window.key("Enter");
    window.sees(" bytes");
    for _ in 0..lines.unwrap_or(20) {
        window.types("h");
    }
    window.sees("s1.1 begins");
    window.key("Esc");
    window.sees_no(" bytes");
    window.key("Esc");
    window.sees_no("Logbook");
    window.waits("until the screen is whole again", |rows| is_framed(rows, 110, 45));
    assert_eq!(window.oddities(), [""; 0]);
    leaves(&mut window);
    assert_harmless(&window.raw());
    let mut replay = Window::of(&theatre).sized(140, 45).runs(&["replay", &theatre.mission_id()]);
    replay.sees("REPLAY");
    replay.key("End");
    replay.sees("Speak, and I listen.");
    replay.types("q");
    assert_eq!(replay.ends_with(), 0);
    assert_eq!(replay.oddities(), [""; 0]);
    assert_harmless(&replay.raw());
}

#[test]
fn a_line_without_end_and_letters_without_end_are_borne() {
    let theatre = rehearsing(script());
    let mut window = Window::of(&theatre).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    says(&window, "a long line");
    awaits_words(&window, "more lines: z shows them");
    assert!(is_framed(&window.rows(), 80, 24), "{}", window.screen());
    window.key("Esc");
    window.sees("NORMAL");
    window.types("z");
    window.sees("That was the first.");
    window.types("g");
    window.sees("to the end");
    window.types("G");
    window.sees("That was the first.");
    assert!(is_framed(&window.rows(), 80, 24), "{}", window.screen());
    window.types("i");
    window.sees("INSERT");
    says(&window, "many marks");
    awaits_words(&window, "That was the second.");
    window.resizes(40, 12);
    window.waits("until it fits", |rows| is_framed(rows, 40, 12));
    window.resizes(80, 24);
    window.waits("until it fits", |rows| is_framed(rows, 80, 24));
    assert_eq!(window.oddities(), [""; 0]);
    leaves(&mut window);
    assert_harmless(&window.raw());
}

#[test]
fn lines_that_are_printed_are_as_harmless() {
    let theatre = rehearsing(script());
    let mut window = Window::of(&theatre).with("NO_COLOR", "1").rehearses(&["--plain"]);
    window.sees("Speak, and I listen.");
    window.types("/quit\n");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.oddities(), [""; 0]);
    assert!(!window.raw().contains(&0x1b));
    assert_harmless(&window.raw());
}
