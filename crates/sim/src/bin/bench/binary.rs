//! Measures the binary: time to its first output, memory of a mission, duration of the demo.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use sim::{DEMO, Theatre};

use crate::{figure, median};

/// Measures and prints.
pub fn measure(arbiter: &Path) {
    let mut first_lines = Vec::new();
    let mut wholes = Vec::new();
    let mut memory = 0;
    for _ in 0..7 {
        let theatre = Theatre::new(arbiter);
        let began = Instant::now();
        let mut child = theatre.start(&DEMO);
        let mut out = child.stdout.take().expect("its output is piped");
        let mut byte = [0];
        out.read_exact(&mut byte).expect("it says something");
        first_lines.push(began.elapsed().as_secs_f64() * 1000.0);
        let drain = std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
        let status = loop {
            memory = memory.max(peak_kilobytes(child.id()));
            match child.try_wait().expect("it can be waited for") {
                Some(status) => break status,
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        assert!(status.success(), "the demo ends with {status}");
        wholes.push(began.elapsed().as_secs_f64());
        let _ = drain.join();
    }
    figure("start to first line", format!("{:.1} ms", median(first_lines)), "20 ms");
    figure("memory of a mission (peak RSS)", format!("{:.1} MB", memory as f64 / 1024.0), "15 MB");
    figure("the whole demo, fast pace", format!("{:.2} s", median(wholes)), "10 s");
}

/// The most memory the process ever held.
fn peak_kilobytes(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
