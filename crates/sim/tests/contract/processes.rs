//! The processes of one test, as Linux shows them: all that carry its mission in their environment.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use sandbox::MISSION;

/// The living processes that carry `mission`: their numbers and what they are.
pub fn of(mission: &str) -> Vec<(u32, String)> {
    let mark = format!("{MISSION}={mission}");
    let carries = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|pair| pair == mark.as_bytes())
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(carries).filter(|pid| is_alive(*pid)).map(|pid| (pid, words(pid))).collect()
}

/// Those of them that we started ourselves.
pub fn started_by_us(mission: &str) -> Vec<u32> {
    let own = std::process::id().to_string();
    let parent = |pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit_once(')').and_then(|(_, rest)| Some(rest.split_whitespace().nth(1)?.to_owned()))
    };
    let pids = of(mission).into_iter().map(|(pid, _)| pid);
    pids.filter(|pid| parent(*pid).as_deref() == Some(&own)).collect()
}

/// Whether a process lives; a zombie does not.
pub fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.starts_with(" Z")))
}

/// Kills one process, which must be one of ours.
pub fn kill(pid: u32) {
    assert!(Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap().success());
}

/// Nothing that carries `mission` lives any more. Whoever was struck may need a moment to be gone.
pub fn assert_none(mission: &str) {
    let until = Instant::now() + Duration::from_secs(2);
    loop {
        let alive = of(mission);
        if alive.is_empty() {
            return;
        }
        if Instant::now() > until {
            for (pid, _) in &alive {
                kill(*pid);
            }
            panic!("still alive: {alive:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How much memory this process has had at most, in bytes.
pub fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<u64>().unwrap() * 1024
}

/// The number that a process wrote into a file.
pub fn pid_in(file: &PathBuf) -> Option<u32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn words(pid: u32) -> String {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ").chars().take(200).collect()
}
