//! What a test needs of the real world and cannot always have: a program, a right, something of the kernel's. There is one
//! way to leave such a test: it is told, and recorded for `cargo xtask test`, which counts it as skipped. It needs `std`
//! alone, so that the tests of `journal` and `sandbox` can take this file by its path and build without the rest.

use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, process, thread};

/// Names the folder in which skipped tests are recorded.
pub const SKIPS: &str = "ARBITER_TEST_SKIPS";

/// Says that `what` is missing here. The test is to leave out what needs it; it counts as skipped, whatever else it does.
///
/// # Panics
///
/// Panics with `ARBITER_REQUIRE_REAL=1`, and where a skipped test cannot be recorded.
pub fn missing(what: impl Display, why: impl Display) {
    let required = env::var_os("ARBITER_REQUIRE_REAL").is_some_and(|value| value == "1");
    assert!(!required, "{what} is missing, and ARBITER_REQUIRE_REAL=1: {why}");
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let reason = one_line(&format!("{what} is missing: {why}"));
    // Not by a macro: what those print is caught by the test runner and shown for failures only.
    _ = writeln!(
        io::stderr(),
        "\n!!! SKIPPED {test}: {reason}\n!!! ARBITER_REQUIRE_REAL=1 makes this a failure\n"
    );
    if let Some(folder) = env::var_os(SKIPS) {
        record(Path::new(&folder), &test, &reason).expect("a skipped test can be recorded");
    }
}

/// Those that are here; each of the others is missing, for the reason beside it.
pub fn at_hand<T: Display, E: Display>(wanted: impl IntoIterator<Item = (T, Option<E>)>) -> Vec<T> {
    let mut here = Vec::new();
    for (what, why) in wanted {
        match why {
            None => here.push(what),
            Some(why) => missing(what, why),
        }
    }
    here
}

/// A file of three lines: the test's binary, the test, the reason.
fn record(folder: &Path, test: &str, reason: &str) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let file = folder.join(format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let binary: PathBuf = env::current_exe()?;
    // Without the hash that cargo gives it.
    let binary = binary.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let binary = binary.rsplit_once('-').map_or(binary.as_str(), |(name, _)| name);
    fs::write(file, format!("{binary}\n{test}\n{reason}\n"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
