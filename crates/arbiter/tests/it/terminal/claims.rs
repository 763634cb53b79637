//! What a terminal says it can do, and what it is then sent.

use sim::{Opening, Window};

use super::{awaits_words, leaves, rehearsing, says, talk};

/// The parameters of every sequence that sets how letters look.
fn looks(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let looks = text.split('\u{1b}').skip(1).filter_map(|rest| {
        let rest = rest.strip_prefix('[')?;
        let end = rest.find(|sign: char| sign.is_ascii_alphabetic())?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    looks.collect()
}

/// It names a colour; back to the usual one is none.
fn is_colour(look: &str) -> bool {
    let names = |part: &str| matches!(part.parse(), Ok(30..=38 | 40..=48 | 58 | 90..=97 | 100..=107));
    look.split(';').any(|part| names(part.split(':').next().unwrap_or_default()))
}

#[test]
fn colours_are_shown_where_they_are_welcome() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    leaves(&mut window);
    assert!(looks(&window.raw()).iter().any(|look| is_colour(look)));
}

#[test]
fn without_colours_only_weights_are_left() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).with("NO_COLOR", "1").rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    says(&window, "hello");
    awaits_words(&window, "That was the first.");
    window.key("Esc");
    window.sees("NORMAL");
    for (key, title) in [("?", "Help"), ("s", "Sessions"), ("d", "Docket")] {
        window.types(key);
        window.sees(title);
        window.key("Esc");
        window.sees_no(title);
    }
    leaves(&mut window);
    let looks = looks(&window.raw());
    assert!(!looks.iter().any(|look| is_colour(look)), "{looks:?}");
    assert!(looks.iter().any(|look| look == "1" || look.starts_with("1;")), "names are bold: {looks:?}");
    assert!(
        looks.iter().any(|look| look.split(';').any(|part| part == "7")),
        "what is wanted is reversed: {looks:?}"
    );
}

#[test]
fn a_terminal_that_knows_only_ascii_gets_nothing_else() {
    for locale in ["C", "POSIX"] {
        let theatre = rehearsing(talk());
        let mut window = Window::of(&theatre).with("LANG", locale).rehearses(&[]);
        awaits_words(&window, "Speak, and I listen.");
        // Letters of others are no better: to such a terminal some of their bytes are commands.
        window.types("cafe\u{301} \u{fc}ber \u{6a4b} \u{201b}2J");
        window.sees("> cafe ?ber ?  ?2J");
        window.key("Esc");
        window.sees("NORMAL");
        for (key, title) in
            [("?", "Help"), ("s", "Sessions"), ("d", "Docket"), ("t", "Quest log"), ("o", "Logbook")]
        {
            window.types(key);
            window.sees(title);
            window.key("Esc");
            window.sees_no(title);
        }
        leaves(&mut window);
        let raw = window.raw();
        let beyond = raw.iter().position(|byte| *byte > 0x7f);
        let around = beyond.map(|at| {
            String::from_utf8_lossy(&raw[at.saturating_sub(60)..raw.len().min(at + 60)]).into_owned()
        });
        assert_eq!(around, None, "LANG={locale}");
    }
}

/// Runs the conversation where no screen is wanted, and returns what was written.
fn lines(how: impl FnOnce(Opening<'_>) -> Opening<'_>, flags: &[&str]) -> Vec<u8> {
    let theatre = rehearsing(talk());
    let opening = how(Window::of(&theatre).with("NO_COLOR", "1"));
    let mut window = opening.rehearses(flags);
    window.sees("Speak, and I listen.");
    window.types("hello\n");
    window.sees("That was the first.");
    window.types("/quit\n");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    assert_eq!(super::said(&theatre), ["hello"]);
    theatre.assert_nobody_left();
    window.raw()
}

#[test]
fn lines_are_printed_where_no_screen_can_be_shown_or_none_is_wanted() {
    let printed = [
        ("a dumb terminal", lines(|window| window.with("TERM", "dumb"), &[])),
        ("no TERM", lines(|window| window.without("TERM"), &[])),
        ("an empty TERM", lines(|window| window.with("TERM", ""), &[])),
        ("--plain", lines(|window| window, &["--plain"])),
        ("ARBITER_PLAIN", lines(|window| window.with("ARBITER_PLAIN", "1"), &[])),
    ];
    for (why, raw) in printed {
        assert!(!raw.contains(&0x1b), "{why}: {:?}", String::from_utf8_lossy(&raw));
    }
}

#[test]
fn plain_may_stand_before_the_command_and_what_begins_a_mission_may_not() {
    let theatre = crate::theatre();
    let ran = theatre.run(&["--plain", "demo", "--headless"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    for first in ["scroll.md", "--resume", "--quick"] {
        let ran = theatre.run(&[first, "demo"]);
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(
            ran.err.contains("begin a mission by themselves") && ran.err.contains("hint:"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_pipe_gets_lines() {
    let theatre = rehearsing(talk());
    let line = theatre.rehearsal_line() + " | cat";
    let mut window = Window::of(&theatre).with("NO_COLOR", "1").runs_program(&["sh", "-c", &line]);
    window.sees("Speak, and I listen.");
    window.types("/quit\n");
    window.ends();
    assert!(!window.raw().contains(&0x1b), "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    theatre.assert_nobody_left();
}

#[test]
fn whoever_cannot_type_gets_lines() {
    for input in ["</dev/null", "<&-"] {
        let theatre = crate::theatre();
        let line = format!("{} demo {input}", theatre.binary().display());
        let mut window = Window::of(&theatre).with("NO_COLOR", "1").runs_program(&["sh", "-c", &line]);
        assert_eq!(window.ends_with(), 0, "{input}: {}", window.screen());
        assert!(!window.raw().contains(&0x1b), "{input}: {}", window.screen());
        let shown = String::from_utf8_lossy(&window.raw()).into_owned();
        assert!(shown.contains("Done, and proven"), "{input}: {shown}");
        theatre.assert_nobody_left();
    }
}

#[test]
fn json_is_for_programs_whatever_the_terminal_can_do() {
    let theatre = rehearsing(talk());
    let mut window = Window::of(&theatre).sized(400, 50).rehearses(&["--json"]);
    window.sees("Speak, and I listen.");
    window.types("/quit\n");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert!(!window.raw().contains(&0x1b), "{}", window.screen());
}
