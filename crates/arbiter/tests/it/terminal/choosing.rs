//! `arbiter` alone: the requirements are chosen. The agent of these worlds is never started: nothing begins.

use std::fs;

use rustix::process::Signal;
use sim::{Theatre, Window};

use crate::BINARY;

fn project() -> Theatre {
    let files = [("README.md", "# The ferry\n\nIt crosses the river.\n"), (".gitignore", "build/\n")];
    let theatre = Theatre::with_repository(BINARY, &files).with_idle_agent();
    for (folder, name, text) in [
        ("docs", "bridge.md", "# The bridge\n\nWide and *safe*.\n"),
        ("build", "notes.md", "# Nobody wants this\n"),
    ] {
        let folder = theatre.project().join(folder);
        fs::create_dir(&folder).expect("a folder can be made");
        fs::write(folder.join(name), text).expect("a file can be written");
    }
    theatre
}

#[test]
fn a_few_letters_find_the_scroll_and_show_it() {
    let theatre = project();
    let mut window = Window::of(&theatre).sized(100, 28).runs(&[]);
    window.sees("docs/bridge.md");
    window.sees("It crosses the river.");
    assert!(!window.screen().contains("notes.md"), "ignored files are left out: {}", window.screen());
    window.types("bri");
    window.sees("Wide and safe.");
    window.key("Enter");
    window.sees("Add that folder to .gitignore?");
    window.key("Esc");
    window.sees_no("Add that folder to .gitignore?");
    window.key("Enter");
    window.sees("Add that folder to .gitignore?");
    window.key("Ctrl+c");
    assert_eq!(window.ends_with(), 4);
    assert!(window.is_restored());
    let ignored = fs::read_to_string(theatre.project().join(".gitignore")).unwrap();
    assert_eq!(ignored, "build/\n", "nothing was said");
}

#[test]
fn whoever_cannot_begin_need_not_choose_first() {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "a river\n")]);
    let mut window = Window::of(&theatre).runs(&[]);
    assert_eq!(window.ends_with(), 5);
    assert!(window.screen().contains("Claude Code was not found"), "{}", window.screen());
}

#[test]
fn whoever_leaves_has_begun_nothing() {
    let theatre = project();
    for key in ["Esc", "Ctrl+c"] {
        let mut window = Window::of(&theatre).runs(&["--quick"]);
        window.sees("Begin without a file");
        window.key(key);
        assert_eq!(window.ends_with(), 4, "{}", window.screen());
        assert!(window.is_restored());
        assert!(window.screen().contains("no mission was begun"));
    }
    assert!(!theatre.project().join(".arbiter").exists());
}

#[test]
fn without_a_markdown_file_one_comes_without_a_scroll() {
    let theatre = Theatre::with_repository(BINARY, &[("main.rs", "fn main() {}\n")]).with_idle_agent();
    let mut window = Window::of(&theatre).sized(40, 12).runs(&[]);
    window.sees("There is no Markdown file here");
    window.key("Enter");
    window.sees(".gitignore");
    window.key("Ctrl+c");
    assert_eq!(window.ends_with(), 4);
}

#[test]
fn a_signal_finds_somebody_who_gives_the_terminal_back() {
    let theatre = project();
    for signal in [Signal::TERM, Signal::HUP] {
        let mut window = Window::of(&theatre).runs(&[]);
        window.sees("Begin without a file");
        window.signals(signal);
        assert_eq!(window.ends_with(), 4, "{}", window.screen());
        assert!(window.is_restored());
    }
}
