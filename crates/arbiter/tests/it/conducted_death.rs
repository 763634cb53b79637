//! Death of a conducted mission at every point: with a plan, a failed run, objections, a reply that cannot be read, a
//! model that is away for a moment, a note and a check. Resumed, it tells the story of an undisturbed run, and its note is
//! there once.

use std::fs;

use sim::{Story, Theatre};

use crate::BINARY;

const RESUME: [&str; 2] = ["resume", "--headless"];
const MOMENTS: [&str; 3] = ["before-sync", "after-sync", "after-effects"];
/// Such a mission has many batches, and each death costs two runs: every so many are walked, and the moments take turns.
const STRIDE: usize = 8;

fn world() -> Theatre {
    let theatre = Theatre::with_repository(BINARY, &[("README.md", "text\n")])
        .with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
    fs::write(theatre.path().join("script.yaml"), include_str!("conducted/death.yaml")).expect("written");
    theatre
}

fn begin(theatre: &Theatre, wish: Option<&str>) -> sim::Ran {
    let script = theatre.path().join("script.yaml").display().to_string();
    let words = ["run", "--way", "conductor", "--headless", "--pace", "fast", "--rehearsal", &script];
    let environment: Vec<(&str, &str)> = wish.iter().map(|wish| ("ARBITER_DIE_AT", *wish)).collect();
    theatre.run_with(&words, &environment)
}

/// The story, the commits, and the notes: by their words, since the day is not ours to say.
fn story(theatre: &Theatre) -> (Story, String, Vec<String>) {
    let mission = theatre.mission();
    let id = mission.file_name().expect("a name").to_string_lossy().into_owned();
    let forget = [theatre.path().to_string_lossy().into_owned(), id.clone()];
    let clone = theatre.state().join("clones").join(&id);
    let commits = theatre.git_in(&clone, &["log", "--format=%s", "--name-status"]);
    let folder = theatre.project().join(".arbiter/memory");
    let mut notes: Vec<String> = fs::read_dir(folder)
        .map(|files| {
            files.map(|file| fs::read_to_string(file.expect("a file").path()).expect("a note")).collect()
        })
        .unwrap_or_default();
    notes.sort();
    (Story::of(&theatre.entries(&mission), &forget), commits, notes)
}

fn undisturbed() -> (Story, String, Vec<String>) {
    let theatre = world();
    let ran = begin(&theatre, None);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.out, ran.err);
    let told = story(&theatre);
    assert_eq!(told.2.len(), 1, "one note is kept: {:?}", told.2);
    told
}

fn go_on(theatre: &Theatre, wish: &str) {
    let resumed = theatre.run(&RESUME);
    let over = resumed.code == Some(2) && resumed.err.contains("no unfinished mission");
    assert!(resumed.code == Some(0) || over, "resumed after {wish}: {}\n{}", resumed.out, resumed.err);
    assert!(theatre.run(&["show"]).out.contains("complete, proven"), "after {wish}");
}

/// Kills at every eighth batch from `first` on; says how many deaths there were.
fn walk(first: usize) -> usize {
    let expected = undisturbed();
    let (mut deaths, mut survivors) = (0, 0);
    for (turn, batch) in (first..).step_by(STRIDE).enumerate() {
        let theatre = world();
        let wish = format!("{batch}:{}", MOMENTS[turn % MOMENTS.len()]);
        let ran = begin(&theatre, Some(&wish));
        if ran.code == Some(0) {
            survivors += 1;
        } else {
            (deaths, survivors) = (deaths + 1, 0);
            assert_eq!(ran.code, None, "killed at {wish}: {}", ran.err);
            go_on(&theatre, &wish);
        }
        assert_eq!(story(&theatre), expected, "after death at {wish}");
        theatre.assert_nobody_left();
        if survivors == 1 {
            return deaths;
        }
    }
    unreachable!("every run was killed");
}

#[test]
fn a_death_anywhere_in_a_conducted_mission_loses_nothing() {
    let deaths = walk(3);
    assert!(deaths >= 6, "only {deaths} batches were walked");
}

/// A resumed mission is killed again and again before it may end.
#[test]
fn many_deaths_in_one_conducted_mission_lose_nothing() {
    let expected = undisturbed();
    let theatre = world();
    let mut ran = begin(&theatre, Some("3:after-sync"));
    let mut deaths = 0;
    while ran.code.is_none() && !theatre.run(&["show"]).out.contains("complete, proven") {
        deaths += 1;
        assert!(deaths < 200, "the mission makes no progress");
        let wish = format!("{}:{}", 5 + deaths % 7, MOMENTS[deaths % 3]);
        ran = theatre.run_with(&RESUME, &[("ARBITER_DIE_AT", &wish)]);
    }
    assert!(ran.code.is_none_or(|code| code == 0), "{}", ran.err);
    assert!(deaths > 5, "only {deaths} deaths");
    assert_eq!(story(&theatre), expected);
    theatre.assert_nobody_left();
}
