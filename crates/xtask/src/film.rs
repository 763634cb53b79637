//! `cargo xtask film`: plays a demo mission at a window and makes the README's film of the frames that were drawn. A run
//! is never twice the same, so tidy does not draw it again: it looks whether the film is there, sound, small and shown.

mod cut;
mod pieces;
mod reel;
mod svg;
mod xml;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::tidy::Tree;
use crate::{Verdict, shell};

/// Where the film is kept.
pub const TARGET: &str = "docs/pictures/demo.svg";
/// How large it may be, in bytes. People load it before they have read a word.
const BYTES_MAX: usize = 600_000;
/// The document that shows the film.
const DOCUMENT: &str = "README.md";
/// What it says to those who do not see it.
const ALT: &str = "A demo mission from its scroll to its end: the conversation, the scene, the gauges";
/// What no frame may show: a folder of the machine that it was filmed on. In pieces, so that no other check finds it.
const SCRATCH: &str = concat!("/", "tmp/");

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let reel = match words[..] {
        [] => shoot(root)?,
        ["--again"] => {
            let kept = reel_path(root);
            Some(fs::read_to_string(&kept).with_context(|| format!("cannot read {}", kept.display()))?)
        }
        _ => {
            eprintln!("error: `cargo xtask film` takes `--again` or nothing, but got `{}`", args.join(" "));
            return Ok(Verdict::Misused);
        }
    };
    let Some(reel) = reel else { return Ok(Verdict::Failed) };
    let frames = reel::read(&reel).map_err(|error| anyhow::anyhow!("the reel cannot be read: {error}"))?;
    let film = cut::cut(&frames);
    let drawn = svg::draw(&film, ALT);
    fs::write(root.join(TARGET), &drawn).with_context(|| format!("cannot write {TARGET}"))?;
    let seconds = film.lasts_ms / 1000;
    println!("{TARGET}, {} bytes, {} of {} frames, {seconds} s", drawn.len(), film.shots.len(), frames.len());
    let faults = faults(&drawn);
    faults.iter().for_each(|fault| eprintln!("error: {TARGET}: {fault}"));
    Ok(Verdict::of(faults.is_empty()))
}

/// What is wrong with the film of a repository, each with the file that it is about.
pub fn untrue(tree: &Tree) -> Vec<(String, String)> {
    let Some(film) = tree.text(TARGET) else {
        return vec![(TARGET.to_owned(), "the film is missing".to_owned())];
    };
    let mut wrong: Vec<_> = faults(film).into_iter().map(|fault| (TARGET.to_owned(), fault)).collect();
    if !tree.text(DOCUMENT).is_some_and(|text| text.contains(&format!("]({TARGET})"))) {
        wrong.push((DOCUMENT.to_owned(), format!("does not show {TARGET}")));
    }
    wrong
}

/// What is wrong with a film.
fn faults(film: &str) -> Vec<String> {
    let large = film.len() > BYTES_MAX;
    let large = large.then(|| format!("the film has {} bytes, more than {BYTES_MAX}", film.len()));
    let broken = xml::fault(film).map(|fault| format!("the film is broken: {fault}"));
    let still = !film.contains("@keyframes");
    let still = still.then(|| "the film does not move".to_owned());
    let scratch = film.contains(SCRATCH).then(|| "the film shows a folder of the machine".to_owned());
    [large, broken, still, scratch].into_iter().flatten().collect()
}

/// Plays the mission, and keeps what was filmed; none if that could not be done.
fn shoot(root: &Path) -> anyhow::Result<Option<String>> {
    let mut build = shell::cargo(root);
    build.args(["build", "--quiet", "--package", "arbiter", "--package", "sim", "--bins"]);
    if !shell::succeeds(&mut build)? {
        return Ok(None);
    }
    println!("filming a mission at a person's pace, which takes a minute");
    let folder = shell::target(root).join("debug");
    let mut film = shell::program(root, folder.join("film"));
    let reel = shell::output(film.arg(folder.join("arbiter")))?;
    if let Some(reel) = &reel {
        let kept = reel_path(root);
        fs::write(&kept, reel).with_context(|| format!("cannot write {}", kept.display()))?;
    }
    Ok(reel)
}

/// Where the last reel lies, to be cut again.
fn reel_path(root: &Path) -> PathBuf {
    shell::target(root).join("demo.reel")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "<svg><style>@keyframes a{}</style></svg>";

    fn told(film: Option<&str>, readme: &str) -> Vec<String> {
        let mut files = vec![(DOCUMENT, readme)];
        files.extend(film.map(|film| (TARGET, film)));
        untrue(&Tree::of(&files)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn a_film_that_is_sound_and_shown_is_true() {
        assert_eq!(told(Some(SOUND), "![a](docs/pictures/demo.svg)"), [""; 0]);
    }

    #[test]
    fn each_way_to_be_untrue_is_told() {
        let shown = "![a](docs/pictures/demo.svg)";
        assert_eq!(told(None, shown), ["the film is missing"]);
        assert_eq!(told(Some(SOUND), "no word"), ["does not show docs/pictures/demo.svg"]);
        assert_eq!(told(Some("<svg/>"), shown), ["the film does not move"]);
        assert_eq!(
            told(Some(&SOUND.replace("</svg>", "")), shown),
            ["the film is broken: `svg` is never closed"]
        );
        let path = SOUND.replace("{}", &format!("{SCRATCH}a"));
        assert_eq!(told(Some(&path), shown), ["the film shows a folder of the machine"]);
        let large = SOUND.replace("{}", &" ".repeat(BYTES_MAX));
        assert_eq!(
            told(Some(&large), shown),
            [format!("the film has {} bytes, more than 600000", large.len())]
        );
    }

    #[test]
    fn a_wrong_word_is_refused() {
        assert_eq!(run(Path::new("."), &["--agian".to_owned()]).unwrap(), Verdict::Misused);
    }
}
