//! Pages as they are read.

use insta::assert_snapshot;
use ratatui::style::Style;

use super::*;

fn page(text: &str, columns: u16, theme: &Theme) -> String {
    let lines = markdown(text, columns, theme);
    lines.iter().map(|line| line.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn shown(text: &str) -> String {
    page(text, 40, &Theme::COLOURED)
}

/// The style of the piece with this text.
fn style_of(text: &str, piece: &str, theme: &Theme) -> Style {
    let lines = markdown(text, 60, theme);
    let mut spans = lines.iter().flat_map(|line| &line.spans);
    spans.find(|span| span.content == piece).unwrap_or_else(|| panic!("no {piece:?} in {lines:?}")).style
}

#[test]
fn blocks_stand_apart() {
    assert_snapshot!(shown("intro\n# One\ntext\nmore\n\n\n\nnext\n## Two\n- a\n- b\n\n---\nend\n"), @r"
    intro

    One

    text
    more

    next

    Two

    • a
    • b

    ────────────────────────────────────────

    end
    ");
}

#[test]
fn lists_hang() {
    assert_snapshot!(shown("Do:\n- a long entry that must go on in the next line\n  - nested\n    1. one\n    1. two\n- [ ] open\n- [x] done\n\n3) three\n5) five\n"), @r"
    Do:
    • a long entry that must go on in the
      next line
      • nested
        1. one
        2. two
    ☐ open
    ☑ done

    3) three
    5) five
    ");
    assert_snapshot!(shown("- loose\n\n- entries\n\n  second paragraph\n\n      code\n"), @r"
    • loose

    • entries

      second paragraph

          code
    ");
    assert_snapshot!(page("- [ ] open\n* plain\n", 40, &Theme::ASCII), @r"
    - [ ] open
    - plain
    ");
}

#[test]
fn quotes_have_a_bar() {
    assert_snapshot!(shown("he said:\n> first line\n> second\n>\n> > deeper\n>\n> - a list in it that is too long for one line\n\nend"), @r"
    he said:

    │ first line
    │ second
    │
    │ │ deeper
    │
    │ • a list in it that is too long for
    │   one line

    end
    ");
}

#[test]
fn code_stands_away_and_is_never_cut() {
    assert_snapshot!(shown("see\n```rust\nfn main() {\n\n    println!(\"a line that is longer than the screen\");\n}\n\n\n```\nend"), @r#"
    see

      fn main() {

          println!("a line that is longer th
      an the screen");
      }

    end
    "#);
    assert_snapshot!(shown("a\n\n    indented\n      more\n\nb"), @r"
    a

        indented
          more

    b
    ");
    assert_snapshot!(shown("```diff\n-old\n+new\n```"), @r"
    -old
    +new
    ");
    assert_snapshot!(page("- entry\n  ```\n  code\n  ```\n  words", 40, &Theme::PLAIN), @r"
    • entry
        code
      words
    ");
}

#[test]
fn tables_fit() {
    let table = "| name | what it does | n |\n|:--|:-:|--:|\n| cut | cuts a text that is too wide for its place | 1 |\n| `wrap` | breaks | 200 |\n";
    assert_snapshot!(page(table, 80, &Theme::COLOURED), @r"
    name │                what it does                │   n
    ─────┼────────────────────────────────────────────┼────
    cut  │ cuts a text that is too wide for its place │   1
    wrap │                   breaks                   │ 200
    ");
    assert_snapshot!(page(table, 30, &Theme::ASCII), @r"
    name   |  what it does   |   n
    -------+-----------------+----
    cut    |   cuts a text   |   1
           |   that is too   |
           |  wide for its   |
           |      place      |
    `wrap` |     breaks      | 200
    ");
    assert_snapshot!(page(table, 14, &Theme::COLOURED), @r"
    name: cut
    what it does:
      cuts a text
      that is too
      wide for its
      place
    n: 1
    ────
    name: wrap
    what it does:
      breaks
    n: 200
    ");
    assert_snapshot!(page(table, 2, &Theme::COLOURED).replace('\n', "/"), @"na/me/:/cu/t/wh/at/it/do/es/:/cu/ts/a/te/xt/th/at/is/to/o/wi/de/fo/r/it/s/pl/ac/e/n:/1/──/na/me/:/wr/ap/wh/at/it/do/es/:/br/ea/ks/n:/20/0");
}

#[test]
fn links_tell_where_they_lead() {
    assert_snapshot!(shown("[here](http://a.example/x) <https://b.example> [b.example](https://b.example/) ![a cat](cat.png) ![](dog.png) [ref]\n\n[ref]: http://c.example"), @r"
    here (http://a.example/x)
    https://b.example b.example a cat
    dog.png ref (http://c.example)

    [ref]: http://c.example
    ");
}

#[test]
fn what_is_no_markdown_stays() {
    let texts = [
        "*",
        "-",
        "+",
        "#",
        "1.",
        "a\n-",
        "Total\n=",
        "2*3*4 and 2**3**4",
        "~5 and ~6",
        "a\\\nb",
        "  two spaces\n    four\n back",
        "    four\n  two",
        "<tag>text</tag>",
        "<div>\n  <b>x</b>\n</div>",
        "[^1]: note",
        "a [^1] b",
        "[word]: definition",
        "```",
        "snake_case_name",
        "C:\\dir",
        "a_b_ c",
        "**",
        "`",
        "|",
        "$HOME/*.rs and *.md",
        "a  b",
        "x\n\n[a]: b\n\ny",
        ">",
        "> [a]: b",
        "[^1]:",
    ];
    for text in texts {
        assert_eq!(shown(text), text);
    }
}

#[test]
fn entities_cannot_spell_what_was_cleaned() {
    assert_eq!(shown("a&#x202e;b&#27;&#x200b;c"), "abc");
    assert_eq!(shown("[x](http://a&#x202e;b)"), "x (http://ab)");
}

#[test]
fn styles_say_what_is_what() {
    let theme = Theme::COLOURED;
    assert_eq!(style_of("a *b*", "b", &theme).add_modifier, Modifier::ITALIC);
    assert_eq!(style_of("a **b**", "b", &theme).add_modifier, Modifier::BOLD);
    assert_eq!(style_of("a ~~b~~", "b", &theme).add_modifier, Modifier::CROSSED_OUT);
    assert_eq!(style_of("a `b`", "b", &theme), theme.style(Tint::Code));
    assert_eq!(page("a `b`", 60, &Theme::PLAIN), "a `b`");
    assert_eq!(style_of("## b", "b", &theme), theme.style(Tint::Heading));
    assert_eq!(style_of("[b](c)", "b", &theme), theme.style(Tint::Link));
    assert_eq!(style_of("[b](c)", " (c)", &theme), theme.style(Tint::Dim));
    assert_eq!(style_of("> b", "b", &theme), theme.style(Tint::Quote));
    assert_eq!(style_of("```diff\n+b\n```", "+", &theme), theme.style(Tint::Added));
}

#[test]
fn a_flood_of_marks_takes_linear_time() {
    for unit in
        ["- ", "> ", "*a", "[", "![", "`", "| a ", "<a ", "1. ", "**a ", "[a](b) ", "\n> ", "\n    - "]
    {
        let text = unit.repeat(200_000 / unit.len());
        let started = std::time::Instant::now();
        markdown(&text, 80, &Theme::COLOURED);
        assert!(started.elapsed() < std::time::Duration::from_secs(10), "{unit:?}");
    }
}
