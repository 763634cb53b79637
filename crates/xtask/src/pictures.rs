//! `cargo xtask pictures`: draws the documents' pictures from snapshots of the terminal's tests and of the Telegram door's, so that a picture
//! shows what the program shows; tidy tells when it no longer does. A picture is a rectangle for each ground and block, and a
//! text for the words of one ink, as long as its columns whatever the reader's font is.

mod chat;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::iter::repeat;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use unicode_width::UnicodeWidthStr;

use crate::tidy::Tree;
use crate::{Verdict, refuse_arguments};

/// A file in [`FOLDER`], and the snapshot in [`SNAPSHOTS`] that it shows, both without their ends. A new picture is a
/// coloured snapshot of `crates/tui/tests/it/canvas.rs`, one row here, and a document that shows it.
const PICTURES: &[(&str, &str)] = &[
    ("main", "it__frames__question_80x24_coloured"),
    ("wide", "it__frames__at_work_160x50_coloured"),
    ("docket", "it__frames__docket_80x24_coloured"),
    ("decisions", "it__frames__decisions_one_chosen_80x24_coloured"),
    ("sessions", "it__frames__sessions_80x24_coloured"),
    ("logbook", "it__frames__logbook_80x24_coloured"),
    ("markdown", "it__frames__markdown_160x50_coloured"),
    ("past", "it__frames__past_80x24_coloured"),
    ("picker", "it__frames__picker_160x50_coloured"),
    ("conductor", "it__frames__conducted_recovering_160x50_coloured"),
    ("small", "it__frames__at_work_40x12_coloured"),
    ("title", "it__ceremony__ceremony_title_80x24_true"),
    ("characters", "it__ceremony__ceremony_choosing_80x24_true"),
    ("forest", "it__ceremony__ceremony_forest_halfway_80x24_true"),
    ("lost", "it__ceremony__ceremony_lost_wisp_80x24_true"),
    ("arrival", "it__ceremony__ceremony_arrival_80x24_true"),
    ("scene", "it__scene__scene_successors_page_true"),
    ("sixteen", "it__scene__scene_decision_page_sixteen"),
    ("done", "it__scene__scene_done_page_true"),
];
const SNAPSHOTS: &str = "crates/tui/tests/it/snapshots/";
/// Messages of the Telegram door, each a file `telegram-NAME` in [`FOLDER`]: what the tests of the real binary saw sent.
const MESSAGES: [&str; 14] = [
    "queue",
    "petition",
    "decision",
    "after",
    "words",
    "review",
    "completion",
    "hand_over",
    "question",
    "missions",
    "mission",
    "cancel",
    "status",
    "help",
];
const CHATS: &str = "crates/arbiter/tests/it/telegram/snapshots/it__telegram__pictures__telegram_";
const FOLDER: &str = "docs/pictures/";

/// A column and a row, in pixels. A font of 16 pixels is as high as a row, so that the lines of boxes meet.
const CELL: (usize, usize) = (9, 18);
const MARGIN: usize = 10;
const FONT: &str = "16px SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";
/// What is written without a colour of its own, and what it is written on.
const WORDS: &str = "#d8d2c4";
const GROUND: &str = "#17151d";
/// The sixteen colours that every terminal has, as pictures show them.
#[rustfmt::skip]
const SIXTEEN: [(&str, &str); 16] = [
    ("black", "#2c2936"), ("red", "#e06460"), ("green", "#93bf72"), ("yellow", "#e5b55c"),
    ("blue", "#72a0e0"), ("magenta", "#bf88d8"), ("cyan", "#6abfb8"), ("gray", "#b9b3a6"),
    ("dark-gray", "#7f7a8c"), ("light-red", "#f08d82"), ("light-green", "#b0d88e"), ("light-yellow", "#f6d38a"),
    ("light-blue", "#9ec1f2"), ("light-magenta", "#d9aef0"), ("light-cyan", "#95dcd4"), ("white", "#f5f0e6"),
];

/// How the cells of one ink look.
#[derive(Debug, Clone, PartialEq)]
struct Look {
    front: String,
    back: String,
    /// Attributes of the text.
    weight: String,
}

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("pictures", args) {
        return Ok(verdict);
    }
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot make {FOLDER}"))?;
    for Picture { source, target, draw } in pictures() {
        let text = fs::read_to_string(root.join(&source)).with_context(|| format!("cannot read {source}"))?;
        let drawn = draw(&text).with_context(|| format!("cannot draw {source}"))?;
        fs::write(root.join(&target), &drawn).with_context(|| format!("cannot write {target}"))?;
        println!("{target}, {} bytes", drawn.len());
    }
    Ok(Verdict::Passed)
}

/// Files that do not agree with the snapshots, each with what is wrong about it.
pub fn untrue(tree: &Tree) -> Vec<(String, String)> {
    untrue_of(&pictures(), tree)
}

fn untrue_of(pictures: &[Picture], tree: &Tree) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    for Picture { source, target, draw } in pictures {
        let (source, target) = (source.clone(), target.clone());
        match (tree.text(&source).map(*draw), tree.text(&target)) {
            (None, _) => wrong.push((source, "the snapshot is missing".to_owned())),
            (Some(Err(error)), _) => wrong.push((source, error.to_string())),
            (Some(Ok(_)), None) => wrong.push((target, "the picture is missing".to_owned())),
            (Some(Ok(drawn)), Some(kept)) if drawn != kept => {
                wrong.push((target, format!("the picture does not show {source}")));
            }
            (Some(Ok(_)), Some(_)) => {}
        }
    }
    let documents: Vec<&str> =
        tree.files().filter(|(path, _)| path.ends_with(".md")).map(|(_, text)| text).collect();
    for (path, _) in tree.files().filter(|(path, _)| path.starts_with(FOLDER) && path.ends_with(".svg")) {
        if !pictures.iter().any(|picture| picture.target == path) {
            wrong.push((path.to_owned(), "no snapshot is behind the picture".to_owned()));
        }
        let shown = path.trim_start_matches("docs/");
        if !documents.iter().any(|text| text.contains(shown)) {
            wrong.push((path.to_owned(), "no document shows the picture".to_owned()));
        }
    }
    wrong
}

/// A picture, the snapshot that it shows, and how it is drawn.
struct Picture {
    source: String,
    target: String,
    draw: fn(&str) -> anyhow::Result<String>,
}

fn frames() -> impl Iterator<Item = Picture> {
    PICTURES.iter().map(|(name, snapshot)| Picture {
        source: format!("{SNAPSHOTS}{snapshot}.snap"),
        target: format!("{FOLDER}{name}.svg"),
        draw,
    })
}

fn pictures() -> Vec<Picture> {
    let messages = MESSAGES.map(|name| Picture {
        source: format!("{CHATS}{name}.snap"),
        target: format!("{FOLDER}telegram-{}.svg", name.replace('_', "-")),
        draw: chat::draw,
    });
    frames().chain(messages).collect()
}

/// A coloured snapshot as an SVG.
fn draw(snapshot: &str) -> anyhow::Result<String> {
    let rows = read(snapshot)?;
    let columns = rows.first().map_or(0, Vec::len);
    let (wide, high) = (columns * CELL.0 + 2 * MARGIN, rows.len() * CELL.1 + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" style=\"font:{FONT}\">\n\
         <style>text{{white-space:pre}}</style>\n\
         <rect width=\"{wide}\" height=\"{high}\" rx=\"5\" fill=\"{GROUND}\"/>\n"
    );
    for (row, top) in rows.iter().zip((MARGIN..).step_by(CELL.1)) {
        let mut left = MARGIN;
        for run in row.chunk_by(|(a, b), (c, d)| b == d && block(*a) == block(*c)) {
            let ((symbol, look), wide) = (&run[0], run.len() * CELL.0);
            let mut area = |colour: &str, (top, high)| {
                if colour != GROUND {
                    let _ =
                        writeln!(svg, "<path fill=\"{colour}\" d=\"M{left} {top}h{wide}v{high}h-{wide}z\"/>");
                }
            };
            area(&look.back, (top, CELL.1));
            if let Some((down, high)) = block(*symbol) {
                area(&look.front, (top + down, high));
            } else {
                let text: String = run.iter().map(|(symbol, _)| *symbol).collect();
                write_text(&mut svg, &text, look, (left, top));
            }
            left += wide;
        }
    }
    Ok(svg + "</svg>\n")
}

/// Where a character fills its cell: how far down, and how high.
fn block(symbol: char) -> Option<(usize, usize)> {
    match symbol {
        '▀' => Some((0, CELL.1 / 2)),
        '▄' => Some((CELL.1 / 2, CELL.1 / 2)),
        '█' => Some((0, CELL.1)),
        _ => None,
    }
}

fn write_text(svg: &mut String, text: &str, look: &Look, (left, top): (usize, usize)) {
    let words = text.trim();
    if words.is_empty() {
        return;
    }
    let left = left + (text.chars().count() - text.trim_start().chars().count()) * CELL.0;
    let long = words.chars().count() * CELL.0;
    let Look { front, weight, .. } = look;
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{}\" fill=\"{front}\"{weight} textLength=\"{long}\" \
         lengthAdjust=\"spacingAndGlyphs\">{words}</text>",
        top + 14
    );
}

/// The cells of a coloured snapshot, row by row.
fn read(snapshot: &str) -> anyhow::Result<Vec<Vec<(char, Look)>>> {
    let mut lines = snapshot.split_once("\n---\n").map_or("", |(_, content)| content).lines();
    let size = lines.next().and_then(|size| size.split_once('x'));
    let size = size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (width, height): (usize, usize) = size.context("the file is no coloured snapshot")?;
    let texts: Vec<&str> = lines.by_ref().take(height).collect();
    let inks: Vec<&str> = lines.by_ref().skip(1).take(height).collect();
    ensure!(inks.len() == height, "the file has fewer than {height} rows, or fewer rows of inks");
    let (mut looks, mut cursor) = (BTreeMap::from([('.', look("")?)]), String::new());
    for line in lines.skip(1) {
        match line.split_once(' ') {
            Some(("cursor", place)) => place.clone_into(&mut cursor),
            Some((letter, words)) => {
                looks.insert(letter.chars().next().unwrap_or('.'), look(words)?);
            }
            None => bail!("`{line}` is no line of a legend"),
        }
    }
    let mut rows = Vec::new();
    for (y, (text, inks)) in texts.into_iter().zip(inks).enumerate() {
        ensure!(text.width() == text.chars().count(), "`{text}` has a character that is not one column wide");
        let mut row = Vec::new();
        let cells = text.chars().chain(repeat(' ')).zip(inks.chars().chain(repeat('.'))).take(width);
        for (x, (symbol, ink)) in cells.enumerate() {
            let look = looks.get(&ink).with_context(|| format!("the legend does not say what `{ink}` is"))?;
            let under_cursor = cursor == format!("{x},{y}");
            row.push((symbol, if under_cursor { look.clone().reversed() } else { look.clone() }));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// What the words of a legend mean.
fn look(words: &str) -> anyhow::Result<Look> {
    let mut look = Look { front: WORDS.to_owned(), back: GROUND.to_owned(), weight: String::new() };
    for word in words.split_whitespace() {
        match word.split_once('=').unwrap_or((word, "")) {
            ("fg", name) => look.front = colour(name)?,
            ("bg", name) => look.back = colour(name)?,
            ("bold", _) => look.weight += " font-weight=\"bold\"",
            ("italic", _) => look.weight += " font-style=\"italic\"",
            ("underlined", _) => look.weight += " text-decoration=\"underline\"",
            ("reversed", _) => look = look.reversed(),
            _ => bail!("pictures cannot show `{word}`"),
        }
    }
    Ok(look)
}

fn colour(name: &str) -> anyhow::Result<String> {
    let known = SIXTEEN.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour);
    let colour = known.or(Some(name).filter(|name| name.starts_with('#')));
    colour.map(str::to_owned).with_context(|| format!("pictures do not know the colour `{name}`"))
}

impl Look {
    fn reversed(self) -> Look {
        Look { front: self.back, back: self.front, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: &str = "---\nsource: a.rs\n---\n6x2\n a<◈\n▀▀\ninks\n.aa\nbb\nlegend\na fg=yellow bold reversed\nb fg=#e0e0e0 bg=#102030\ncursor 5,0\n";

    #[test]
    fn grounds_and_blocks_are_areas_and_words_keep_their_columns() {
        let svg = draw(SNAPSHOT).unwrap();
        let drawn: Vec<&str> = svg.lines().skip(3).collect();
        assert_eq!(
            drawn,
            [
                "<path fill=\"#e5b55c\" d=\"M19 10h18v18h-18z\"/>",
                "<text x=\"19\" y=\"24\" fill=\"#17151d\" font-weight=\"bold\" textLength=\"18\" lengthAdjust=\"spacingAndGlyphs\">a&lt;</text>",
                "<text x=\"37\" y=\"24\" fill=\"#d8d2c4\" textLength=\"9\" lengthAdjust=\"spacingAndGlyphs\">◈</text>",
                "<path fill=\"#d8d2c4\" d=\"M55 10h9v18h-9z\"/>",
                "<path fill=\"#102030\" d=\"M10 28h18v18h-18z\"/>",
                "<path fill=\"#e0e0e0\" d=\"M10 28h18v9h-18z\"/>",
                "</svg>",
            ]
        );
    }

    #[test]
    fn a_text_that_cannot_be_drawn_says_why() {
        for (broken, told) in [
            ("2x1\nab\n".to_owned(), "the file is no coloured snapshot"),
            (SNAPSHOT.replace("6x2", "6x9"), "the file has fewer than 9 rows, or fewer rows of inks"),
            (SNAPSHOT.replace('◈', "日"), "` a<日` has a character that is not one column wide"),
            (SNAPSHOT.replace("bold", "loud"), "pictures cannot show `loud`"),
            (SNAPSHOT.replace("yellow", "214"), "pictures do not know the colour `214`"),
            (SNAPSHOT.replace("bb\n", "xx\n"), "the legend does not say what `x` is"),
        ] {
            assert_eq!(draw(&broken).unwrap_err().to_string(), told);
        }
    }

    /// What is wrong in a repository where every snapshot is this one, every picture is that one, and this is a document.
    fn told(snapshot: Option<&str>, picture: Option<&str>, document: &str) -> Vec<String> {
        let mut files = vec![("docs/terminal.md".to_owned(), document)];
        let frames: Vec<Picture> = frames().collect();
        for frame in &frames {
            files.extend(snapshot.map(|text| (frame.source.clone(), text)));
            files.extend(picture.map(|text| (frame.target.clone(), text)));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        untrue_of(&frames, &Tree::of(&files)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn each_way_to_be_untrue_is_told() {
        let drawn = draw(SNAPSHOT).unwrap();
        let document: String =
            PICTURES.iter().map(|(name, _)| format!("![a](pictures/{name}.svg)\n")).collect();
        assert_eq!(told(Some(SNAPSHOT), Some(&drawn), &document), [""; 0]);
        let each = |what: &str| vec![what.to_owned(); PICTURES.len()];
        assert_eq!(told(Some(SNAPSHOT), Some(&drawn), ""), each("no document shows the picture"));
        assert_eq!(told(None, None, ""), each("the snapshot is missing"));
        assert_eq!(told(Some("2x1\n"), None, ""), each("the file is no coloured snapshot"));
        assert_eq!(told(Some(SNAPSHOT), None, ""), each("the picture is missing"));
        let stale = told(Some(SNAPSHOT), Some("<svg/>"), &document);
        assert!(stale.iter().all(|what| what.starts_with("the picture does not show ")), "{stale:?}");
        assert_eq!(stale.len(), PICTURES.len());
    }
}
