//! Measures the file picker in a project of fifty thousand files.

use std::fs;
use std::path::Path;

use sim::Theatre;

use super::{Watcher, part, rest, spread};
use crate::figure;

const FILES: usize = 50_000;
/// What stands before the name that is chosen.
const CHOSEN: &str = "▸";
const STARTS: usize = 5;
const WORDS: [&str; 6] = ["notes", "part 12", "deep/7", "readme", "n99", "zzz"];
const BACKSPACE: &str = "\x7f";

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    for (what, markdown) in [("500 of 50,000 are .md", FILES / 100), ("50,000 .md", FILES)] {
        let theatre = project(arbiter, markdown);
        let (mut frames, mut results) = (Vec::new(), Vec::new());
        for _ in 0..STARTS {
            let mut watcher = Watcher::sit(&theatre, &["--quick"]);
            let Some(frame) = watcher.sees_frame() else {
                return figure("picker", "skipped".to_owned(), "there is none");
            };
            frames.push(frame);
            results.extend(watcher.sees(CHOSEN));
            watcher.leave();
        }
        figure(&format!("picker, {what}: first frame"), format!("{:.1} ms", part(&frames, 0.5)), "50 ms");
        figure("  ... first result shown", format!("{:.1} ms", part(&results, 0.5)), "100 ms");
        keys(&theatre);
    }
}

fn keys(theatre: &Theatre) {
    let mut watcher = Watcher::sit(theatre, &["--quick"]);
    watcher.sees_frame();
    watcher.waits_until_quiet();
    figure("  ... walked through, within 0.4 s", format!("{:.2} s", watcher.age() / 1000.0), "-");
    let (mut typed, mut erased) = (Vec::new(), Vec::new());
    for word in WORDS.iter().cycle().take(3 * WORDS.len()) {
        typed.extend(word.chars().filter_map(|sign| watcher.asks(&sign.to_string())));
        erased.extend(word.chars().filter_map(|_| watcher.asks(BACKSPACE)));
    }
    let whole = |answers: &[super::watcher::Answer]| -> Vec<f64> {
        answers.iter().map(|answer| answer.whole).collect()
    };
    figure(
        &format!("  ... key to frame, a letter more ({})", typed.len()),
        spread(&whole(&typed)),
        "16 ms p99",
    );
    figure(
        &format!("  ... key to frame, a letter less ({})", erased.len()),
        spread(&whole(&erased)),
        "16 ms p99",
    );
    rest::memory("the picker", &watcher);
    watcher.leave();
}

/// A repository of fifty thousand files, of which one in twenty is ignored.
fn project(arbiter: &Path, markdown: usize) -> Theatre {
    let theatre = Theatre::with_repository(arbiter, &[(".gitignore", "ignored/\n*.log\n")]).with_idle_agent();
    let every = FILES / markdown;
    for number in 0..FILES {
        let (folder, file) = (number / 100, number % 100);
        let place = if folder % 20 == 0 { "ignored" } else { "deep" };
        let folder = theatre.project().join(format!("{place}/{}/part{folder}", folder % 25));
        if file == 0 {
            fs::create_dir_all(&folder).expect("a folder can be made");
        }
        let ending = if number % every == 0 { "md" } else { "rs" };
        let text = if ending == "md" { "# Notes\n\nSome words on a river.\n" } else { "" };
        fs::write(folder.join(format!("notes{number}.{ending}")), text).expect("a file can be written");
    }
    theatre
}
