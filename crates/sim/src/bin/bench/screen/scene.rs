//! Measures the scene and the ceremony: bytes while demons work, rest while a person is waited for, and what is left of
//! sound once it is off. All in true colour, which takes the most bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use sim::Theatre;

use super::watcher::{LARGE, PATIENCE};
use super::{Watcher, flow, play, rest};
use crate::figure;
use crate::live::processes;

/// Columns and rows of a usual terminal, where the scene has a page of its own.
const USUAL: (u16, u16) = (80, 24);
/// Between two keys, so that a terminal does not read them as one.
const BREATH: Duration = Duration::from_millis(300);
/// How long the last words of a speaker stay above it.
const ECHO: Duration = Duration::from_secs(6);
/// What the title says.
const MOTTO: &str = "OF THAT WHICH WAS";
/// A sound player that plays nothing, and stays until it is ended.
const PLAYER: &str = "#!/bin/sh\nexec sleep 60\n";

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    alive(arbiter);
    at_rest(arbiter);
    title(arbiter);
}

fn alive(arbiter: &Path) {
    for (what, size) in [("beside the talk, 160x50", LARGE), ("as a page, 80x24", USUAL)] {
        let theatre = coloured(Theatre::new(arbiter));
        let mut watcher = Watcher::sit_before(size, &theatre, &["demo", "--pace", "human"]);
        if watcher.sees_frame().is_none() {
            return figure("bytes while the scene is alive", "skipped".to_owned(), "no frame came");
        }
        if size == USUAL {
            open_page(&mut watcher);
        }
        flow::measure_bytes(&format!("scene alive {what}, bytes a second"), &theatre, &mut watcher);
        watcher.leave();
        theatre.assert_nobody_left();
    }
}

fn at_rest(arbiter: &Path) {
    for (what, size) in [("scene beside a mission that waits", LARGE), ("the same as a page, 80x24", USUAL)] {
        let theatre = Theatre::with_repository(arbiter, &[("README.md", "# The lantern\n")]);
        let (theatre, mut watcher) = play::waiting_in(coloured(theatre), size);
        if size == USUAL {
            open_page(&mut watcher);
        }
        watcher.reads_for(ECHO);
        rest::idle(what, &mut watcher);
        watcher.leave();
        theatre.assert_nobody_left();
    }
}

/// The title, with a player that plays and then with none.
fn title(arbiter: &Path) {
    let theatre = Theatre::with_repository(arbiter, &[("README.md", "# The lantern\n")]).with_idle_agent();
    let theatre = coloured(theatre).with_config("ceremony: always\nsound: on\n");
    let theatre = with_player(theatre);
    let mut watcher = Watcher::sit(&theatre, &[]);
    if watcher.sees(MOTTO).is_none() {
        return figure("the title", "skipped".to_owned(), "no title came");
    }
    let began = Instant::now();
    while processes::below(watcher.pid()).is_empty() && began.elapsed() < PATIENCE / 6 {
        watcher.reads_for(BREATH);
    }
    left("title, with its theme", &watcher, "1");
    rest::idle("the title, with its theme", &mut watcher);
    watcher.types("m");
    watcher.reads_for(BREATH);
    left("title, 0.3 s after it was muted", &watcher, "0");
    rest::idle("the title, muted", &mut watcher);
    watcher.leave();
    theatre.assert_nobody_left();
}

/// Prints how many processes are below the program, and how many threads it has.
fn left(what: &str, watcher: &Watcher, goal: &str) {
    let (below, threads) = (processes::below(watcher.pid()).len(), processes::threads(watcher.pid()));
    figure(&format!("{what}: processes below it"), below.to_string(), goal);
    figure("  ... its own threads", threads.to_string(), "-");
}

/// In true colour, on a machine without sound unless it is said.
fn coloured(theatre: Theatre) -> Theatre {
    theatre.with_env("COLORTERM", "truecolor").with_env("CI", "1")
}

/// With a player in the world's own folder, before any that the machine has.
fn with_player(theatre: Theatre) -> Theatre {
    let folder = theatre.path().join("players");
    fs::create_dir(&folder).expect("a folder can be made");
    let player = folder.join("pw-play");
    fs::write(&player, PLAYER).expect("a file can be written");
    fs::set_permissions(&player, fs::Permissions::from_mode(0o755)).expect("it may run");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    // One world, measured once: what its environment says may live as long as the bench.
    theatre.with_env("PATH", path.leak())
}

/// Opens the scene's own page.
fn open_page(watcher: &mut Watcher) {
    watcher.reads_for(BREATH);
    watcher.types("\x1b");
    watcher.reads_for(BREATH);
    watcher.types("v");
    watcher.reads_for(BREATH);
}
