//! Faults by script: what goes wrong with a request, and with which one.

use std::collections::VecDeque;
use std::time::Duration;

/// What goes wrong with a request.
#[derive(Debug, Clone, PartialEq)]
pub enum BotFault {
    /// The connection is reset, and nothing was done.
    ResetBefore,
    /// It was done, and then the connection is reset: the client cannot know.
    ResetAfter,
    /// The connection ends without a byte, and nothing was done.
    CloseBefore,
    /// It was done, and then the connection ends without a byte.
    CloseAfter,
    /// A proxy answers with a page of HTML, and nothing was done.
    BadGateway,
    /// It is done after this time.
    SlowBefore(Duration),
    /// It is done at once and answered after this time.
    SlowAfter(Duration),
    /// It was done, and the answer is half a JSON object with status 200.
    Garbage,
    /// Nothing was done: 429, and `retry_after` with these seconds.
    TooMany(u64),
    /// Nothing was done, and this is said instead.
    Refused { code: u16, description: String },
}

#[derive(Debug, Default)]
pub(super) struct FaultScript(VecDeque<ScriptedFault>);

#[derive(Debug)]
struct ScriptedFault {
    /// In lower case; `*` means all.
    method: String,
    times: usize,
    fault: BotFault,
}

impl FaultScript {
    pub(super) fn add(&mut self, method: &str, times: usize, fault: BotFault) {
        self.0.push_back(ScriptedFault { method: method.to_ascii_lowercase(), times, fault });
    }

    /// The fault for this request, which is used up once.
    pub(super) fn take(&mut self, method: &str) -> Option<BotFault> {
        self.0.retain(|scripted| scripted.times > 0);
        let is_meant = |scripted: &&mut ScriptedFault| scripted.method == "*" || scripted.method == method;
        let scripted = self.0.iter_mut().find(is_meant)?;
        scripted.times -= 1;
        Some(scripted.fault.clone())
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
