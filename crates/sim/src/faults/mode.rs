//! The kinds of fault, and which call each of them can strike.

use std::fmt;

use nix::libc;

use super::key::{STDOUT, SeenCall};
use super::shadow::PowerLoss;
use super::syscalls::CallAct;
use super::tracer::CallOrder;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultMode {
    /// The disk cannot read or write.
    Eio,
    /// The disk is full.
    Enospc,
    /// A signal came between.
    Eintr,
    /// The process has too many files open.
    Emfile,
    /// Fewer bytes are moved than were asked for.
    Short,
    /// All processes are killed before the call.
    KillBefore,
    /// All processes are killed when the call is done.
    KillAfter,
    /// Only the process that makes the call is killed.
    KillOne,
    /// The power goes before the call: what was not synced is lost.
    Power,
    /// The same, but all names have reached the disk, without the bytes behind them.
    PowerBytes,
    /// The call is not made and seems to be, then the power goes when the command has ended: the test of the walk itself.
    Lie,
}

impl FaultMode {
    pub const ALL: [FaultMode; 11] = [
        FaultMode::Eio,
        FaultMode::Enospc,
        FaultMode::Eintr,
        FaultMode::Emfile,
        FaultMode::Short,
        FaultMode::KillBefore,
        FaultMode::KillAfter,
        FaultMode::KillOne,
        FaultMode::Power,
        FaultMode::PowerBytes,
        FaultMode::Lie,
    ];

    pub fn word(self) -> &'static str {
        match self {
            FaultMode::Eio => "eio",
            FaultMode::Enospc => "enospc",
            FaultMode::Eintr => "eintr",
            FaultMode::Emfile => "emfile",
            FaultMode::Short => "short",
            FaultMode::KillBefore => "kill-before",
            FaultMode::KillAfter => "kill-after",
            FaultMode::KillOne => "kill-one",
            FaultMode::Power => "power",
            FaultMode::PowerBytes => "power-bytes",
            FaultMode::Lie => "lie",
        }
    }

    /// Those of a walk: all but the lie, which no program can bear.
    pub fn walked() -> Vec<FaultMode> {
        FaultMode::ALL.into_iter().filter(|mode| *mode != FaultMode::Lie).collect()
    }

    pub fn of(word: &str) -> Option<FaultMode> {
        FaultMode::ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// Whether this fault can come at this call, and changes anything there.
    pub fn strikes(self, call: &SeenCall) -> bool {
        let changes = call.changes_the_disk();
        match self {
            FaultMode::Eio => true,
            FaultMode::Enospc => changes && call.act != CallAct::Mark,
            FaultMode::Eintr => match call.act {
                // Nobody waits for a folder.
                CallAct::Open => call.third & libc::O_DIRECTORY as u64 == 0,
                CallAct::Read | CallAct::Write | CallAct::Lock | CallAct::Sync | CallAct::Resize => true,
                CallAct::Look | CallAct::Name | CallAct::Mark => false,
            },
            FaultMode::Emfile => call.act == CallAct::Open || call.key.call == "inotify_add_watch",
            FaultMode::Short => {
                ["read", "pread", "write", "pwrite"].contains(&call.key.call) && call.third > 1
            }
            // Between two changes of the disk a death leaves the same, wherever it comes.
            FaultMode::KillBefore | FaultMode::Power | FaultMode::PowerBytes => {
                changes && call.key.path != STDOUT
            }
            FaultMode::Lie => call.act == CallAct::Sync,
            FaultMode::KillAfter | FaultMode::KillOne => changes,
        }
    }

    /// What is lost when the run is over, if the power goes.
    pub fn loss(self) -> Option<PowerLoss> {
        match self {
            FaultMode::Power | FaultMode::Lie => Some(PowerLoss::Everything),
            FaultMode::PowerBytes => Some(PowerLoss::Bytes),
            FaultMode::Eio
            | FaultMode::Enospc
            | FaultMode::Eintr
            | FaultMode::Emfile
            | FaultMode::Short
            | FaultMode::KillBefore
            | FaultMode::KillAfter
            | FaultMode::KillOne => None,
        }
    }

    /// Whether it can also come when the command has ended.
    pub fn strikes_the_end(self) -> bool {
        matches!(self, FaultMode::Power | FaultMode::PowerBytes)
    }

    /// A program is to bear these without a word.
    pub fn is_harmless(self) -> bool {
        match self {
            FaultMode::Eintr | FaultMode::Short => true,
            FaultMode::Eio
            | FaultMode::Enospc
            | FaultMode::Emfile
            | FaultMode::KillBefore
            | FaultMode::KillAfter
            | FaultMode::KillOne
            | FaultMode::Power
            | FaultMode::PowerBytes
            | FaultMode::Lie => false,
        }
    }

    /// What becomes of the call when it is about to be made.
    pub fn entering(self) -> CallOrder {
        match self {
            FaultMode::Eio => CallOrder::Fail(libc::EIO),
            FaultMode::Enospc => CallOrder::Fail(libc::ENOSPC),
            FaultMode::Eintr => CallOrder::Fail(libc::EINTR),
            FaultMode::Emfile => CallOrder::Fail(libc::EMFILE),
            FaultMode::Short => CallOrder::Shorten,
            FaultMode::KillBefore | FaultMode::Power | FaultMode::PowerBytes => CallOrder::KillTree,
            FaultMode::KillAfter | FaultMode::KillOne => CallOrder::Go,
            FaultMode::Lie => CallOrder::Swallow,
        }
    }

    /// And when it is done.
    pub fn left(self) -> CallOrder {
        match self {
            FaultMode::KillAfter => CallOrder::KillTree,
            FaultMode::KillOne => CallOrder::KillProcess,
            FaultMode::Eio
            | FaultMode::Enospc
            | FaultMode::Eintr
            | FaultMode::Emfile
            | FaultMode::Short
            | FaultMode::KillBefore
            | FaultMode::Power
            | FaultMode::PowerBytes
            | FaultMode::Lie => CallOrder::Go,
        }
    }
}

impl fmt::Display for FaultMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl SeenCall {
    /// Whether the disk is another one afterwards.
    pub fn changes_the_disk(&self) -> bool {
        let making = (libc::O_CREAT | libc::O_TRUNC) as u64;
        match self.act {
            CallAct::Open => match self.key.call {
                "creat" => true,
                "open" => self.second & making != 0,
                "openat" => self.third & making != 0,
                // How it is opened lies in memory.
                _ => false,
            },
            CallAct::Write | CallAct::Name | CallAct::Sync | CallAct::Resize | CallAct::Mark => true,
            CallAct::Read | CallAct::Look | CallAct::Lock => false,
        }
    }
}
