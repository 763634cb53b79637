//! Pages over the screen: they open, answer, and close.

use sim::{Theatre, Window};

use super::{bridge, is_framed, rehearsing};

/// The bridge, where its first question is asked, with keys that are commands.
fn before_the_bridge(theatre: &Theatre) -> Window {
    let window = Window::of(theatre).rehearses(&[]);
    window.sees("Shall it begin?");
    window.sees("1 decision waits");
    window.key("Esc");
    window.sees("NORMAL");
    window
}

/// What was asked and answered.
fn facts(theatre: &Theatre) -> Vec<String> {
    let entries = theatre.entries(&theatre.mission());
    let facts = entries.iter().map(|entry| entry.fact.to_string());
    facts.filter(|fact| fact.starts_with("Asked") || fact.starts_with("Answered")).collect()
}

/// The mission ends by itself, and the person leaves.
fn completes(mut window: Window, theatre: &Theatre) {
    window.sees("It is over: q leaves");
    window.types("q");
    assert_eq!(window.ends_with(), 0, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
    theatre.assert_nobody_left();
}

#[test]
fn every_page_opens_and_closes() {
    let theatre = rehearsing(bridge());
    let mut window = before_the_bridge(&theatre);
    for (key, title) in
        [("?", "Help"), ("t", "Quest log"), ("s", "Sessions"), ("d", "Docket"), ("o", "Logbook")]
    {
        window.types(key);
        window.sees(title);
        window.key("Esc");
        window.sees_no(title);
        window.waits("until the screen is whole again", |rows| is_framed(rows, 80, 24));
        window.sees("Shall it begin?");
    }
    assert_eq!(window.oddities(), [""; 0]);
    super::leaves(&mut window);
}

#[test]
fn an_open_page_still_lets_one_leave() {
    let theatre = rehearsing(bridge());
    let mut window = before_the_bridge(&theatre);
    window.types("?");
    window.sees("Help");
    super::leaves(&mut window);
}

#[test]
fn the_docket_answers_with_keys() {
    let theatre = rehearsing(bridge());
    let window = before_the_bridge(&theatre);
    window.types("d");
    window.sees("yes, begin");
    window.types("y");
    window.sees("touch asked");
    window.types("j");
    window.sees("yes, once");
    window.types("y");
    window.sees("touch again");
    window.types("j");
    window.sees("q2 Orchestrator I asks: may Bash run?");
    window.types("n");
    window.sees("no to q2, because:");
    window.types("not needed");
    window.sees("not needed");
    window.key("Enter");
    window.sees("Nothing waits for you.");
    window.key("Esc");
    completes(window, &theatre);
    assert_eq!(
        facts(&theatre),
        [
            "Asked s2 q1 (unknown) Bash: touch asked",
            "Answered s2 q1 yes by human:terminal:tester",
            "Asked s2 q2 (unknown) Bash: touch again",
            "Answered s2 q2 no by human:terminal:tester: not needed",
        ]
    );
}

#[test]
fn a_click_answers() {
    let theatre = rehearsing(bridge());
    let window = before_the_bridge(&theatre);
    window.clicks("1 decision waits");
    window.clicks("[y] yes, begin");
    window.sees("touch asked");
    window.clicks("q1 Orchestrator I");
    window.clicks("[m] for the mission");
    window.sees("Nothing waits for you.");
    window.key("Esc");
    completes(window, &theatre);
    assert_eq!(
        facts(&theatre),
        [
            "Asked s2 q1 (unknown) Bash: touch asked",
            "Answered s2 q1 yes for the mission by human:terminal:tester"
        ]
    );
}

#[test]
fn the_quest_log_and_the_sessions_tell_what_is_so() {
    let theatre = rehearsing(bridge());
    let mut window = before_the_bridge(&theatre);
    window.types("i");
    window.sees("INSERT");
    super::says(&window, "yes");
    window.sees("touch asked");
    window.key("Esc");
    window.sees("NORMAL");
    window.types("t");
    window.sees("Cut the stone");
    window.key("Esc");
    window.sees_no("Quest log");
    window.types("s");
    window.sees("Sessions");
    window.sees("Orchestrator I");
    window.key("Esc");
    window.sees_no("Sessions");
    super::leaves(&mut window);
    theatre.assert_nobody_left();
}
