//! The limits that the system sets to this process: how long its files may be, and how many it may have open. A limit that is
//! met is an error like any other, told with the limit's name.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::process::{Resource, Signal, getrlimit};

/// What the system says, in our errors and in git's, when a limit is met: the limit, what it bounds, and how a shell names it.
const MET: [(&str, Resource, &str, &str); 2] = [
    ("Too many open files", Resource::Nofile, "how many files may be open", "ulimit -n"),
    ("File too large", Resource::Fsize, "how many bytes a file may have", "ulimit -f"),
];

/// Lets a write beyond the longest file fail instead of ending the process. A signal that is handled, unlike one that is
/// ignored, has its own meaning again in every program that we start.
pub fn outlive_file_size() {
    // Without the handler a process ends at that limit, as most programs do.
    let _ = signal_hook::flag::register(Signal::XFSZ.as_raw(), Arc::new(AtomicBool::new(false)));
}

/// What to raise, if a limit is why something failed. The words are all that we have of an error of git's.
#[must_use]
pub fn hint(cause: &str) -> Option<String> {
    let (_, resource, what, shell) = MET.into_iter().find(|(words, ..)| cause.contains(words))?;
    // Without a limit of ours the file system has one.
    let now = getrlimit(resource).current?;
    Some(format!("raise the limit of {what}, now {now}: `{shell}`"))
}
