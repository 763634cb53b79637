//! The size of the context window: the program names it, the mission keeps it over a restart, and no guess stops a session.

use std::fs;

use providers::claude::versions::ClaudeVersion;
use sim::api::{Step, Usage};

use sim::real_stage::{RealStage, bash, mission, reports};

const CHECK: &str = "checks: [[\"grep\", \"-q\", \"stone\", \"bridge.txt\"]]\n";
/// A window of a million tokens in every version; newer ones do not repeat the suffix when they name the model.
pub const MILLION: &str = "opus[1m]";
const MAY_HAVE_RUN: &str = "May have run, wholly, in part or not at all";

/// A request of this size.
pub fn holds(cache_read: u64) -> Usage {
    Usage { input: 10, cache_read, cache_creation: 90, output: 50 }
}

/// How often the processes of a session were asked for their window.
pub fn window_asks(stage: &RealStage, session: u32) -> usize {
    let lines = fs::read_to_string(stage.mission().join(format!("sessions/{session}.jsonl")));
    lines.expect("a logbook").matches("get_context_usage").count()
}

#[test]
fn a_window_that_was_named_outlives_a_restart() {
    named_window_outlives_a_restart(sim::claude::chosen());
}

/// It gives windows of a million tokens to models whose names do not say so.
#[test]
fn a_window_that_was_named_outlives_a_restart_in_the_newest_version() {
    named_window_outlives_a_restart(sim::claude::newest());
}

fn named_window_outlives_a_restart(version: ClaudeVersion) {
    let build = bash("printf 'stone\\n' > bridge.txt && git add -A && git commit -qm Bridge");
    let work: Vec<Step> = vec![
        bash("echo ran >> ran.log; sleep 30").when("Write bridge.txt.").usage(holds(300_000)),
        build.when(MAY_HAVE_RUN).usage(holds(310_000)),
        bash("sleep 0.3").usage(holds(320_000)),
        reports("handoff", "It is built.").usage(holds(330_000)),
    ];
    let Some(stage) = RealStage::set_in_version(version, crate::BINARY, MILLION, CHECK, mission(work)) else {
        return;
    };
    let house = stage.begin();
    stage.wait_for("ToolStarted s2 Bash");
    let log = stage.clone_folder().join("ran.log");
    stage.wait_until("the tool to run", || log.exists());
    house.dies();
    stage.theatre.assert_nobody_left();
    stage.resume().completes();

    for never in ["WarningSet s2", "Overflowed s2", "Interrupting s2"] {
        assert_eq!(stage.count(never), 0, "a third of the window is no reason to stop: {}", stage.story());
    }
    for (percent, used) in [(31, 310_150), (32, 320_150), (33, 330_150)] {
        let gauge = format!("Gauged s2 {percent}% ({used} of 1000000, claude, its own window)");
        assert_eq!(stage.count(&gauge), 1, "{gauge}: {}", stage.story());
        // It was remembered, and not guessed until the process named it again.
        let guesses = stage.lines().iter().filter(|line| line.contains(&format!("({used} of ~"))).count();
        assert_eq!(guesses, 0, "{used}: {}", stage.story());
    }
    // The first process named its window when its introduction ended; the second was asked, because it could be another.
    assert_eq!(window_asks(&stage, 2), 1, "{}", stage.story());
}
