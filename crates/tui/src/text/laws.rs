//! What holds for every text at every width.

use proptest::prelude::*;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use view::clean::{clean, visible};

use super::diff::diff;
use super::markdown::markdown;
use super::wrap::{cut, fold, plain, width, wrap};
use crate::theme::Theme;

fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        "[ -~]{0,12}",
        "\\PC{0,4}",
        any::<char>().prop_map(String::from),
        prop::sample::select(vec![
            "\n",
            "\n\n",
            "# ",
            "- ",
            "  - ",
            "1. ",
            "> ",
            "```rust\n",
            "```",
            "    ",
            "| a | b |\n|---|--:|\n",
            "| ",
            " |",
            "**",
            "*",
            "_",
            "`",
            "~~",
            "[x](y)",
            "![",
            "](",
            "<b>",
            "<!--",
            "&#x202e;",
            "&#27;",
            "---\n",
            "[^1]",
            "[a]: b\n",
            "\u{1b}[2J",
            "\u{1b}]0;",
            "\u{7}",
            "\u{9b}",
            "\u{202e}",
            "\u{200d}",
            "\u{fe0f}",
            "漢字",
            "👩‍👩‍👧",
            "e\u{301}",
            "\u{1100}\u{1100}\u{1100}",
            "ｶﾞ",
            "لا",
            "\t",
            "\r",
            "@@ -1 +1 @@\n",
            "+",
            "-",
            "word ",
            "- [ ] ",
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

fn any_blocks() -> impl Strategy<Value = String> {
    let blocks = vec![
        "# one",
        "two\nthree",
        "- four\n- five\n  - six",
        "- seven\n\n  eight",
        "> nine\n> ten",
        "> - eleven",
        "1. twelve",
        "---",
        "| aa | bb |\n|---|---|\n| cc | dd |",
        "```\n\ncode\n\n```",
        "- [ ] thirteen",
        "*fourteen* **x**",
        "`sixteen`",
        "some <b>html</b>",
        "[^n]: note",
        "~~gone~~",
        "<!-- hidden -->",
        "",
    ];
    let block = (prop::sample::select(blocks), 1usize..4);
    prop::collection::vec(block, 0..8).prop_map(|blocks| {
        blocks.into_iter().map(|(block, lines)| block.to_owned() + &"\n".repeat(lines)).collect()
    })
}

fn check(lines: &[Line<'_>], columns: u16) -> Result<(), TestCaseError> {
    for line in lines {
        let columns_taken: usize = line.spans.iter().map(|span| width(&span.content)).sum();
        prop_assert!(columns_taken <= usize::from(columns.max(2)), "{columns_taken} > {columns}: {line:?}");
        for character in line.spans.iter().flat_map(|span| span.content.chars()) {
            let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert!(!character.is_control() && !turns, "{character:?} in {line:?}");
        }
    }
    Ok(())
}

fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

fn letters_of(lines: &[Line<'_>]) -> Vec<char> {
    lines.iter().flat_map(|line| letters(&line.to_string())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_page_fits_and_obeys_nobody(text in any_text(), columns in 0u16..120) {
        for theme in [Theme::COLOURED, Theme::ASCII] {
            check(&markdown(&text, columns, &theme), columns)?;
            check(&diff(&text, columns, &theme), columns)?;
        }
        check(&plain(&text, columns, Style::new()), columns)?;
    }

    #[test]
    fn a_page_has_no_idle_lines(text in any_text(), columns in 4u16..120) {
        let lines = markdown(&text, columns, &Theme::COLOURED);
        let blank = |line: &Line<'_>| line.to_string().trim().is_empty();
        prop_assert!(!lines.last().is_some_and(blank));
        prop_assert!(!lines.first().is_some_and(blank));
    }

    #[test]
    fn every_block_is_read_and_stands_apart(text in any_blocks(), columns in 0u16..120) {
        let lines = markdown(&text, columns, &Theme::COLOURED);
        let words = |letters: Vec<char>| letters.into_iter().filter(|letter| letter.is_alphabetic()).collect::<String>();
        // A table that became a list repeats the names of its columns.
        if columns > 20 {
            prop_assert_eq!(words(letters_of(&lines)), words(letters(&text)));
        }
        let blank = |line: &Line<'_>| line.to_string().trim_matches([' ', '│']).is_empty();
        prop_assert!(!lines.windows(2).any(|pair| pair.iter().all(blank)), "{lines:?}");
    }

    #[test]
    fn no_letter_of_a_plain_text_is_lost(text in "[a-zA-Z0-9 ,žš漢字éあ\n]{0,200}", columns in 0u16..120) {
        prop_assert_eq!(letters_of(&markdown(&text, columns, &Theme::COLOURED)), letters(&text));
        prop_assert_eq!(letters_of(&plain(&text, columns, Style::new())), letters(&text));
    }

    #[test]
    fn breaking_loses_nothing(text in "\\PC{0,80}", columns in 0u16..40, hang in 0u16..50) {
        let spans = || vec![Span::raw(text.clone()), Span::raw("x y")];
        let whole = format!("{text}x y");
        prop_assert_eq!(letters_of(&wrap(spans(), columns, hang)), letters(&whole));
        prop_assert_eq!(letters_of(&fold(spans(), columns, hang)), letters(&whole));
    }

    #[test]
    fn clean_is_clean(text in any_text()) {
        let once = clean(&text).into_owned();
        prop_assert_eq!(clean(&once), once.as_str());
        let shown = visible(&text);
        prop_assert!(!shown.chars().any(|character| character.is_control() && character != '\n'));
    }

    #[test]
    fn what_is_cut_fits(text in "\\PC{0,40}", columns in 0usize..40) {
        prop_assert!(width(&cut(&text, columns)) <= columns);
        prop_assert!(width(&text) > columns || cut(&text, columns) == text);
    }
}
