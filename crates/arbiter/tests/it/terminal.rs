//! The screen in a real window: a terminal of its own, keys as they are typed, and what a person sees. What is waited
//! for is what is shown.

mod again;
mod beside;
mod ceremony;
mod choosing;
mod claims;
#[cfg(target_os = "linux")]
mod heard;
mod hostile;
mod leaving;
mod pages;
pub mod petitions;
mod scene;
mod shell;
mod sizes;
mod start;
mod typing;
mod wounds;

use std::process::Command;

use mind::Fact;
use mind::fact::TalkFact;
use mind::talk::Speaker;
use sim::{BridgeScript, Theatre, Window};

use crate::BINARY;

/// A conversation: the Arbiter answers whatever it is told, and waits.
fn talk() -> String {
    let answers =
        ["That was the first.", "That was the second.", "That was the third.", "That was the fourth."];
    sim::talk(&[&["Speak, and I listen."], &answers[..]].concat())
}

/// A mission whose Orchestrator asks twice, after the human's yes: `touch asked`, then `touch again`.
fn bridge() -> BridgeScript {
    let work = r#"{tasks: [{title: Cut the stone, status: in_progress}]},
  {ask: [touch, asked]}, {ask: [touch, again]}, {write: bridge.txt, text: "stone"}, {commit: "Build"},
  {tasks: [{title: Cut the stone, status: done}]}"#;
    BridgeScript::new().scroll("# The bridge\n\nWrite bridge.txt.").works(work)
}

/// A world with a repository and this script.
fn rehearsing(script: impl ToString) -> Theatre {
    Theatre::rehearsing(BINARY, script)
}

/// A world with a scroll, and an agent that listens and never says anything: a mission begins, and stays.
fn listened_to() -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "# The ferry\n\nIt crosses.\n")]);
    let program = theatre.path().join("listener").display().to_string();
    // Written by another process: a descriptor of ours could be inherited by a child of another test, and a program that is
    // open for writing cannot be run.
    // The shell stays, and holds its stdout open: an agent that closes it has gone.
    let write = "printf '#!/bin/sh\\ncat > /dev/null\\n' > \"$1\" && chmod 755 \"$1\"";
    let status = Command::new("sh").args(["-c", write, "sh", &program]).status();
    assert!(status.expect("a shell").success());
    theatre.with_config(&format!("claude:\n  program: {program}\n"))
}

/// The conversation on the screen, where it waits for the human.
fn talking(theatre: &Theatre) -> Window {
    let window = Window::of(theatre).rehearses(&[]);
    awaits_words(&window, "Speak, and I listen.");
    window
}

/// Waits until this was said and it is the human's turn.
fn awaits_words(window: &Window, words: &str) {
    window.sees(words);
    window.sees("Awaiting your command.");
}

/// Says something in a line.
fn says(window: &Window, words: &str) {
    window.types(words);
    window.sees(words);
    window.key("Enter");
}

/// Leaves the mission at once.
pub fn leaves(window: &mut Window) {
    window.key("Ctrl+C");
    window.sees("Leave? The mission stops");
    window.key("Ctrl+C");
    assert_eq!(window.ends_with(), 4, "{}", window.screen());
    assert_eq!(window.left_behind(), [""; 0]);
}

/// Everything that people said, as the journal has it.
fn said(theatre: &Theatre) -> Vec<String> {
    let entries = theatre.entries(&theatre.mission());
    let said = entries.into_iter().filter_map(|entry| match entry.fact {
        Fact::Talk(TalkFact::Said { from: Speaker::Human(_), text, .. }) => Some(text.to_string()),
        Fact::Talk(_)
        | Fact::Mission(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    said.collect()
}

/// The lines around the screen are whole, at the edges of a window of so many columns and rows.
fn is_framed(rows: &[String], columns: usize, count: usize) -> bool {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return false };
    let is_wide = |row: &String| row.chars().count() == columns;
    rows.len() == count
        && is_wide(first)
        && is_wide(last)
        && first.starts_with('╔')
        && first.ends_with('╗')
        && last.starts_with('╚')
        && last.ends_with('╝')
        && rows[1..count - 1].iter().all(|row| row.starts_with(['║', '╠']) && row.ends_with(['║', '╣']))
}
