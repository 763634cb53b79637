//! Measures the mind on a long mission: what one event costs, and what it costs to show the state to the doors. Both
//! should not depend on how long the mission already is.

use std::sync::Arc;
use std::time::Instant;

use sim::LongMission;
use tokio::sync::watch;

use crate::figure;

/// Measures and prints.
pub fn measure() {
    let mut mission = LongMission::new();
    let mut facts = 0;
    let mut young = None;
    for target in [1_000, 100_000] {
        while facts < target {
            let event = mission.next_event();
            facts += mission.advance(event).len();
        }
        let (before, kilobytes) = (facts, memory_kilobytes());
        let (thought, shown) = costs(&mut mission, &mut facts);
        let age = format!("{target} facts");
        figure(&format!("decide + apply per event, after {age}"), format!("{thought:.2} µs"), "20 µs, flat");
        figure(&format!("publish per event, after {age}"), format!("{shown:.2} µs"), "flat");
        let grown = memory_kilobytes().saturating_sub(kilobytes) as f64 * 1024.0 / (facts - before) as f64;
        figure(&format!("memory per fact, after {age}"), format!("{grown:.0} bytes"), "flat");
        match young {
            None => young = Some((thought, shown)),
            Some((first_thought, first_shown)) => {
                figure("  ... decide + apply, old to young", format!("{:.2}", thought / first_thought), "1");
                figure("  ... publish, old to young", format!("{:.2}", shown / first_shown), "1");
            }
        }
    }
    let arbiters = mission.state.sessions.values().filter(|session| !session.is_worker()).count();
    let course = format!("{} and {}", mission.state.orchestrators, arbiters.saturating_sub(1));
    figure("  ... Orchestrators, and successions of the Arbiter", course, "40 and 3");
}

/// The memory this process holds now.
fn memory_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Microseconds per event: to decide and apply it, and to publish the state after it while a door still holds
/// the one before.
fn costs(mission: &mut LongMission, facts: &mut usize) -> (f64, f64) {
    const EVENTS: u32 = 20_000;
    let (picture, door) = watch::channel(Arc::new(mission.state.clone()));
    let (mut thinking, mut showing) = (0.0, 0.0);
    for _ in 0..EVENTS {
        let event = mission.next_event();
        let held = door.borrow().clone();
        let began = Instant::now();
        *facts += mission.advance(event).len();
        thinking += began.elapsed().as_secs_f64();
        let began = Instant::now();
        picture.send_replace(Arc::new(mission.state.clone()));
        showing += began.elapsed().as_secs_f64();
        drop(held);
    }
    let per_event = |seconds: f64| seconds * 1e6 / f64::from(EVENTS);
    (per_event(thinking), per_event(showing))
}
