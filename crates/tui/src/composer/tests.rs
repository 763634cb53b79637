//! Drafts as (text, keys, text); `|` is the cursor.

mod offers;

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use mind::limits::WORDS_BYTES_MAX;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::GraphemeCursor;

use super::{Composer, Known, Stroke};
use crate::theme::{Theme, Tint};

const FAMILY: &str = "👩‍👩‍👧";

/// `C-x` is with Ctrl, `A-x` with Alt, `S-x` with Shift; a word that is no key is typed.
fn key(word: &str) -> Option<KeyEvent> {
    let (modifiers, name) = match word.split_at_checked(2) {
        Some(("C-", name)) => (KeyModifiers::CONTROL, name),
        Some(("A-", name)) => (KeyModifiers::ALT, name),
        Some(("S-", name)) => (KeyModifiers::SHIFT, name),
        Some(_) | None => (KeyModifiers::NONE, word),
    };
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Erase" => KeyCode::Backspace,
        "Delete" => KeyCode::Delete,
        "Tab" => KeyCode::Tab,
        "Esc" => KeyCode::Esc,
        "Space" => KeyCode::Char(' '),
        other => {
            let mut signs = other.chars();
            let code = KeyCode::Char(signs.next()?);
            if signs.next().is_some() {
                return None;
            }
            code
        }
    };
    Some(KeyEvent::new(code, modifiers))
}

fn names(names: &[&str]) -> Vec<Arc<str>> {
    names.iter().map(|name| Arc::from(*name)).collect()
}

struct Person {
    draft: Composer,
    history: Vec<Arc<str>>,
    files: Vec<Arc<str>>,
    conducted: bool,
}

impl Person {
    fn new(text: &str) -> Person {
        let mut draft = Composer::default();
        let (before, after) = text.split_once('|').unwrap_or((text, ""));
        draft.paste(&format!("{before}{after}"));
        draft.sheet.stand(before.len());
        Person {
            draft,
            history: names(&["first", "second\nline", "third"]),
            files: files(),
            conducted: false,
        }
    }

    fn press(&mut self, keys: &str) -> Vec<Stroke> {
        let mut strokes = Vec::new();
        for word in keys.split_whitespace() {
            let pressed = match key(word) {
                Some(key) => vec![key],
                None => word.chars().map(|sign| KeyEvent::from(KeyCode::Char(sign))).collect(),
            };
            for key in pressed {
                let known = Known { files: &self.files, conducted: self.conducted };
                strokes.push(self.draft.key(key, &|| self.history.clone(), known));
            }
        }
        strokes
    }

    fn shown(&self) -> String {
        let (before, after) = self.draft.sheet.text().split_at(self.draft.sheet.cursor());
        format!("{before}|{after}")
    }
}

fn files() -> Vec<Arc<str>> {
    names(&["README.md", "crates/tui/src/lib.rs", "crates/mind/src/lib.rs", "docs/plan.md"])
}

fn check(table: &[(&str, &str, &str)]) {
    for (before, keys, after) in table {
        let mut person = Person::new(before);
        person.press(keys);
        assert_eq!(person.shown(), *after, "{before:?} {keys}");
    }
}

#[test]
fn letters_go_in_and_out() {
    check(&[
        ("", "ab Space c", "ab c|"),
        ("a|c", "b", "ab|c"),
        ("ab|c", "Erase", "a|c"),
        ("|abc", "Erase", "|abc"),
        ("a|bc", "Delete", "a|c"),
        ("abc|", "Delete", "abc|"),
        ("a|b", "A-Enter", "a\n|b"),
        ("a|b", "S-Enter", "a\n|b"),
        ("a|b", "C-j", "a\n|b"),
        ("a\n|b", "Erase", "a|b"),
    ]);
}

#[test]
fn what_looks_like_one_letter_is_one() {
    check(&[
        ("e\u{301}|", "Left", "|e\u{301}"),
        ("ae\u{301}|", "Erase", "a|"),
        ("|e\u{301}b", "Delete", "|b"),
        (&format!("{FAMILY}|"), "Erase", "|"),
        (&format!("|{FAMILY}x"), "Right", &format!("{FAMILY}|x")),
        ("🇩🇪🇫🇷|", "Left Erase", "|🇫🇷"),
        ("שלום|", "Left Erase", "של|ם"),
        // A letter before a lone accent takes it; the cursor is not left between them.
        ("|\u{301}", "e", "e\u{301}|"),
        ("|", "e \u{301} Erase", "|"),
    ]);
}

#[test]
fn the_cursor_moves_by_letter_word_and_line() {
    check(&[
        ("one two|", "C-Left", "one |two"),
        ("one two|", "A-b A-b", "|one two"),
        ("|one two", "C-Right", "one| two"),
        ("|one, two", "A-f A-Right", "one, two|"),
        ("漢字 two|", "A-b A-b", "漢|字 two"),
        ("a\nbc|d\ne", "Home", "a\n|bcd\ne"),
        ("a\nbc|d\ne", "C-e", "a\nbcd|\ne"),
        ("a\nbc|d\ne", "C-a Left", "a|\nbcd\ne"),
        ("ab\ncd|", "C-b C-b C-b C-f", "ab\n|cd"),
    ]);
}

#[test]
fn up_and_down_keep_to_the_column() {
    check(&[
        ("abcd\ne\nfghi|", "Up", "abcd\ne|\nfghi"),
        ("abcd\ne\nfghi|", "Up Up", "abcd|\ne\nfghi"),
        ("abcd\ne\nfghi|", "Up Up Down Down", "abcd\ne\nfghi|"),
        ("漢字\nabc|", "Up", "漢|字\nabc"),
        ("abc|\n漢字", "Down", "abc\n漢|字"),
        ("a\nb|", "C-p C-n", "a\nb|"),
    ]);
}

#[test]
fn words_and_lines_are_erased_and_put_back() {
    check(&[
        ("one two-three|", "C-w", "one |"),
        ("one two-three|", "A-Erase", "one two-|"),
        ("one two  |", "C-w", "one |"),
        ("|one two", "A-d", "| two"),
        ("a\none two|three", "C-u", "a\n|three"),
        ("a\n|three", "C-u", "a|three"),
        ("one|two\nthree", "C-k", "one|\nthree"),
        ("one|\nthree", "C-k", "one|three"),
        ("one two|", "C-w C-y C-y", "one twotwo|"),
        ("one two three|", "C-w C-w C-y", "one two three|"),
        ("one| two three", "A-d A-d C-y", "one two three|"),
        ("one two|", "C-w Left C-k C-y", "one |"),
        ("one two|", "C-w Left C-k Home C-y", " |one"),
    ]);
}

#[test]
fn what_was_done_is_taken_back() {
    check(&[
        ("|", "one Space two C-_", "one |"),
        ("|", "one Space two C-/ C-7", "|"),
        ("|", "one Space two C-_ C-_ A-_ A-/", "one two|"),
        ("|", "ab Left c C-_", "a|b"),
        ("abc|", "Erase Erase C-_", "abc|"),
        ("ab cd|", "C-w C-_", "ab cd|"),
        ("|", "ab C-_ c A-_", "c|"),
        ("|\u{301}", "e C-_", "|\u{301}"),
        ("mine|", "Up C-_", "mine|"),
        ("mine|", "Up Up x C-_ C-_ Down", "mine|"),
    ]);
}

#[test]
fn earlier_messages_come_back_and_nothing_is_lost() {
    check(&[
        ("mine|", "Up", "third|"),
        ("mine|", "Up Up", "second\nline|"),
        ("mine|", "Up Up Up", "seco|nd\nline"),
        ("mine|", "Up Up Up Up Up", "first|"),
        ("mine|", "Up Up Down Down", "mine|"),
        ("mine|", "Up x Down Up", "thirdx|"),
        ("mine|", "Up x Up Down", "thirdx|"),
        ("mine|", "Up x Down", "mine|"),
        ("mine|", "Down", "mine|"),
    ]);
    // What was sent is what is kept; the change is not.
    let mut person = Person::new("");
    person.press("Up x");
    assert_eq!(person.press("Enter"), [Stroke::Send("thirdx".to_owned())]);
    person.press("Up");
    assert_eq!(person.shown(), "third|");
}

#[test]
fn enter_sends_what_is_not_blank() {
    let mut person = Person::new("  one\ntwo \n|");
    assert_eq!(person.press("Enter"), [Stroke::Send("one\ntwo".to_owned())]);
    assert!(person.draft.is_empty());
    assert_eq!(person.press("C-_ Enter"), [Stroke::Taken, Stroke::Taken]);
    let mut person = Person::new(" \n|");
    assert_eq!(person.press("Enter"), [Stroke::Taken]);
    assert_eq!(person.shown(), " \n|");
}

#[test]
fn keys_of_others_are_left_to_them() {
    let mut person = Person::new("a|");
    assert_eq!(person.press("C-z C-c C-l Tab"), vec![Stroke::Ignored; 4]);
    assert_eq!(person.press("Esc"), [Stroke::Done]);
    assert_eq!(Person::new("").press("C-d"), [Stroke::Ignored]);
    assert_eq!(person.shown(), "a|");
}

#[test]
fn a_paste_is_one_piece() {
    let mut person = Person::new("a|b");
    person.draft.paste("one\r\ntwo\rthree\u{7}\u{1b}");
    assert_eq!(person.shown(), "aone\ntwo\nthree|b");
    person.press("C-_");
    assert_eq!(person.shown(), "a|b");
}

#[test]
fn what_does_not_fit_is_refused_whole() {
    let mut person = Person::new("a|");
    person.draft.paste(&"x".repeat(WORDS_BYTES_MAX));
    assert_eq!(person.shown(), "a|");
    assert!(person.draft.complaint().is_some_and(|complaint| complaint.contains("256 KiB")));
    assert_eq!(WORDS_BYTES_MAX, 256 * 1024);
    person.press("b");
    assert_eq!(person.draft.complaint(), None);
    person.draft.paste(&"x".repeat(WORDS_BYTES_MAX - 2));
    assert_eq!(person.draft.complaint(), None);
    person.press("y");
    assert_eq!(person.draft.text().len(), WORDS_BYTES_MAX);
    assert!(person.draft.complaint().is_some());
}

#[test]
fn names_are_completed_after_an_at() {
    check(&[
        ("", "@lib Tab", "@crates/tui/src/lib.rs |"),
        ("", "@lib Down Tab", "@crates/mind/src/lib.rs |"),
        ("", "@lib Down Up Enter", "@crates/tui/src/lib.rs |"),
        ("see | now", "@plan Tab", "see @docs/plan.md| now"),
        ("", "@or Tab", "@orchestrator |"),
        ("", "@ Tab", "@orchestrator |"),
        ("", "@ Down Tab", "@README.md |"),
        ("a|", "@lib Tab", "a@lib|"),
        ("", "@lib Tab C-_", "@lib|"),
        ("", "@lib Esc Tab s Tab", "@libs|"),
        ("", "@lib Esc Erase Erase Erase Erase @read Tab", "@README.md |"),
        ("", "@lib Left Tab", "@li|b"),
        ("@li|", "Right b Erase Tab", "@crates/tui/src/lib.rs |"),
    ]);
}

#[test]
fn a_whole_name_is_sent_and_an_unknown_one_too() {
    let mut person = Person::new("");
    person.press("@orchestrator");
    assert!(person.draft.offers());
    assert_eq!(person.press("Enter"), [Stroke::Send("@orchestrator".to_owned())]);
    person.press("@nobody");
    assert_eq!(person.press("Enter"), [Stroke::Send("@nobody".to_owned())]);
    person.press("@lib");
    assert_eq!(person.press("Esc"), [Stroke::Taken]);
    assert_eq!(person.press("Enter"), [Stroke::Send("@lib".to_owned())]);
}

fn screen(draw: impl FnOnce(&mut Buffer), width: u16, height: u16) -> Buffer {
    let mut buffer = Buffer::filled(Rect::new(0, 0, width, height), ratatui::buffer::Cell::new("."));
    draw(&mut buffer);
    buffer
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
    (0..buffer.area.height).map(row).collect()
}

#[test]
fn it_is_drawn_inside_its_area_with_the_cursor_in_sight() {
    let mut person = Person::new("one two three four 漢字|");
    let area = Rect::new(2, 1, 8, 2);
    let mut at = Position::ORIGIN;
    let buffer = screen(|buffer| at = person.draft.draw(area, buffer, &Theme::PLAIN), 12, 4);
    assert_eq!(lines(&buffer), ["............", "..four 漢 ...", "..字 ........", "............"]);
    assert_eq!(person.draft.rows(8), 4);
    assert_eq!(at, Position::new(2 + 2, 2));
    // Up to the first row it goes with the cursor, and no further than it must.
    for (key, y) in [("Up", 1), ("Up", 1), ("Up", 1), ("Down", 2), ("Down", 2)] {
        person.press(key);
        screen(|buffer| at = person.draft.draw(area, buffer, &Theme::PLAIN), 12, 4);
        assert_eq!(at.y, y, "{key} {}", person.shown());
    }
}

#[test]
fn it_says_how_much_is_above_what_is_seen() {
    let mut person = Person::new("one\ntwo\nthree\nfour|");
    let area = Rect::new(2, 1, 8, 2);
    let mut seen = |keys: &str| {
        person.press(keys);
        let mut at = Position::ORIGIN;
        let buffer = screen(|buffer| at = person.draft.draw(area, buffer, &Theme::PLAIN), 12, 4);
        assert!(area.contains(at));
        let first = lines(&buffer)[1].trim_matches(['.', ' ']).to_owned();
        (person.draft.hidden_above(area), first)
    };
    let hidden = |count: usize, first: &str| (count, first.to_owned());
    assert_eq!(seen(""), hidden(2, "three"));
    assert_eq!(seen("Up"), hidden(2, "three"));
    assert_eq!(seen("Up"), hidden(1, "two"));
    assert_eq!(seen("Up"), hidden(0, "one"));
    assert_eq!(seen("Down Down"), hidden(1, "two"));
    assert_eq!(person.draft.hidden_above(Rect::new(0, 0, 8, 4)), 0, "all of it fits");
    assert_eq!(person.draft.hidden_above(Rect::new(0, 0, 8, 0)), 0);
    assert_eq!(person.draft.hidden_above(Rect::new(0, 0, 0, 3)), 0);
}

#[test]
fn wide_letters_move_the_cursor_by_their_columns() {
    for (text, x) in [("漢字|", 4), ("e\u{301}|", 1), ("👩‍👩‍👧|", 2), ("漢|字", 2), ("שלום|", 4), ("ab|", 2)]
    {
        let person = Person::new(text);
        let mut at = Position::ORIGIN;
        screen(|buffer| at = person.draft.draw(buffer.area, buffer, &Theme::PLAIN), 20, 1);
        assert_eq!(at, Position::new(x, 0), "{text}");
    }
}

#[test]
fn names_are_drawn_above_the_input() {
    let mut person = Person::new("");
    person.press("@lib Down");
    let input = Rect::new(1, 4, 20, 1);
    let draw = |buffer: &mut Buffer| person.draft.draw_names(input, buffer, &person.files, &Theme::PLAIN);
    let buffer = screen(draw, 22, 5);
    assert_eq!(
        lines(&buffer)[1..],
        [
            "......................",
            ". @…s/tui/src/lib.rs .",
            ". @…/mind/src/lib.rs .",
            "......................"
        ]
    );
    assert_eq!(buffer[(2, 3)].style().add_modifier, Theme::PLAIN.style(Tint::Chosen).add_modifier);
    // No room, no names, no harm.
    screen(|buffer| person.draft.draw_names(Rect::new(0, 0, 22, 1), buffer, &[], &Theme::ASCII), 22, 5);
    screen(|buffer| person.draft.draw_names(Rect::new(30, 30, 22, 1), buffer, &[], &Theme::ASCII), 22, 5);
}

fn strokes() -> impl Strategy<Value = String> {
    let keys = "Enter A-Enter C-j Left Right Up Down Home End Erase Delete Tab Esc Space C-Left A-f A-b C-w A-Erase A-d \
                C-u C-k C-y C-_ A-_ @ / p l e b x \u{301} \u{200d} 👩 🇩 🇪 漢 ש \u{1100} \u{1161} \u{ff9e} \u{600} \u{94d} क";
    let keys: Vec<String> = keys.split_whitespace().map(str::to_owned).collect();
    let pastes = ["a\r\nb", "\u{301}", "two words @li", "/pau", "👩‍👩‍👧", "\n\n", "\u{7}", "", "लागि\u{200d}"];
    let pastes: Vec<String> = pastes.iter().map(|paste| format!("paste {paste}")).collect();
    prop_oneof![8 => prop::sample::select(keys), 2 => prop::sample::select(pastes)]
}

proptest! {
    #[test]
    fn no_keys_harm_a_draft(strokes in prop::collection::vec(strokes(), 0..80), width in 0u16..12, height in 0u16..4) {
        let mut person = Person::new("");
        for stroke in &strokes {
            match stroke.strip_prefix("paste ") {
                Some(text) => person.draft.paste(text),
                None => drop(person.press(stroke)),
            }
            let sheet = &person.draft.sheet;
            let mut cursor = GraphemeCursor::new(sheet.cursor(), sheet.text().len(), true);
            prop_assert_eq!(cursor.is_boundary(sheet.text(), 0), Ok(true), "{}", person.shown());
            let area = Rect::new(1, 1, width, height);
            let mut at = Position::ORIGIN;
            let buffer = screen(|buffer| at = person.draft.draw(area, buffer, &Theme::PLAIN), 14, 6);
            prop_assert!(area.is_empty() || area.contains(at));
            for position in buffer.area.positions().filter(|position| !area.contains(*position)) {
                prop_assert_eq!(buffer[position].symbol(), ".");
            }
            screen(|buffer| person.draft.draw_names(area, buffer, &person.files, &Theme::PLAIN), 14, 6);
        }
        for _ in 0..2 * strokes.len() {
            person.press("C-_");
        }
        prop_assert!(person.draft.is_empty(), "{}", person.shown());
    }
}
