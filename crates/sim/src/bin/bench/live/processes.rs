//! What the system says of a process: its descendants, what it used, what it holds.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, UNIX_EPOCH};

/// Its children, by number.
pub fn children(parent: u32) -> Vec<u32> {
    let found = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut children: Vec<u32> = found
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter(|process| parent_of(*process) == Some(parent))
        .collect();
    children.sort_unstable();
    children
}

/// All its descendants.
pub fn below(process: u32) -> Vec<u32> {
    let mut all = children(process);
    let mut seen = 0;
    while let Some(next) = all.get(seen).copied() {
        all.extend(children(next));
        seen += 1;
    }
    all
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its name stands in brackets, and may have any of them in it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The words of its command line.
pub fn command_line(process: u32) -> String {
    let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// What the threads of a process have used since each began.
pub struct Used(BTreeMap<OsString, Share>);

/// What one or more threads have used.
#[derive(Debug, Clone, Copy, Default)]
pub struct Share {
    /// Time on a processor, in nanoseconds: `stat` has it too, but in ticks of 10 ms, which are a third of our goal.
    pub nanoseconds: u64,
    /// How often one waited for something, and was awoken.
    pub awoken: u64,
}

/// What all its threads have used.
pub fn used(process: u32) -> Used {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let share = |thread: fs::DirEntry| {
        let schedule = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let nanoseconds = schedule.split_whitespace().next()?.parse().ok()?;
        let awoken = status(&thread.path().join("status"), "voluntary_ctxt_switches:");
        Some((thread.file_name(), Share { nanoseconds, awoken }))
    };
    Used(threads.filter_map(share).collect())
}

impl Used {
    /// What was used since an earlier look. By thread: one that has ended since takes its whole account with it, and
    /// would make the sum smaller than it was.
    pub fn since(&self, earlier: &Used) -> Share {
        let mut sum = Share::default();
        for (thread, share) in &self.0 {
            let before = earlier.0.get(thread).copied().unwrap_or_default();
            sum.nanoseconds += share.nanoseconds.saturating_sub(before.nanoseconds);
            sum.awoken += share.awoken.saturating_sub(before.awoken);
        }
        sum
    }
}

/// How many threads it has.
pub fn threads(process: u32) -> usize {
    fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count)
}

/// The memory it holds, in megabytes.
pub fn megabytes(process: u32) -> f64 {
    status(Path::new(&format!("/proc/{process}/status")), "VmRSS:") as f64 / 1024.0
}

/// The most memory it ever held, in megabytes.
pub fn peak_megabytes(process: u32) -> f64 {
    status(Path::new(&format!("/proc/{process}/status")), "VmHWM:") as f64 / 1024.0
}

fn status(file: &Path, name: &str) -> u64 {
    let status = fs::read_to_string(file).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Counts the processes that are started below a process, short ones too: the system tells which number it gave last.
pub struct Census {
    over: Arc<AtomicBool>,
    counting: JoinHandle<Vec<f64>>,
}

impl Census {
    /// Begins to count.
    pub fn below(root: u32) -> Census {
        let over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&over);
        let counting = std::thread::spawn(move || {
            let (mut known, mut began, mut last) = (BTreeSet::from([root]), Vec::new(), root);
            while !until.load(Ordering::Relaxed) {
                let newest = newest_number().unwrap_or(last);
                // Numbers begin anew at the top; a census that meets that counts too few.
                for number in last + 1..=newest {
                    let is_process =
                        status(Path::new(&format!("/proc/{number}/status")), "Tgid:") == u64::from(number);
                    if is_process && parent_of(number).is_some_and(|parent| known.contains(&parent)) {
                        known.insert(number);
                        let now = host::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                        began.push(now.as_secs_f64() * 1000.0);
                    }
                }
                last = newest.max(last);
                std::thread::sleep(Duration::from_micros(100));
            }
            began
        });
        Census { over, counting }
    }

    /// When each of them began, in milliseconds of the wall clock.
    pub fn finish(self) -> Vec<f64> {
        self.over.store(true, Ordering::Relaxed);
        self.counting.join().expect("a census cannot fail")
    }
}

fn newest_number() -> Option<u32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().last()?.parse().ok()
}
