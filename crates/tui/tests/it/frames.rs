//! Frames: what a person sees of a play, at four sizes, with and without colour.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use mind::SessionId;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::picker::{Picker, PickerFiles};
use tui::theme::Theme;
use tui::view_model::Attachment;
use tui::yes_no::{self, YesNoPane};

use crate::booth::Booth;
use crate::{canvas, plays};

/// A small window, the usual one, a large one, a very large one.
pub const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (160, 50), (200, 60)];

/// Compares the frame at every size, with and without colour, to the ones that are kept.
pub fn frames(name: &str, mut booth: Booth) {
    for (columns, rows) in SIZES {
        booth.sized(columns, rows);
        let (plain, _) = booth.frame(&Theme::PLAIN);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), canvas::plain(&plain));
        let (coloured, cursor) = booth.frame(&Theme::COLOURED);
        let coloured = match cursor {
            Some(cursor) => canvas::coloured_with_cursor(&coloured, cursor),
            None => canvas::coloured(&coloured),
        };
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}_coloured"), coloured);
    }
}

#[test]
fn the_first_question() {
    frames("alignment", Booth::play(plays::ALIGNMENT));
}

#[test]
fn at_work() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.types("and sign out");
    frames("at_work", booth);
}

#[test]
fn a_tool_waits_for_a_yes() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens(plays::QUESTION);
    frames("question", booth);
}

#[test]
fn something_is_being_said() {
    let mut booth = Booth::play(plays::AT_WORK);
    let said = "GitHub wants a state parameter. I keep it in the\nsigned cookie, so that nothing is stored";
    booth.live.insert(SessionId(2), said.into());
    frames("live", booth);
}

#[test]
fn a_long_message_in_markdown() {
    frames("markdown", Booth::play(plays::MARKDOWN));
}

#[test]
fn one_reads_above_while_new_messages_come() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.press("Esc g");
    booth.happens("orchestrator progress: GitHub answers too.");
    frames("reading_above", booth);
}

#[test]
fn what_was_searched_is_marked() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.press("Esc /");
    booth.types("github");
    booth.press("Enter");
    frames("search", booth);
}

#[test]
fn whoever_leaves_is_asked() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.press("Ctrl+c");
    frames("parting", booth);
}

#[test]
fn the_past_is_shown_as_it_was() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.press("Esc < < < < < < < <");
    frames("past", booth);
}

#[test]
fn a_replay_begins_at_the_first_fact() {
    let mut booth = Booth::play(plays::AT_WORK).seated(Attachment::Replay);
    booth.press("} } }");
    frames("replay", booth);
}

#[test]
fn a_limit_counts_down() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens("orchestrator limited +45m: usage limit reached\nlater 5m");
    frames("limit", booth);
}

#[test]
fn it_is_over() {
    frames("over", Booth::play("claimed\nsurveyed c2\ncheck pass\nbrought"));
}

#[test]
fn a_name_is_completed() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.files = ["src/auth/github.rs", "src/auth/google.rs", "src/lib.rs"].map(Arc::from).into();
    booth.types("look at @git");
    frames("names", booth);
}

#[test]
fn the_pages() {
    for (name, keys) in [("help", "?"), ("quest", "t"), ("sessions", "s"), ("docket", "d"), ("logbook", "o")]
    {
        let mut booth = Booth::play(plays::AT_WORK);
        booth.happens(plays::QUESTION);
        booth.records = plays::records();
        booth.press("Esc");
        booth.press(keys);
        frames(name, booth);
    }
}

#[test]
fn the_arbiter_wants_decisions() {
    let mut booth = Booth::play(plays::DECISIONS);
    booth.reads("Esc d");
    frames("decisions_asked", booth);
    for (name, keys, words) in [
        ("decisions_undecided", "Esc d Enter", ""),
        ("decisions_one_chosen", "Esc d Enter b <", ""),
        ("decisions_own_words", "Esc d Enter i", "passkeys, and nothing else"),
        ("decisions_all_decided", "Esc d Enter c s", ""),
    ] {
        let mut booth = Booth::play(plays::DECISIONS);
        booth.reads(keys);
        booth.types(words);
        frames(name, booth);
    }
}

#[test]
fn agents_ask_in_the_docket() {
    for (name, keys) in [
        ("petitions", "Esc d"),
        ("petition", "Esc d j j"),
        ("petition_decision", "Esc d j j Enter < "),
        ("petition_several", "Esc d j j Enter a c"),
        ("petition_review", "Esc d j j Enter Tab Tab Tab"),
    ] {
        let mut booth = Booth::play(plays::AT_WORK);
        booth.happens(plays::QUESTION);
        booth.petitions = plays::petitions();
        booth.reads(keys);
        frames(name, booth);
    }
}

#[test]
fn the_picker() {
    let names = ["README.md", "docs/auth.md", "docs/plan.md", "notes/ideas.md"].map(Arc::from);
    let preview =
        "# Sign in\n\nGoogle and GitHub, tokens of **48 hours**.\n\n- nothing is stored\n- tests for each\n";
    let shelf = PickerFiles { names: &names, whole: true, preview: Some(preview) };
    let mut picker = Picker::new();
    picker.grown(&shelf);
    for sign in "aut".chars() {
        picker.key(KeyEvent::new(KeyCode::Char(sign), KeyModifiers::NONE), &shelf);
    }
    drawn("picker", |area, buffer, theme| {
        picker.draw(area, buffer, &shelf, theme);
    });
}

#[test]
fn an_offer() {
    let offer = YesNoPane { text: "Add that folder to .gitignore?", keys: &[("y", "yes"), ("n", "no")] };
    drawn("offer", |area, buffer, theme| yes_no::draw(&offer, area, buffer, theme));
}

/// The same for what is no part of the main screen.
fn drawn(name: &str, draw: impl Fn(Rect, &mut Buffer, &Theme)) {
    for (columns, rows) in SIZES {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        draw(area, &mut buffer, &Theme::PLAIN);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), canvas::plain(&buffer));
        let mut buffer = Buffer::empty(area);
        draw(area, &mut buffer, &Theme::COLOURED);
        insta::assert_snapshot!(format!("{name}_{columns}x{rows}_coloured"), canvas::coloured(&buffer));
    }
}

#[test]
fn ascii_is_enough() {
    let mut booth = Booth::play(plays::AT_WORK);
    booth.happens(plays::QUESTION);
    for keys in ["Esc", "?", "q t", "q s", "q d", "q o", "q <"] {
        booth.press(keys);
        let (buffer, _) = booth.frame(&Theme::ASCII);
        let frame = canvas::plain(&buffer);
        assert!(frame.is_ascii(), "{keys}:\n{frame}");
    }
}
