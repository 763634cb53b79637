//! Watches one run: notes its calls, and brings one fault to one of them.

use super::key::{CallCounter, CallKey, PathMask, SeenCall};
use super::mode::FaultMode;
use super::shadow::DurableShadow;
use super::tracer::{CallOrder, CallWatcher, TracedCall, TracedProcess};

/// How the processes of a rehearsal's agents end their names. What these do with git fails at their own cost.
const AGENT: &str = " __actor";

/// Whose calls are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultTarget {
    /// The command's own, all its threads.
    Own,
    /// Those of the git processes that it starts for itself.
    Git,
}

impl FaultTarget {
    fn holds(self, process: &TracedProcess) -> bool {
        match self {
            FaultTarget::Own => process.is_root,
            FaultTarget::Git => is_git(&process.name) && !process.parent.ends_with(AGENT),
        }
    }
}

/// Git with its command, or the program that it starts at the other end of a fetch.
fn is_git(name: &str) -> bool {
    name.starts_with("git ") || name.starts_with("git-")
}

#[derive(Debug)]
pub struct Injection {
    target: FaultTarget,
    counter: CallCounter,
    aim: Option<(CallKey, FaultMode)>,
    struck: bool,
    /// The call that was struck is not over yet.
    inside: bool,
    seen: Vec<SeenCall>,
    /// Follows what becomes durable, if the power is to go.
    shadow: Option<DurableShadow>,
}

impl Injection {
    /// Only notes what is called.
    pub fn recording(target: FaultTarget, mask: PathMask) -> Injection {
        let counter = CallCounter::new(mask);
        Injection { target, counter, aim: None, struck: false, inside: false, seen: Vec::new(), shadow: None }
    }

    /// Brings this fault to this call.
    pub fn aiming(target: FaultTarget, mask: PathMask, key: CallKey, mode: FaultMode) -> Injection {
        Injection { aim: Some((key, mode)), ..Injection::recording(target, mask) }
    }

    /// The same, in a world whose power may go.
    #[must_use]
    pub fn with_shadow(self, shadow: Option<DurableShadow>) -> Injection {
        Injection { shadow, ..self }
    }

    /// What became durable, if that was followed.
    pub fn shadow(&self) -> Option<&DurableShadow> {
        self.shadow.as_ref()
    }

    pub fn seen(self) -> Vec<SeenCall> {
        self.seen
    }

    /// Whether the call came; the end always comes.
    pub fn struck(&self) -> bool {
        self.struck || self.aim.as_ref().is_some_and(|(key, _)| *key == CallKey::end())
    }
}

impl CallWatcher for Injection {
    fn follows(&self, process: &TracedProcess) -> bool {
        // Whoever syncs, it is durable.
        self.shadow.is_some() || self.target.holds(process)
    }

    fn entering(&mut self, call: &TracedCall) -> CallOrder {
        if !self.target.holds(&call.process) {
            return CallOrder::Go;
        }
        let Some(key) = self.counter.key(call) else { return CallOrder::Go };
        match &self.aim {
            None => {
                let [_, second, third, ..] = call.arguments;
                self.seen.push(SeenCall { key, act: call.act, third, second });
                CallOrder::Go
            }
            Some((aim, mode)) if *aim == key && !self.struck => {
                (self.struck, self.inside) = (true, true);
                mode.entering()
            }
            Some(_) => CallOrder::Go,
        }
    }

    fn left(&mut self, call: &TracedCall, result: i64) -> CallOrder {
        let (mut order, mut is_made) = (CallOrder::Go, result >= 0);
        if let Some((aim, mode)) = &self.aim
            && self.inside
            && aim.call == call.call
        {
            self.inside = false;
            order = mode.left();
            is_made &= mode.entering() == CallOrder::Go;
        }
        if let Some(shadow) = &mut self.shadow
            && is_made
        {
            shadow.follow(call);
        }
        order
    }

    fn is_content(&self) -> bool {
        self.struck && !self.inside && self.shadow.is_none()
    }
}
