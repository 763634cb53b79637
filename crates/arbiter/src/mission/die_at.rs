//! Crashes on demand, for tests: `ARBITER_DIE_AT=n:before-sync|after-sync|after-effects` kills the process by SIGKILL at
//! its n-th batch (`spent` instead of n: at the batch between a turn's report of usage and its end), and
//! `ARBITER_DIE_AT=panic-screen` makes the screen panic when F12 is pressed. Only a build with the feature `die-at`
//! honours it.

use mind::fact::{SessionFact, TurnFact, WorkFact};
use mind::{Entry, Fact};

/// A point between two steps of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashPoint {
    /// The facts are written but not synced.
    BeforeSync,
    /// The facts are synced; no effect is performed yet.
    AfterSync,
    /// The effects are performed.
    AfterEffects,
}

/// When to die, if at all.
#[derive(Debug)]
pub struct DieAt {
    batch: u64,
    /// The batch reports usage, and its turn has not ended yet.
    is_between_usage_and_rest: bool,
    target: Option<(FatalBatch, CrashPoint)>,
}

#[derive(Debug, Clone, Copy)]
enum FatalBatch {
    Number(u64),
    BetweenUsageAndRest,
}

impl DieAt {
    /// Reads `ARBITER_DIE_AT`; a build without the feature never dies.
    pub fn from_environment() -> DieAt {
        let wish = cfg!(feature = "die-at").then(|| std::env::var("ARBITER_DIE_AT").ok()).flatten();
        DieAt { batch: 0, is_between_usage_and_rest: false, target: wish.as_deref().and_then(parse) }
    }

    pub fn begin(&mut self, entries: &[Entry]) {
        self.batch += 1;
        self.is_between_usage_and_rest = self.target.is_some() && is_between_usage_and_rest(entries);
    }

    /// Kills the process if this is the point.
    pub fn reached(&mut self, moment: CrashPoint) {
        let is_now = self.target.is_some_and(|(batch, when)| {
            let is_batch = match batch {
                FatalBatch::Number(number) => number == self.batch,
                FatalBatch::BetweenUsageAndRest => self.is_between_usage_and_rest,
            };
            is_batch && when == moment
        });
        if is_now {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            // SIGKILL arrives a moment later; nothing may happen meanwhile.
            loop {
                std::thread::park();
            }
        }
    }
}

/// Whether the screen should panic on F12.
pub fn is_screen_doomed() -> bool {
    cfg!(feature = "die-at") && std::env::var("ARBITER_DIE_AT").is_ok_and(|wish| wish == "panic-screen")
}

fn is_between_usage_and_rest(entries: &[Entry]) -> bool {
    let last = entries.iter().rev().find_map(|entry| match &entry.fact {
        Fact::Session(_, SessionFact::Work(WorkFact::Spent { .. })) => Some(true),
        Fact::Session(_, SessionFact::Turn(TurnFact::Rested { .. })) => Some(false),
        Fact::Mission(_)
        | Fact::Talk(_)
        | Fact::Session(..)
        | Fact::Gate(..)
        | Fact::Docket(..)
        | Fact::Conductor(_) => None,
    });
    last == Some(true)
}

fn parse(wish: &str) -> Option<(FatalBatch, CrashPoint)> {
    let (batch, moment) = wish.split_once(':')?;
    let moment = match moment {
        "before-sync" => CrashPoint::BeforeSync,
        "after-sync" => CrashPoint::AfterSync,
        "after-effects" => CrashPoint::AfterEffects,
        _ => return None,
    };
    let batch = match batch {
        "spent" => FatalBatch::BetweenUsageAndRest,
        number => FatalBatch::Number(number.parse().ok()?),
    };
    Some((batch, moment))
}
