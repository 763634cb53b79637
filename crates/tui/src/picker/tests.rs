//! The page, by keys and by sight.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use super::{Picker, PickerChoice, PickerFiles};
use crate::theme::Theme;

fn names() -> Vec<Arc<str>> {
    ["CHANGELOG.md", "README.md", "docs/format.md", "docs/plan.md", "spec/terminal.md"]
        .map(Arc::from)
        .to_vec()
}

fn shelf(names: &[Arc<str>]) -> PickerFiles<'_> {
    PickerFiles { names, whole: true, preview: Some("# A plan\n\nFirst this,\nthen that.") }
}

fn press(picker: &mut Picker, shelf: &PickerFiles<'_>, code: KeyCode) -> PickerChoice {
    picker.key(KeyEvent::from(code), shelf)
}

fn type_in(picker: &mut Picker, shelf: &PickerFiles<'_>, text: &str) -> PickerChoice {
    text.chars().map(|sign| press(picker, shelf, KeyCode::Char(sign))).last().unwrap_or(PickerChoice::Stay)
}

fn preview(name: &str) -> PickerChoice {
    PickerChoice::Preview(Arc::from(name))
}

fn scroll(name: &str) -> PickerChoice {
    PickerChoice::Scroll(Arc::from(name))
}

fn draw(picker: &Picker, shelf: &PickerFiles<'_>, width: u16, height: u16) -> (Buffer, Option<Position>) {
    let mut buffer = Buffer::filled(Rect::new(0, 0, width, height), Cell::new("."));
    let at = picker.draw(buffer.area, &mut buffer, shelf, &Theme::PLAIN);
    (buffer, at)
}

fn lines(buffer: &Buffer) -> String {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..buffer.area.height).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_likeliest_file_is_chosen_first() {
    let names = names();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    assert_eq!(picker.grown(&shelf), preview("README.md"));
    assert_eq!(picker.grown(&shelf), PickerChoice::Stay);
    assert_eq!(press(&mut picker, &shelf, KeyCode::Down), preview("docs/plan.md"));
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), scroll("docs/plan.md"));
}

#[test]
fn letters_narrow_the_list_and_esc_widens_it_again() {
    let names = names();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    picker.grown(&shelf);
    assert_eq!(type_in(&mut picker, &shelf, "term"), PickerChoice::Stay);
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), scroll("spec/terminal.md"));
    assert_eq!(press(&mut picker, &shelf, KeyCode::Esc), preview("README.md"));
    assert_eq!(press(&mut picker, &shelf, KeyCode::Esc), PickerChoice::Leave);
    picker.paste("plan\nmore");
    assert_eq!(picker.grown(&shelf), preview("docs/plan.md"));
    assert_eq!(
        picker.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL), &shelf),
        PickerChoice::Leave
    );
}

#[test]
fn to_come_without_a_scroll_is_the_last_row() {
    let names = names();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    picker.grown(&shelf);
    press(&mut picker, &shelf, KeyCode::Up);
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), PickerChoice::NoScroll);
    assert_eq!(press(&mut picker, &shelf, KeyCode::Down), preview("README.md"));
    for _ in 0..names.len() {
        press(&mut picker, &shelf, KeyCode::Down);
    }
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), PickerChoice::NoScroll);
}

#[test]
fn a_name_that_is_not_there_is_no_choice() {
    let names = names();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    type_in(&mut picker, &shelf, "zzz");
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), PickerChoice::Stay);
    press(&mut picker, &shelf, KeyCode::Down);
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), PickerChoice::NoScroll);
}

#[test]
fn a_project_without_markdown_comes_without_a_scroll() {
    let mut picker = Picker::new();
    let walking = PickerFiles { names: &[], whole: false, preview: None };
    assert_eq!(picker.grown(&walking), PickerChoice::Stay);
    assert_eq!(press(&mut picker, &walking, KeyCode::Enter), PickerChoice::Stay);
    let empty = PickerFiles { whole: true, ..walking };
    assert_eq!(picker.grown(&empty), PickerChoice::Stay);
    assert!(lines(&draw(&picker, &empty, 60, 16).0).contains("There is no Markdown file here"));
    assert_eq!(press(&mut picker, &empty, KeyCode::Enter), PickerChoice::NoScroll);
}

#[test]
fn what_a_person_chose_stays_chosen_while_names_come() {
    let names = names();
    let mut picker = Picker::new();
    let some = PickerFiles { names: &names[..3], whole: false, preview: None };
    assert_eq!(picker.grown(&some), preview("README.md"));
    press(&mut picker, &some, KeyCode::Down);
    let chosen = press(&mut picker, &some, KeyCode::Down);
    assert_eq!(chosen, preview("docs/format.md"));
    assert_eq!(picker.grown(&shelf(&names)), PickerChoice::Stay);
    assert_eq!(press(&mut picker, &shelf(&names), KeyCode::Enter), scroll("docs/format.md"));
    // Who has not moved is led to the best.
    let mut picker = Picker::new();
    assert_eq!(picker.grown(&PickerFiles { names: &names[..1], ..some }), preview("CHANGELOG.md"));
    assert_eq!(picker.grown(&some), preview("README.md"));
}

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> MouseEvent {
    MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }
}

#[test]
fn a_click_chooses_and_a_second_one_takes() {
    let names = names();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    picker.grown(&shelf);
    let area = Rect::new(0, 0, 40, 14);
    draw(&picker, &shelf, 40, 14);
    let click = |row| mouse(MouseEventKind::Down(MouseButton::Left), 5, row);
    assert_eq!(picker.mouse(click(5), area, &shelf), preview("docs/plan.md"));
    assert_eq!(picker.mouse(click(5), area, &shelf), scroll("docs/plan.md"));
    assert_eq!(picker.mouse(click(10), area, &shelf), PickerChoice::Stay);
    assert_eq!(picker.mouse(click(10), area, &shelf), PickerChoice::NoScroll);
    assert_eq!(picker.mouse(click(0), area, &shelf), PickerChoice::Stay);
}

#[test]
fn pages_and_the_wheel_go_through_a_long_list() {
    let names: Vec<Arc<str>> = (100..200).map(|number| Arc::from(format!("note{number}.md"))).collect();
    let shelf = shelf(&names);
    let mut picker = Picker::new();
    picker.grown(&shelf);
    let area = Rect::new(0, 0, 40, 12);
    draw(&picker, &shelf, 40, 12);
    // Four rows of files are seen.
    assert_eq!(press(&mut picker, &shelf, KeyCode::PageDown), preview("note103.md"));
    assert_eq!(press(&mut picker, &shelf, KeyCode::PageDown), preview("note106.md"));
    let down = mouse(MouseEventKind::ScrollDown, 5, 5);
    assert_eq!(picker.mouse(down, area, &shelf), PickerChoice::Stay);
    assert_eq!(picker.mouse(down, area, &shelf), preview("note109.md"));
    for _ in 0..40 {
        press(&mut picker, &shelf, KeyCode::PageDown);
    }
    assert_eq!(press(&mut picker, &shelf, KeyCode::Enter), scroll("note199.md"));
    press(&mut picker, &shelf, KeyCode::Down);
    assert_eq!(press(&mut picker, &shelf, KeyCode::PageUp), preview("note197.md"));
}

#[test]
fn a_long_preview_is_scrolled_no_further_than_its_end() {
    let names = names();
    let text = (0..100).map(|number| format!("line {number}\n\n")).collect::<String>();
    let shelf = PickerFiles { preview: Some(&text), ..shelf(&names) };
    let mut picker = Picker::new();
    picker.grown(&shelf);
    let key = |code| KeyEvent::new(code, KeyModifiers::ALT);
    for _ in 0..200 {
        draw(&picker, &shelf, 100, 14);
        picker.key(key(KeyCode::Down), &shelf);
    }
    let end = draw(&picker, &shelf, 100, 14).0;
    assert!(lines(&end).contains("line 99"));
    picker.key(key(KeyCode::Up), &shelf);
    assert_ne!(draw(&picker, &shelf, 100, 14).0, end);
}

#[test]
fn a_small_page_has_a_list() {
    let names = names();
    let mut picker = Picker::new();
    picker.grown(&shelf(&names));
    type_in(&mut picker, &shelf(&names), "do");
    let (buffer, at) = draw(&picker, &shelf(&names), 40, 12);
    insta::assert_snapshot!(lines(&buffer), @r"
    ╔════════════ THE ARBITER ═════════════╗
    ║         What is to be built?         ║
    ╠══════════════════════════════════════╣
    ║ > do                          2 of 5 ║
    ║ ▸ docs/plan.md                       ║
    ║   docs/format.md                     ║
    ║                                      ║
    ║                                      ║
    ║   Begin without a file               ║
    ╠══════════════════════════════════════╣
    ║ Enter choose  Esc leave  Up/Down move║
    ╚══════════════════════════════════════╝
    ");
    assert_eq!(at, Some(Position::new(6, 3)));
}

#[test]
fn a_wide_page_has_a_preview_beside_it_and_a_tall_one_below() {
    let names = names();
    let mut picker = Picker::new();
    picker.grown(&shelf(&names));
    let (buffer, _) = draw(&picker, &PickerFiles { whole: false, ..shelf(&names) }, 90, 13);
    insta::assert_snapshot!(lines(&buffer), @"
    ╔═════════════════════════════════════ THE ARBITER ══════════════════════════════════════╗
    ║                     Show me your requirements. What is to be made?                     ║
    ╠════════════════════════════════════════════════════════════════════════════════════════╣
    ║ >  type to find a file                                                         5 of 5… ║
    ║ ▸ README.md                       │ A plan                                             ║
    ║   docs/plan.md                    │                                                    ║
    ║   spec/terminal.md                │ First this,                                        ║
    ║   CHANGELOG.md                    │ then that.                                         ║
    ║   docs/format.md                  │                                                    ║
    ║   Begin without a file            │                                                    ║
    ╠═══════════════════════════════════╧════════════════════════════════════════════════════╣
    ║ Enter choose  Esc leave  Up/Down move  type to find  Alt+Up/Down read                  ║
    ╚════════════════════════════════════════════════════════════════════════════════════════╝
    ");
    let (buffer, _) = draw(&picker, &shelf(&names), 50, 24);
    insta::assert_snapshot!(lines(&buffer), @"
    ╔═════════════════ THE ARBITER ══════════════════╗
    ║              What is to be built?              ║
    ╠════════════════════════════════════════════════╣
    ║ >  type to find a file                  5 of 5 ║
    ║ ▸ README.md                                    ║
    ║   docs/plan.md                                 ║
    ║   spec/terminal.md                             ║
    ║   CHANGELOG.md                                 ║
    ║   docs/format.md                               ║
    ║   Begin without a file                         ║
    ╟────────────────────────────────────────────────╢
    ║ A plan                                         ║
    ║                                                ║
    ║ First this,                                    ║
    ║ then that.                                     ║
    ║                                                ║
    ║                                                ║
    ║                                                ║
    ║                                                ║
    ║                                                ║
    ║                                                ║
    ╠════════════════════════════════════════════════╣
    ║ Enter choose  Esc leave  Up/Down move          ║
    ╚════════════════════════════════════════════════╝
    ");
}

#[test]
fn the_letters_that_were_found_stand_out() {
    let names = names();
    let mut picker = Picker::new();
    type_in(&mut picker, &shelf(&names), "md");
    picker.key(KeyEvent::from(KeyCode::Down), &shelf(&names));
    let (buffer, _) = draw(&picker, &shelf(&names), 40, 14);
    let text = lines(&buffer);
    let (y, line) = text.lines().enumerate().find(|(_, line)| line.contains("CHANGELOG")).unwrap();
    let x = line.chars().position(|sign| sign == '.').unwrap() as u16;
    let is_bold = |x: u16| buffer[(x, y as u16)].modifier.contains(Modifier::BOLD);
    assert!(!is_bold(x) && is_bold(x + 1) && is_bold(x + 2));
}

#[test]
fn no_size_and_no_name_is_too_much() {
    let hostile = ["\u{1b}[2J.md", "a\nb.md", "漢字漢字漢字漢字.md", "x/\u{202e}y.md", ""].map(Arc::from);
    let shelf = PickerFiles { preview: Some("\u{7}x\n```\n漢"), ..shelf(&hostile) };
    let mut picker = Picker::new();
    picker.grown(&shelf);
    picker.paste(&"漢".repeat(70));
    picker.grown(&shelf);
    for width in (0..30).chain([89, 90, 91]) {
        for height in (0..14).chain([23, 24, 25]) {
            let area = Rect::new(2, 1, width, height);
            let mut buffer = Buffer::filled(Rect::new(0, 0, width + 4, height + 2), Cell::new("."));
            let at = picker.draw(area, &mut buffer, &shelf, &Theme::ASCII);
            assert!(at.is_none_or(|at| area.contains(at)), "{width}x{height}");
            for position in buffer.area.positions().filter(|position| !area.contains(*position)) {
                assert_eq!(buffer[position].symbol(), ".", "{width}x{height} {position}");
            }
            picker.mouse(mouse(MouseEventKind::ScrollDown, 3, 3), area, &shelf);
            picker.mouse(mouse(MouseEventKind::Down(MouseButton::Left), 3, 3), area, &shelf);
        }
    }
    press(&mut picker, &shelf, KeyCode::Esc);
    draw(&picker, &shelf, 60, 20);
    // A page drawn partly outside of the screen is cut.
    let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 5));
    picker.draw(Rect::new(5, 2, 80, 24), &mut buffer, &shelf, &Theme::PLAIN);
}
