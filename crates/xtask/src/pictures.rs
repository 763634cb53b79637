//! `cargo xtask pictures`: draws the documents' pictures from snapshots that the terminal's tests keep, so that a picture
//! shows what the program shows. [`PICTURES`] says which; tidy tells when one is not true any more.

pub mod palette;
pub mod shapes;
pub mod sheet;
pub mod svg;

use std::fs;
use std::path::Path;

use anyhow::Context;

use self::sheet::Sheet;
use crate::tidy::Tree;
use crate::{Verdict, film};

/// A picture. A new one is a coloured snapshot of `crates/tui/tests/it/canvas.rs` and one row of [`PICTURES`].
struct Picture {
    /// The file in [`SNAPSHOTS`] without its end: `it__<file of the test>__<name of the snapshot>`.
    snapshot: &'static str,
    /// The file in [`FOLDER`] without its end.
    name: &'static str,
    /// What it says to those who do not see it.
    alt: &'static str,
}

#[rustfmt::skip]
const PICTURES: &[Picture] = &[
    Picture { snapshot: "it__frames__question_80x24_coloured", name: "main", alt: "The main screen: the conversation, gauges with forecast, a question that waits" },
    Picture { snapshot: "it__frames__at_work_160x50_coloured", name: "wide", alt: "A wide terminal shows the scene and the quest log beside the conversation" },
    Picture { snapshot: "it__frames__docket_80x24_coloured", name: "docket", alt: "The docket: exactly what would run, and the answers" },
    Picture { snapshot: "it__frames__decisions_one_chosen_80x24_coloured", name: "decisions", alt: "A decision of the Arbiter's question, with the option that was chosen" },
    Picture { snapshot: "it__frames__sessions_80x24_coloured", name: "sessions", alt: "The sessions: gauges, cost, ids" },
    Picture { snapshot: "it__frames__logbook_80x24_coloured", name: "logbook", alt: "The logbook: every raw line of every session" },
    Picture { snapshot: "it__frames__markdown_160x50_coloured", name: "markdown", alt: "Markdown: headings, lists, code, tables, changes" },
    Picture { snapshot: "it__frames__past_80x24_coloured", name: "past", alt: "The past, fact by fact" },
    Picture { snapshot: "it__frames__picker_160x50_coloured", name: "picker", alt: "Choosing the requirements, with a look at them" },
    Picture { snapshot: "it__frames__conducted_recovering_160x50_coloured", name: "conductor", alt: "A conducted mission: the plan with its statuses, what is waited for, the last decision, the limits" },
    Picture { snapshot: "it__frames__at_work_40x12_coloured", name: "small", alt: "The main screen in a terminal of 40 by 12" },
    Picture { snapshot: "it__ceremony__ceremony_title_80x24_true", name: "title", alt: "The title: the name over a forest at night, and a figure that keeps a fire" },
    Picture { snapshot: "it__ceremony__ceremony_choosing_80x24_true", name: "characters", alt: "Eight characters to choose from" },
    Picture { snapshot: "it__ceremony__ceremony_forest_halfway_80x24_true", name: "forest", alt: "The walk through the forest: trees, bogs, lights that are no lanterns" },
    Picture { snapshot: "it__ceremony__ceremony_lost_wisp_80x24_true", name: "lost", alt: "Lost in the forest" },
    Picture { snapshot: "it__ceremony__ceremony_arrival_80x24_true", name: "arrival", alt: "Before the Arbiter" },
    Picture { snapshot: "it__scene__scene_successors_page_true", name: "scene", alt: "The scene on its own page: the third Orchestrator works, those before it are spent" },
    Picture { snapshot: "it__scene__scene_decision_page_sixteen", name: "sixteen", alt: "A decision waits: the scene in sixteen colours" },
    Picture { snapshot: "it__scene__scene_done_page_true", name: "done", alt: "Done and verified: a chest of gold" },
    Picture { snapshot: "it__canvas__tests__sampler", name: "sampler", alt: "Every line, block, colour and weight that pictures know" },
];

const SNAPSHOTS: &str = "crates/tui/tests/it/snapshots/";
const FOLDER: &str = "docs/pictures/";

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => draw_all(root).map(Verdict::of),
        ["--check"] => {
            let wrong = untrue(&Tree::load(root)?);
            wrong.iter().for_each(|(path, what)| println!("{path}: {what}"));
            println!("pictures: {} drawn, {} not true", PICTURES.len(), wrong.len());
            Ok(Verdict::of(wrong.is_empty()))
        }
        _ => {
            eprintln!(
                "error: `cargo xtask pictures` takes `--check` or nothing, but got `{}`",
                args.join(" ")
            );
            Ok(Verdict::Misused)
        }
    }
}

/// Files that are not what the snapshots say, each with what is wrong about it.
pub fn untrue(tree: &Tree) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    for picture in PICTURES {
        let (source, target) = (picture.source(), picture.target());
        match (tree.text(&source).map(|text| picture.draw(text)), tree.text(&target)) {
            (None, _) => wrong.push((source, "the snapshot is missing".to_owned())),
            (Some(Err(error)), _) => wrong.push((source, error)),
            (Some(Ok(_)), None) => wrong.push((target, "the picture is missing".to_owned())),
            (Some(Ok(drawn)), Some(kept)) if drawn != kept => {
                wrong.push((target, format!("the picture does not show {source}")));
            }
            (Some(Ok(_)), Some(_)) => {}
        }
    }
    let known = |path: &str| path == film::TARGET || PICTURES.iter().any(|picture| picture.target() == path);
    let strays = tree.files().filter(|(path, _)| path.starts_with(FOLDER) && path.ends_with(".svg"));
    let strays = strays.filter(|(path, _)| !known(path));
    wrong.extend(strays.map(|(path, _)| (path.to_owned(), "no snapshot is behind the picture".to_owned())));
    wrong
}

/// Draws each picture that can be drawn, and tells whether all could.
fn draw_all(root: &Path) -> anyhow::Result<bool> {
    let mut all = true;
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot make {FOLDER}"))?;
    for picture in PICTURES {
        let (source, target) = (picture.source(), picture.target());
        let text = fs::read_to_string(root.join(&source)).with_context(|| format!("cannot read {source}"))?;
        match picture.draw(&text) {
            Ok(drawn) => {
                let size = drawn.len();
                fs::write(root.join(&target), drawn).with_context(|| format!("cannot write {target}"))?;
                println!("{target}, {size} bytes");
            }
            Err(error) => {
                eprintln!("error: {source}: {error}");
                all = false;
            }
        }
    }
    Ok(all)
}

impl Picture {
    fn source(&self) -> String {
        format!("{SNAPSHOTS}{}.snap", self.snapshot)
    }

    fn target(&self) -> String {
        format!("{FOLDER}{}.svg", self.name)
    }

    fn draw(&self, snapshot: &str) -> Result<String, String> {
        let sheet: Sheet = content(snapshot)?.parse()?;
        Ok(svg::draw(&sheet, self.alt))
    }
}

/// What a snapshot holds, below the lines that say where it comes from.
fn content(snapshot: &str) -> Result<&str, String> {
    let below = snapshot.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    below.map(|(_, content)| content).ok_or_else(|| "the file is no snapshot".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SNAPSHOT: &str = "---\nsource: a.rs\n---\n2x1\nab\ninks\n\nlegend\n";

    /// What is wrong in a repository where every snapshot is this one and every picture is that one.
    fn told(snapshot: Option<&str>, kept: Option<&dyn Fn(&Picture) -> String>) -> Vec<String> {
        let mut files = Vec::new();
        for picture in PICTURES {
            files.extend(snapshot.map(|text| (picture.source(), text.to_owned())));
            files.extend(kept.map(|kept| (picture.target(), kept(picture))));
        }
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        untrue(&Tree::of(&files)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn pictures_of_their_snapshots_are_true() {
        assert_eq!(told(Some(SNAPSHOT), Some(&|picture| picture.draw(SNAPSHOT).unwrap())), [""; 0]);
    }

    #[test]
    fn each_way_to_be_untrue_is_told() {
        let each = |what: String| vec![what; PICTURES.len()];
        assert_eq!(told(None, None), each("the snapshot is missing".to_owned()));
        assert_eq!(told(Some("2x1\n"), None), each("the file is no snapshot".to_owned()));
        assert_eq!(told(Some("---\nx\n---\n2x1\n"), None), each("the row is missing".to_owned()));
        assert_eq!(told(Some(SNAPSHOT), None), each("the picture is missing".to_owned()));
        let stale = told(Some(SNAPSHOT), Some(&|_| "<svg/>".to_owned()));
        assert!(stale.iter().all(|what| what.starts_with("the picture does not show ")), "{stale:?}");
        assert_eq!(stale.len(), PICTURES.len());
    }

    #[test]
    fn a_picture_of_nothing_is_told() {
        let wrong = untrue(&Tree::of(&[("docs/pictures/old.svg", "<svg/>")]));
        let stray = ("docs/pictures/old.svg".to_owned(), "no snapshot is behind the picture".to_owned());
        assert!(wrong.contains(&stray), "{wrong:?}");
    }

    #[test]
    fn a_wrong_word_is_refused() {
        assert_eq!(run(Path::new("."), &["--chekc".to_owned()]).unwrap(), Verdict::Misused);
    }
}
