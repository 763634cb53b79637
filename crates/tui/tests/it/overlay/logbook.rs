//! Raw lines: at a glance, filtered, in full.

use std::time::Instant;

use crossterm::event::KeyCode;
use insta::assert_snapshot;
use tui::overlay::{Overlay, PageResponse, logbook};
use tui::view_model::Attachment;
use tui::view_model::RecordDirection::{Err, In, Note, Out};

use super::{Scene, find};

fn logbook() -> Scene {
    let mut scene = Scene::new(Overlay::Logbook(logbook::LogbookPage::default()), &["at work"]);
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
    └─ j/k choose  q close  d details  f filter  x pieces  Tab source  G live ─────┘
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
    └─ j/k scroll  d back  h/l previous, next  x pieces ───────────────────────────┘
    "#);
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Stay);
    assert_eq!(scene.press(KeyCode::Esc), PageResponse::Close);
    assert_eq!(scene.keys("o"), vec![PageResponse::Close]);
}

#[test]
fn a_filter_looks_at_names_directions_and_lines() {
    let shown = |filter: &str| {
        let mut scene = logbook();
        scene.keys(&format!("f{filter}"));
        scene.press(KeyCode::Enter);
        let frame = scene.frame(80, 24);
        let count = find(&frame, " line").0 as usize;
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

/// What stands at the right of the title.
fn note(scene: &mut Scene) -> String {
    let frame = scene.frame(80, 24);
    let title = frame.lines().next().unwrap_or_default().trim_matches(['┌', '┐', '─', ' ']);
    title.rsplit('─').next().unwrap_or_default().trim().to_owned()
}

#[test]
fn streaming_pieces_are_hidden_until_one_asks_for_them() {
    let mut scene = logbook();
    scene.says(2, Out, r#"{"type":"live","text":"Wor"}"#);
    assert_eq!(note(&mut scene), "6 lines, 1 piece hidden, live");
    let delta = r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"text":"by bit"}}}"#;
    scene.says(1, Out, delta);
    // What the house says is no piece, whatever it looks like.
    scene.says(1, In, r#"{"type":"live","text":"not from an agent"}"#);
    assert_eq!(note(&mut scene), "7 lines, 2 pieces hidden, live");
    assert!(!scene.frame(80, 24).contains("by bit"));
    assert!(scene.frame(80, 24).contains("x pieces"));
    assert!(scene.frame(40, 12).contains(" 7 lines, 2 hidden "), "{}", scene.frame(40, 12));
    scene.keys("x");
    assert_eq!(note(&mut scene), "9 lines, live");
    assert!(scene.frame(80, 24).contains("stream_event content_block_delta: by bit"));
    // In the details too: what was read goes with the others, and its neighbour is read.
    scene.keys("kd");
    assert!(scene.frame(80, 24).contains(r#""by bit""#) && scene.frame(80, 24).contains("x pieces"));
    scene.keys("x");
    assert!(scene.frame(80, 24).contains("not from an agent"), "{}", scene.frame(80, 24));
    // Only those that the source and the filter let through are counted.
    scene.press(KeyCode::Esc);
    scene.keys("3");
    assert_eq!(note(&mut scene), "4 lines, 1 piece hidden");
    scene.keys("fWor\"");
    scene.press(KeyCode::Enter);
    assert!(scene.frame(80, 24).contains("Only streaming pieces: x shows them."), "{}", scene.frame(80, 24));
}

#[test]
fn pieces_that_come_and_go_are_counted_as_they_do() {
    let mut scene = logbook();
    for number in 0..50 {
        scene.says(2, Out, r#"{"type":"live","text":"bit"}"#);
        assert!(note(&mut scene).contains(&format!(" {} piece", number + 1)));
    }
    scene.says(2, Out, "whole");
    scene.records.drain(..16);
    assert_eq!(note(&mut scene), "1 line, 40 pieces hidden, live");
    scene.records.drain(..40);
    assert_eq!(note(&mut scene), "1 line, live");
}

#[test]
fn what_a_rehearsal_reports_is_told() {
    let mut scene = logbook();
    scene.records.clear();
    let tasks = r#"{"type":"tasks","tasks":[{"id":"1","title":"Count","status":"done"},{"id":"2","title":"Sort","status":"in_progress"}]}"#;
    let table = [
        (r#"{"type":"tool_started","name":"Read","detail":"a.md"}"#, "tool_started: Read a.md"),
        (r#"{"type":"tool_ended","ok":false}"#, "tool_ended: ok false"),
        (r#"{"type":"gauge","used":31000,"window":200000}"#, "gauge: 31.0k of 200.0k"),
        (r#"{"type":"gauge","used":999,"window":1250000}"#, "gauge: 999 of 1.2M"),
        (r#"{"type":"asks","call":"c1","argv":["git","push","origin"]}"#, "asks: git push origin"),
        (r#"{"type":"asks","call":"c1","command":"git push"}"#, "asks: git push"),
        (tasks, "tasks: 1 of 2 done, now Sort"),
        (r#"{"type":"tasks","tasks":[]}"#, "tasks: 0 of 0 done"),
        (r#"{"type":"heard","turn":3}"#, "heard: turn 3"),
        (r#"{"type":"warned","percent":70}"#, "warned: 70%"),
        (r#"{"type":"gauge","used":"many"}"#, "gauge: used many"),
        (r#"{"type":"failed","turn":3,"kind":"limit","why":"full"}"#, "failed: kind limit, turn 3, why full"),
        (r#"{"type":"stirred"}"#, "stirred"),
        (r#"{"type":"odd","uuid":"u","inner":{"deep":[{"depth":2,"nothing":null}]}}"#, "odd: depth 2"),
        (
            r#"{"type":"reply","request_id":"r","response":{"request_id":"r","behavior":"allow"}}"#,
            "reply: behavior allow",
        ),
    ];
    for (line, _) in table {
        scene.says(2, Out, line);
    }
    let frame = scene.frame(80, 24);
    let shown: Vec<&str> = frame.lines().filter_map(|line| Some(line.split_once(" ← ")?.1)).collect();
    let shown: Vec<&str> = shown.into_iter().map(|line| line.trim_end_matches(['│', ' '])).collect();
    assert_eq!(shown, table.map(|(_, summary)| summary));
}

#[test]
fn of_the_past_only_what_was_said_by_then_is_shown() {
    let mut scene = logbook();
    let start = scene.records[0].at.0;
    let now = scene.with(|_, model| model.now.0);
    // The mission's own clock and the records' are brought together.
    for record in &mut scene.records {
        record.at.0 = record.at.0 - start + now;
    }
    scene.waited_ms = 2500;
    assert_eq!(note(&mut scene), "6 lines, live", "it is now");
    scene.is_past = true;
    let past = note(&mut scene);
    assert!(past.starts_with("3 lines, until ") && !past.contains("live"), "{past}");
    let frame = scene.frame(80, 24);
    assert!(frame.contains("Bash make") && !frame.contains("mana"), "{frame}");
    // A record of that very moment was said by then.
    scene.waited_ms = 3000;
    assert!(note(&mut scene).starts_with("4 lines, until "));
    // Back, and on: what is chosen stays chosen.
    scene.keys("gj");
    scene.waited_ms = 2000;
    assert!(note(&mut scene).starts_with("3 lines"));
    scene.keys("d");
    assert!(scene.frame(80, 24).contains("So be it."), "{}", scene.frame(80, 24));
    scene.waited_ms = 9000;
    assert!(note(&mut scene).starts_with("6 lines, until "));
    assert!(scene.frame(80, 24).contains("So be it."));
    scene.is_past = false;
    scene.waited_ms = 0;
    assert_eq!(note(&mut scene), "6 lines");
    scene.seat = Attachment::Replay;
    assert!(note(&mut scene).starts_with("1 line, until "));
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
