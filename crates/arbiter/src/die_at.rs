//! Death on demand, for the tests of the first promise: `ARBITER_DIE_AT=n:before-sync|after-sync|after-effects` kills
//! the process by SIGKILL at its n-th batch, and `ARBITER_DIE_AT=panic-screen` makes the screen panic when F12 is
//! pressed. Only a build with the feature `die-at` honours it.

/// A moment in the life of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The facts are written, not synced.
    BeforeSync,
    /// The facts are synced; no effect is performed.
    AfterSync,
    /// The effects are performed.
    AfterEffects,
}

/// When to die, if at all.
#[derive(Debug)]
pub struct DieAt {
    batch: u64,
    target: Option<(u64, Moment)>,
}

impl DieAt {
    /// Reads `ARBITER_DIE_AT`; a build without the feature never dies.
    pub fn from_environment() -> DieAt {
        let wish = cfg!(feature = "die-at").then(|| std::env::var("ARBITER_DIE_AT").ok()).flatten();
        DieAt { batch: 0, target: wish.as_deref().and_then(parse) }
    }

    /// Dies if this is the moment.
    pub fn reached(&mut self, moment: Moment) {
        if moment == Moment::BeforeSync {
            self.batch += 1;
        }
        if self.target == Some((self.batch, moment)) {
            let own = rustix::process::getpid();
            let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
            // SIGKILL reaches us a moment later; nothing may happen meanwhile.
            loop {
                std::thread::park();
            }
        }
    }
}

/// Whether the screen is to panic.
pub fn is_screen_doomed() -> bool {
    cfg!(feature = "die-at") && std::env::var("ARBITER_DIE_AT").is_ok_and(|wish| wish == "panic-screen")
}

fn parse(wish: &str) -> Option<(u64, Moment)> {
    let (batch, moment) = wish.split_once(':')?;
    let moment = match moment {
        "before-sync" => Moment::BeforeSync,
        "after-sync" => Moment::AfterSync,
        "after-effects" => Moment::AfterEffects,
        _ => return None,
    };
    Some((batch.parse().ok()?, moment))
}
