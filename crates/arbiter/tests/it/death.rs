//! Death at every point: the demo mission is killed at every batch and at three moments of each, then resumed. The
//! story it tells must be the one an undisturbed run tells: nothing lost, nothing said twice, nothing asked twice.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use sim::{DeathWalk, Theatre};

use crate::{DEMO, theatre};

fn begin(theatre: &Theatre) -> Command {
    theatre.command(&DEMO)
}

/// Kills at this moment of each batch in turn.
fn walk(moment: &str) {
    let points = (1..).map(|batch| format!("{batch}:{moment}"));
    let deaths = DeathWalk::new(theatre, begin).walk(points, 4);
    assert!(deaths > 40, "only {deaths} batches were walked");
}

#[test]
fn a_death_before_any_sync_loses_nothing() {
    walk("before-sync");
}

#[test]
fn a_death_after_any_sync_loses_nothing() {
    walk("after-sync");
}

#[test]
fn a_death_after_any_effects_loses_nothing() {
    walk("after-effects");
}

/// A resumed mission is killed again and again before it may end.
#[test]
fn many_deaths_in_one_mission_lose_nothing() {
    let moments = DeathWalk::MOMENTS;
    let points = (1..).map(|death| format!("{}:{}", 3 + death % 5, moments[death % 3]));
    let deaths = DeathWalk::new(theatre, begin).die_often(points);
    assert!(deaths > 8, "only {deaths} deaths");
}

#[test]
fn a_mission_that_falls_after_so_many_batches_each_time_is_the_same_mission() {
    let walk = DeathWalk::new(theatre, begin);
    for batch in [5, 16] {
        let points = DeathWalk::MOMENTS.into_iter().cycle().map(|moment| format!("{batch}:{moment}"));
        let deaths = walk.die_often(points);
        assert!(deaths > 1, "only {deaths} deaths");
    }
}

#[test]
fn sigkill_from_outside_at_any_moment_loses_nothing() {
    let began = Instant::now();
    let walk = DeathWalk::new(theatre, begin);
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
                child = theatre.start(&DeathWalk::RESUME);
            }
            survived = outlive(&mut child, whole * (again + 1) / (5 + round % 3));
        }
        if !survived {
            kills += 1;
            if theatre.missions().is_empty() {
                assert_eq!(theatre.run(&DEMO).code, Some(0));
            } else {
                DeathWalk::go_on(&theatre, "SIGKILL");
            }
        }
        walk.assert_whole(&theatre, &format!("SIGKILL, round {round}"));
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
