//! Raw lines: at a glance, filtered, in full.

use std::time::Instant;

use crossterm::event::KeyCode;
use insta::assert_snapshot;
use tui::overlay::{Overlay, Reply, logbook};
use tui::sight::Direction::{Err, In, Note, Out};

use super::{Scene, find};

fn logbook() -> Scene {
    let mut scene = Scene::new(Overlay::Logbook(logbook::Page::default()), &["at work"]);
    let tool = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","name":"Bash","input":{"command":"make"}}]}}"#;
    let lines = [
        (1, In, r#"{"type":"user","message":{"content":"Build it."}}"#),
        (1, Out, r#"{"type":"assistant","message":{"content":[{"type":"text","text":"So be it."}]}}"#),
        (2, Out, tool),
        (2, Err, "warning: low on mana"),
        (2, Note, "started again"),
        (2, Out, r#"{"type":"result","subtype":"success","result":"Done."}"#),
    ];
    for (session, direction, line) in lines {
        scene.says(session, direction, line);
    }
    scene
}

#[test]
fn each_line_is_told_at_a_glance() {
    let mut scene = logbook();
    assert_snapshot!(scene.frame(40, 12), @r"
    ┌─ Logbook: all ─────── 6 lines, live ─┐
    │ 22:13 Arbi → user: Build it.         │
    │ 22:13 Arbi ← assistant: So be it.    │
    │ 22:13 I    ← assistant: Bash make    │
    │ 22:13 I    ! warning: low on mana    │
    │ 22:13 I    · started again           │
    │ 22:13 I    ← result success: Done.   │
    │                                      │
    │                                      │
    │                                      │
    │                                      │
    └─ j/k choose  q close  d details ─────┘
    ");
    assert_snapshot!(scene.frame(80, 24), @"
    ┌─ Logbook: all ─────────────────────────────────────────────── 6 lines, live ─┐
    │ 22:13:20 Arbiter         → user: Build it.                                   │
    │ 22:13:21 Arbiter         ← assistant: So be it.                              │
    │ 22:13:22 Orchestrator I  ← assistant: Bash make                              │
    │ 22:13:23 Orchestrator I  ! warning: low on mana                              │
    │ 22:13:24 Orchestrator I  · started again                                     │
    │ 22:13:25 Orchestrator I  ← result success: Done.                             │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    └─ j/k choose  q close  d details  f filter  Tab source  G live ───────────────┘
    ");
}

#[test]
fn a_record_is_read_in_full() {
    let mut scene = logbook();
    scene.keys("d");
    assert_snapshot!(scene.frame(80, 24), @r#"
    ┌─ Logbook: all ─────────────────────────────────────────────── 6 lines, live ─┐
    │ Orchestrator I, from it, 2023-11-14 22:13:25.000, 54 bytes                   │
    │ {                                                                            │
    │   "result": "Done.",                                                         │
    │   "subtype": "success",                                                      │
    │   "type": "result"                                                           │
    │ }                                                                            │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    │                                                                              │
    └─ j/k scroll  d back  h/l previous, next ─────────────────────────────────────┘
    "#);
    assert_eq!(scene.press(KeyCode::Esc), Reply::Stay);
    assert_eq!(scene.press(KeyCode::Esc), Reply::Close);
    assert_eq!(scene.keys("o"), vec![Reply::Close]);
}

#[test]
fn a_filter_looks_at_names_directions_and_lines() {
    let shown = |filter: &str| {
        let mut scene = logbook();
        scene.keys(&format!("f{filter}"));
        scene.press(KeyCode::Enter);
        let frame = scene.frame(80, 24);
        let count = find(&frame, " lines").0 as usize;
        let line: String = frame.lines().next().unwrap().chars().take(count).collect();
        line.rsplit(' ').next().unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(shown("MANA"), 1);
    assert_eq!(shown("arbiter"), 2);
    assert_eq!(shown("err"), 1);
    assert_eq!(shown("nowhere"), 0);
    let mut scene = logbook();
    scene.keys("fmana");
    scene.press(KeyCode::Esc);
    assert!(scene.frame(80, 24).contains("So be it."), "Esc clears it");
}

#[test]
fn a_source_is_chosen_by_its_number_or_in_turn() {
    let mut scene = logbook();
    scene.keys("2");
    let frame = scene.frame(80, 24);
    assert!(frame.contains("Logbook: Arbiter") && !frame.contains("mana"), "{frame}");
    scene.press(KeyCode::Tab);
    let frame = scene.frame(80, 24);
    assert!(frame.contains("Logbook: Orchestrator I") && !frame.contains("So be"), "{frame}");
    scene.press(KeyCode::Tab);
    assert!(scene.frame(80, 24).contains("Logbook: all"));
}

#[test]
fn it_follows_the_end_until_one_looks_back() {
    let mut scene = logbook();
    for number in 0..100 {
        scene.says(2, Out, &format!("line {number}"));
    }
    let frame = scene.frame(80, 24);
    assert!(frame.contains("line 99") && frame.contains(", live"), "{frame}");
    scene.says(2, Out, "line 100");
    assert!(scene.frame(80, 24).contains("line 100"));
    scene.keys("kkk");
    scene.says(2, Out, "line 101");
    let frame = scene.frame(80, 24);
    assert!(!frame.contains("line 101") && !frame.contains(", live"), "{frame}");
    // The oldest are dropped: what one looks at stays where it is.
    scene.keys("gjjj");
    let before = scene.frame(80, 24);
    let place = find(&before, "warning: low on mana");
    scene.records.drain(..2);
    assert!(find(&scene.frame(80, 24), "warning: low on mana").1 <= place.1);
    scene.keys("G");
    assert!(scene.frame(80, 24).contains("line 101"));
}

#[test]
fn hostile_and_endless_lines_do_no_harm() {
    let mut scene = logbook();
    scene.records.clear();
    let long = format!(r#"{{"type":"assistant","text":"{}"}}"#, "x".repeat(1_000_000));
    for line in [long.as_str(), "\u{1b}[2J\u{7}\u{202e}evil", "", "{", "[[[[", "\"", "🧙🧙🧙", "a\tb\r\nc"]
    {
        scene.says(9, Out, line);
    }
    for (columns, rows) in [(0, 0), (1, 1), (3, 3), (4, 4), (40, 12), (80, 24), (200, 60)] {
        let frame = scene.frame(columns, rows);
        assert!(!frame.contains(['\u{1b}', '\u{7}']), "{frame:?}");
    }
    assert!(scene.frame(80, 24).contains("assistant: xxx"));
    scene.keys("gd");
    assert!(scene.frame(80, 24).contains(&"x".repeat(60)));
}

/// A frame over 20,000 records takes a moment; the bound is wide, for slow machines and builds without optimisation.
#[test]
fn twenty_thousand_records_are_drawn_in_a_moment() {
    let mut scene = logbook();
    for number in 0..20_000 {
        let line =
            format!(r#"{{"type":"assistant","number":{number},"text":"{}"}}"#, "lorem ipsum ".repeat(38));
        scene.says(2, Out, &line);
    }
    scene.keys("fipsum lorem");
    let first = Instant::now();
    scene.keys(" ");
    scene.size = (200, 60);
    scene.draw();
    let first = first.elapsed();
    let then = Instant::now();
    for _ in 0..50 {
        scene.draw();
    }
    let each = then.elapsed() / 50;
    println!("looked through in {first:?}, drawn in {each:?}");
    assert!(each.as_millis() < 80, "{each:?}");
}
