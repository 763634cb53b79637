//! `cargo xtask film`: plays a demo mission in a real terminal and keeps what the terminal was told as a recording that
//! asciinema plays. No two runs are the same, so tidy does not record again: it checks what is kept.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::Value;

use crate::tidy::Tree;
use crate::{Verdict, refuse_arguments, shell};

const TARGET: &str = "docs/demo.cast";
const BYTES_MAX: usize = 1_000_000;
/// The document that links the film.
const DOCUMENT: &str = "README.md";
/// What the recording may not show: a folder of the machine that it was made on. In pieces, so that no other check finds it.
const SCRATCH: &str = concat!("/", "tmp/");

pub fn run(root: &Path, args: &[String]) -> anyhow::Result<Verdict> {
    if let Some(verdict) = refuse_arguments("film", args) {
        return Ok(verdict);
    }
    let mut build = shell::cargo(root);
    build.args(["build", "--quiet", "--package", "arbiter", "--package", "sim", "--bins"]);
    if !shell::succeeds(&mut build)? {
        return Ok(Verdict::Failed);
    }
    println!("recording a mission at a person's pace, which takes a minute");
    let folder = shell::target(root).join("debug");
    let mut film = shell::program(root, folder.join("film"));
    let Some(cast) = shell::output(film.arg(folder.join("arbiter")))? else {
        return Ok(Verdict::Failed);
    };
    fs::write(root.join(TARGET), &cast).with_context(|| format!("cannot write {TARGET}"))?;
    println!("{TARGET}, {} bytes, {} pieces", cast.len(), cast.lines().count() - 1);
    let faults = faults(&cast);
    faults.iter().for_each(|fault| eprintln!("error: {TARGET}: {fault}"));
    Ok(Verdict::of(faults.is_empty()))
}

/// What is wrong with the recording in a repository, each with the file that it is about.
pub fn untrue(tree: &Tree) -> Vec<(String, String)> {
    let Some(cast) = tree.text(TARGET) else {
        return vec![(TARGET.to_owned(), "the recording is missing".to_owned())];
    };
    let mut wrong: Vec<_> = faults(cast).into_iter().map(|fault| (TARGET.to_owned(), fault)).collect();
    if !tree.text(DOCUMENT).is_some_and(|text| text.contains(&format!("({TARGET})"))) {
        wrong.push((DOCUMENT.to_owned(), format!("does not link {TARGET}")));
    }
    wrong
}

/// What is wrong with a recording.
fn faults(cast: &str) -> Vec<String> {
    let large = cast.len() > BYTES_MAX;
    let large = large.then(|| format!("the recording has {} bytes, more than {BYTES_MAX}", cast.len()));
    let mut lines = cast.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
    let headed = lines.next().is_some_and(|head| head["version"] == 2 && head["width"].is_u64());
    let headed = (!headed).then(|| "the first line is no header of an asciicast, version 2".to_owned());
    let pieces: Vec<bool> = lines.map(|piece| piece[0].is_number() && piece[2].is_string()).collect();
    let broken = pieces.iter().position(|sound| !sound).map(|at| format!("line {} is no piece", at + 2));
    let still = (pieces.len() < 2).then(|| "nothing moves in the recording".to_owned());
    let scratch = cast.contains(SCRATCH).then(|| "the recording shows a folder of the machine".to_owned());
    [large, headed, broken, still, scratch].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "{\"version\":2,\"width\":80,\"height\":24}\n";
    const PIECE: &str = "[0.5,\"o\",\"words\"]\n";

    fn told(cast: Option<&str>, readme: &str) -> Vec<String> {
        let mut files = vec![(DOCUMENT, readme)];
        files.extend(cast.map(|cast| (TARGET, cast)));
        untrue(&Tree::of(&files)).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn each_fault_of_a_recording_is_told() {
        let (linked, sound) = ("[a](docs/demo.cast)", [HEAD, PIECE, PIECE].concat());
        assert_eq!(told(Some(&sound), linked), [""; 0]);
        assert_eq!(told(None, linked), ["the recording is missing"]);
        assert_eq!(told(Some(&sound), "no word"), ["does not link docs/demo.cast"]);
        assert_eq!(told(Some(HEAD), linked), ["nothing moves in the recording"]);
        let headless = "the first line is no header of an asciicast, version 2";
        assert_eq!(told(Some(&sound.replace(":2", ":3")), linked), [headless]);
        assert_eq!(told(Some(&(sound.clone() + "half")), linked), ["line 4 is no piece"]);
        let path = sound.replace("words", &format!("{SCRATCH}a"));
        assert_eq!(told(Some(&path), linked), ["the recording shows a folder of the machine"]);
        let large = sound.replace("words", &"w".repeat(BYTES_MAX));
        assert!(told(Some(&large), linked)[0].ends_with("bytes, more than 1000000"));
    }
}
