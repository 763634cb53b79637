//! Death at every point: the demo mission is killed at every batch and at three moments of each, then resumed. The
//! story it tells must be the one an undisturbed run tells: nothing lost, nothing said twice, nothing asked twice.

use std::process::Child;
use std::time::{Duration, Instant};

use sim::{Story, Theatre};

use crate::theatre;

const DEMO: [&str; 4] = ["demo", "--headless", "--pace", "fast"];
const RESUME: [&str; 2] = ["resume", "--headless"];

/// The story of the only mission, and the commits it left.
fn story(theatre: &Theatre) -> (Story, String) {
    let mission = theatre.mission();
    let id = mission.file_name().expect("a name").to_string_lossy().into_owned();
    let forget = [theatre.path().to_string_lossy().into_owned(), id.clone()];
    let clone = theatre.state().join("clones").join(&id);
    let scratch = theatre.state().join("scratch").join(&id);
    let commits = theatre.git_in(&clone, &["log", "--format=%s", "--name-status"]);
    let brought = theatre.git_in(&scratch, &["rev-parse", &format!("refs/arbiter/{id}")]);
    assert_eq!(brought, theatre.git_in(&clone, &["rev-parse", "HEAD"]), "the work is brought over");
    (Story::of(&theatre.entries(&mission), &forget), commits)
}

fn undisturbed() -> (Story, String) {
    let theatre = theatre();
    let ran = theatre.run(&DEMO);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    story(&theatre)
}

/// Kills at each batch in turn; returns how many deaths there were. How events fall into batches differs a little from
/// run to run, so only several survivors in a row are the end of it.
fn walk(moment: &str) -> u32 {
    let expected = undisturbed();
    let (mut deaths, mut survivors) = (0, 0);
    for batch in 1.. {
        // Hundreds of starts; other deaths are died with what holds the checks.
        let theatre = theatre().with_env("ARBITER_SANDBOX_WITHOUT", "bubblewrap,landlock");
        let wish = format!("{batch}:{moment}");
        let ran = theatre.run_with(&DEMO, &[("ARBITER_DIE_AT", &wish)]);
        if ran.code == Some(0) {
            survivors += 1;
            if survivors == 4 {
                return deaths;
            }
        } else {
            (deaths, survivors) = (deaths + 1, 0);
            assert_eq!(ran.code, None, "killed at {wish}: {}", ran.err);
            go_on(&theatre, &wish);
        }
        assert_eq!(story(&theatre), expected, "after death at {wish}");
        theatre.assert_nobody_left();
    }
    unreachable!("every run was killed");
}

/// Resumes until the mission is over; it may have been over when the house fell.
fn go_on(theatre: &Theatre, wish: &str) {
    let resumed = theatre.run(&RESUME);
    let over = resumed.code == Some(2) && resumed.err.contains("no unfinished mission");
    assert!(resumed.code == Some(0) || over, "resumed after {wish}: {}\n{}", resumed.out, resumed.err);
    assert!(theatre.run(&["show"]).out.contains("complete, proven"), "after {wish}");
}

#[test]
fn a_death_before_any_sync_loses_nothing() {
    let deaths = walk("before-sync");
    assert!(deaths > 40, "only {deaths} batches were walked");
}

#[test]
fn a_death_after_any_sync_loses_nothing() {
    let deaths = walk("after-sync");
    assert!(deaths > 40, "only {deaths} batches were walked");
}

#[test]
fn a_death_after_any_effects_loses_nothing() {
    let deaths = walk("after-effects");
    assert!(deaths > 40, "only {deaths} batches were walked");
}

/// A resumed mission is killed again and again before it may end.
#[test]
fn many_deaths_in_one_mission_lose_nothing() {
    let expected = undisturbed();
    let theatre = theatre();
    let moments = ["before-sync", "after-sync", "after-effects"];
    let mut ran = theatre.run_with(&DEMO, &[("ARBITER_DIE_AT", "3:after-sync")]);
    let mut deaths = 0;
    while ran.code.is_none() && !theatre.run(&["show"]).out.contains("complete, proven") {
        deaths += 1;
        assert!(deaths < 200, "the mission makes no progress");
        let wish = format!("{}:{}", 3 + deaths % 5, moments[deaths % 3]);
        ran = theatre.run_with(&RESUME, &[("ARBITER_DIE_AT", &wish)]);
    }
    assert!(ran.code.is_none_or(|code| code == 0), "{}", ran.err);
    assert!(deaths > 8, "only {deaths} deaths");
    assert_eq!(story(&theatre), expected);
    theatre.assert_nobody_left();
}

#[test]
fn sigkill_from_outside_at_any_moment_loses_nothing() {
    let began = Instant::now();
    let expected = undisturbed();
    let whole = began.elapsed();
    let mut kills = 0;
    for round in 0..12u32 {
        let theatre = theatre();
        let mut child = theatre.start(&DEMO);
        let mut survived = outlive(&mut child, whole * (round * 7 % 12 + 1) / 13);
        for again in 0..3u32 {
            if survived {
                break;
            }
            kills += 1;
            if theatre.missions().is_empty() {
                // It died before there was a mission; nothing was promised yet.
                child = theatre.start(&DEMO);
            } else {
                child = theatre.start(&RESUME);
            }
            survived = outlive(&mut child, whole * (again + 1) / (5 + round % 3));
        }
        if !survived {
            kills += 1;
            if theatre.missions().is_empty() {
                assert_eq!(theatre.run(&DEMO).code, Some(0));
            } else {
                go_on(&theatre, "SIGKILL");
            }
        }
        assert_eq!(story(&theatre), expected, "round {round}");
        theatre.assert_nobody_left();
    }
    assert!(kills >= 12, "only {kills} kills");
}

/// Lets the child run for a while and kills it by SIGKILL; says whether it ended well before that.
fn outlive(child: &mut Child, time: Duration) -> bool {
    let began = Instant::now();
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let drains = [
        std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink())),
        std::thread::spawn(move || std::io::copy(&mut err, &mut std::io::sink())),
    ];
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        if began.elapsed() >= time {
            child.kill().expect("it can be killed");
            break child.wait().expect("it can be waited for");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    drop(drains);
    status.success()
}
