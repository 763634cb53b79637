//! What an earlier house left running.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sandbox::{MISSION, strike_leftovers};

/// A process without us as its parent: `sleep` in a session of its own, as a killed house leaves it.
fn leave(variable: &str, value: &str) -> i32 {
    let output = Command::new("sh")
        .args(["-c", "setsid sh -c 'echo $$; exec env sleep 300 >&- 2>&-' &"])
        .env_remove(MISSION)
        .env(variable, value)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn only_what_carries_the_mission_is_struck() {
    let mission = format!("leftovers-{}", std::process::id());
    let longer = format!("{mission}0");
    let left = [leave(MISSION, &mission), leave(MISSION, &mission)];
    let strangers = [leave(MISSION, &longer), leave("OTHER", &format!("{MISSION}={mission}"))];
    let own = Command::new("sleep").arg("300").env(MISSION, &mission).spawn().unwrap();

    let struck = strike_leftovers(&mission);
    let states = (left.map(is_alive), strangers.map(is_alive), is_alive(own.id().cast_signed()));
    end(own);
    for pid in strangers {
        let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
    }
    assert_eq!(states, ([false; 2], [true; 2], true));
    assert_eq!(struck, 2);
    assert_eq!((strike_leftovers(&mission), strike_leftovers("")), (0, 0));
}

#[test]
fn what_a_leftover_started_without_its_environment_goes_too() {
    let mission = format!("descent-{}", std::process::id());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let script = format!("setsid sh -c 'env -i sleep 300 & echo $! > {}; wait' >&- 2>&- &", file.display());
    assert!(Command::new("sh").args(["-c", &script]).env(MISSION, &mission).status().unwrap().success());
    let began = Instant::now();
    let pid = loop {
        if let Ok(pid) = std::fs::read_to_string(&file).unwrap_or_default().trim().parse() {
            break pid;
        }
        assert!(began.elapsed() < Duration::from_secs(5));
    };
    assert!(strike_leftovers(&mission) >= 2);
    assert!(!is_alive(pid));
}
